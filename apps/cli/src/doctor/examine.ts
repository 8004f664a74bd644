import type { Settings } from '#platform/config';
import { askRedis, cannotConnectToRedis, isDistributed } from '#platform/database';
import type { Context } from '../context';
import { failureOf } from '../errors';
import { type Finding, failed, passed } from './check';
import { cluster } from './cluster';
import {
  blockers,
  clock,
  disk,
  drift,
  erasureSecret,
  extensions,
  migrations,
  queueInPostgres,
  roles,
  version,
  workers,
} from './database';

/** Runs every check; a check that fails does not stop the others. */
export async function examine(context: Context): Promise<Finding[]> {
  const { settings, finding } = configuration(context);
  return [finding, ...(await database(context, settings)), ...(await redis(context, settings))];
}

/** The settings, if they are valid. */
function configuration(context: Context): { settings?: Settings; finding: Finding } {
  try {
    return { settings: context.settings(), finding: passed('configuration', 'every setting is valid') };
  } catch (error) {
    const advice = 'Correct the environment variables; .env.example describes each.';
    return { finding: failed('configuration', (error as Error).message, advice) };
  }
}

async function database(context: Context, settings: Settings | undefined): Promise<Finding[]> {
  let url: string;
  let findings: Finding[];
  try {
    url = await context.databaseUrl();
    findings = [passed('database', 'reachable'), await version(await context.dataSource())];
  } catch (error) {
    const advice = 'Start the database, or correct DATABASE_URL.';
    return [failed('database', failureOf(error, context.environment).message, advice)];
  }
  const dataSource = await context.dataSource();
  const checked = (name: string, check: () => Promise<Finding>): Promise<Finding> =>
    check().catch((error) =>
      failed(name, failureOf(error, context.environment).message, 'The check itself failed.'),
    );
  findings.push(await checked('extensions', () => extensions(dataSource)));
  const migrated = await checked('migrations', () => migrations(dataSource));
  findings.push(migrated);
  // What the others would find follows from it.
  if (!migrated.ok) return findings;
  const checks: [string, () => Promise<Finding>][] = [
    ['schema', () => drift(url)],
    ...(process.env.REDIS_URL
      ? []
      : [['queue', () => queueInPostgres(dataSource)] as (typeof checks)[number]]),
    ['workers', () => workers(dataSource)],
    ['idle transactions', () => blockers(dataSource)],
    ['roles', async () => roles(dataSource, (await context.roles()).appUrl)],
    ...(settings
      ? ([
          ['erasure secret', () => erasureSecret(dataSource, settings.ERASURE_SECRET)],
          ['disk', () => disk(dataSource, settings)],
        ] satisfies typeof checks)
      : []),
    ['clocks', () => clock(dataSource)],
  ];
  for (const [name, check] of checks) findings.push(await checked(name, check));
  if (await isDistributed(dataSource).catch(() => false)) {
    findings.push(
      ...(await cluster(url, !!context.environment.REDIS_URL).catch((error) => [
        failed('cluster', failureOf(error, context.environment).message, 'The check itself failed.'),
      ])),
    );
  }
  return findings;
}

async function redis(context: Context, settings: Settings | undefined): Promise<Finding[]> {
  if (!context.environment.REDIS_URL || !settings) return [];
  try {
    const memory = await askRedis(settings, (client) => client.info('memory'));
    const policy = /maxmemory_policy:(\S+)/.exec(memory)?.[1];
    return policy === 'noeviction' || policy === undefined
      ? [passed('queue', 'in Redis')]
      : [
          failed(
            'queue',
            `Redis evicts jobs when its memory is full (maxmemory-policy ${policy})`,
            'Set maxmemory-policy noeviction.',
          ),
        ];
  } catch (error) {
    const message = cannotConnectToRedis(settings, error as Error);
    return [failed('queue', message, 'Start Redis, or correct REDIS_URL and REDIS_SENTINELS.')];
  }
}
