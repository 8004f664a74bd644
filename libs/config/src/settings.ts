import { existsSync } from 'node:fs';
import {
  bool,
  type CleanedEnv,
  customCleanEnv,
  EnvError,
  EnvMissingError,
  host,
  makeValidator,
  port,
  str,
  url,
} from 'envalid';
import ipaddr from 'ipaddr.js';
import { withNewNames } from './renamed-settings';

/** Descriptions of permitted values, by validator, for the reference of settings. */
export const SHAPES = new Map<unknown, string>();

function shaped<V extends (spec: Record<string, never>) => unknown>(shape: string, validator: V): V {
  SHAPES.set((validator({}) as { _parse: unknown })._parse, shape);
  return validator;
}
shaped('text', str);
shaped('a host', host);
shaped('1 to 65535', port);
shaped('a URL', url);
shaped('true or false', bool);

const between = (min: number, max: number) =>
  shaped(
    max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`,
    makeValidator<number>((input) => {
      const value = Number(input);
      if (!Number.isInteger(value) || value < min || value > max) {
        throw new EnvError(`must be a whole number from ${min} to ${max}`);
      }
      return value;
    }),
  );

/** Words of examples and of secrets that people type: a random secret contains one with probability 1e-12. */
const PLACEHOLDER = /secret|passw|change.?me|example|default|placeholder|replace.?me|random|[<>…]/i;

/** The fewest distinct characters, and distinct differences between neighbors: `xxxx…`, `0101…` and `abcd…` have fewer. */
const FEWEST_KINDS = 8;

/** A guessed secret lets an attacker sign keys for every organization. */
function isGuessable(secret: string): boolean {
  const codes = [...Buffer.from(secret)];
  const steps = codes.slice(1).map((code, i) => code - (codes[i] as number));
  const repeated = `${secret}${secret}`.indexOf(secret, 1) < secret.length;
  return (
    repeated ||
    PLACEHOLDER.test(secret) ||
    new Set(codes).size < FEWEST_KINDS ||
    new Set(steps).size < FEWEST_KINDS
  );
}

/** `kid:secret` pairs, comma separated. */
const signingSecrets = shaped(
  '`kid:secret`, comma separated',
  makeValidator<{ kid: string; secret: string }[]>((input) => {
    const pairs = input.split(',').map((pair) => {
      const [kid = '', ...rest] = pair.split(':');
      const secret = rest.join(':');
      if (!/^[\w-]{1,32}$/.test(kid)) throw new EnvError('must be kid:secret pairs, comma separated');
      if (Buffer.byteLength(secret) < 32) throw new EnvError(`secret ${kid} must be at least 32 bytes long`);
      if (isGuessable(secret)) {
        throw new EnvError(`secret ${kid} is guessable; generate one with \`openssl rand -hex 32\``);
      }
      return { kid, secret };
    });
    const twice = pairs.find(({ kid }, i) => pairs.findIndex((pair) => pair.kid === kid) !== i);
    if (twice) throw new EnvError(`kid ${twice.kid} is given twice; each secret needs its own kid`);
    return pairs;
  }),
);

const CHECKOUT_PLACEHOLDERS = ['{countryCode}', '{organizationSlug}', '{slug}'];

const checkoutTemplate = (text: string): string => {
  const placeholders = text.match(/\{\w*\}/g) ?? [];
  if (!URL.canParse(text.replace(/\{\w+\}/g, 'x')) || !text.includes('{slug}')) {
    throw new EnvError('must be a URL that contains {slug}');
  }
  const unknown = placeholders.find((name) => !CHECKOUT_PLACEHOLDERS.includes(name));
  if (unknown) throw new EnvError(`may contain ${CHECKOUT_PLACEHOLDERS.join(', ')}, but not ${unknown}`);
  return text;
};
const urlTemplate = shaped('a URL with `{slug}`', makeValidator<string>(checkoutTemplate));

/** `country=template` pairs, comma separated; by country, in lower case. */
const urlTemplatesByCountry = shaped(
  '`country=URL`, comma separated',
  makeValidator<ReadonlyMap<string, string>>((input) => {
    const templates = new Map<string, string>();
    for (const pair of input.split(',').filter(Boolean)) {
      const [, country, template] = /^\s*([A-Za-z]{2})\s*=\s*(\S+)\s*$/.exec(pair) ?? [];
      if (!country || !template) throw new EnvError('must be country=URL pairs, comma separated');
      templates.set(country.toLowerCase(), checkoutTemplate(template));
    }
    return templates;
  }),
);

const share = shaped(
  '0 to 1',
  makeValidator<number>((input) => {
    const value = Number(input);
    if (!(value >= 0 && value <= 1)) throw new EnvError('must be a number from 0 to 1');
    return value;
  }),
);

/** `kid:key` pairs, comma separated: AES-256 keys in hexadecimal. */
const secretsKeys = shaped(
  '`kid:key`, comma separated',
  makeValidator<{ kid: string; key: Buffer }[]>((input) =>
    input.split(',').map((pair) => {
      const [, kid, hex] = /^([\w-]{1,32}):([0-9a-fA-F]{64})$/.exec(pair.trim()) ?? [];
      if (!kid || !hex) throw new EnvError('must be kid:key pairs, comma separated; a key is 64 hex digits');
      if (isGuessable(hex)) {
        throw new EnvError(`key ${kid} is guessable; generate one with \`openssl rand -hex 32\``);
      }
      return { kid, key: Buffer.from(hex, 'hex') };
    }),
  ),
);

/** Networks as `address/bits`, comma separated. */
const networks = shaped(
  'networks, comma separated',
  makeValidator<ReturnType<typeof ipaddr.parseCIDR>[]>((input) =>
    input.split(',').map((text) => {
      if (!ipaddr.isValidCIDR(text.trim()))
        throw new EnvError(`must be networks such as 10.0.0.0/8, not ${text}`);
      return ipaddr.parseCIDR(text.trim());
    }),
  ),
);

const seconds = shaped(
  'seconds, comma separated',
  makeValidator<number[]>((input) =>
    input.split(',').map((text) => {
      const value = Number(text);
      if (!text.trim() || !(value >= 0 && value <= 31_536_000))
        throw new EnvError('must be seconds, comma separated');
      return value;
    }),
  ),
);

export const QUEUES = ['imports', 'race-day', 'webhooks'] as const;
const queues = shaped(
  'queues, comma separated',
  makeValidator<(typeof QUEUES)[number][]>((input) =>
    input.split(',').map((text) => {
      const queue = QUEUES.find((name) => name === text.trim());
      if (!queue) throw new EnvError(`must be some of ${QUEUES.join(', ')}, comma separated`);
      return queue;
    }),
  ),
);

const minutes = between(1, 1440);
const milliseconds = between(1, 3_600_000);
const rate = between(1, 10_000_000);

/** The sections of `.env.example`, in its order. */
export const SECTIONS = {
  Connections: {
    DATABASE_URL: url({
      default: undefined,
      desc: 'The database, PostgreSQL 15 to 18. Unset: `npm start` runs an embedded server in STARTLINE_HOME.',
    }),
    DATABASE_OWNER_URL: url({
      default: undefined,
      desc: 'The same database for the role that owns the schema: migrations and the command line. Unset: DATABASE_URL, so one role does all.',
    }),
    DATABASE_BACKUP_URL: url({
      default: undefined,
      desc: 'The same database for the role that backups use. `migrate` creates that role if it is missing.',
    }),
    DATABASE_REPLICA_URL: url({
      default: undefined,
      desc: 'A streaming replica: lists by `updatedAt` are read from it while its lag is small. Unset: DATABASE_URL serves every request.',
    }),
    REDIS_URL: url({
      default: undefined,
      desc: 'Redis, for queues and rate counts. Unset: both use PostgreSQL.',
    }),
    STARTLINE_HOME: str({
      default: '.startline',
      desc: 'The directory in which `npm start` stores its database and its secrets.',
    }),
    HOST: host({ default: '127.0.0.1', desc: 'The address that the api listens on.' }),
    PORT: port({ default: 3000, desc: 'The port that the api listens on.' }),
    METRICS_PORT: port({
      default: undefined,
      desc: 'A separate port for /metrics. Unset: the api serves it on PORT, and the worker does not.',
    }),
    PUBLIC_URL: url({ default: undefined, desc: "The api's URL for clients, shown in the reference." }),
    LOG_LEVEL: str({
      choices: ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
      default: 'info',
      desc: 'The lowest level that is logged. Logs go to standard output, one JSON object per line.',
    }),
    OTEL_EXPORTER_OTLP_ENDPOINT: url({
      default: undefined,
      desc: 'The endpoint for traces, OTLP over HTTP; /v1/traces is appended. Unset: no traces.',
      example: 'http://127.0.0.1:4318',
    }),
    OTEL_TRACES_SAMPLER_ARG: share({
      default: 1,
      desc: 'The share of requests that are traced, from 0 to 1.',
    }),
  },
  Keys: {
    SIGNING_SECRETS: signingSecrets({
      desc: 'kid:secret pairs, comma separated; the first signs, all are accepted. At least 32 bytes each.',
      example: '2026a:<64 random hex digits>',
    }),
    KEY_CACHE_MS: between(
      0,
      30_000,
    )({
      default: 30_000,
      desc: 'How long the state of a key is cached. Changes are announced within a second; this is the bound if the announcement is lost.',
    }),
  },
  Staff: {
    STAFF_SESSION_HOURS: between(
      1,
      720,
    )({
      default: 168,
      desc: 'The longest console session, in hours.',
    }),
    STAFF_IDLE_MINUTES: between(
      1,
      10_080,
    )({
      default: 720,
      desc: 'A console session ends after this many minutes without use.',
    }),
    RATE_SIGN_IN: between(
      1,
      1_000,
    )({
      default: 10,
      desc: 'Sign-in attempts per minute: from one address, and for one email address of an organization.',
    }),
    TRUSTED_PROXIES: str({
      default: '',
      desc: 'Networks of trusted reverse proxies, whose X-Forwarded-For is used, comma separated, such as loopback,10.0.0.0/8. Empty: none.',
    }),
  },
  'Links in responses': {
    CHECKOUT_URL: urlTemplate({
      default: 'https://book.startline.example/{countryCode}/{organizationSlug}/e/{slug}',
      desc: 'The template of `checkoutUrl`: {countryCode}, {organizationSlug}, {slug}. A slug is unique only within an organization.',
    }),
    CHECKOUT_URL_BY_COUNTRY: urlTemplatesByCountry({
      default: undefined,
      desc: 'Templates for single countries, comma separated.',
      example: 'us=https://us.book.startline.example/{organizationSlug}/e/{slug},fr=https://…',
    }),
  },
  Database: {
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
  },
  'Requests per minute, per key and endpoint': {
    RATE_IMPORT: rate({ default: 60, desc: 'Each import endpoint.' }),
    RATE_REGISTRATION_STATUS: rate({ default: 300, desc: 'The registration check.' }),
    RATE_TIMING: rate({ default: 600, desc: 'Timing ingest.' }),
    RATE_WEBHOOK: rate({
      default: 60,
      desc: 'Each endpoint that creates a webhook endpoint or a secret, or sends deliveries.',
    }),
    RATE_EXPORT: rate({ default: 10, desc: 'Export of participants.' }),
    RATE_WIDE: rate({ default: 30_000, desc: 'Every other endpoint.' }),
  },
  'Limits and timeouts of requests': {
    BODY_LIMIT: between(
      1_024,
      104_857_600,
    )({ default: 1_048_576, desc: 'Bytes of a request body, except for imports.' }),
    IMPORT_BODY_LIMIT: between(
      1_024,
      104_857_600,
    )({ default: 20_971_520, desc: 'Bytes of the body of an import.' }),
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
    CHECK_WAIT_MS: milliseconds({
      default: 30_000,
      desc: 'How long the body of an import waits for the checking thread before it gets 503. Organizations take turns.',
    }),
    BODY_DEPTH_LIMIT: between(
      8,
      500,
    )({ default: 64, desc: 'Nesting levels of objects and arrays in a body.' }),
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
  },
  Worker: {
    WORKER_QUEUES: queues({
      default: ['imports', 'race-day', 'webhooks'],
      desc: 'The queues whose jobs this worker takes, comma separated: `imports`, `race-day`, `webhooks`.',
    }),
    WORKER_LOST_MS: milliseconds({
      default: 20_000,
      desc: 'A worker that was silent for this long counts as stopped. Workers announce themselves four times as often.',
    }),
    WORKER_CONCURRENCY: between(
      1,
      100,
    )({ default: 4, desc: 'Jobs of one queue that a worker runs concurrently.' }),
    JOB_ATTEMPTS: between(1, 100)({ default: 10, desc: 'Attempts of a queued job.' }),
    JOB_BACKOFF_MS: milliseconds({
      default: 1_000,
      desc: 'The delay before the second attempt; doubles with each.',
    }),
    JOB_LOCK_MS: milliseconds({
      default: 30_000,
      desc: 'A job goes to another worker after its worker has been silent for this long.',
    }),
    IMPORT_CHUNK_ROWS: between(
      1,
      10_000,
    )({
      default: 1_000,
      desc: 'The most rows that a transaction of an import writes; for bookings, the most participants.',
    }),
    IMPORT_CHUNK_BYTES: between(
      1_024,
      104_857_600,
    )({
      default: 4_194_304,
      desc: 'The most bytes of JSON that a transaction of an import reads; a larger row fails.',
    }),
    IMPORT_CHUNK_MS: milliseconds({
      default: 400,
      desc: 'The target duration of a transaction of an import, to which its size adapts. Lists by `updatedAt` wait for it.',
    }),
    IMPORT_PLACES: between(
      1,
      100,
    )({ default: 4, desc: 'Import jobs of one organization that run at the same time, over all workers.' }),
    IMPORT_TURN_MS: milliseconds({
      default: 1_000,
      desc: 'How long a worker processes imports of one organization before it turns to the next.',
    }),
    IMPORT_ALONE_MS: milliseconds({
      default: 10_000,
      desc: 'The same, for an import that crashed a worker and now runs in a separate process.',
    }),
    IMPORT_ALONE_MB: between(
      64,
      65_536,
    )({ default: 512, desc: 'The JavaScript heap of such a process, in megabytes.' }),
    IMPORT_ENDS_LIMIT: between(
      4,
      1_000,
    )({ default: 60, desc: 'How many processes an import may crash before it fails.' }),
    WORKER_STATEMENT_TIMEOUT_MS: milliseconds({
      default: 60_000,
      desc: 'The timeout of a statement of a worker.',
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
      desc: 'How long a dry run of an import is kept after its end; at least as long as an Idempotency-Key.',
    }),
    IMPORT_PAYLOAD_DAYS: between(
      1,
      36_500,
    )({
      default: 90,
      desc: 'How long the posted rows of an import job are kept after its end. Outcomes stay. After that the job cannot be retried.',
    }),
    RACE_DAY_LOG_DAYS: between(
      1,
      3_650,
    )({
      default: 90,
      desc: 'Superseded race-day messages are deleted after this many days. Bib claims stay.',
    }),
    AUDIT_LOG_DAYS: between(1, 36_500)({ default: 730, desc: 'How long records of the audit log are kept.' }),
    UNIDENTIFIED_DAYS: between(
      1,
      3_650,
    )({ default: 30, desc: 'How long a timing message waits for its participant.' }),
  },
  'Change events and webhooks': {
    CHANGE_EVENT_DAYS: between(7, 3_650)({ default: 30, desc: 'How long change events are kept.' }),
    WEBHOOK_DELIVERY_DAYS: between(
      7,
      3_650,
    )({ default: 30, desc: 'How long webhook deliveries are kept; no longer than their events.' }),
    WEBHOOK_SECRETS_KEY: secretsKeys({
      default: undefined,
      desc: 'kid:key pairs, comma separated; the first encrypts webhook secrets, all decrypt. 64 hex digits each. Unset: no webhooks.',
      example: '2026a:<64 random hex digits>',
    }),
    WEBHOOK_ALLOW_HTTP: bool({ default: false, desc: 'Webhook endpoints may have http URLs.' }),
    WEBHOOK_ALLOWED_NETWORKS: networks({
      default: [],
      desc: 'Private networks that webhooks may be sent to, comma separated.',
      example: '10.0.0.0/8,127.0.0.0/8',
    }),
    WEBHOOK_ENDPOINTS_LIMIT: between(
      1,
      1_000,
    )({ default: 20, desc: 'Webhook endpoints of an organization.' }),
    WEBHOOK_TIMEOUT_MS: milliseconds({
      default: 15_000,
      desc: 'How long a webhook endpoint may take to respond.',
    }),
    WEBHOOK_CONCURRENCY: between(
      1,
      1_000,
    )({ default: 100, desc: 'Webhook endpoints that a worker delivers to at the same time.' }),
    WEBHOOK_CONNECTIONS: between(
      1,
      100,
    )({ default: 10, desc: 'Concurrent requests to one webhook endpoint.' }),
    WEBHOOK_SWEEP_MS: milliseconds({
      default: 500,
      desc: 'The interval at which deliveries are created from change events, and due deliveries are sent.',
    }),
    WEBHOOK_RETRY_SECONDS: seconds({
      default: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
      desc: 'The delay before each retry of a webhook delivery, comma separated. After the last one, the delivery fails.',
    }),
    WEBHOOK_DISABLE_HOURS: between(
      1,
      8_760,
    )({
      default: 120,
      desc: 'A webhook endpoint is disabled after all its deliveries have failed for this long.',
    }),
  },
} as const;

type Sections = typeof SECTIONS;
type Merge<U> = (U extends unknown ? (member: U) => void : never) extends (member: infer I) => void
  ? I
  : never;
export type Declarations = Merge<Sections[keyof Sections]>;

const declarations = Object.assign({}, ...Object.values(SECTIONS)) as Declarations;

/** Settings are missing or invalid. The message names them and the permitted values, so the stack is not printed. */
export class SettingsError extends Error {}

/** Reads `.env` in the working directory. Variables of the environment take precedence. */
export function loadEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}

/**
 * @param signs whether the process signs or verifies keys, and so requires SIGNING_SECRETS
 * @throws SettingsError that names every missing or invalid variable and its permitted values
 */
export function loadSettings(env: NodeJS.ProcessEnv = process.env, { signs = true } = {}) {
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== '' && (signs || name !== 'SIGNING_SECRETS')),
  );
  const needed = signs ? declarations : { ...declarations, SIGNING_SECRETS: signingSecrets({ default: [] }) };
  const asGiven = (cleaned: CleanedEnv<Declarations>) => Object.freeze({ ...cleaned });
  return customCleanEnv(withNewNames(given), needed as Declarations, asGiven, {
    reporter: ({ errors }) => {
      const lines = Object.entries(errors).map(([name, error]) =>
        error instanceof EnvMissingError ? `  ${name} is missing` : `  ${name}: ${(error as Error).message}`,
      );
      if (lines.length)
        throw new SettingsError(`Settings are missing or invalid (see .env.example):\n${lines.join('\n')}`);
    },
  });
}

export type Settings = ReturnType<typeof loadSettings>;
