import { between, milliseconds } from '../validators';

export const REQUESTS = {
  BODY_LIMIT: between(
    1_024,
    104_857_600,
  )({ default: 1_048_576, desc: 'Bytes of a request body, except for imports and timing messages.' }),
  TIMING_BODY_LIMIT: between(
    1_024,
    104_857_600,
  )({
    default: 16_777_216,
    desc: 'Bytes of a batch of timing messages. The default fits 500 messages with every property at its maximum length, however their JSON is escaped.',
  }),
  IMPORT_BODY_LIMIT: between(
    1_024,
    104_857_600,
  )({ default: 20_971_520, desc: 'Bytes of the body of an import.' }),
  IMPORT_BYTES_PER_DAY: between(
    1,
    Number.MAX_SAFE_INTEGER,
  )({
    default: 2_000_000_000,
    desc: 'Bytes of imports that an organization can send in a day (UTC), after decompression. Then imports get 429; the last body can exceed it.',
  }),
  BODIES_LIMIT: between(
    1_024,
    Number.MAX_SAFE_INTEGER,
  )({
    default: 67_108_864,
    desc: 'Bytes of request bodies (except imports) in memory of an api process, at most half of them for one organization. Over the limit, the slowest body of the organization with the most bytes gets 503.',
  }),
  IMPORT_BODIES_LIMIT: between(
    1_024,
    Number.MAX_SAFE_INTEGER,
  )({
    default: 104_857_600,
    desc: 'Bytes of import bodies in memory of an api process, under the same rule.',
  }),
  COMPRESS_FROM_BYTES: between(
    0,
    Number.MAX_SAFE_INTEGER,
  )({
    default: 2_048,
    desc: 'Bytes from which a response is compressed for clients that accept brotli or gzip. 0 turns compression off, for a proxy that compresses.',
  }),
  BODY_BYTES_PER_SECOND: between(
    65_536,
    Number.MAX_SAFE_INTEGER,
  )({
    default: 33_554_432,
    desc: 'Bytes of request bodies that an api process reads each second. Organizations that send at the same time get equal shares; bodies up to 16 KB do not wait.',
  }),
  LARGE_BODIES_AT_ONCE: between(
    1,
    1_000,
  )({
    default: 2,
    desc: 'Requests with a body over 16 KB that an api process works on at the same time. Organizations take turns; other requests do not wait.',
  }),
  LARGE_BODY_WAIT_MS: milliseconds({
    default: 30_000,
    desc: 'How long a request with a body over 16 KB waits for its turn before it gets 503.',
  }),
  CHECK_WAIT_MS: milliseconds({
    default: 30_000,
    desc: 'How long the body of an import waits for the checking thread before it gets 503. Organizations take turns.',
  }),
  UNSENT_LIMIT: between(
    65_536,
    Number.MAX_SAFE_INTEGER,
  )({
    default: 67_108_864,
    desc: 'Bytes of responses of one organization that an api process holds because clients have not read them. Over the limit, lists get 503 and exports read no further.',
  }),
  RESPONSE_PATIENCE_MS: milliseconds({
    default: 30_000,
    desc: 'How long a client may take to read 64 KB of a response before its connection is closed.',
  }),
  LARGE_PAGES_AT_ONCE: between(
    1,
    1_000,
  )({
    default: 6,
    desc: 'Pages of more than 100 items that an api process reads at the same time. Organizations take turns; other requests do not wait.',
  }),
  LARGE_PAGE_WAIT_MS: milliseconds({
    default: 30_000,
    desc: 'How long a request for a page of more than 100 items waits for its turn before it gets 503.',
  }),
  BODY_DEPTH_LIMIT: between(8, 500)({ default: 64, desc: 'Nesting levels of objects and arrays in a body.' }),
  BODY_KEYS_LIMIT: between(100, 10_000)({ default: 1_000, desc: 'Properties of one object in a body.' }),
  BODY_VALUES_LIMIT: between(
    1_000,
    1_000_000,
  )({
    default: 25_000,
    desc: 'Values (objects, arrays, strings, numbers and so on) in a request body, except for imports.',
  }),
  IMPORT_VALUES_LIMIT: between(
    1_000,
    10_000_000,
  )({ default: 2_000_000, desc: 'Values in the body of an import.' }),
  BODY_TEXT_LIMIT: between(
    10_000,
    10_000_000,
  )({ default: 200_000, desc: 'Characters of one string in a body.' }),
  BODY_DIGITS_LIMIT: between(
    20,
    1_000,
  )({
    default: 40,
    desc: 'Digits of one number in a body, written without an exponent as PostgreSQL does.',
  }),
  BODY_INLINE_LIMIT: between(
    0,
    1_048_576,
  )({
    default: 65_536,
    desc: 'A larger request body, in bytes, is checked in the checking thread instead of the main thread.',
  }),
  IMPORT_ROWS_LIMIT: between(1, 10_000)({ default: 10_000, desc: 'Rows of an import.' }),
  HEADERS_TIMEOUT_MS: milliseconds({
    default: 10_000,
    desc: 'How long a client may take to send its headers.',
  }),
  REQUEST_TIMEOUT_MS: milliseconds({
    default: 60_000,
    desc: 'How long a client may take to send a request.',
  }),
  KEEP_ALIVE_MS: milliseconds({
    default: 65_000,
    desc: 'How long an idle HTTP connection is kept open. Set it longer than the idle timeout of the load balancer.',
  }),
  REQUEST_LOG_ROWS: between(
    0,
    100_000,
  )({
    default: 1_000,
    desc: 'Rows of the request log for each API key and clock hour. A quarter is reserved for refusals. 0: no log.',
  }),
  REQUEST_LOG_MS: milliseconds({
    default: 1_000,
    desc: 'The interval at which a process writes the request log. A batch is lost if the process is killed.',
  }),
  DRAIN_MS: between(
    0,
    60_000,
  )({
    default: 0,
    desc: 'How long a process that is shutting down accepts requests while /health/ready reports that it is not ready. Set it longer than the load balancer takes to notice.',
  }),
  SHUTDOWN_MS: milliseconds({
    default: 20_000,
    desc: 'How long requests and jobs may take to finish at shutdown.',
  }),
  HEAP_GROWTH_PERCENT: between(
    0,
    1_000,
  )({
    default: 100,
    desc: 'How much the heap of an api process may grow, relative to what is in use, before V8 collects garbage. Less saves memory and costs CPU. 0: V8 decides.',
  }),
};
