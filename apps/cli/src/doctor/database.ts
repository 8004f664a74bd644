import { escapeLiteral } from 'pg';
import type { DataSource } from 'typeorm';
import { QUEUES, type Settings } from '#platform/config';
import {
  appRoleOf,
  DiskReserve,
  ERASURE_SECRET_ADVICE,
  erasureSecretState,
  QUEUE_SCHEMA,
  refusalOf,
  schemaDrift,
  statement,
  UNTAKEN_QUEUES,
} from '#platform/database';
import { type Finding, failed, passed } from './check';

const OLDEST = 15;
const NEWEST = 18;
const EXTENSIONS = ['btree_gin', 'btree_gist', 'fuzzystrmatch', 'pg_trgm', 'unaccent'];
const MIGRATE = 'Run "npm run startline -- migrate".';

const VERSION = statement({
  columns: { major: 'int' },
  sql: "SELECT current_setting('server_version_num')::int / 10000 AS major",
});

export async function version(dataSource: DataSource): Promise<Finding> {
  const { major } = await VERSION.one(dataSource);
  return major >= OLDEST && major <= NEWEST
    ? passed('version', `PostgreSQL ${major}`)
    : failed('version', `PostgreSQL ${major}`, `Use PostgreSQL ${OLDEST} to ${NEWEST}.`);
}

const INSTALLED = statement({
  parameters: ['name[]'],
  columns: { name: 'name' },
  sql: 'SELECT extname AS name FROM pg_extension WHERE extname = ANY($1)',
});

export async function extensions(dataSource: DataSource): Promise<Finding> {
  const rows = await INSTALLED.rows(dataSource, [EXTENSIONS]);
  const missing = EXTENSIONS.filter((name) => !rows.some((row) => row.name === name));
  return missing.length === 0
    ? passed('extensions', EXTENSIONS.join(', '))
    : failed(
        'extensions',
        `missing: ${missing.join(', ')}`,
        `${MIGRATE} If its role may not create extensions, run as a superuser: ${missing.map((name) => `CREATE EXTENSION ${name};`).join(' ')}`,
      );
}

export async function migrations(dataSource: DataSource): Promise<Finding> {
  return (await dataSource.showMigrations())
    ? failed('migrations', 'some migrations are not applied', MIGRATE)
    : passed('migrations', 'all applied');
}

export async function drift(url: string): Promise<Finding> {
  const statements = await schemaDrift(url);
  return statements.length === 0
    ? passed('schema', 'matches this release')
    : failed(
        'schema',
        `differs from this release: ${statements.slice(0, 3).join('; ')}${statements.length > 3 ? '; …' : ''}`,
        'Tables were changed by hand, or another release migrated this database. Undo the change, or run the release that matches the schema.',
      );
}

const IS_READY = statement({
  parameters: ['text'],
  columns: { ready: 'boolean' },
  sql: 'SELECT to_regclass($1) IS NOT NULL AS ready',
});

export async function queueInPostgres(dataSource: DataSource): Promise<Finding> {
  const { ready } = await IS_READY.one(dataSource, [`${QUEUE_SCHEMA}.job`]);
  return ready
    ? passed('queue', `in PostgreSQL, schema ${QUEUE_SCHEMA}`)
    : failed('queue', `PostgreSQL has no schema ${QUEUE_SCHEMA}`, MIGRATE);
}

const WORKERS = statement({
  columns: { queues: 'text[]', host: 'text', version: 'text', ago: 'int', lost: 'boolean' },
  sql: `
    SELECT queues, host, version, greatest(0, extract(epoch FROM clock_timestamp() - seen_at))::int AS ago,
      expires_at <= clock_timestamp() AS lost
    FROM workers ORDER BY seen_at DESC LIMIT 100
  `,
});

export async function workers(dataSource: DataSource): Promise<Finding> {
  const [untaken, seen] = await Promise.all([
    UNTAKEN_QUEUES.rows(dataSource, [QUEUES]),
    WORKERS.rows(dataSource),
  ]);
  const running = seen.filter(({ lost }) => !lost);
  const list = running.map(
    ({ queues, host, version, ago }) =>
      `${queues.join(', ')} (${host}, version ${version}, seen ${ago} s ago)`,
  );
  if (untaken.length === 0) return passed('workers', list.join('; '));
  const names = untaken.map(({ queue }) => queue).join(', ');
  const last = seen.find(({ lost, queues }) => lost && untaken.some(({ queue }) => queues.includes(queue)));
  return failed(
    'workers',
    `no worker takes ${names}${last ? `; the last one, on ${last.host}, was seen ${last.ago} s ago` : ''}${list.length ? `; running: ${list.join('; ')}` : ''}`,
    'Start one: "npm run start:worker", with these queues among its WORKER_QUEUES. What waits is kept.',
  );
}

export async function disk(dataSource: DataSource, settings: Settings): Promise<Finding> {
  const { DATABASE_DIRECTORY, DISK_RESERVE_MB } = settings;
  const freeMb = await new DiskReserve(settings, (work) => work(dataSource)).freeMb();
  if (freeMb === undefined)
    return failed(
      'disk',
      `DATABASE_DIRECTORY ${DATABASE_DIRECTORY} can't be read, so writes don't leave DISK_RESERVE_MB free`,
      'Set the directory of the database as this machine sees it, or DATABASE_SIZE_LIMIT_MB instead.',
    );
  if (freeMb >= DISK_RESERVE_MB)
    return passed(
      'disk',
      Number.isFinite(freeMb) ? `${Math.floor(freeMb)} MB free` : 'size unknown, not limited',
    );
  return failed(
    'disk',
    `${Math.floor(freeMb)} MB free, fewer than DISK_RESERVE_MB (${DISK_RESERVE_MB}): imports and other writes get 503`,
    'Make room, or enlarge the disk.',
  );
}

const BLOCKING_SECONDS = 5;

const LONG_TRANSACTIONS = statement({
  parameters: ['float8'],
  columns: {
    pid: 'int',
    who: 'name',
    application: 'text',
    seconds: 'int',
    writing: 'boolean',
    active: 'boolean',
  },
  sql: `
    SELECT pid, usename AS who, coalesce(nullif(application_name, ''), '(no name)') AS application,
      extract(epoch FROM clock_timestamp() - xact_start)::int AS seconds, backend_xid IS NOT NULL AS writing,
      state = 'active' AS active
    FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND (backend_xid IS NOT NULL OR state LIKE 'idle in transaction%')
      AND xact_start < clock_timestamp() - make_interval(secs => $1)
    ORDER BY backend_xid IS NULL, xact_start LIMIT 1
  `,
});

const PREPARED = statement({
  parameters: ['float8'],
  columns: { gid: 'text' },
  sql: `
    SELECT gid FROM pg_prepared_xacts
    WHERE database = current_database() AND prepared < clock_timestamp() - make_interval(secs => $1)
    ORDER BY prepared LIMIT 1
  `,
});

/** Lists by `updatedAt` end where the oldest writing transaction began, and stand still while one is prepared. */
export async function blockers(dataSource: DataSource): Promise<Finding> {
  const prepared = await PREPARED.first(dataSource, [BLOCKING_SECONDS]);
  if (prepared)
    return failed(
      'idle transactions',
      `the transaction ${prepared.gid} is prepared and not finished; lists by updatedAt wait for it`,
      `Unless a program will finish it, run: ROLLBACK PREPARED ${escapeLiteral(prepared.gid)};`,
    );
  const oldest = await LONG_TRANSACTIONS.first(dataSource, [BLOCKING_SECONDS]);
  if (!oldest) return passed('idle transactions', `none older than ${BLOCKING_SECONDS} s`);
  const { pid, who, application, seconds, writing, active } = oldest;
  return failed(
    'idle transactions',
    `process ${pid} ("${application}", user ${who}) has been ${active ? 'at work' : 'idle'} in a transaction for ${seconds} s${
      writing ? '; lists by updatedAt wait for it' : ''
    }`,
    `Find out what it waits for, or end the connection: SELECT pg_terminate_backend(${pid});`,
  );
}

const RIGHTS = statement({
  parameters: ['name?'],
  columns: {
    superuser: 'boolean',
    stats: 'boolean',
    bypass: 'boolean?',
    others: 'text[]',
  },
  sql: `
    SELECT rolsuper AS superuser, pg_has_role('pg_read_all_stats', 'USAGE') AS stats,
      (SELECT r.rolsuper OR r.rolbypassrls OR pg_has_role(r.oid, current_user, 'MEMBER') FROM pg_roles r
        WHERE r.rolname = $1) AS bypass,
      array(SELECT DISTINCT usename::text FROM pg_stat_activity WHERE datname = current_database()
        AND backend_type = 'client backend' AND application_name LIKE 'startline%'
        AND usename NOT IN (current_user, coalesce($1, current_user))) AS others
    FROM pg_roles WHERE rolname = current_user
  `,
});

const ROLE = statement({
  columns: { me: 'name' },
  sql: 'SELECT current_user AS me',
});

/** Whether row-level security applies to api and worker, and whether the watermark sees what all roles write. */
export async function roles(dataSource: DataSource, appUrl: string | undefined): Promise<Finding> {
  const { me } = await ROLE.one(dataSource);
  const app = appRoleOf(appUrl, me);
  const { superuser, stats, bypass, others } = await RIGHTS.one(dataSource, [app ?? null]);
  if (app && bypass === null) return failed('roles', `the role ${app} is missing`, MIGRATE);
  if (bypass) {
    return failed(
      'roles',
      `row-level security does not apply to ${app}, the role of api and worker`,
      `It must be no superuser, have no BYPASSRLS, and be no member of ${me}: see docs/operating.md.`,
    );
  }
  if (!stats && (app || others.length > 0)) {
    return failed(
      'roles',
      `${me} can't see the transactions of ${[app, ...others].filter(Boolean).join(', ')}`,
      `Lists by updatedAt stand still while such a role writes. Let a superuser run: GRANT pg_read_all_stats TO ${me};`,
    );
  }
  if (app) return passed('roles', `${me} owns the schema; api and worker connect as ${app}`);
  return passed(
    'roles',
    superuser
      ? `one role, a superuser, to whom row-level security does not apply: docs/operating.md says how to use two`
      : 'one role for everything: docs/operating.md says how to use two',
  );
}

const SKEW_SECONDS = 2;

const CLOCK = statement({
  columns: { ms: 'float8' },
  sql: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
});

/** Assumes that the database reads its clock in the middle of the round trip. */
export async function clock(dataSource: DataSource): Promise<Finding> {
  const before = Date.now();
  const { ms } = await CLOCK.one(dataSource);
  const skew = (ms - (before + Date.now()) / 2) / 1000;
  const message = `the database's clock is ${Math.abs(skew).toFixed(3)} s ${skew < 0 ? 'behind' : 'ahead of'} this machine's`;
  return Math.abs(skew) <= SKEW_SECONDS
    ? passed('clocks', message)
    : failed('clocks', message, 'Synchronize both clocks with NTP.');
}

/** Whether ids of erased persons are hashed with the secret that they were hashed with before. */
export async function erasureSecret(dataSource: DataSource, secret: string | undefined): Promise<Finding> {
  const state = await erasureSecretState(dataSource, secret);
  const refusal = refusalOf(state);
  if (refusal) return failed('erasure secret', refusal, `${ERASURE_SECRET_ADVICE}.`);
  const messages = {
    SAME: 'the one that ids of erased persons are hashed with',
    NEW: 'set; no process has used it yet',
    UNSET: 'not set: imports create erased persons again if the ids of their rows contained the address',
  };
  // A database that is not migrated knows no secret.
  const known = state === 'UNSET' && secret ? 'NEW' : state;
  return passed('erasure secret', messages[known as keyof typeof messages]);
}
