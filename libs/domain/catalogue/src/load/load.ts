import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { lockCatalogue, type RunsOn, statement } from '#platform/database';
import { trimProperties } from '#platform/validation';
import type { Source, SourceRecord } from '../files/source';
import { problemsOfShape } from '../format/check';
import { problemOfTexts, withSafeTexts } from '../format/html';
import { readAhead, toInstants } from '../format/local-times';
import type { CatalogueRecord } from '../format/records';
import { rulesBroken } from '../format/rules';
import { type Problem, Problems } from '../problems';
import { keepAboveUse } from './capacities';
import { completeTables } from './complete';
import { Draft, type Planning } from './draft';
import { Known } from './known';
import { planEvents } from './plan-events';
import { planFields, planForms } from './plan-forms';
import { planOccurrences } from './plan-occurrences';
import { planPartners } from './plan-partners';
import { type CountsByTable, Rows, write } from './write';

/** Records per transaction: a long transaction would delay pollers. */
const BATCH = 200;

export interface LoadOptions {
  organizationId: string;
  /** Opens the file. Called twice, because the file is read twice. */
  open: () => Source;
  /** Check the file and write nothing. */
  dryRun?: boolean;
  /** Load the valid rows of a file that also has invalid rows. */
  skipInvalid?: boolean;
  /** Gets all problems; the report has the first thousand. */
  onProblem?: (problem: Problem) => void;
  /** Runs in the transaction of the first rows. */
  onFirstRows?: (manager: EntityManager) => Promise<void>;
}

export interface LoadReport {
  /** The file was only checked. */
  dryRun: boolean;
  /** Rows of the file that are not empty. */
  rows: number;
  /** Rows that are now in the database; 0 if nothing was written. */
  loadedRows: number;
  /** Rows that have a problem. */
  badRows: number;
  records: number;
  /** Counts of inserted and updated rows, by table. */
  tables: CountsByTable;
  problemCount: number;
  /** The first thousand problems. */
  problems: Problem[];
  warnings: Problem[];
}

/**
 * Loads a catalogue: reads the file once to validate every row, also against stored data, and a second time to write
 * it, in transactions of some hundred records. If there is a problem, nothing is written, unless `skipInvalid` is set.
 * An interrupted load can be repeated: rows that are already loaded do not change.
 */
export async function loadCatalogue(dataSource: DataSource, options: LoadOptions): Promise<LoadReport> {
  const problems = new Problems(options.onProblem);
  const warnings = new Problems();
  const { manager } = dataSource;
  const timeZones = await timeZonesOf(manager);
  const report = { rows: 0, loadedRows: 0, records: 0, tables: {} as CountsByTable };

  const checking = { ...options, manager, timeZones, known: new Known(manager, options.organizationId) };
  for await (const batch of batches(options.open(), problems, warnings)) {
    const drafts = await plan(batch, problems, checking);
    report.records += drafts.length;
    report.rows += rowsOf(batch);
  }
  report.rows += problems.unreadable;

  const write = !options.dryRun && (problems.count === 0 || options.skipInvalid);
  if (write) await writeAll(dataSource, options, timeZones, problems, report);
  return {
    dryRun: options.dryRun ?? false,
    ...report,
    badRows: problems.rows,
    problemCount: problems.count,
    problems: problems.list,
    warnings: warnings.list,
  };
}

async function writeAll(
  dataSource: DataSource,
  { organizationId, open, onFirstRows }: LoadOptions,
  timeZones: ReadonlySet<string>,
  problems: Problems,
  report: { loadedRows: number; tables: CountsByTable },
): Promise<void> {
  const known = new Known(dataSource.manager, organizationId);
  const news = new Problems((problem) => problems.add(problem));
  let isFirst = true;
  for await (const batch of batches(open(), new Problems(), new Problems())) {
    const good = batch.filter(({ row, rows = [row] }) => !rows.some((each) => problems.has(each)));
    const counts = { ...report.tables };
    const hasRows = await dataSource.transaction(async (manager) => {
      await lockCatalogue(manager, organizationId);
      const planning = { manager, organizationId, timeZones, known: known.within(manager) };
      const drafts = await plan(good, news, planning, true);
      const rows = new Rows();
      for (const draft of drafts) rows.take(draft.rows);
      if (drafts.length > 0 && isFirst) await onFirstRows?.(manager);
      await write(manager, organizationId, rows, counts);
      return drafts.length > 0;
    });
    if (hasRows) isFirst = false;
    report.tables = counts;
    report.loadedRows += rowsOf(good.filter(({ row, rows = [row] }) => !rows.some((each) => news.has(each))));
  }
}

const rowsOf = (batch: SourceRecord[]): number =>
  batch.reduce((sum, { rows }) => sum + (rows?.length ?? 1), 0);

/** @returns the drafts that have rows to write */
export async function plan(
  batch: SourceRecord[],
  problems: Problems,
  planning: Planning,
  isWriting = false,
): Promise<Draft[]> {
  const all: Draft[] = [];
  await completeTables(batch, planning);
  for (const source of batch) {
    const value = trimProperties(await withSafeTexts(source.value, turnOfLoop));
    const draft = new Draft(value as CatalogueRecord, source, problems);
    const costly = problemOfTexts(value);
    if (costly) draft.refuse('content', costly, { code: 'TOO_COMPLEX' });
    const wrong = problemsOfShape(value);
    const read = wrong.length > 0 ? undefined : await readAhead(draft.record, turnOfLoop);
    const found = wrong.length > 0 ? wrong : rulesBroken(draft.record, read);
    for (const { field, message, code } of found) draft.refuse(field, message, code && { code });
    if (!draft.bad) toInstants(draft.record, read);
    all.push(draft);
    // Other requests have a turn: a record can take milliseconds.
    await turnOfLoop();
  }
  const drafts = all.filter(({ bad }) => !bad);
  await planFields(drafts, planning);
  await planForms(drafts, planning);
  await planEvents(drafts, planning);
  await planPartners(drafts, planning);
  await planOccurrences(drafts, planning);
  const { manager, organizationId } = planning;
  const planned = drafts.filter(({ bad }) => !bad);
  await keepAboveUse(manager, organizationId, planned, { isWriting });
  for (const { source, bad } of all) if (bad) nameAll(source, problems);
  return drafts.filter(({ bad }) => !bad);
}

/** Rows that are not loaded because another row of their record is invalid. */
function nameAll({ row, rows = [row] }: SourceRecord, problems: Problems): void {
  for (const each of rows.filter((one) => !problems.has(one))) {
    const culprit = rows.find((one) => problems.has(one)) ?? row;
    problems.add({
      row: each,
      field: '',
      message: `belongs to the same event occurrence as the invalid row ${culprit}`,
    });
  }
}

async function* batches(
  source: Source,
  problems: Problems,
  warnings: Problems,
): AsyncGenerator<SourceRecord[]> {
  let batch: SourceRecord[] = [];
  for await (const item of source) {
    if ('problem' in item) {
      if (item.warning) warnings.add(item.problem);
      else problems.addUnreadable(item.problem);
      continue;
    }
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const TIME_ZONES = statement({
  columns: { name: 'text' },
  sql: 'SELECT lower(name) AS name FROM pg_timezone_names',
});

export const timeZonesOf = async (manager: RunsOn): Promise<Set<string>> => {
  const names = await TIME_ZONES.rows(manager);
  return new Set(names.map(({ name }) => name));
};
