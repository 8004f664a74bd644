/** A change at the desk that the server has not confirmed. */
export interface PendingChange {
  /** Also the idempotency key of the request: it counts once for any number of retries. */
  id: string;
  participantId: string;
  /** The name of the participant, for display. */
  name: string;
  bibNumber?: string | null;
  checkIn?: boolean;
  /** The time of the change: it never replaces a newer one. */
  changedAt: string;
  /** The reason, if the server rejected it. Kept until a person dismisses it. */
  refused?: string;
}

type NewChange = Omit<PendingChange, 'id' | 'changedAt' | 'refused'>;

/** `SENT`: done. `LATER`: retry. Otherwise the reason why it can never succeed. */
export type Sent = 'SENT' | 'LATER' | { refused: string };

/**
 * The queued changes, in the browser's storage, where they survive a reload, a closed window and an empty battery.
 * Tabs share the queue, and one tab at a time sends.
 */
export class DeskQueue {
  private readonly name: string;
  private readonly listeners = new Set<() => void>();
  private changes: PendingChange[];

  constructor(organizationId: string) {
    this.name = `startline.desk.${organizationId}`;
    this.changes = this.read();
    addEventListener('storage', ({ key }) => {
      if (key === this.name) this.reload();
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): PendingChange[] => this.changes;

  add(change: NewChange): void {
    const made = { ...change, id: crypto.randomUUID(), changedAt: new Date().toISOString() };
    this.write([...this.read(), made]);
  }

  remove(id: string): void {
    this.write(this.read().filter((change) => change.id !== id));
  }

  clear(): void {
    this.write([]);
  }

  /** Sends the queued changes in order, until one must be retried later. */
  async send(deliver: (change: PendingChange) => Promise<Sent>): Promise<void> {
    await navigator.locks.request(this.name, { ifAvailable: true }, async (lock) => {
      if (!lock) return;
      for (const change of this.read().filter(({ refused }) => !refused)) {
        const sent = await deliver(change);
        if (sent === 'LATER') return;
        if (sent === 'SENT') this.remove(change.id);
        else this.write(this.read().map((each) => (each.id === change.id ? { ...each, ...sent } : each)));
      }
    });
  }

  private reload(): void {
    this.changes = this.read();
    for (const listener of this.listeners) listener();
  }

  private read(): PendingChange[] {
    try {
      return JSON.parse(localStorage.getItem(this.name) ?? '[]');
    } catch {
      return [];
    }
  }

  private write(changes: PendingChange[]): void {
    localStorage.setItem(this.name, JSON.stringify(changes));
    this.reload();
  }
}

const queues = new Map<string, DeskQueue>();

/** The queue of an organization. */
export function queueOf(organizationId: string): DeskQueue {
  let queue = queues.get(organizationId);
  if (!queue) {
    queue = new DeskQueue(organizationId);
    queues.set(organizationId, queue);
  }
  return queue;
}
