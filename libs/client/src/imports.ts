import { IMPORT_TABLE } from './import-table';
import type { AcceptedImport, ImportJob, ImportRowResult, paths } from './openapi';
import type { PathOf } from './operations';

export type ImportPath = Extract<PathOf<'post'>, `${string}/import`>;

/** The paths whose `PUT` replaces what is there. */
type ReplacePath = Extract<PathOf<'put'>, ImportPath>;

type BodyOf<Path extends ImportPath> = paths[Path]['post']['requestBody']['content']['application/json'];

/** One row of an import. */
export type ImportRow<Path extends ImportPath> = BodyOf<Path>[keyof BodyOf<Path>] extends (infer Row)[]
  ? Row
  : never;

/** Each import's surface, as its jobs name it, and the property of its body that holds the rows. */
const IMPORTS: { [Path in ImportPath]: { surface: string; collection: keyof BodyOf<Path> } } = IMPORT_TABLE;

/** A job, as the answer to an import names it. */
export type JobName = Pick<AcceptedImport, 'jobId' | 'surface'>;

export function importPathOf({ surface }: JobName): ImportPath {
  const known = Object.keys(IMPORTS) as ImportPath[];
  const path = known.find((each) => IMPORTS[each].surface === surface);
  if (!path) throw new TypeError(`There is no import "${surface}"`);
  return path;
}

export interface FinishedOptions {
  /** Called with the job each time it was read. */
  onProgress?: (job: ImportJob) => void;
  /** How often it is read (default 1,000). */
  everyMs?: number;
  signal?: AbortSignal;
}

export interface ImportOptions<Path extends ImportPath = ImportPath> {
  /** Sends with `PUT`: replaces line items and add-ons whose id is there already, and corrects bookings. */
  replace?: Path extends ReplacePath ? boolean : false;
  /** Finds the outcome that each row would have now; nothing is written. */
  dryRun?: boolean;
  /** Bookings only: `skip` leaves out rows whose id belonged to a cancelled booking. */
  cancelled?: Path extends '/v0/bookings/import' ? 'import' | 'skip' : 'import';
  /** Names this import: repeated with the same name and rows within 24 hours, it goes on where it was. */
  idempotencyKey?: string;
  /** Rows of one request (default and most: 10,000). */
  batchRows?: number;
  /** Called with how many rows were taken up so far, and how many of them have an outcome. */
  onProgress?: (rows: { accepted: number; processed: number }) => void;
  /** How often a job is read (default 1,000). */
  everyMs?: number;
  signal?: AbortSignal;
}

/** What became of an import's rows, all batches together. */
export interface ImportReport {
  /** One job for each batch. One that `FAILED` left rows without an outcome; its `failure` says why. */
  jobs: ImportJob[];
  totalRows: number;
  succeededRows: number;
  alreadyImportedRows: number;
  cancelledBeforeRows: number;
  /** The rows that failed. `row` counts from 0 in all the rows that were given. */
  failed: ImportRowResult[];
}

export const MOST_ROWS = 10_000;
/** Of rows: what surrounds them in a body of 20 MB needs less than the rest. */
export const MOST_BYTES = 20 * 1024 * 1024 - 100;

/** Rows as JSON, as many as one request may carry. A row too large for any goes alone, for the API to refuse. */
export async function* batchesOf(
  rows: Iterable<unknown> | AsyncIterable<unknown>,
  batchRows = MOST_ROWS,
): AsyncGenerator<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for await (const row of rows) {
    const text = JSON.stringify(row);
    const size = Buffer.byteLength(text) + 1;
    if (batch.length === batchRows || (batch.length > 0 && bytes + size > MOST_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(text);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** A body whose rows are JSON already. */
export const bodyOf = (path: ImportPath, rows: string[]): string =>
  `{"${String(IMPORTS[path].collection)}":[${rows.join(',')}]}`;
