/** A value that a client sets again and again; the newest `changedAt` applies. */
export interface Setting {
  participantId: string;
  /** The last value that was answered 200. */
  kept?: string;
  /** Later values without a response, which may apply or not. */
  inDoubt: string[];
}

/** A promise that clients check with each response. */
export interface Tally {
  checked: number;
  broken: number;
}

const tally = (): Tally => ({ checked: 0, broken: 0 });

/** What clients were told. */
export class Ledger {
  readonly partners: string[] = [];
  /** The job by Idempotency-Key. */
  readonly jobs = new Map<string, string>();
  readonly bookings: string[] = [];
  /** Bookings with a discount code whose uses are limited. */
  readonly discounted: string[] = [];
  /** Bookings of imports that staff undid. */
  readonly undone: string[] = [];
  readonly credits: string[] = [];
  /** Credits of imports that were discarded, so that each exists or not, as its row says. */
  readonly discarded: string[] = [];
  readonly parcels: string[] = [];
  readonly tracking: Setting[] = [];
  readonly kits: Setting[] = [];
  readonly cancelled: string[] = [];
  /** The time of each change event by its id. */
  readonly events = new Map<string, string>();

  /** Repeated requests with an Idempotency-Key, which name the same job. */
  readonly repeats = tally();
  /** Partners that are read right after the response. */
  readonly ownReads = tally();
  /** Newest partners right after the response, asked for with the ETag of before. */
  readonly listTags = tally();
  /** The same, for a single partner that was renamed. */
  readonly tags = tally();
  /** Items of lists that are read page by page: known before and not in the list, and twice in the list. */
  readonly walked = tally();
  readonly walkedTwice = tally();
  readonly eventOrder = tally();
  /** Reads with the key of another organization. */
  readonly strangers = tally();
}

/** Adds a check to a promise. */
export function check(promise: Tally, kept: boolean): void {
  promise.checked += 1;
  if (!kept) promise.broken += 1;
}
