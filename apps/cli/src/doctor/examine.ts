import Redis from 'ioredis';
import type { Context } from '../context';
import { failureOf } from '../errors';
import { type Finding, unwell, well } from './check';
import {
  blockers,
  clock,
  drift,
  extensions,
  externalIds,
  migrations,
  queueInPostgres,
  roles,
  version,
} from './database';

const REDIS_WAIT_MS = 3_000;

/** Looks at everything that must be well; a check that fails doesn't keep the others from being made. */
export async function examine(context: Context): Promise<Finding[]> {
  return [
    await configuration(context),
    ...(await database(context)),
    ...(await redis(context.environment.REDIS_URL)),
  ];
}

async function configuration(context: Context): Promise<Finding> {
  try {
    context.settings();
    return well('configuration', 'every setting is well-formed');
  } catch (error) {
    return unwell(
      'configuration',
      (error as Error).message,
      'Correct the environment; .env.example explains each.',
    );
  }
}

async function database(context: Context): Promise<Finding[]> {
  let url: string;
  let findings: Finding[];
  try {
    url = await context.databaseUrl();
    findings = [well('database', 'reachable'), await version(await context.dataSource())];
  } catch (error) {
    const advice = 'Start it, or correct DATABASE_URL.';
    return [unwell('database', failureOf(error).message, advice)];
  }
  const dataSource = await context.dataSource();
  const checks: [string, () => Promise<Finding>][] = [
    ['extensions', () => extensions(dataSource)],
    ['migrations', () => migrations(dataSource)],
    ['schema', () => drift(url)],
    ...(process.env.REDIS_URL
      ? []
      : [['queue', () => queueInPostgres(dataSource)] as (typeof checks)[number]]),
    ['idle transactions', () => blockers(dataSource)],
    ['roles', async () => roles(dataSource, (await context.roles()).appUrl)],
    ['external ids', () => externalIds(dataSource)],
    ['clocks', () => clock(dataSource)],
  ];
  for (const [name, check] of checks) {
    findings.push(await check().catch((error) => unwell(name, failureOf(error).message, 'See the message.')));
  }
  return findings;
}

async function redis(url: string | undefined): Promise<Finding[]> {
  if (!url) return [];
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: REDIS_WAIT_MS,
    retryStrategy: () => null,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const policy = /maxmemory_policy:(\S+)/.exec(await client.info('memory'))?.[1];
    return policy === 'noeviction' || policy === undefined
      ? [well('queue', 'in Redis')]
      : [
          unwell(
            'queue',
            `Redis may throw jobs away when its memory is full (maxmemory-policy ${policy})`,
            'Set maxmemory-policy noeviction.',
          ),
        ];
  } catch {
    return [unwell('queue', "Redis can't be reached", 'Start it, or correct REDIS_URL.')];
  } finally {
    // Of a connection that never came about, disconnect() waits for the end.
    if (client.status !== 'end') client.disconnect();
  }
}
