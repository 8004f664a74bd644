import { between, queues } from '../validators';

export const WORKER = {
  WORKER_QUEUES: queues({
    default: ['imports', 'race-day', 'persons', 'webhooks'],
    desc: 'The queues whose jobs this worker takes.',
  }),
  WORKERS_DELAY_SECONDS: between(1, 3_600, {
    default: 15,
    desc: 'Open work is to be done within this time: `workersWanted` of `GET /workers`, which falls when fewer workers were enough for eight times as long.',
  }),
  WORKERS_MOST: between(1, 1_000, { default: 10, desc: 'The largest `workersWanted`.' }),
  WORKER_CONCURRENCY: between(1, 100, {
    default: 4,
    desc: 'Jobs of one queue that a worker runs concurrently.',
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
  REQUEST_LOG_DAYS: between(0, 90, { default: 3, desc: 'How long the request log is kept. 0: no log.' }),
  UNIDENTIFIED_DAYS: between(1, 3_650, {
    default: 30,
    desc: 'How long a timing message waits for its participant.',
  }),
};
