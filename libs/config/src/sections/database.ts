import { between, milliseconds } from '../validators';

export const DATABASE = {
  API_POOL_SIZE: between(1, 500)({ default: 20, desc: 'Database connections of an api process.' }),
  API_REPLICA_POOL_SIZE: between(
    1,
    500,
  )({ default: 20, desc: 'Connections of an api process to the replica.' }),
  WORKER_POOL_SIZE: between(1, 500)({ default: 10, desc: 'Database connections of a worker process.' }),
  WORKER_NICE: between(
    0,
    19,
  )({
    default: 5,
    desc: 'The niceness of a worker, which lets the api take precedence on a shared machine.',
  }),
  POOL_WAIT_MS: milliseconds({
    default: 3_000,
    desc: 'How long a request waits for a database connection before it gets 503. Organizations take turns.',
  }),
  STATEMENT_TIMEOUT_MS: milliseconds({
    default: 15_000,
    desc: 'The timeout of a statement of an api request, which then gets 503.',
  }),
  IDLE_TRANSACTION_MS: milliseconds({
    default: 60_000,
    desc: 'The timeout of an idle transaction, which delays every poller.',
  }),
  NODE_CHECK_MS: milliseconds({
    default: 1_000,
    desc: 'With Citus: the interval at which every server is asked whether it responds.',
  }),
  NODE_TIMEOUT_MS: milliseconds({
    default: 3_000,
    desc: 'With Citus: how long that response may take. After two without one, nothing waits for the server.',
  }),
  WATERMARK_MS: between(
    10,
    60_000,
  )({
    default: 100,
    desc: 'The interval at which the watermark of lists by `updatedAt` is read.',
  }),
  DATABASE_REPLICA_MAX_LAG_MS: between(
    100,
    60_000,
  )({
    default: 2_000,
    desc: 'A replica with a larger lag is not used. Limits the delay of lists by `updatedAt` that the replica adds.',
  }),
};
