/** A value that a client sets again and again; the newest `changedAt` applies. */
export interface Setting {
  participantId: string;
  /** The last value that was answered 200. */
  kept?: string;
  /** Later values without a response, which may apply or not. */
  inDoubt: string[];
}

/** What clients were told. */
export class Ledger {
  readonly partners: string[] = [];
  /** The job by Idempotency-Key. */
  readonly jobs = new Map<string, string>();
  /** Second responses that named another job. */
  doubledJobs = 0;
  readonly bookings: string[] = [];
  readonly credits: string[] = [];
  readonly parcels: string[] = [];
  readonly tracking: Setting[] = [];
  readonly kits: Setting[] = [];
  readonly cancelled: string[] = [];
  /** Partners that a read right after the response did not find. */
  unseenOwn = 0;
  readonly events = new Map<string, string>();
  disorderedEvents = 0;
}
