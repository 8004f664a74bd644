import { IMPORT_TABLE } from './import-table';
import type { AcceptedImport, ImportJob, ImportRowResult, paths } from './openapi';
import type { PathOf } from './operations';

export type ImportPath = Extract<PathOf<'post'>, `${string}/import`>;

/** The paths whose `PUT` replaces existing records. */
type ReplacePath = Extract<PathOf<'put'>, ImportPath>;

type BodyOf<Path extends ImportPath> = paths[Path]['post']['requestBody']['content']['application/json'];

type CollectionOf<Path extends ImportPath> = Exclude<keyof BodyOf<Path>, 'corrects'>;

/** One row of an import. */
export type ImportRow<Path extends ImportPath> = BodyOf<Path>[CollectionOf<Path>] extends (infer Row)[]
  ? Row
  : never;

/** The surface of each import, as its jobs name it, and the property of its body that holds the rows. */
const IMPORTS: { [Path in ImportPath]: { surface: string; collection: CollectionOf<Path> } } = IMPORT_TABLE;

/** A job in the response to an import. */
export type JobName = Pick<AcceptedImport, 'jobId' | 'surface'>;

export function importPathOf({ surface }: JobName): ImportPath {
  const known = Object.keys(IMPORTS) as ImportPath[];
  const path = known.find((each) => IMPORTS[each].surface === surface);
  if (!path) throw new TypeError(`There is no import "${surface}"`);
  return path;
}

export interface FinishedOptions {
  /** Called with the job after each read. */
  onProgress?: (job: ImportJob) => void;
  /** The interval of reads in milliseconds (default 1,000). */
  everyMs?: number;
  signal?: AbortSignal;
}

export interface ImportOptions<Path extends ImportPath = ImportPath> {
  /** Sends with `PUT`: replaces existing line items and add-ons, and corrects existing bookings. */
  replace?: Path extends ReplacePath ? boolean : false;
  /** Finds the outcome that each row would have now, and writes nothing. */
  dryRun?: boolean;
  /** Bookings only: `skip` skips rows whose id belonged to a cancelled booking. */
  cancelled?: Path extends '/v0/bookings/import' ? 'import' | 'skip' : 'import';
  /** Identifies this import: repeated with the same key and rows within 24 hours, it continues where it was. */
  idempotencyKey?: string;
  /** Rows per request (default and maximum: 10,000). */
  batchRows?: number;
  /** Called with the number of rows read so far, and the number of those with an outcome. */
  onProgress?: (rows: { accepted: number; processed: number }) => void;
  /** The interval of reads of a job in milliseconds (default 1,000). */
  everyMs?: number;
  signal?: AbortSignal;
}

/** The outcomes of the rows of an import, over all batches. */
export interface ImportReport {
  /** One job per batch. A `FAILED` job left rows without an outcome; its `failure` has the reason. */
  jobs: ImportJob[];
  totalRows: number;
  succeededRows: number;
  alreadyImportedRows: number;
  cancelledBeforeRows: number;
  /** The failed rows. `row` counts from 0 over all given rows. */
  failed: ImportRowResult[];
}

export const MOST_ROWS = 10_000;
/** The limit for rows; the rest of a 20 MB body needs less than the 100 bytes. */
export const MOST_BYTES: number = 20 * 1024 * 1024 - 100;

/**
 * Rows as JSON, as many as fit into one request. A row that is too large is sent alone, so that the API rejects it.
 */
export async function* batchesOf(
  rows: Iterable<unknown> | AsyncIterable<unknown>,
  batchRows: number = MOST_ROWS,
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

/** A body from rows that are already JSON. */
export const bodyOf = (path: ImportPath, rows: string[]): string =>
  `{"${String(IMPORTS[path].collection)}":[${rows.join(',')}]}`;
