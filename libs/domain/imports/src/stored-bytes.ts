import type { ImportSurface } from './definitions';

/** What a record needs besides its texts: columns, indexes, change events, and the replaced version of the import's row. */
interface RecordBytes {
  row: number;
  /** For each participant of a row. */
  participant?: number;
  /** For each tag of a participant: it is also in an index, and has a counter. */
  tag?: number;
}

/** With every text at its maximum. `npm run bench -- storage` measures them. */
const RECORD_BYTES: Readonly<Record<ImportSurface, RecordBytes>> = {
  bookingsImport: { row: 14_000, participant: 8_000, tag: 1_000 },
  lineItemsImport: { row: 6_000 },
  addOnsImport: { row: 8_000 },
  creditsImport: { row: 8_000 },
  discountCodesImport: { row: 6_000 },
  referralsImport: { row: 6_000 },
  reservedEntriesImport: { row: 20_000 },
};

/** What a body contains. */
export interface ImportSize {
  bytes: number;
  rows: number;
  /** Of all rows. */
  participants: number;
  /** Of all participants. */
  tags: number;
}

/** The most bytes by which an import makes the database larger: those of its records, and its body twice. */
export function mostStored(surface: ImportSurface, { bytes, rows, participants, tags }: ImportSize): number {
  const { row, participant = 0, tag = 0 } = RECORD_BYTES[surface];
  return rows * row + participants * participant + tags * tag + 2 * bytes;
}
