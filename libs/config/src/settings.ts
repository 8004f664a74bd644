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

/** What a setting may be, by the function that checks it: for the reference. */
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

/** Words of examples and of hands: a generated secret has them once in a million millions. */
const PLACEHOLDER = /secret|passw|change.?me|example|default|placeholder|replace.?me|random|[<>…]/i;

/** Kinds of characters, or of steps from one to the next: `xxxx…`, `0101…` and `abcd…` have few. */
const FEWEST_KINDS = 8;

/** Whoever can guess a secret can write keys for every organization. */
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
        throw new EnvError(`secret ${kid} can be guessed: make one with \`openssl rand -hex 32\``);
      }
      return { kid, secret };
    });
    const twice = pairs.find(({ kid }, i) => pairs.findIndex((pair) => pair.kid === kid) !== i);
    if (twice) throw new EnvError(`kid ${twice.kid} is given twice: each secret needs a kid of its own`);
    return pairs;
  }),
);

const CHECKOUT_PLACEHOLDERS = ['{countryCode}', '{organizationSlug}', '{slug}'];

const checkoutTemplate = (text: string): string => {
  const placeholders = text.match(/\{\w*\}/g) ?? [];
  if (!URL.canParse(text.replace(/\{\w+\}/g, 'x')) || !text.includes('{slug}')) {
    throw new EnvError('must be a URL that holds {slug}');
  }
  const unknown = placeholders.find((name) => !CHECKOUT_PLACEHOLDERS.includes(name));
  if (unknown) throw new EnvError(`knows ${CHECKOUT_PLACEHOLDERS.join(', ')}, not ${unknown}`);
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
        throw new EnvError(`key ${kid} can be guessed: make one with \`openssl rand -hex 32\``);
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

const QUEUES = ['imports', 'race-day', 'webhooks'] as const;
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

/** In the order, and under the headings, of `.env.example`. */
export const SECTIONS = {
  'Where things are': {
    DATABASE_URL: url({
      default: undefined,
      desc: 'PostgreSQL 15 to 18. Unset: `npm start` runs an embedded one in STARTLINE_HOME.',
    }),
    DATABASE_OWNER_URL: url({
      default: undefined,
      desc: 'The same database for the role that owns the schema: migrations and the command line. Unset: DATABASE_URL, so one role does all.',
    }),
    DATABASE_BACKUP_URL: url({
      default: undefined,
      desc: 'The same database for the role that backups use. `migrate` makes that role where it is missing.',
    }),
    DATABASE_REPLICA_URL: url({
      default: undefined,
      desc: 'A streaming replica of it: lists by `updatedAt` are read there while it keeps up. Unset: all on DATABASE_URL.',
    }),
    REDIS_URL: url({ default: undefined, desc: 'Queues and rate counts. Unset: PostgreSQL does both.' }),
    STARTLINE_HOME: str({
      default: '.startline',
      desc: 'Where `npm start` keeps its database and its secret.',
    }),
    HOST: host({ default: '127.0.0.1', desc: 'The address that the api listens on.' }),
    PORT: port({ default: 3000, desc: 'The port that the api listens on.' }),
    METRICS_PORT: port({
      default: undefined,
      desc: 'Serves /metrics on a port of its own; unset: on PORT (and the worker serves none).',
    }),
    PUBLIC_URL: url({ default: undefined, desc: "The api's address as clients see it, for the reference." }),
    LOG_LEVEL: str({
      choices: ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
      default: 'info',
      desc: 'Structured logs go to standard output, one JSON object a line.',
    }),
    OTEL_EXPORTER_OTLP_ENDPOINT: url({
      default: undefined,
      desc: 'Where traces go, by OTLP over HTTP; /v1/traces is added. Unset: nothing is traced.',
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
      desc: "How long a key's state may be remembered. Changes are pushed within a second; this bounds it when the push fails.",
    }),
  },
  Staff: {
    STAFF_SESSION_HOURS: between(
      1,
      720,
    )({
      default: 168,
      desc: 'How long a staff member stays signed in to the console, in hours.',
    }),
    STAFF_IDLE_MINUTES: between(
      1,
      10_080,
    )({
      default: 720,
      desc: 'A session that is not used for this many minutes ends.',
    }),
    RATE_SIGN_IN: between(
      1,
      1_000,
    )({
      default: 10,
      desc: 'Attempts to sign in per minute: from one address, and for one email of an organization.',
    }),
    TRUSTED_PROXIES: str({
      default: '',
      desc: 'Networks of reverse proxies whose X-Forwarded-For is believed, comma separated, such as loopback,10.0.0.0/8. Empty: none.',
    }),
  },
  'Links in answers': {
    CHECKOUT_URL: urlTemplate({
      default: 'https://book.startline.example/{countryCode}/{organizationSlug}/e/{slug}',
      desc: 'Template of `checkoutUrl`: {countryCode}, {organizationSlug}, {slug}. Occurrences of two organizations may share a slug.',
    }),
    CHECKOUT_URL_BY_COUNTRY: urlTemplatesByCountry({
      default: undefined,
      desc: 'Other templates by country, comma separated.',
      example: 'us=https://us.book.startline.example/{organizationSlug}/e/{slug},fr=https://…',
    }),
  },
  'Database use': {
    API_POOL_SIZE: between(1, 500)({ default: 20, desc: 'Connections of one api process.' }),
    API_REPLICA_POOL_SIZE: between(
      1,
      500,
    )({ default: 20, desc: 'Connections of one api process to the replica.' }),
    WORKER_POOL_SIZE: between(1, 500)({ default: 10, desc: 'Connections of one worker process.' }),
    WORKER_NICE: between(
      0,
      19,
    )({
      default: 5,
      desc: 'How far a worker stands back for the other processes of its machine (nice): an api answers people, a job can wait.',
    }),
    POOL_WAIT_MS: milliseconds({
      default: 3_000,
      desc: 'How long a request waits for a connection before 503. Organizations take turns.',
    }),
    STATEMENT_TIMEOUT_MS: milliseconds({
      default: 15_000,
      desc: 'The longest statement of an api request; 503 beyond.',
    }),
    IDLE_TRANSACTION_MS: milliseconds({
      default: 60_000,
      desc: 'An open transaction that does nothing for so long is ended: it would hold back every poller.',
    }),
    WATERMARK_MS: between(
      10,
      60_000,
    )({
      default: 100,
      desc: 'How often the watermark of lists by `updatedAt` is read.',
    }),
    DATABASE_REPLICA_MAX_LAG_MS: between(
      100,
      60_000,
    )({
      default: 2_000,
      desc: 'A replica further behind is passed over: lists by `updatedAt` lag by so much at most on its account.',
    }),
  },
  'Requests per minute, per key and endpoint': {
    RATE_IMPORT: rate({ default: 60, desc: 'Each import endpoint.' }),
    RATE_REGISTRATION_STATUS: rate({ default: 300, desc: 'The registration check.' }),
    RATE_TIMING: rate({ default: 600, desc: 'Timing ingest.' }),
    RATE_WEBHOOK: rate({
      default: 60,
      desc: 'Each endpoint that makes a webhook endpoint or a secret, or sends deliveries.',
    }),
    RATE_WIDE: rate({ default: 30_000, desc: 'Every other endpoint.' }),
  },
  'Sizes and times of requests': {
    BODY_LIMIT: between(1_024, 104_857_600)({ default: 1_048_576, desc: 'Bytes of an ordinary body.' }),
    IMPORT_BODY_LIMIT: between(
      1_024,
      104_857_600,
    )({ default: 20_971_520, desc: "Bytes of an import's body." }),
    BODIES_LIMIT: between(
      1_024,
      Number.MAX_SAFE_INTEGER,
    )({
      default: 67_108_864,
      desc: 'Bytes of ordinary bodies that an api process holds at once, at most half of them of one organization. Beyond, the slowest body of the organization that holds the most gets 503.',
    }),
    IMPORT_BODIES_LIMIT: between(
      1_024,
      Number.MAX_SAFE_INTEGER,
    )({
      default: 104_857_600,
      desc: "Bytes of imports' bodies that an api process holds at once, under the same rule.",
    }),
    CHECK_WAIT_MS: milliseconds({
      default: 30_000,
      desc: "How long an import's body waits for the thread that checks them before 503. Organizations take turns.",
    }),
    BODY_DEPTH_LIMIT: between(8, 500)({ default: 64, desc: 'Levels of objects and arrays in a body.' }),
    BODY_KEYS_LIMIT: between(100, 10_000)({ default: 1_000, desc: 'Properties of one object in a body.' }),
    BODY_VALUES_LIMIT: between(
      1_000,
      1_000_000,
    )({
      default: 25_000,
      desc: 'Values (objects, arrays, strings, numbers and so on) in an ordinary body.',
    }),
    IMPORT_VALUES_LIMIT: between(
      1_000,
      10_000_000,
    )({ default: 2_000_000, desc: "Values in an import's body." }),
    BODY_TEXT_LIMIT: between(
      10_000,
      10_000_000,
    )({ default: 200_000, desc: 'Characters of one string in a body.' }),
    BODY_DIGITS_LIMIT: between(
      20,
      1_000,
    )({
      default: 40,
      desc: 'Digits of one number in a body, written out without an exponent, as PostgreSQL renders it.',
    }),
    BODY_INLINE_LIMIT: between(
      0,
      1_048_576,
    )({
      default: 65_536,
      desc: 'Bytes of an ordinary body that is checked at once; a larger one is checked in the checking thread.',
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
      desc: "How long an idle connection is kept; longer than a load balancer's own time.",
    }),
    DRAIN_MS: between(
      0,
      60_000,
    )({
      default: 0,
      desc: 'How long a process that is told to end still takes requests, while /health/ready says no: longer than a balancer takes to notice.',
    }),
    SHUTDOWN_MS: milliseconds({ default: 20_000, desc: 'How long what is under way may take at shutdown.' }),
  },
  Worker: {
    WORKER_QUEUES: queues({
      default: ['imports', 'race-day', 'webhooks'],
      desc: 'The queues whose jobs this worker takes, comma separated: `imports`, `race-day`, `webhooks`.',
    }),
    WORKER_CONCURRENCY: between(
      1,
      100,
    )({ default: 4, desc: 'Jobs of one queue that a worker runs at once.' }),
    JOB_ATTEMPTS: between(1, 100)({ default: 10, desc: 'Tries of a queued job.' }),
    JOB_BACKOFF_MS: milliseconds({ default: 1_000, desc: 'Wait before the second try; doubles with each.' }),
    JOB_LOCK_MS: milliseconds({
      default: 30_000,
      desc: 'A job whose worker is silent for so long is given to another.',
    }),
    IMPORT_CHUNK_ROWS: between(
      1,
      10_000,
    )({
      default: 1_000,
      desc: 'The most that one transaction of an import writes: rows, and for bookings participants.',
    }),
    IMPORT_CHUNK_BYTES: between(
      1_024,
      104_857_600,
    )({
      default: 4_194_304,
      desc: 'The most that one transaction of an import reads, in bytes of JSON; a larger row fails.',
    }),
    IMPORT_CHUNK_MS: milliseconds({
      default: 400,
      desc: 'How long one transaction of an import should take: its size adapts. Lists by `updatedAt` wait for it.',
    }),
    IMPORT_PLACES: between(
      1,
      100,
    )({ default: 4, desc: 'Import jobs of one organization that all workers together run at once.' }),
    IMPORT_TURN_MS: milliseconds({
      default: 1_000,
      desc: "How long a worker stays with an organization's import before the next organization has its turn.",
    }),
    IMPORT_ALONE_MS: milliseconds({
      default: 10_000,
      desc: 'The same, of an import that ended a worker and runs in a process of its own.',
    }),
    IMPORT_ALONE_MB: between(
      64,
      65_536,
    )({ default: 512, desc: 'Memory of such a process, in megabytes of JavaScript objects.' }),
    IMPORT_ENDS_LIMIT: between(
      4,
      1_000,
    )({ default: 60, desc: 'Processes that one import may end before it is given up.' }),
    WORKER_STATEMENT_TIMEOUT_MS: milliseconds({
      default: 60_000,
      desc: 'The longest statement of a worker.',
    }),
    SWEEP_MS: milliseconds({ default: 3_000, desc: 'How often work that the queue lost is looked for.' }),
    MAINTENANCE_MS: milliseconds({
      default: 10_000,
      desc: 'How often counts are compacted and what is out of date is deleted.',
    }),
    IDEMPOTENCY_MINUTES: minutes({ default: 1_440, desc: 'How long an Idempotency-Key is kept.' }),
    RACE_DAY_LOG_DAYS: between(
      1,
      3_650,
    )({
      default: 90,
      desc: 'After how many days race-day messages that newer ones overtook are deleted. Bib claims stay.',
    }),
    AUDIT_LOG_DAYS: between(
      1,
      36_500,
    )({ default: 730, desc: 'How long the audit log keeps who changed what.' }),
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
      desc: 'Networks that webhooks may be sent to although they are not on the public internet, comma separated.',
      example: '10.0.0.0/8,127.0.0.0/8',
    }),
    WEBHOOK_ENDPOINTS_LIMIT: between(
      1,
      1_000,
    )({ default: 20, desc: 'Webhook endpoints of an organization.' }),
    WEBHOOK_TIMEOUT_MS: milliseconds({
      default: 15_000,
      desc: 'How long a webhook endpoint may take to answer.',
    }),
    WEBHOOK_CONCURRENCY: between(
      1,
      1_000,
    )({ default: 100, desc: 'Webhook endpoints that a worker delivers to at once.' }),
    WEBHOOK_CONNECTIONS: between(1, 100)({ default: 10, desc: 'Requests to one webhook endpoint at once.' }),
    WEBHOOK_SWEEP_MS: milliseconds({
      default: 500,
      desc: 'How often change events are handed out to webhook endpoints, and due deliveries are looked for.',
    }),
    WEBHOOK_RETRY_SECONDS: seconds({
      default: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
      desc: 'The wait before each retry of a webhook delivery, comma separated. After the last it is given up.',
    }),
    WEBHOOK_DISABLE_HOURS: between(
      1,
      8_760,
    )({ default: 120, desc: 'A webhook endpoint with nothing but failures for so long is disabled.' }),
  },
} as const;

type Sections = typeof SECTIONS;
type Merge<U> = (U extends unknown ? (member: U) => void : never) extends (member: infer I) => void
  ? I
  : never;
export type Declarations = Merge<Sections[keyof Sections]>;

const declarations = Object.assign({}, ...Object.values(SECTIONS)) as Declarations;

/** Settings are missing or wrong; the message says which and what they must be, and needs no stack. */
export class SettingsError extends Error {}

/** Adds what a file `.env` in the working folder says to the environment, which goes before it. */
export function loadEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}

/**
 * @param signs whether the process signs or checks keys: only then are there SIGNING_SECRETS, which must be given
 * @throws SettingsError one message that names every variable that is missing or wrong, and what it must be
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
        throw new SettingsError(`Settings are wrong (see .env.example):\n${lines.join('\n')}`);
    },
  });
}

export type Settings = ReturnType<typeof loadSettings>;
