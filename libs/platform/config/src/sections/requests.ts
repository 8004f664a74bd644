import { between, leading, milliseconds } from '../validators';

export const REQUESTS = {
  BODY_LIMIT: between(1_024, 104_857_600, {
    default: 1_048_576,
    desc: 'Bytes of a request body, except for imports and timing messages.',
  }),
  TIMING_BODY_LIMIT: between(1_024, 104_857_600, {
    default: 16_777_216,
    desc: 'Bytes of a batch of timing messages.',
  }),
  CATALOGUE_BODY_LIMIT: between(1_024, 104_857_600, {
    default: 4_194_304,
    desc: 'Bytes of a part of the catalogue.',
  }),
  IMPORT_BODY_LIMIT: between(1_024, 104_857_600, {
    default: 20_971_520,
    desc: 'Bytes of the body of an import.',
  }),
  IMPORT_BYTES_PER_DAY: between(1, 1_000_000_000_000, {
    default: 2_000_000_000,
    desc: 'Bytes of imports of an organization in 24 hours, after decompression, in whole kilobytes for each request. Then imports get 429. A partner can send a tenth of them, all partners half.',
  }),
  RACE_DAY_BYTES_PER_DAY: between(1, 1_000_000_000_000, {
    default: 2_000_000_000,
    desc: 'Bytes of timing messages and race-day updates of an organization in 24 hours, in whole kilobytes for each request. One key can use half of them. Then they get 429.',
  }),
  BODIES_LIMIT: between(1_024, Number.MAX_SAFE_INTEGER, {
    default: 67_108_864,
    desc: 'Bytes of request bodies, except imports, in memory of a process.',
  }),
  IMPORT_BODIES_LIMIT: between(1_024, Number.MAX_SAFE_INTEGER, {
    default: 104_857_600,
    desc: 'Bytes of import bodies in memory of a process.',
  }),
  COMPRESS_FROM_BYTES: between(0, Number.MAX_SAFE_INTEGER, {
    default: 2_048,
    desc: 'Bytes from which a response is compressed. 0: never.',
  }),
  BODY_BYTES_PER_SECOND: between(65_536, Number.MAX_SAFE_INTEGER, {
    default: 33_554_432,
    desc: 'Bytes of bodies over 16 KB that a process reads each second, in equal shares of organizations.',
  }),
  LARGE_BODIES_AT_ONCE: between(1, 1_000, {
    default: 2,
    desc: 'Requests with a body over 16 KB that a process handles at the same time.',
  }),
  LARGE_BODY_WAIT_MS: milliseconds({
    default: 30_000,
    desc: 'How long such a request waits before it gets 503.',
  }),
  CHECK_WAIT_MS: milliseconds({
    default: 30_000,
    desc: 'How long an import waits for the checking thread before it gets 503.',
  }),
  UNSENT_LIMIT: between(65_536, Number.MAX_SAFE_INTEGER, {
    default: 67_108_864,
    desc: 'Unread bytes of responses of one organization. Above, lists get 503 and exports pause.',
  }),
  RESPONSE_PATIENCE_MS: milliseconds({
    default: 30_000,
    desc: 'How long a client may take to read 64 KB of a response.',
  }),
  DIGESTS_MEMORY: between(0, Number.MAX_SAFE_INTEGER, {
    default: 67_108_864,
    desc: 'Bytes of memory for what digests have read, so that the next one reads changes only: 65 per row of a list.',
  }),
  LARGE_PAGES_AT_ONCE: between(1, 1_000, {
    default: 2,
    desc: 'Pages of more than 100 items that a process reads at the same time; as many other large responses, and as many large writes.',
  }),
  LARGE_PAGE_WAIT_MS: milliseconds({
    default: 30_000,
    desc: 'How long such a request waits before it gets 503.',
  }),
  BODY_DEPTH_LIMIT: between(8, 500, { default: 64, desc: 'Nesting levels of a body.' }),
  BODY_KEYS_LIMIT: between(100, 10_000, { default: 1_000, desc: 'Properties of an object.' }),
  BODY_VALUES_LIMIT: between(1_000, 1_000_000, {
    default: 25_000,
    desc: 'Values (objects, arrays, strings and so on) in a body, and in one row of an import.',
  }),
  IMPORT_VALUES_LIMIT: between(1_000, 10_000_000, { default: 2_000_000, desc: 'Values in an import.' }),
  BODY_TEXT_LIMIT: between(10_000, 10_000_000, {
    default: 200_000,
    desc: 'Characters of a string, except of a catalogue file.',
  }),
  BODY_DIGITS_LIMIT: between(20, 1_000, {
    default: 40,
    desc: 'Digits of a number, written without an exponent.',
  }),
  BODY_INLINE_LIMIT: between(0, 1_048_576, {
    default: 65_536,
    desc: 'Larger bodies, in bytes, are checked in the checking thread.',
  }),
  IMPORT_ROWS_LIMIT: between(1, 10_000, { default: 10_000, desc: 'Rows of an import.' }),
  HEADERS_TIMEOUT_MS: milliseconds({
    default: 10_000,
    desc: 'How long a client may take to send its headers.',
  }),
  REQUEST_TIMEOUT_MS: milliseconds({
    default: 60_000,
    desc: 'How long a client may take to send a request.',
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
  REQUEST_LOG_ROWS: between(0, 100_000, {
    default: 1_000,
    desc: 'Rows of the request log for each key and hour. 0: no log.',
  }),
  REQUEST_LOG_MS: milliseconds({
    default: 1_000,
    desc: 'The interval at which the request log is written.',
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
  HEAP_GROWTH_PERCENT: between(0, 1_000, {
    default: 100,
    desc: 'How much the heap may grow before V8 collects garbage. Less saves memory and costs CPU. 0: V8 decides.',
  }),
};
