import { between, milliseconds, minutes, queues } from '../validators';

export const WORKER = {
  WORKER_QUEUES: queues({
    default: ['imports', 'race-day', 'webhooks'],
    desc: 'The queues whose jobs this worker takes.',
  }),
  WORKER_LOST_MS: milliseconds({
    default: 20_000,
    desc: 'A worker that was silent for this long counts as stopped.',
  }),
  WORKERS_DELAY_SECONDS: between(1, 3_600, {
    default: 15,
    desc: 'Open work is to be done within this time: `workersWanted` of `GET /workers`.',
  }),
  WORKERS_HOLD_SECONDS: between(0, 3_600, {
    default: 120,
    desc: '`workersWanted` falls when fewer workers were enough for this long.',
  }),
  WORKERS_MOST: between(1, 1_000, { default: 10, desc: 'The largest `workersWanted`.' }),
  WORKER_CONCURRENCY: between(1, 100, {
    default: 4,
    desc: 'Jobs of one queue that a worker runs concurrently.',
  }),
  JOB_ATTEMPTS: between(1, 100, { default: 10, desc: 'Attempts of a queued job.' }),
  JOB_BACKOFF_MS: milliseconds({
    default: 1_000,
    desc: 'The delay before the second attempt; doubles with each.',
  }),
  JOB_LOCK_MS: milliseconds({
    default: 30_000,
    desc: 'A job goes to another worker after its worker has been silent for this long.',
  }),
  IMPORT_CHUNK_ROWS: between(1, 10_000, {
    default: 2_000,
    desc: 'Rows that a transaction of an import writes; for bookings, participants.',
  }),
  IMPORT_CHUNK_BYTES: between(1_024, 104_857_600, {
    default: 4_194_304,
    desc: 'Bytes of JSON that a transaction of an import reads; a larger row fails.',
  }),
  IMPORT_CHUNK_MS: milliseconds({
    default: 400,
    desc: 'The target duration of a transaction of an import. Lists by `updatedAt` wait for it.',
  }),
  IMPORT_PLACES: between(1, 100, {
    default: 4,
    desc: 'Import jobs of an organization at the same time, over all workers.',
  }),
  IMPORT_TURN_MS: milliseconds({
    default: 1_000,
    desc: 'How long imports of one organization run before the next takes its turn.',
  }),
  IMPORT_ISOLATED_MS: milliseconds({
    default: 10_000,
    desc: 'The same, for an import that crashed a worker and runs in a separate process.',
  }),
  IMPORT_ISOLATED_MB: between(64, 65_536, { default: 512, desc: 'The JavaScript heap of such a process.' }),
  IMPORT_CRASH_LIMIT: between(4, 1_000, {
    default: 60,
    desc: 'Processes that an import may crash before it fails.',
  }),
  WORKER_STATEMENT_TIMEOUT_MS: milliseconds({
    default: 60_000,
    desc: 'The timeout of a statement of a worker, and of a wait for a connection.',
  }),
  SWEEP_MS: milliseconds({
    default: 3_000,
    desc: 'The interval at which workers look for work that the queue lost.',
  }),
  MAINTENANCE_MS: milliseconds({
    default: 10_000,
    desc: 'The interval at which counters are compacted and expired rows are deleted.',
  }),
  IDEMPOTENCY_MINUTES: minutes({ default: 1_440, desc: 'How long an Idempotency-Key is kept.' }),
  DRY_RUN_MINUTES: minutes({
    default: 1_440,
    desc: 'How long a dry run is kept; at least as long as an Idempotency-Key.',
  }),
  IMPORT_PAYLOAD_DAYS: between(1, 36_500, {
    default: 90,
    desc: 'How long posted rows of imports are kept. Outcomes stay.',
  }),
  RACE_DAY_LOG_DAYS: between(1, 3_650, {
    default: 90,
    desc: 'How long superseded race-day messages are kept. Bib claims stay.',
  }),
  AUDIT_LOG_DAYS: between(1, 36_500, { default: 730, desc: 'How long the audit log is kept.' }),
  AUDIT_VALUES_DAYS: between(1, 36_500, {
    default: 400,
    desc: 'How long the audit log keeps the old and new values of what staff changed.',
  }),
  REQUEST_LOG_DAYS: between(1, 90, { default: 3, desc: 'How long the request log is kept.' }),
  UNIDENTIFIED_DAYS: between(1, 3_650, {
    default: 30,
    desc: 'How long a timing message waits for its participant.',
  }),
};
