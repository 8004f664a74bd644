import type { ServerResponse } from 'node:http';
import { errors } from '#libs/errors';

/** What one organization may hold of it, so that its slow uploads leave room for others. */
const SHARE = 0.5;

/**
 * The memory that bodies may take in this process. A body counts from before its first byte is read until its
 * answer is sent: as long as it waits for the thread that checks imports, or for the database.
 */
export class BodyBudget {
  private bytes = 0;
  private readonly byOrganization = new Map<string, number>();

  /** @param limit bytes of all of them; an organization's only body is taken however large, if it has room */
  constructor(private readonly limit: number) {}

  /**
   * @param bytes the most that will be read
   * @throws ApiError 503, with nothing read
   */
  hold(bytes: number, organizationId: string, response: ServerResponse): void {
    // Its client went away while the guards before this one worked.
    if (response.closed) return;
    const own = this.byOrganization.get(organizationId) ?? 0;
    const beyond = this.bytes > 0 && this.bytes + bytes > this.limit;
    const beyondShare = own > 0 && own + bytes > this.limit * SHARE;
    if (beyond || beyondShare) throw errors.overloaded();
    this.add(bytes, organizationId);
    response.once('close', () => this.add(-bytes, organizationId));
  }

  private add(bytes: number, organizationId: string): void {
    this.bytes += bytes;
    const own = (this.byOrganization.get(organizationId) ?? 0) + bytes;
    if (own > 0) this.byOrganization.set(organizationId, own);
    else this.byOrganization.delete(organizationId);
  }
}
