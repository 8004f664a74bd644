import { JsonText } from '#platform/queries';

/** What an allowance of a day is for. */
export type DailyKind = 'imports' | 'writes' | 'raceDay';

/**
 * The most bytes by which a request makes the tables and indexes larger, with replaced versions of rows, change events and the audit log, but
 * without deliveries of webhooks and updated times of records that show what changed.
 */
export interface Writes {
  /** Absent: the request is never refused, because it removes data, or access to it. */
  day?: DailyKind;
  request: number;
  /** For each byte of the body. */
  byte?: number;
  /** For each record that the request names by a filter, by its response. */
  row?: { bytes: number; rows(answer: unknown): number };
  /** Whether a request with this body is never refused. */
  isRemoval?(body: unknown): boolean;
}

/** A record, or a few. */
export const RECORD: Writes = { day: 'writes', request: 15_000, byte: 5 };
/** Records of a catalogue, which can be short, such as a ticket. */
export const CATALOGUE: Writes = { day: 'writes', request: 20_000, byte: 12 };
/** What removes data or access stores its record in the audit log. */
export const NEVER_REFUSED: Writes = { request: 15_000, byte: 5 };
/** Nothing, but what an expired window or session leaves. */
export const NOTHING: Writes = { request: 1_000 };
/** The allowance counts accepted bytes; `stored-bytes.ts` declares what their rows store. */
export const IMPORT: Writes = { day: 'imports', request: 0, byte: 2 };
/** The allowance counts accepted bytes. */
export const RACE_DAY: Writes = { day: 'raceDay', request: 10_000, byte: 40 };

/** What counts for the allowance: of imports and race day the accepted bytes, which their senders know; else what is stored. */
export const countedBytes = ({ day, request, byte = 0 }: Writes, accepted: number): number =>
  day === 'writes' ? request + byte * accepted : accepted;

/** Records that a request names by a filter. @param property of the response: they, or their number */
export const recordsOf = (property: string): Writes => ({
  ...RECORD,
  row: {
    bytes: 5_000,
    rows: (answer) => {
      const record = answer instanceof JsonText ? JSON.parse(answer.pieces.map(String).join('')) : answer;
      const rows = record?.[property];
      return Array.isArray(rows) ? rows.length : Number(rows ?? 0);
    },
  },
});
