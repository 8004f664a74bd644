import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { type Settings, SettingsError } from '#platform/config';
import { createDataSource } from './data-source';
import { newRedis } from './redis/new-redis';
import { type RedisSettings, redisOptions } from './redis/redis-options';

/** Why a server can't be reached, by the codes of Node, of TLS and of PostgreSQL. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found, because no name server answers',
  ETIMEDOUT: 'connection timed out',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  '28P01': 'the password is wrong',
  '28000': 'the user is not permitted to connect',
  '3D000': 'the database does not exist',
  '53300': 'it has no connection left',
  '57P03': 'the server is starting up or shutting down',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself: name the authority by sslrootcert',
  SELF_SIGNED_CERT_IN_CHAIN: 'nobody known has signed its certificate: name the authority by sslrootcert',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'nobody known has signed its certificate: name the authority by sslrootcert',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server has no TLS on this port',
};
/** By messages, of the drivers and of Redis, that have no codes, and of PostgreSQL, whose codes say less. */
const MESSAGES: [RegExp, string][] = [
  [
    /pg_hba\.conf .*, no encryption/,
    'its pg_hba.conf permits no such connection without TLS: try sslmode=verify-full',
  ],
  [/does not have CONNECT privilege/, 'the user has no privilege CONNECT on the database'],
  [/does not support SSL/, 'the server has no TLS, which sslmode asks for'],
  [/Connection terminated/, 'the other side ended the connection'],
  [/timeout exceeded|timeout expired|connection timeout/i, 'connection timed out'],
  [/^(WRONGPASS|NOAUTH)|AUTH.*without any password/, 'the user or the password is wrong'],
  [/^ERR (DB index|invalid DB)/, 'the database does not exist'],
];
/** A server that starts with the process is waited for. */
const STARTING = new Set(['ECONNREFUSED', 'ECONNRESET', 'EAI_AGAIN', '57P03']);
/** Redis may be away: lists, reads and imports do without it. */
const AWAY = new Set([...STARTING, 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);
const WAIT_MS = 4_000;
const PAUSE_MS = 400;

/** Why a server can't be reached; `undefined` for other errors. */
export function unreachableFor(error: unknown): string | undefined {
  const {
    code = '',
    message = '',
    detail = '',
  } = error as { code?: string; message?: string; detail?: string };
  return MESSAGES.find(([known]) => known.test(message) || known.test(detail))?.[1] ?? REASONS[code];
}

/** Whether PostgreSQL knows no such table, column or function. */
export const isNotMigrated = ({ code = '' }: { code?: string }): boolean =>
  ['42P01', '42703', '42883'].includes(code);

/** @throws SettingsError if it is not set */
export function databaseUrlOf({ DATABASE_URL: url }: Settings): string {
  if (!url) throw new SettingsError('Set DATABASE_URL, or use `npm start`, which runs its own PostgreSQL.');
  return url;
}

/**
 * Connects once, so that a process that can't start says why. Waits a few seconds for a server that is starting.
 *
 * @throws SettingsError that names the setting, the host and the reason
 */
export async function requireDatabase(settings: Settings): Promise<void> {
  const url = databaseUrlOf(settings);
  const latest = Date.now() + WAIT_MS;
  for (;;) {
    const dataSource = createDataSource({
      url,
      applicationName: 'startline',
      poolSize: 1,
      poolWaitMs: WAIT_MS,
    });
    try {
      await dataSource.initialize();
      return await dataSource.destroy();
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string };
      if (STARTING.has(code) && Date.now() < latest) await sleep(PAUSE_MS);
      else throw new SettingsError(cannotConnect({ DATABASE_URL: url }, unreachableFor(error) ?? message));
    }
  }
}

/**
 * Connects once, to find what does not mend itself: a wrong host, password or database, or TLS.
 *
 * @param mayBeAway whether a server that does not answer is none of these
 * @throws SettingsError that names the setting, the host and the reason
 */
export async function requireRedis(settings: Settings, { mayBeAway = true } = {}): Promise<void> {
  if (!redisOptions(settings)) return;
  try {
    await askRedis(settings, (redis) => redis.ping());
  } catch (error) {
    const cause = (await unknownSentinels(settings)) ?? (error as NodeJS.ErrnoException);
    if (!mayBeAway || (unreachableFor(cause) && !AWAY.has(cause.code ?? '')))
      throw new SettingsError(cannotConnectToRedis(settings, cause));
  }
}

/** Why no name of a sentinel is known, which the driver does not say. */
async function unknownSentinels({
  REDIS_SENTINELS = [],
}: RedisSettings): Promise<NodeJS.ErrnoException | undefined> {
  const looked = await Promise.allSettled(REDIS_SENTINELS.map(({ host }) => lookup(host)));
  const failures = looked.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  return failures.length === looked.length ? failures[0] : undefined;
}

/**
 * Connects once for a question.
 *
 * @throws Error the first one, which says why: that of the call says only that there is no connection
 */
export async function askRedis<T>(settings: RedisSettings, ask: (redis: Redis) => Promise<T>): Promise<T> {
  const once = { lazyConnect: true, connectTimeout: WAIT_MS, retryStrategy: () => null };
  const redis = newRedis({ ...redisOptions(settings), ...once, sentinelRetryStrategy: () => null });
  let first: Error | undefined;
  redis.on('error', (error: Error) => {
    first ??= error;
  });
  try {
    await redis.connect();
    const answer = await ask(redis);
    if (first) throw first;
    return answer;
  } catch (error) {
    throw first ?? error;
  } finally {
    redis.disconnect();
  }
}

/** @param urls settings with their values: the first that is set is meant; without one, the embedded server */
export function cannotConnect(urls: Record<string, string | undefined>, reason: string): string {
  const [setting, url] = Object.entries(urls).find(([, value]) => value) ?? [];
  return url
    ? `${setting}: can't connect to ${placeOf(url)}: ${reason}.`
    : `Can't connect to the embedded database: ${reason}.`;
}

/** Names the sentinels, if there are any: the host of `REDIS_URL` is not used then. */
export function cannotConnectToRedis(
  { REDIS_URL, REDIS_SENTINELS: sentinels }: RedisSettings,
  error: Error,
): string {
  const REDIS_SENTINELS = sentinels?.map(({ host, port }) => `${host}:${port}`).join(',');
  const reason = unreachableFor(error) ?? error.message;
  // The driver does not say why.
  const said = /^All sentinels are unreachable/.test(reason) ? 'no sentinel answers' : reason;
  return cannotConnect({ REDIS_SENTINELS, REDIS_URL }, said);
}

/** The hosts, the database and the user of a URL, without its password. */
function placeOf(url: string): string {
  const [, user = '', hosts = '', database = ''] =
    /^(?:\w+:\/\/)?(?:([^:@/]*)(?::[^@/]*)?@)?([^/?]*)(\/[^?]+)?/.exec(url) ?? [];
  return `${hosts || 'the local server'}${database}${user && ` as ${decodeURIComponent(user)}`}`;
}
