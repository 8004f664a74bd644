import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { type Advance, jsonRows } from '#domain/catalogue';
import { boundChunk, ChunkSize, erasedRows, failureOf } from '#domain/imports';
import type { Conversion } from '#libs/sheets';
import type { Settings } from '#platform/config';
import { DiskReserve, statement } from '#platform/database';
import {
  Carried,
  type CarriedValues,
  failed,
  type ImportContext,
  problem,
  type RowOutcome,
  succeeded,
  type Warning,
} from '#platform/import-rows';
import { IMPORT_BOUNDS } from '#platform/validation';
import { type CheckedRow, checkRow, SeenIds } from './check-row';
import { loadChunk } from './load-chunk';
import { type FileRow, type FileWarning, withinBounds } from './read-rows';
import type { StartListTable } from './read-table';
import { type RowProblem, RowProblems } from './row-problems';

export interface LoadStartListOptions {
  organizationId: string;
  path: string;
  /** The file, if it is a table. */
  table?: StartListTable;
  settings: Settings;
  /** Reports the outcome of each row, and writes nothing. */
  dryRun?: boolean;
  advance?: Advance;
  /** Called after each committed chunk. */
  onChunk?(): void;
}

export interface StartListReport {
  dryRun: boolean;
  /** The number of bookings in the file. */
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  /** Their booking was cancelled; a file does not restore it. */
  cancelledBefore: number;
  failed: number;
  problemCount: number;
  /** The first thousand problems. */
  problems: RowProblem[];
  /** Columns that are not loaded, and what to check in loaded rows: the first thousand. */
  warnings: FileWarning[];
  /** Of a table: rows that are equal to an earlier one, what became of the values of each column, and the file of failed rows. */
  duplicateRows: number;
  conversions: Conversion[];
  failedFile: string | null;
  /** Race-day messages waited for participants who now exist. */
  enqueuesRaceDay: boolean;
}

const MOST_WARNINGS = 1_000;
const OTHER = 'The name of a start list file must end in .jsonl, .ndjson, .json, .csv, .tsv, .txt or .xlsx.';
/** Attempts for the same rows if another transaction conflicted or held a lock for too long. */
const TRIES = 50;
const INTERNAL = problem('', 'INTERNAL', 'The row could not be loaded because of an internal error.');

/**
 * Loads a start list file: reads it once, checks each row on its own, and writes the valid rows, some hundred entries
 * per transaction. It can be interrupted at any time and run again: rows that are already loaded do not change.
 *
 * @throws UnreadableFile
 */
export async function loadStartList(
  dataSource: DataSource,
  options: LoadStartListOptions,
): Promise<StartListReport> {
  try {
    return await loadRows(dataSource, options);
  } catch (error) {
    await options.table?.abandon();
    throw error;
  }
}

async function loadRows(dataSource: DataSource, options: LoadStartListOptions): Promise<StartListReport> {
  const { path, table, settings, advance = () => {} } = options;
  const loading = new Loading(dataSource, options);
  const seen = new SeenIds();
  let chunk: CheckedRow[] = [];
  let bytes = 0;
  await loading.begin();
  const rows: AsyncIterable<FileRow> | Iterable<FileRow> =
    table?.rows() ?? jsonRows(path, IMPORT_BOUNDS, advance, OTHER);
  for await (const read of rows) {
    loading.report.rows += 1;
    const checked = checkRow(table ? withinBounds(read, IMPORT_BOUNDS) : read, seen);
    if (Array.isArray(checked)) {
      await loading.refuse(checked, read);
      continue;
    }
    chunk.push(checked);
    bytes += checked.bytes;
    if (entriesOf(chunk) < loading.size.entries && bytes < settings.IMPORT_CHUNK_BYTES) continue;
    await loading.load(chunk);
    chunk = [];
    bytes = 0;
  }
  await loading.load(chunk);
  loading.report.failedFile = (await table?.end()) ?? null;
  return { ...loading.report, problemCount: loading.problems.count, problems: loading.problems.list };
}

const entriesOf = (rows: CheckedRow[]): number => rows.reduce((sum, { entries }) => sum + entries, 0);

/** A load writes nothing more while the database is nearly full. Rows that are loaded stay. */
export class DatabaseFull extends Error {
  constructor() {
    super(
      'The database is nearly full (DISK_RESERVE_MB), so no more rows are loaded. Make room, then load the file again.',
    );
  }
}

/** A real load checks them at commit. */
const CHECK_CONSTRAINTS = statement({ sql: 'SET CONSTRAINTS ALL IMMEDIATE' });

class Loading {
  readonly problems = new RowProblems();
  readonly size: ChunkSize;
  private readonly reserve: DiskReserve;
  /** What chunks of a dry run took, which was rolled back. */
  private readonly takings: CarriedValues = new Map();
  readonly report: Omit<StartListReport, 'problems' | 'problemCount'>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly options: LoadStartListOptions,
  ) {
    const { IMPORT_CHUNK_ROWS, IMPORT_CHUNK_MS } = options.settings;
    this.size = new ChunkSize(IMPORT_CHUNK_ROWS, IMPORT_CHUNK_MS);
    this.reserve = new DiskReserve(options.settings, (work) => work(dataSource.manager));
    const counts = { rows: 0, created: 0, updated: 0, unchanged: 0, cancelledBefore: 0, failed: 0 };
    const { table, dryRun = false } = options;
    const { conversions = [], duplicateRows = 0, warnings = [] } = table ?? {};
    const ofTable = { conversions, duplicateRows, warnings: [...warnings], failedFile: null };
    this.report = { dryRun, ...counts, ...ofTable, enqueuesRaceDay: false };
  }

  /** The bookings of a table that can't be read. */
  async begin(): Promise<void> {
    const unreadable = await this.options.table?.unreadable();
    if (!unreadable) return;
    this.report.rows += unreadable.bookings;
    this.report.failed += unreadable.bookings;
    for (const each of unreadable.problems) this.problems.add(each);
  }

  async refuse(problems: RowProblem[], { item }: Pick<FileRow, 'item'>): Promise<void> {
    this.report.failed += 1;
    const { table } = this.options;
    for (const each of table && item ? await table.refused(item, problems) : problems)
      this.problems.add(each);
  }

  /** Processes transaction by transaction. Halving finds a row that causes an error, which then fails alone. */
  async load(rows: CheckedRow[]): Promise<void> {
    let rest = rows;
    let tries = 0;
    while (rest.length > 0) {
      const chunk = this.firstOf(rest);
      const start = performance.now();
      if (!this.options.dryRun && !(await this.reserve.isFree())) throw new DatabaseFull();
      try {
        await this.count(chunk, await this.transaction(chunk));
        this.size.took(entriesOf(chunk), performance.now() - start);
      } catch (error) {
        const failure = failureOf(error as Error);
        if (failure === 'UNAVAILABLE' || failure === 'CONNECTION_CLOSED' || failure === 'CONNECTION_LOST')
          throw error;
        if ((failure === 'RETRY' || failure === 'LOCK_TIMEOUT') && ++tries < TRIES) {
          await sleep(Math.min(tries, 10) * 10 * Math.random());
          continue;
        }
        if (chunk.length > 1) {
          this.size.halve(entriesOf(chunk));
          continue;
        }
        await this.count(chunk, [failed(chunk[0]?.line ?? 0, INTERNAL)]);
      }
      tries = 0;
      rest = rest.slice(chunk.length);
    }
  }

  /** At least one row. */
  private firstOf(rows: CheckedRow[]): CheckedRow[] {
    let entries = 0;
    const end = rows.findIndex((row, i) => {
      entries += row.entries;
      return i > 0 && entries > this.size.entries;
    });
    return end < 0 ? rows : rows.slice(0, end);
  }

  private async transaction(chunk: CheckedRow[]): Promise<RowOutcome[]> {
    const { organizationId, dryRun, settings, onChunk } = this.options;
    const after = { enqueuesRaceDay: false };
    const carried = dryRun ? new Carried(async (names) => this.taken(names)) : undefined;
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await boundChunk(runner.manager, { waitMs: settings.IMPORT_CHUNK_MS });
      const context: ImportContext = {
        manager: runner.manager as EntityManager,
        organizationId,
        jobId: null,
        mode: 'UPSERT',
        skipCancelled: true,
        source: null,
        partnerId: null,
        carried,
        after,
      };
      const rows = chunk.map(({ line, row }) => ({ row: line, payload: row }));
      const erased = await erasedRows(
        context.manager,
        { organizationId, surface: 'bookingsImport', partnerId: null },
        settings.ERASURE_SECRET,
        rows,
      );
      const others = rows.filter(({ row }) => !erased.has(row));
      const outcomes = others.length > 0 ? await loadChunk(context, others) : [];
      for (const [line, { own }] of erased)
        outcomes.push(succeeded(line, own === 'LIVE' ? 'ALREADY_IMPORTED' : 'CANCELLED_BEFORE', {}));
      if (dryRun) await CHECK_CONSTRAINTS.run(runner);
      if (dryRun) await runner.rollbackTransaction();
      else await runner.commitTransaction();
      for (const [name, value] of carried?.changes ?? []) this.takings.set(name, value);
      this.report.enqueuesRaceDay ||= after.enqueuesRaceDay && !dryRun;
      onChunk?.();
      return outcomes;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => {});
      throw error;
    } finally {
      await runner.release();
    }
  }

  private taken(names: string[]): CarriedValues {
    return new Map(
      names.filter((name) => this.takings.has(name)).map((name) => [name, this.takings.get(name)]),
    );
  }

  private async count(chunk: CheckedRow[], outcomes: RowOutcome[]): Promise<void> {
    const rows = new Map(chunk.map((each) => [each.line, each]));
    for (const { row_number: line, outcome, result, error_code, error_message } of outcomes) {
      if (outcome !== 'FAILED') this.report[COUNTED[outcome]] += 1;
      for (const { message } of (result?.warnings ?? []) as Warning[])
        if (this.report.warnings.length < MOST_WARNINGS)
          this.report.warnings.push({ line, warning: message });
      if (outcome !== 'FAILED') continue;
      const { row, item } = rows.get(line) as CheckedRow;
      const { externalBookingId } = row;
      const [code, message] = [error_code ?? 'INTERNAL', error_message ?? ''];
      await this.refuse([{ line, externalBookingId, code, message }], { item });
    }
  }
}

const COUNTED = {
  IMPORTED: 'created',
  UPDATED: 'updated',
  ALREADY_IMPORTED: 'unchanged',
  UNCHANGED: 'unchanged',
  CANCELLED_BEFORE: 'cancelledBefore',
  // Jobs that undo an import have this outcome; rows of files do not.
  CANCELLED: 'updated',
} as const satisfies Record<Exclude<RowOutcome['outcome'], 'FAILED'>, keyof StartListReport>;
