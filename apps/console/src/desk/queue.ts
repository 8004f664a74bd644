import { compared, type ListedParticipant } from '../api';
import { serverTime } from '../server-clock';

export const PARCEL_STATES = ['SHIPPED', 'DELIVERED', 'RETURNED'] as const;
export type ParcelState = (typeof PARCEL_STATES)[number];

/** A change at the desk. */
export interface PendingChange {
  /** Also the idempotency key of the request: it counts once for any number of retries. */
  id: string;
  participantId: string;
  /** The name of the participant, for display. */
  name: string;
  bibNumber?: string | null;
  checkIn?: boolean;
  /** What became of the parcel. */
  parcel?: ParcelState;
  carrier?: string;
  trackingNumber?: string;
  /** The time of the change, by the server's clock: it never replaces a newer one. */
  changedAt: string;
  /** When the server confirmed it, by the clock of this browser. */
  confirmedAt?: number;
  /** The reason, if the server rejected it. Kept until a person dismisses it. */
  refused?: string;
  /** The participant who has the bib, if that is the reason. */
  holderId?: string;
  /** The role did not permit it: it can succeed after the role is changed. */
  forbidden?: boolean;
}

export type NewChange = Pick<
  PendingChange,
  'participantId' | 'name' | 'bibNumber' | 'checkIn' | 'parcel' | 'carrier' | 'trackingNumber'
>;

/** `SENT`: stored. `LATER`: retry. Otherwise what changes about it: its time, or the reason why it does not succeed. */
export type Sent =
  | 'SENT'
  | 'LATER'
  | Pick<PendingChange, 'changedAt'>
  | (Required<Pick<PendingChange, 'refused'>> & Partial<PendingChange>);

/** Whether a change has still to be sent. */
export const isUnsent = ({ confirmedAt, refused }: PendingChange): boolean => !refused && !confirmedAt;

/**
 * Whether what the server said does not include a change yet. A confirmed change is stored, and included in every response
 * to a later request, unless that says that messages are pending.
 *
 * @param asOf when the request was sent
 */
export const isAhead = (
  { confirmedAt, refused }: PendingChange,
  { raceDayPending }: { raceDayPending: boolean },
  asOf: number,
): boolean => !refused && (confirmedAt === undefined || raceDayPending || confirmedAt >= asOf);

/** Whether a newer change says something else of the same. */
const isReplaced = (old: PendingChange, { participantId, bibNumber, checkIn, parcel }: NewChange): boolean =>
  old.participantId === participantId &&
  (old.bibNumber === undefined || bibNumber !== undefined) &&
  (old.checkIn === undefined || checkIn !== undefined) &&
  (old.parcel === undefined || parcel !== undefined);

/** Whether the server says of the participant what the change says. */
const isSo = ({ bibNumber, checkIn, parcel, trackingNumber }: PendingChange, person: ListedParticipant) =>
  (bibNumber === undefined || compared(bibNumber ?? '') === compared(person.bibNumber ?? '')) &&
  (checkIn === undefined || checkIn === person.checkIn) &&
  (parcel === undefined || parcel === person.shippingStatus) &&
  (trackingNumber === undefined || trackingNumber === person.trackingNumber);

/** Confirmed changes that are kept: more than anyone has on the screen. */
const MOST_CONFIRMED = 200;
/** And for how long. */
const CONFIRMED_MS = 24 * 3_600_000;

const isOld = ({ confirmedAt }: PendingChange): boolean =>
  confirmedAt !== undefined && confirmedAt < Date.now() - CONFIRMED_MS;

/**
 * The queued changes, and the last ones that the server confirmed, in the browser's storage, where they survive a reload, a closed window and an empty battery.
 * Tabs share the queue, and one tab at a time sends.
 */
export class DeskQueue {
  private readonly name: string;
  private readonly listeners = new Set<() => void>();
  private changes: PendingChange[];

  constructor(organizationId: string) {
    this.name = `startline.desk.${organizationId}`;
    this.changes = this.read();
    if (this.changes.some(isOld)) this.write(this.changes);
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
    const made = { ...change, id: crypto.randomUUID(), changedAt: serverTime().toISOString() };
    this.write([...this.read().filter((old) => !old.refused || !isReplaced(old, change)), made]);
  }

  /** Sends a rejected change again. */
  retry(id: string): void {
    this.update(id, { refused: undefined, forbidden: undefined });
  }

  /** Drops rejected changes whose wish came true in another way. */
  settle(people: readonly ListedParticipant[]): void {
    const isTrue = (change: PendingChange) =>
      change.refused && people.some((person) => person.id === change.participantId && isSo(change, person));
    if (this.changes.some(isTrue)) this.write(this.read().filter((change) => !isTrue(change)));
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
      for (const change of this.read().filter(isUnsent)) {
        const sent = await deliver(change);
        if (sent === 'LATER') return;
        this.update(change.id, sent === 'SENT' ? { confirmedAt: Date.now() } : sent);
      }
    });
  }

  private update(id: string, changed: Partial<PendingChange>): void {
    this.write(this.read().map((each) => (each.id === id ? { ...each, ...changed } : each)));
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
    const confirmed = changes.filter(({ confirmedAt }) => confirmedAt);
    const forgotten = new Set(confirmed.slice(0, -MOST_CONFIRMED));
    localStorage.setItem(
      this.name,
      JSON.stringify(changes.filter((each) => !forgotten.has(each) && !isOld(each))),
    );
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
