import type { ServerResponse } from 'node:http';
import { errors } from '../api-error';

/**
 * The memory that bodies may take in this process. A body counts from before its first byte is read until its
 * answer is sent: as long as it waits for the thread that checks imports, or for the database.
 */
export class HeldBodies {
  private bytes = 0;

  /** @param limit bytes of all of them; a body alone is always taken */
  constructor(private readonly limit: number) {}

  /**
   * @param bytes the most that will be read
   * @throws ApiError 503, with nothing read
   */
  hold(bytes: number, response: ServerResponse): void {
    // Its client went away while the guards before this one worked.
    if (response.closed) return;
    if (this.bytes > 0 && this.bytes + bytes > this.limit) throw errors.overloaded();
    this.bytes += bytes;
    response.once('close', () => {
      this.bytes -= bytes;
    });
  }
}
