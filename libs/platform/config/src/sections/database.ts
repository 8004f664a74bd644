import { between, leading, milliseconds } from '../validators';

export const DATABASE = {
  API_POOL_SIZE: leading(
    between(1, 500, {
      default: 20,
      desc: 'Database connections of an api process, and as many to a replica.',
    }),
  ),
  WORKER_POOL_SIZE: leading(
    between(1, 500, {
      default: 10,
      desc: 'Database connections of a worker process: more than WORKER_CONCURRENCY, if it takes imports.',
    }),
  ),
  POOL_WAIT_MS: milliseconds({
    default: 3_000,
    desc: 'How long a request waits for a connection before it gets 503.',
  }),
  STATEMENT_TIMEOUT_MS: milliseconds({
    default: 15_000,
    desc: 'The timeout of a statement of a request, which then gets 503. A statement of a worker has four times as long.',
  }),
  NODE_TIMEOUT_MS: milliseconds({
    default: 3_000,
    desc: 'With Citus: how long the check of a server may take, longer for a slow network. The pause before the next one is a third of it. After two failures, the server is not used.',
  }),
  DATABASE_REPLICA_MAX_LAG_MS: between(100, 60_000, {
    default: 2_000,
    desc: 'A replica with a larger lag is not used.',
  }),
};
