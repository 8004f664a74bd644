import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import { StartlineError } from './error';
import { type ExportQuery, readExport, type TimingExportQuery } from './export';
import {
  batchesOf,
  bodyOf,
  type FinishedOptions,
  type ImportOptions,
  type ImportPath,
  type ImportReport,
  type ImportRow,
  importPathOf,
  type JobName,
} from './imports';
import {
  type ChangeEventsOptions,
  type ChangeEventsPage,
  type ChangesOptions,
  type ChangesUntilNowOptions,
  type ChangingPath,
  changesUntilNow,
  follow,
  followEvents,
  type Item,
  type ListPath,
  type Position,
  walk,
} from './lists';
import type {
  AcceptedImport,
  ImportJob,
  ImportOutcome,
  ImportRowResult,
  Participant,
  paths,
  TimingParticipant,
} from './openapi';
import type { AnyInit, Ask, Call, GivenInit, Method } from './operations';
import { querySerializer } from './query-serializer';
import { ENDLESS, type Patience, patient, pause, type Send, wholeJson } from './sending';

const NOT_MODIFIED = 304;

export interface StartlineOptions extends Patience {
  /** The origin of the API, without a path. */
  baseUrl: string;
  /** The API key. */
  token: string;
  /** Replaces the global `fetch`, for example to use a proxy or to record requests. */
  fetch?: Send;
}

export class StartlineClient {
  readonly get: Call<'get'> = this.call('get');
  readonly post: Call<'post'> = this.call('post');
  readonly put: Call<'put'> = this.call('put');
  readonly patch: Call<'patch'> = this.call('patch');
  readonly delete: Call<'delete'> = this.call('delete');

  private readonly ask: Ask;
  /** Asks until there is an answer. */
  private readonly insist: (onRetry: Patience['onRetry']) => Ask;
  private readonly stream: (path: string, signal?: AbortSignal) => [send: Send, request: Request];

  constructor({ baseUrl, token, fetch: send = fetch, ...patience }: StartlineOptions) {
    const { request } = createClient<paths>({
      baseUrl,
      headers: { authorization: `Bearer ${token}` },
      fetch: patient(send, patience),
      querySerializer,
    });
    const streaming = patient(send, patience, async (response) => response);
    this.stream = (path, signal) => {
      const headers = { authorization: `Bearer ${token}` };
      return [streaming, new Request(baseUrl.replace(/\/$/, '') + path, { headers, signal })];
    };
    this.ask = async (method, path, { onHeaders, ...init } = {}) => {
      const { data, error, response } = await request(method, path as never, init as never);
      if (!response.ok && response.status !== NOT_MODIFIED) throw StartlineError.of(response, error);
      onHeaders?.(response.headers);
      return data as never;
    };
    this.insist = (onRetry = patience.onRetry) => {
      const endless = patient(send, { ...ENDLESS, onRetry }, wholeJson);
      return (method, path, init) => this.ask(method, path, { ...init, fetch: endless });
    };
  }

  /** Every item of a list, over all its pages. */
  every<Path extends ListPath>(path: Path, ...[init]: GivenInit<Path, 'get'>): AsyncGenerator<Item<Path>> {
    return walk(this.ask, path, init as AnyInit);
  }

  /**
   * The changes of a list from now on, or from `since`, until the loop is left or the `signal` ends it with an error.
   * Waits while the API is unreachable, overloaded or failing, and calls `onRetry`; throws what no wait can heal.
   * Changes come in groups: after processing one, store the `updatedAt` of its last item as the `since` of a later
   * run; items with the same `updatedAt` are always in one group. An item that changes again is returned again.
   */
  changes<Path extends ChangingPath>(
    path: Path,
    { onRetry, ...options }: ChangesOptions<Path>,
  ): AsyncGenerator<Item<Path>[]> {
    return follow(this.insist(onRetry), path, options as AnyInit) as AsyncGenerator<Item<Path>[]>;
  }

  /**
   * The changes of a list up to now, page by page, for programs that store the `position` themselves. Waits like
   * `changes()`.
   */
  changesUntilNow<Path extends ChangingPath>(
    path: Path,
    position: Position,
    { onRetry, ...options }: ChangesUntilNowOptions = {},
  ): AsyncGenerator<Item<Path>[]> {
    return changesUntilNow(this.insist(onRetry), path, position, options) as AsyncGenerator<Item<Path>[]>;
  }

  /**
   * Change events, oldest first, and new ones as they happen, until the loop is left or the `signal` ends it with an
   * error. Events come in pages: after processing one, store its `cursor` as the `after` of a later run, which then
   * misses nothing. Waits like `changes()`.
   */
  changeEvents({ onRetry, ...options }: ChangeEventsOptions = {}): AsyncGenerator<ChangeEventsPage> {
    return followEvents(this.insist(onRetry), options);
  }

  /** Every participant that matches the filters, in one request, as they arrive. Throws if the stream was cut off. */
  exportParticipants(
    query: ExportQuery = {},
    { signal }: { signal?: AbortSignal } = {},
  ): AsyncGenerator<Participant, void> {
    const path = `/v0/participants/export?${querySerializer({ format: 'ndjson', ...query })}`;
    return readExport(...this.stream(path, signal));
  }

  /** The same for a timing key: the participants of its occurrences, with what it may read. */
  exportTimingParticipants(
    query: TimingExportQuery = {},
    { signal }: { signal?: AbortSignal } = {},
  ): AsyncGenerator<TimingParticipant, void> {
    const path = `/timing-inbound/v1/participants/export?${querySerializer({ format: 'ndjson', ...query })}`;
    return readExport(...this.stream(path, signal));
  }

  /** Waits for the end of an import job and returns it: `COMPLETED`, or `FAILED` with a `failure`. */
  async finished(
    job: JobName,
    { onProgress, everyMs = 1_000, signal }: FinishedOptions = {},
  ): Promise<ImportJob> {
    const path = `${importPathOf(job)}/{jobId}` as const;
    for (;;) {
      const now = await this.get(path, { params: { path: { jobId: job.jobId } }, signal });
      onProgress?.(now);
      if (now.finishedAt !== null) return now;
      await pause(everyMs, signal);
    }
  }

  /** The outcomes of the rows of a job so far, in row order. */
  rows(
    job: Pick<JobName, 'jobId'>,
    { outcome, warned, signal }: { outcome?: ImportOutcome; warned?: boolean; signal?: AbortSignal } = {},
  ): AsyncGenerator<ImportRowResult> {
    const params = { path: { jobId: job.jobId }, query: { outcome, warned, 'page[size]': 500 } };
    return this.every('/v0/import-jobs/{jobId}/rows', { params, signal });
  }

  /**
   * Imports any number of rows: sends them in batches, one after another, and waits for all their jobs. Throws if a
   * batch is rejected; the jobs of earlier batches continue. Repeating the call with the same `idempotencyKey`
   * imports nothing twice.
   */
  async import<Path extends ImportPath>(
    path: Path,
    rows: Iterable<ImportRow<Path>> | AsyncIterable<ImportRow<Path>>,
    options: ImportOptions<Path> = {},
  ): Promise<ImportReport> {
    const {
      replace,
      dryRun,
      cancelled,
      idempotencyKey = randomUUID(),
      batchRows,
      onProgress,
      everyMs,
      signal,
    } = options;
    const report: ImportReport = {
      jobs: [],
      totalRows: 0,
      succeededRows: 0,
      alreadyImportedRows: 0,
      cancelledBeforeRows: 0,
      failed: [],
    };
    const accepted: AcceptedImport[] = [];
    let continues: string | undefined;
    for await (const batch of batchesOf(rows, batchRows)) {
      const before = accepted.at(-1);
      // The dry run of a part knows what the parts before took.
      if (dryRun && before && (await this.finished(before, { everyMs, signal })).status === 'COMPLETED')
        continues = before.jobId;
      const job = await this.ask<AcceptedImport>(replace ? 'put' : 'post', path, {
        headers: { 'idempotency-key': `${idempotencyKey}/${report.totalRows}` },
        params: { query: { dryRun, continues, cancelled } },
        body: batch,
        bodySerializer: (texts: string[]) => bodyOf(path, texts),
        signal,
      });
      accepted.push(job);
      report.totalRows += job.totalRows;
      onProgress?.({ accepted: report.totalRows, processed: 0 });
    }
    let before = 0;
    for (const each of accepted) {
      const job = await this.finished(each, {
        onProgress: ({ processedRows }) =>
          onProgress?.({ accepted: report.totalRows, processed: before + processedRows }),
        everyMs,
        signal,
      });
      report.jobs.push(job);
      report.succeededRows += job.succeededRows;
      report.alreadyImportedRows += job.alreadyImportedRows;
      report.cancelledBeforeRows += job.cancelledBeforeRows;
      for await (const failure of this.rows(job, { outcome: 'FAILED', signal })) {
        report.failed.push({ ...failure, row: before + failure.row });
      }
      before += job.totalRows;
    }
    return report;
  }

  private call<M extends Method>(method: M): Call<M> {
    return (path, ...[init]) => this.ask(method, path, init as AnyInit);
  }
}
