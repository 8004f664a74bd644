import { createHash } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type Conversion,
  type FileMapping,
  type Numbering,
  type ReadOptions,
  type Sheet,
  withAnswers,
} from '../../../sheets/src';
import { StartlineClient } from '../client';
import type { ImportJob } from '../openapi';
import { asking, questionsOf } from '../rows/look-up';
import { counted as numbered } from './counted';
import { agreed, decided, planWithRecords, prefixOf } from './decide';
import { mistakesOf } from './describe-mistake';
import { FailedFile, failedFileOf } from './failed-file';
import { type Given, mappingOf } from './mapping';
import { type Prepares, prepare } from './prepare';
import { openSource } from './read-rows';
import { SendRefused } from './refused';
import { fingerprintOf, RunState } from './run-state';
import { Batch, type Row, type Sent, sendRows, type Target } from './send-batches';
import { surfaceOf } from './surfaces';
import type { Terminal } from './terminal';

/** How the file is read, and what is not clear in it. */
export interface SendOptions extends ReadOptions, Given {
  /** `bookings`, `lineItems`, `addOns`, `credits`, `discountCodes`, `referrals` or `reservedEntries`. */
  surface: string;
  /** A table (.csv, .tsv, .txt, .xlsx, gzip), or a JSON Lines file whose lines are import rows. */
  file: string;
  url: string;
  key: string;
  dryRun?: boolean;
  /** Sends the failed-rows file of the last run instead of the file. */
  onlyFailed?: boolean;
  /** Corrects existing bookings, line items or add-ons. Otherwise rows that differ from bookings fail; others are not compared. */
  correct?: boolean;
  /** How the bookings of a file without numbers get the same ones at each load. */
  number?: Numbering['by'];
  /** Bookings: `skip` (default) skips rows whose id belonged to a cancelled booking. */
  cancelled?: 'import' | 'skip';
  /** Rows per request (default and maximum: 10,000). */
  batchRows?: number;
  /** Sends bookings that join people with different addresses or names, without asking. */
  yes?: boolean;
  /** A person who can be asked what the file leaves open, and before it is sent. */
  terminal?: Terminal;
  progress?: { start(total: number): void; advance(by: number): void; stop(): void };
  /** Called with notes for the user before the end. */
  note?: (line: string) => void;
  signal?: AbortSignal;
}

export interface SendReport {
  surface: string;
  file: string;
  dryRun: boolean;
  /** Whether an interrupted run was continued. */
  resumed: boolean;
  /** Rows of the file. */
  rows: number;
  /** Rows of the file that were skipped as duplicates of an earlier one. */
  duplicateRows: number;
  /** Import rows: several rows of the file can be one booking. */
  sent: number;
  /** Of these, those that can't be read: failed rows of the import, which are corrected there or in the file of failed rows. */
  unread: number;
  succeeded: number;
  /** Rows whose number exists. Only those of bookings and referrals are compared with what is stored. */
  alreadyImported: number;
  cancelledBefore: number;
  /** Failed rows of the file by code, and the file that they are written to. */
  failedRows: number;
  failures: Record<string, number>;
  failedFile: string | null;
  /** Import rows that were imported with warnings. */
  warnedRows: number;
  jobs: string[];
  /** Of a table: what became of the values of each column. */
  conversions: Conversion[];
}

const CORRECTABLE = ['bookings', 'lineItems', 'addOns'];
/** Jobs that run while the next batch is read and sent. */
const JOBS_AT_ONCE = 2;
/** The API continues a dry run for 12 hours, and forgets its job after a day. */
const DRY_RUN_LASTS_MS = 12 * 3_600_000;
/** The most characters of a job's name. */
const MOST_NAME = 200;

/** Sends a file as an import, and follows it to its end. Continues an interrupted run. */
export async function sendFile(options: SendOptions): Promise<SendReport> {
  const { file, url, key, dryRun = false, onlyFailed = false, correct = false, batchRows, signal } = options;
  const { note = () => {}, progress = { start: () => {}, advance: () => {}, stop: () => {} } } = options;
  const named = surfaceOf(options.surface);
  if (correct && !CORRECTABLE.includes(named.collection)) {
    const message = `${named.name} can't be corrected by a file. Use --correct with ${CORRECTABLE.join(', ')}.`;
    throw new SendRefused('INVALID_COMMAND', message);
  }
  const path = onlyFailed ? failedFileOf(file) : file;
  if (onlyFailed && !existsSync(path)) {
    throw new SendRefused('NOT_FOUND', `There is no ${path}: no row of ${file} failed.`);
  }
  const startline = new StartlineClient({ baseUrl: url, token: key, longestWaitSeconds: 600 });
  // What the command says of the list is not about the file that we wrote of it.
  const ours = { encoding: undefined, header: undefined, sheet: undefined, hidden: undefined };
  const source = await openSource(path, { ...options, ...(onlyFailed && ours) });
  const asks = source.sheet && named.fields.some(({ path }) => path.endsWith('.gender'));
  const questions = asks ? await questionsOf(asking(startline)) : [];
  const surface = { ...named, ...withAnswers(named, questions) };
  const numbering = options.number && { by: options.number, prefix: prefixOf(file) };
  const given = { ...mappingOf(surface, source, options), ...(numbering && { numbering }) };
  const { sheet } = source;
  const planWith = (mapping: FileMapping, asks: boolean) =>
    planWithRecords(asking(startline), surface, sheet as Sheet, mapping, asks);
  const { plan, mapping } = sheet
    ? await decided(surface, sheet, given, { ...options, planWith })
    : { plan: undefined, mapping: given };
  const from: Prepares = { surface, source, mapping, plan };
  const counts = await counted(from);
  if (plan?.unused.length) note(`Columns that are not sent: ${plan.unused.join(', ')}.`);
  const read = counts.items - counts.unread;
  const open = counts.unread > 0 ? numbered(counts.unread, 'failed row') : undefined;
  note(
    `${numbered(counts.rows, 'row')}: ${read} to send, ${counts.duplicates} skipped as duplicates, ${counts.failed} invalid${open ? `, sent as ${open} of the import` : ''}.`,
  );
  await agreed(
    `Send ${numbered(read, 'import row')}${open ? ` and ${open}` : ''}?`,
    counts.items === 0 ? undefined : plan,
    options,
  );

  const query = {
    keepInvalid: true as const,
    ...(dryRun && { dryRun }),
    ...(surface.collection === 'bookings' && { cancelled: options.cancelled ?? 'skip' }),
    ...(correct && surface.collection === 'bookings' && { create: true }),
  };
  const keyDigest = createHash('sha256').update(key).digest('base64url');
  const settings = [surface.path, url, keyDigest, query, correct, batchRows, mapping];
  const fingerprint = await fingerprintOf(path, settings);
  const state = new RunState(`${path}.import-state.json`, fingerprint, dryRun ? DRY_RUN_LASTS_MS : undefined);
  if (state.expired) note('The interrupted dry run is too old to be continued: a new one starts.');
  if (state.resumed) note('Continuing an interrupted run.');
  const failed = new FailedFile(failedFileOf(file, dryRun), source, plan);
  const report: SendReport = {
    ...{ surface: surface.name, file: path, dryRun, resumed: state.resumed, rows: counts.rows },
    ...{
      duplicateRows: counts.duplicates,
      sent: 0,
      unread: counts.unread,
      succeeded: 0,
      alreadyImported: 0,
      cancelledBefore: 0,
    },
    ...{ failedRows: 0, failures: {}, failedFile: null, warnedRows: 0, jobs: [] },
    conversions: plan?.conversions ?? [],
  };
  const name = basename(path).slice(-MOST_NAME);
  const target: Target = { startline, surface, correct, query: { ...query, name }, state, batchRows, signal };
  const sent: Sent[] = [];
  const settle = async (most: number) => {
    while (sent.length > most)
      await settled(target, sent.shift() as Sent, mapping, failed, report, progress.advance, note);
  };
  const send = async (rows: Row[]) => {
    for await (const part of sendRows(target, rows)) {
      if ('job' in part) {
        sent.push(part);
        report.sent += part.rows.length;
        // The dry run of a part knows what the parts before took, so that they must be finished.
        await settle(dryRun ? 0 : JOBS_AT_ONCE - 1);
        continue;
      }
      if (!part.item.isUnread)
        for (const each of mistakesOf(part.item, mapping, part.problems)) await failed.add(...each);
      progress.advance(1);
    }
  };
  progress.start(counts.items);
  try {
    const batch = new Batch(batchRows);
    for await (const each of prepare(from)) {
      if (each.kind === 'failed') await failed.add(each.row, each.mistake);
      else if (each.kind === 'item') await send(batch.add(each.item));
    }
    await send(batch.take());
    await settle(0);
  } catch (error) {
    await failed.abandon();
    throw error;
  } finally {
    progress.stop();
  }
  if (!onlyFailed && !dryRun) keepEarlier(failed.path);
  await failed.end();
  state.end();
  report.failedRows = failed.count;
  report.failures = Object.fromEntries(failed.codes);
  report.failedFile = failed.count > 0 ? failed.path : null;
  return report;
}

/** A failed-rows file may have been corrected by hand. */
function keepEarlier(path: string): void {
  if (existsSync(path)) renameSync(path, `${path}.old`);
}

async function counted(from: Prepares) {
  const counts = { rows: 0, items: 0, unread: 0, duplicates: 0, failed: 0 };
  for await (const each of prepare(from)) {
    const { rows = [], isUnread } = each.kind === 'item' ? each.item : {};
    if (isUnread) counts.unread += 1;
    else counts.rows += Math.max(rows.length, 1);
    if (each.kind === 'item') counts.items += 1;
    else counts[each.kind === 'failed' ? 'failed' : 'duplicates'] += 1;
  }
  return counts;
}

/** The warnings that are shown for a job. Its list of rows has all. */
const WARNINGS_SHOWN = 20;

async function noteWarnings(
  startline: StartlineClient,
  name: Sent['job'],
  rows: Row[],
  note: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  let left = WARNINGS_SHOWN;
  for await (const { row, warnings = [] } of startline.rows(name, { warned: true, signal })) {
    const line = (rows[row] as Row).item.rows[0]?.row;
    for (const { code, message } of warnings) note(`Warning, line ${line}: ${message} (${code})`);
    if (--left === 0) return;
  }
}

/** Follows a job to its end, and records its failed rows. */
async function settled(
  { startline, correct, query, signal }: Target,
  { job: name, rows }: Sent,
  mapping: FileMapping,
  failed: FailedFile,
  report: SendReport,
  advance: (by: number) => void,
  note: (line: string) => void,
): Promise<void> {
  let done = 0;
  let warned = false;
  const onProgress = ({ processedRows, waitingFor }: ImportJob) => {
    advance(processedRows - done);
    done = processedRows;
    if (waitingFor === 'worker' && !warned) note('The import waits for a worker of Startline to start.');
    warned ||= waitingFor === 'worker';
  };
  const job = await startline.finished(name, { onProgress, signal });
  report.jobs.push(job.jobId);
  report.succeeded += job.succeededRows;
  report.alreadyImported += job.alreadyImportedRows;
  report.cancelledBefore += job.cancelledBeforeRows;
  report.warnedRows += job.warnedRows;
  if (job.warnedRows > 0) await noteWarnings(startline, name, rows, note, signal);
  const isWhole = job.status === 'COMPLETED';
  if (query.dryRun && isWhole) query.continues = job.jobId;
  if (job.alreadyImportedRows > 0 && !correct)
    for await (const { row, differs = [] } of startline.rows(name, { outcome: 'ALREADY_IMPORTED', signal })) {
      if (differs.length === 0) continue;
      report.alreadyImported -= 1;
      const message = `The number has been imported before, with other values (${differs.join(', ')}). Give the row a number of its own, or send corrections with --correct.`;
      for (const each of mistakesOf((rows[row] as Row).item, mapping, [{ code: 'DIFFERS', message }]))
        await failed.add(...each);
    }
  if (isWhole && job.failedRows === 0) return;
  const ended = new Set<number>();
  for await (const { row, outcome, error } of startline.rows(name, {
    outcome: isWhole ? 'FAILED' : undefined,
    signal,
  })) {
    if (outcome) ended.add(row);
    if (outcome !== 'FAILED' || !error || rows[row]?.item.isUnread) continue;
    for (const each of mistakesOf((rows[row] as Row).item, mapping, [error])) await failed.add(...each);
  }
  if (isWhole) return;
  const message = job.failure ?? 'The job stopped before this row.';
  for (const [index, { item }] of rows.entries()) {
    if (ended.has(index) || item.isUnread) continue;
    for (const row of item.rows) await failed.add(row, { code: 'NOT_REACHED', message });
  }
}
