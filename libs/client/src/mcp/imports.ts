import { randomUUID } from 'node:crypto';
import { StartlineError } from '../error';
import { IMPORT_TABLE } from '../import-table';
import { type ImportPath, importPathOf, type JobName } from '../imports';
import type { ImportJob, ImportJobSummary, ImportOutcome, ImportRowResult } from '../openapi';
import { pause } from '../sending';
import type { JsonSchema } from './access';
import { shapeOf } from './row-shapes';
import { AFTER, type Context, ID, LIMIT, matching, READS, type Result, type Tool, WRITES } from './tool';

/** The property of the rows and the operation of each import, by path. */
const IMPORTS = Object.entries(IMPORT_TABLE).map(([path, { collection, surface }]) => ({
  path: path as ImportPath,
  collection,
  surface,
  operation: `import${surface.replace(/Import$/, '').replace(/^./, (letter) => letter.toUpperCase())}`,
}));
const OPERATIONS = IMPORTS.map(({ operation }) => operation);
const SURFACES = IMPORTS.map(({ surface }) => surface);
type Surface = (typeof SURFACES)[number];
const COLLECTIONS = IMPORTS.map(({ collection }) => collection);
/** Those whose existing records can be replaced. */
const REPLACEABLE = ['bookings', 'lineItems', 'addOns'];

const MOST_ROWS = 1_000;
/** How long a tool waits for a job before it says that the job continues. */
const PATIENCE_MS = 25_000;
const FIRST_FAILURES = 20;
/** Of a row: a booking can have a hundred participants. */
const MOST_IDS = 10;

const ROWS = { type: 'array', minItems: 1, maxItems: MOST_ROWS, items: { type: 'object' } } as const;

const REPLACE = {
  type: 'boolean',
  default: false,
  description:
    'Corrects existing records by their ids, instead of skipping them: bookings, lineItems, addOns only. Absent properties stay, null removes a value.',
} as const;

export const dryRunImport: Tool = {
  name: 'dry_run_import',
  operations: OPERATIONS,
  annotations: { title: 'Try an import', ...WRITES, destructiveHint: false },
  description:
    `Tries an import of 1 to ${MOST_ROWS} rows and returns which would fail and why; no record changes. Give exactly one list of rows. Amounts are in minor ` +
    'units (4500 GBP is £45.00), dates YYYY-MM-DD, times ISO 8601 (without a zone: local to the event). Each row has an id of yours, by which a ' +
    'repeated row is recognised. Take ids of events, tickets and waves from find_events. Then correct_rows for rows that would fail, and ' +
    'apply_dry_run to import. For more rows, call it again with `continues`.',
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(COLLECTIONS.map((name) => [name, ROWS])),
      name: { type: 'string', maxLength: 200, description: 'A name for people, such as that of the file.' },
      replace: REPLACE,
      continues: {
        ...ID,
        description: 'The jobId of the dry run of the part before, if the rows have several parts.',
      },
    },
  },
  shapes: (context) =>
    Object.fromEntries(
      COLLECTIONS.flatMap((name): [string, JsonSchema | undefined][] => {
        const known = IMPORTS.find(({ collection }) => collection === name);
        if (!known || !context.access.may(known.operation)) return [[name, undefined]];
        return [[name, { ...ROWS, items: shapeOf(context.document, known.path, name) }]];
      }),
    ),
  async run(args: { name?: string; replace?: boolean; continues?: string }, context): Promise<Result> {
    const { name, replace, continues, ...lists } = args;
    const [list, ...more] = Object.entries(lists);
    if (!list || more.length > 0)
      throw new TypeError(`Give exactly one list of rows: ${COLLECTIONS.join(', ')}.`);
    const [collection, rows] = list;
    const { path } = IMPORTS.find((each) => each.collection === collection) as (typeof IMPORTS)[number];
    const query = { dryRun: true, name, continues };
    return outcome(await send(context, { path, replace, query, body: { [collection]: rows } }), context);
  },
};

export const applyDryRun: Tool = {
  name: 'apply_dry_run',
  operations: OPERATIONS,
  annotations: { title: 'Import a dry run', ...WRITES },
  description:
    'Imports the rows of a finished dry run, each as its newest correction sent it. Rows that would fail are tried as well. A dry run is imported ' +
    'once: a repeated call returns the same job.',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['jobId'],
    properties: { jobId: { ...ID, description: 'The jobId of dry_run_import.' } },
  },
  async run({ jobId }: { jobId: string }, context): Promise<Result> {
    const job = await context.client.post('/v0/import-jobs/{jobId}/apply', { params: { path: { jobId } } });
    return outcome(job, context);
  },
};

export const importJob: Tool = {
  name: 'import_job',
  operations: [...OPERATIONS, 'listImportJobs'],
  annotations: { title: 'Read an import', ...READS },
  description:
    'Returns the progress of an import and its rows: those that have failed and that no correction has imported (`openRows`), or those with an ' +
    '`outcome`. Without `jobId`, the newest imports. The content of a row is not returned: `row` counts from 0 in the order in which rows were sent.',
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      jobId: ID,
      surface: { type: 'string', enum: SURFACES, description: 'The kind of import, if known.' },
      outcome: {
        type: 'string',
        enum: [
          'FAILED',
          'IMPORTED',
          'UPDATED',
          'UNCHANGED',
          'ALREADY_IMPORTED',
          'CANCELLED_BEFORE',
          'CANCELLED',
        ],
        description: 'With `jobId`: all rows with this outcome, corrected ones included.',
      },
      limit: LIMIT,
      after: AFTER,
    },
  },
  async run(
    args: { jobId?: string; surface?: Surface; outcome?: ImportOutcome; limit?: number; after?: string },
    context,
  ) {
    const { client } = context;
    const { jobId, surface, outcome: wanted, limit, after } = args;
    const size = { 'page[size]': limit ?? LIMIT.default };
    if (!jobId) {
      const query = { surface, ...size };
      const found = await matching(
        (cursor) => client.get('/v0/import-jobs', { params: { query: { ...query, 'page[after]': cursor } } }),
        { limit, after },
      );
      return {
        says: `${found.items.length} of ${found.total} imports${found.next ? '; more with `after`' : ''}.`,
        data: { jobs: found.items.map(jobSummary), next: found.next },
      };
    }
    const job = await jobOf(jobId, context, surface);
    const path = { jobId };
    const found = await matching(
      (cursor) =>
        client.get('/v0/import-jobs/{jobId}/rows', {
          params: {
            path,
            query: { ...(wanted ? { outcome: wanted } : { open: true }), ...size, 'page[after]': cursor },
          },
        }),
      { limit, after },
    );
    return {
      says: `${progressOf(job)} ${found.items.length} of ${found.total} ${wanted ? `rows with the outcome ${wanted}` : 'rows to correct'}${found.next ? '; more with `after`' : ''}.`,
      data: {
        job: jobSummary(job),
        failure: job.failure,
        rows: found.items.map(rowSummary),
        next: found.next,
      },
    };
  },
};

export const correctRows: Tool = {
  name: 'correct_rows',
  operations: OPERATIONS,
  annotations: { title: 'Correct failed rows', ...WRITES, idempotentHint: false },
  description:
    'Sends corrected rows in place of failed rows of an import or a dry run. Corrections of a dry run change no record: they are imported with it. ' +
    'Send each row completely, in the shape of dry_run_import, with its number in the job.',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['jobId', 'rows'],
    properties: {
      jobId: ID,
      surface: { type: 'string', enum: SURFACES, description: 'The kind of import, if known.' },
      rows: {
        type: 'array',
        minItems: 1,
        maxItems: MOST_ROWS,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['row', 'value'],
          properties: {
            row: {
              type: 'integer',
              minimum: 0,
              description: 'The failed row, from 0, as import_job returns it.',
            },
            value: { type: 'object', description: 'The whole corrected row.' },
          },
        },
      },
      replace: { ...REPLACE, description: 'As in the import that failed.' },
      dryRun: {
        type: 'boolean',
        default: false,
        description: 'Only tries the corrections. Always so for a dry run.',
      },
    },
  },
  async run(args: CorrectArgs, context): Promise<Result> {
    const { jobId, surface, rows, replace, dryRun } = args;
    const job = await jobOf(jobId, context, surface);
    const path = importPathOf(job);
    const { collection } = IMPORT_TABLE[path];
    const body = {
      [collection]: rows.map(({ value }) => value),
      corrects: { jobId, rows: rows.map(({ row }) => row) },
    };
    const query = { dryRun: job.dryRun || dryRun === true };
    const { says, data } = await outcome(await send(context, { path, replace, query, body }), context);
    const rest = job.dryRun
      ? `\nThen import everything with apply_dry_run and the jobId ${job.corrects ?? jobId}.`
      : '';
    return { says: says + rest, data };
  },
};

interface CorrectArgs {
  jobId: string;
  surface?: Surface;
  rows: { row: number; value: unknown }[];
  replace?: boolean;
  dryRun?: boolean;
}

interface Batch {
  path: ImportPath;
  replace?: boolean;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
}

/** The API checks the rows: its errors name their paths. */
async function send({ client }: Context, { path, replace, query, body }: Batch): Promise<JobName> {
  const { collection } = IMPORT_TABLE[path];
  if (replace && !REPLACEABLE.includes(collection))
    throw new TypeError(`replace is for ${REPLACEABLE.join(', ')}; ${collection} can't be replaced.`);
  const init = { params: { query, header: { 'Idempotency-Key': randomUUID() } }, body };
  const answer = replace
    ? client.put(path as never, init as never)
    : client.post(path as never, init as never);
  return (await answer) as JobName;
}

/** Waits for a job, but not for long, and says what came of it. */
async function outcome(accepted: JobName, context: Context): Promise<Result> {
  const until = Date.now() + PATIENCE_MS;
  let job = await jobOf(accepted.jobId, context, accepted.surface);
  for (let wait = 50; job.finishedAt === null && Date.now() < until; wait = Math.min(1_000, wait * 2)) {
    await pause(wait, context.signal);
    job = await jobOf(accepted.jobId, context, accepted.surface);
  }
  const data = { job: jobSummary(job), failure: job.failure };
  if (job.finishedAt === null)
    return { says: `${progressOf(job)} Call import_job with its jobId later.`, data };
  const path = { jobId: job.jobId };
  const rowsWith = async (query: { outcome?: 'FAILED'; warned?: boolean }) => {
    const params = { path, query: { ...query, 'page[size]': FIRST_FAILURES } };
    return (await context.client.get('/v0/import-jobs/{jobId}/rows', { params })).data.map(rowSummary);
  };
  return {
    says: `${progressOf(job)} ${nextStep(job)}`,
    data: {
      ...data,
      ...(job.failedRows > 0 && { failed: await rowsWith({ outcome: 'FAILED' }) }),
      ...(job.warnedRows > 0 && { warned: await rowsWith({ warned: true }) }),
    },
  };
}

function progressOf(job: ImportJob): string {
  const { jobId, status, dryRun, totalRows, processedRows, waitingFor } = job;
  const { succeededRows, alreadyImportedRows, cancelledBeforeRows, failedRows } = job;
  if (job.finishedAt === null)
    return `${dryRun ? 'The dry run' : 'The import'} ${jobId} is ${status}: ${processedRows} of ${totalRows} rows${waitingFor ? `, waiting for: ${waitingFor}` : ''}.`;
  const would = dryRun ? 'would be ' : '';
  return (
    `${dryRun ? 'The dry run' : 'The import'} ${jobId} is ${status}: of ${totalRows} rows, ${succeededRows} ${would}imported or updated, ` +
    `${alreadyImportedRows} existed already, ${cancelledBeforeRows > 0 ? `${cancelledBeforeRows} were cancelled before, ` : ''}${failedRows} ${dryRun ? 'would fail' : 'failed'}.`
  );
}

function nextStep({ dryRun, failedRows, corrects, warnedRows }: ImportJob): string {
  const steps = [
    ...(failedRows > 0
      ? [`The first failed rows are below: correct their cause, and send them with correct_rows.`]
      : []),
    ...(warnedRows > 0 ? [`Look at the ${warnedRows} rows with warnings.`] : []),
    ...(dryRun && !corrects ? ['Nothing is written yet: apply_dry_run imports it.'] : []),
  ];
  return steps.join(' ');
}

/** @throws StartlineError if no import that the key can follow has the job */
async function jobOf(jobId: string, { client }: Context, surface?: string): Promise<ImportJob> {
  const candidates = IMPORTS.filter((each) => !surface || each.surface === surface);
  for (const { path } of candidates) {
    try {
      return await client.get(`${path}/{jobId}` as '/v0/bookings/import/{jobId}', {
        params: { path: { jobId } },
      });
    } catch (error) {
      if (!(error instanceof StartlineError) || ![403, 404].includes(error.status)) throw error;
    }
  }
  throw new StartlineError(404, 'Not Found', 'This key can follow no import with this jobId.');
}

const jobSummary = (job: ImportJobSummary | ImportJob) => ({
  ...{ jobId: job.jobId, surface: job.surface, name: job.name, status: job.status, dryRun: job.dryRun },
  ...{
    totalRows: job.totalRows,
    succeededRows: job.succeededRows,
    alreadyImportedRows: job.alreadyImportedRows,
    cancelledBeforeRows: job.cancelledBeforeRows,
  },
  ...{
    failedRows: job.failedRows,
    openRows: job.openRows,
    warnedRows: job.warnedRows,
    corrects: job.corrects,
  },
  ...{ importedBy: job.importedBy, createdAt: job.createdAt, finishedAt: job.finishedAt },
});

function rowSummary({ row, outcome: what, error, warnings, differs, ...ids }: ImportRowResult) {
  const { alreadyImported: _, participantIds, referralIds, ...known } = ids;
  return {
    ...{ row, outcome: what, ...known },
    ...(participantIds && { participantIds: participantIds.slice(0, MOST_IDS) }),
    ...(referralIds && { referralIds: referralIds.slice(0, MOST_IDS) }),
    ...(differs && { differs: differs.slice(0, MOST_IDS) }),
    ...(error && { path: error.path, code: error.code, message: error.message }),
    ...(warnings && { warnings }),
  };
}
