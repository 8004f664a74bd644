import type { Application, BookingSummary, LineItem, Participant, Partner } from '../openapi';

/** The lists that have a digest, with their paths. */
export const LISTS = {
  participants: '/v0/participants',
  applications: '/v0/applications',
  partners: '/v0/partners',
  bookings: '/v0/bookings',
  line_items: '/v0/line-items',
} as const;

export type List = keyof typeof LISTS;

export type Row = Participant | Application | Partner | BookingSummary | LineItem;

/** Whose data a copy holds: that of the key which made it. */
export interface Owner {
  organiserId: string;
  partnerId: string | null;
}

/** An id, and the `updatedAt` of its row. */
export type Time = readonly [id: string, updatedAt: string];

/**
 * A copy of lists, in which a list has each id once. Each change takes effect completely or not at all, also if the
 * process is killed. One process has it open at a time.
 */
export interface Copy {
  /** As which `open()` made it or found it. */
  readonly owner: Owner;
  /** The highest `updatedAt` up to which the copy is complete. */
  since(list: List): string | undefined;
  /** Replaces rows by their ids. */
  store(list: List, rows: readonly Row[], since: string | undefined): Promise<void>;
  remove(list: List, ids: readonly string[]): Promise<void>;
  /** In the order of the last two digits of the ids, then of the ids; of one such bucket, if it is given. */
  times(list: List, bucket?: string): AsyncIterable<Time>;
  /** Called while nothing is left to copy. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** The copy can't be used: another organization's, of a later release, or open elsewhere. */
export class CopyRefused extends Error {}

/** @throws CopyRefused */
export function sameOwner(copy: Owner, key: Owner): void {
  if (copy.organiserId !== key.organiserId) {
    throw new CopyRefused('The copy belongs to another organization. Specify another target with --to.');
  }
  if (copy.partnerId !== key.partnerId) {
    throw new CopyRefused(
      'The copy was made with the key of another partner, or of the organization. Specify another target with --to.',
    );
  }
}

export const bucketOf = (id: string): string => id.slice(-2);
