import type { ServerResponse } from 'node:http';

interface Holder {
  bytes: number;
  waiting: Set<() => void>;
}

/**
 * The bytes of responses that this process holds until their clients read them, by organization. Clients that do not read
 * would otherwise fill the memory.
 */
export class UnsentBytes {
  private readonly holders = new Map<string, Holder>();
  /** The bytes of all organizations. */
  total = 0;

  /** @param limit of an organization; a response that has begun may exceed it */
  constructor(private readonly limit: number) {}

  isFull(organizationId: string): boolean {
    return (this.holders.get(organizationId)?.bytes ?? 0) >= this.limit;
  }

  /** Counts bytes, or with a negative number those that were sent. */
  add(organizationId: string, bytes: number): void {
    const holder = this.holders.get(organizationId) ?? { bytes: 0, waiting: new Set() };
    this.holders.set(organizationId, holder);
    holder.bytes += bytes;
    this.total += bytes;
    if (holder.bytes < this.limit) for (const resume of holder.waiting) resume();
    if (holder.bytes === 0) this.holders.delete(organizationId);
  }

  /** Waits until the organization is below its limit, or the connection of the response is closed. */
  async room(organizationId: string, response: ServerResponse): Promise<void> {
    while (this.isFull(organizationId) && !isClosed(response)) {
      const { waiting } = this.holders.get(organizationId) as Holder;
      const { socket } = response.req;
      await new Promise<void>((resolve) => {
        const resume = () => {
          waiting.delete(resume);
          socket.off('close', resume);
          resolve();
        };
        waiting.add(resume);
        socket.once('close', resume);
      });
    }
  }
}

/** A response is told of the end of its connection a moment later. */
export const isClosed = (response: ServerResponse): boolean =>
  response.closed || response.req.socket.destroyed;
