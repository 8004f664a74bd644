import { between, leading, milliseconds } from '../validators';

export const REQUESTS = {
  BODY_LIMIT: between(1_024, 104_857_600, {
    default: 1_048_576,
    desc: 'Bytes of a request body, except for imports, the catalogue and timing messages.',
  }),
  IMPORT_BODY_LIMIT: between(1_024, 104_857_600, {
    default: 20_971_520,
    desc: 'Bytes of the body of an import.',
  }),
  IMPORT_BYTES_PER_DAY: between(1, 1_000_000_000_000, {
    default: 2_000_000_000,
    desc: 'Bytes of imports of an organization in 24 hours, after decompression, in whole kilobytes for each request. Then imports get 429. A partner can send a tenth of them, all partners half.',
  }),
  WRITE_BYTES_PER_DAY: between(1, 1_000_000_000_000, {
    default: 5_000_000_000,
    desc: 'Bytes that all other writes of an organization store at most in 24 hours, with indexes and audit log. Then they get 429. One key can use half of them, a partner a tenth, all partners half. What removes data, cancels or revokes does not count.',
  }),
  RACE_DAY_BYTES_PER_DAY: between(1, 1_000_000_000_000, {
    default: 2_000_000_000,
    desc: 'Bytes of timing messages and race-day updates of an organization in 24 hours, in whole kilobytes for each request. One key can use half of them. Then they get 429.',
  }),
  BODIES_LIMIT: between(1_024, Number.MAX_SAFE_INTEGER, {
    default: 67_108_864,
    desc: 'Bytes of request bodies, except imports, in memory of a process: more if it has more memory. Imports have half as much again, and unread responses of one organization have as much.',
  }),
  REQUEST_TIMEOUT_MS: milliseconds({
    default: 60_000,
    desc: 'How long a client may take to send a request, and twice as long as to read 64 KB of a response.',
  }),
  KEEP_ALIVE_MS: leading(
    milliseconds({
      default: 65_000,
      desc: 'How long an idle HTTP connection is kept open: longer than in the load balancer.',
    }),
  ),
  CONNECTIONS_LIMIT: between(10, 1_000_000, {
    default: 4_096,
    desc: 'HTTP connections of a process: fewer than the limit of open files.',
  }),
  DRAIN_MS: leading(
    between(0, 60_000, {
      default: 0,
      desc: 'How long a process that is shutting down accepts requests: longer than the load balancer needs to notice that /health/ready fails.',
    }),
  ),
  SHUTDOWN_MS: milliseconds({
    default: 20_000,
    desc: 'How long requests and jobs may take at shutdown.',
  }),
};
