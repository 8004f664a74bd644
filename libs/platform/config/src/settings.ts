import { existsSync } from 'node:fs';
import { type CleanedEnv, customCleanEnv, EnvMissingError } from 'envalid';
import { boundsOf } from './bounds';
import { CONNECTIONS } from './sections/connections';
import { DATABASE } from './sections/database';
import { KEYS } from './sections/keys';
import { LINKS } from './sections/links';
import { RATES } from './sections/rates';
import { REQUESTS } from './sections/requests';
import { STAFF } from './sections/staff';
import { WEBHOOKS } from './sections/webhooks';
import { WORKER } from './sections/worker';
import { SettingsError } from './settings-error';
import { LIBRARY_TYPES, SHAPES, signingSecrets } from './validators';

/** The sections of `.env.example`, in its order. */
export const SECTIONS = {
  Connections: CONNECTIONS,
  Keys: KEYS,
  Staff: STAFF,
  'Links in responses': LINKS,
  Database: DATABASE,
  'Requests per minute, per key and endpoint': RATES,
  'Limits and timeouts of requests': REQUESTS,
  Worker: WORKER,
  'Change events and webhooks': WEBHOOKS,
};

type Sections = typeof SECTIONS;
type Merge<U> = (U extends unknown ? (member: U) => void : never) extends (member: infer I) => void
  ? I
  : never;
export type Declarations = Merge<Sections[keyof Sections]>;

export const declarations = Object.assign({}, ...Object.values(SECTIONS)) as Declarations;

/** Reads `.env` in the working directory. Variables of the environment take precedence. */
export function loadEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}

/**
 * The settings, and the bounds of mechanisms.
 *
 * @param signs whether the process signs or verifies keys, and so requires SIGNING_SECRETS
 * @throws SettingsError that names every missing or invalid variable and its permitted values
 */
export function loadSettings(env: NodeJS.ProcessEnv = process.env, { signs = true } = {}) {
  const bounds = boundsOf(env);
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== '' && (signs || name !== 'SIGNING_SECRETS')),
  );
  const needed = signs ? declarations : { ...declarations, SIGNING_SECRETS: signingSecrets({ default: [] }) };
  const asGiven = (cleaned: CleanedEnv<Declarations>) => Object.freeze({ ...cleaned, ...bounds });
  const settings = customCleanEnv(given, needed as Declarations, asGiven, {
    reporter: ({ errors }) => {
      const lines = Object.entries(errors).map(([name, error]) =>
        error instanceof EnvMissingError
          ? `  ${name} is missing`
          : `  ${name}: ${permitted(name as keyof Declarations) ?? (error as Error).message}`,
      );
      if (lines.length)
        throw new SettingsError(`Settings are missing or invalid (see .env.example):\n${lines.join('\n')}`);
    },
  });
  requireTogether(settings);
  return settings;
}

/** What a setting may be, where the library of a common type names only what it got. */
function permitted(name: keyof Declarations): string | undefined {
  const { choices, _parse } = declarations[name] as { choices?: readonly string[]; _parse: unknown };
  if (choices) return `must be one of ${choices.join(', ')}`;
  return LIBRARY_TYPES.has(_parse) ? `must be ${SHAPES.get(_parse)}` : undefined;
}

/** @throws SettingsError if a setting lacks others that it needs, or does not suit another */
function requireTogether({ STAFF_PASSWORDS, ...settings }: CleanedEnv<Declarations>): void {
  for (const [name, others] of [
    ['OIDC_ISSUER', ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'PUBLIC_URL']],
    ['SMTP_URL', ['MAIL_FROM', 'PUBLIC_URL']],
  ] as const) {
    const missing = others.filter((other) => !settings[other]);
    if (settings[name] && missing.length > 0)
      throw new SettingsError(`${name} needs ${missing.join(' and ')}, which must be set as well.`);
  }
  if (!STAFF_PASSWORDS && !settings.OIDC_ISSUER)
    throw new SettingsError('STAFF_PASSWORDS is false, so OIDC_ISSUER must be set.');
  if (settings.REDIS_SENTINELS && !settings.REDIS_URL)
    throw new SettingsError('REDIS_SENTINELS needs REDIS_URL, for the user, password and database.');
  const { WORKER_POOL_SIZE, WORKER_CONCURRENCY, WORKER_QUEUES } = settings;
  if (WORKER_QUEUES.includes('imports') && WORKER_POOL_SIZE <= WORKER_CONCURRENCY)
    throw new SettingsError(
      `WORKER_POOL_SIZE must be more than WORKER_CONCURRENCY (${WORKER_CONCURRENCY}): each import keeps a connection and needs others for a moment.`,
    );
}

export type Settings = ReturnType<typeof loadSettings>;
