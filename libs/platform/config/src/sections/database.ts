import { between, leading, milliseconds } from '../validators';

export const DATABASE = {
  API_POOL_SIZE: leading(between(1, 500, { default: 20, desc: 'Database connections of an api process.' })),
  API_REPLICA_POOL_SIZE: between(1, 500, {
    default: 20,
    desc: 'Connections of an api process to the replica.',
  }),
  WORKER_POOL_SIZE: leading(
    between(1, 500, { default: 10, desc: 'Database connections of a worker process.' }),
  ),
  WORKER_NICE: between(0, 19, {
    default: 5,
    desc: 'The niceness of a worker, so that the api takes precedence.',
  }),
  POOL_WAIT_MS: milliseconds({
    default: 3_000,
    desc: 'How long a request waits for a connection before it gets 503.',
  }),
  STATEMENT_TIMEOUT_MS: milliseconds({
    default: 15_000,
    desc: 'The timeout of a statement of a request, which then gets 503.',
  }),
  IDLE_TRANSACTION_MS: milliseconds({
    default: 60_000,
    desc: 'The timeout of an idle transaction.',
  }),
  NODE_CHECK_MS: milliseconds({
    default: 1_000,
    desc: 'With Citus: the interval at which servers are checked.',
  }),
  NODE_TIMEOUT_MS: milliseconds({
    default: 3_000,
    desc: 'With Citus: how long a check may take. After two failures, the server is not used.',
  }),
  WATERMARK_MS: between(10, 60_000, {
    default: 100,
    desc: 'The interval at which the watermark is read.',
  }),
  DATABASE_REPLICA_MAX_LAG_MS: between(100, 60_000, {
    default: 2_000,
    desc: 'A replica with a larger lag is not used.',
  }),
};
