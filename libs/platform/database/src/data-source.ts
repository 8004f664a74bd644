import 'reflect-metadata';
import type { Client } from 'pg';
import { DataSource, type DataSourceOptions, getMetadataArgsStorage } from 'typeorm';
import './entities';
import { connectionTo } from './hosts';
import { migrations } from './migrations';
import { PostgresNaming } from './naming';
import { ONE_ORGANIZATION, ORGANIZATION } from './scope';

export interface ConnectionOptions {
  url: string;
  /** Shown in pg_stat_activity, for operators. */
  applicationName: string;
  poolSize?: number;
  /** How long a caller waits for a free connection. */
  poolWaitMs?: number;
  statementTimeoutMs?: number;
  idleTransactionMs?: number;
  /** How long a statement waits for a lock. */
  lockTimeoutMs?: number;
  /** Whether a role that owns the schema sees the rows of one organization only, as other roles do. */
  oneOrganization?: boolean;
  /** Where statements look for tables; the default is PostgreSQL's. */
  searchPath?: string;
  /** The organization whose rows every statement sees. */
  organizationId?: string;
  migrations?: DataSourceOptions['migrations'];
  subscribers?: DataSourceOptions['subscribers'];
  /** What the pool makes its connections of. */
  client?: typeof Client;
}

/** How much longer than the server a client waits for a statement. */
const LATE_MS = 1_000;

const sessionOf = (settings: Record<string, string | undefined>): string =>
  Object.entries(settings)
    .flatMap(([name, value]) => (value === undefined ? [] : [`-c ${name}=${value}`]))
    .join(' ');

/** The settings of every connection. */
export const clientOptions = (options: Omit<ConnectionOptions, 'url' | 'applicationName'>) => ({
  connectionTimeoutMillis: options.poolWaitMs,
  statement_timeout: options.statementTimeoutMs,
  lock_timeout: options.lockTimeoutMs,
  // A frozen or unreachable server does not enforce its own timeout.
  query_timeout: options.statementTimeoutMs && options.statementTimeoutMs + LATE_MS,
  keepAlive: true,
  idle_in_transaction_session_timeout: options.idleTransactionMs ?? 60_000,
  options: sessionOf({
    TimeZone: 'UTC',
    // Every plan reads few rows by index, so compiling it takes longer than running it.
    jit: 'off',
    [ONE_ORGANIZATION]: options.oneOrganization ? 'on' : undefined,
    search_path: options.searchPath,
    [ORGANIZATION]: options.organizationId,
  }),
});

export const dataSourceOptions = (options: ConnectionOptions): DataSourceOptions => ({
  type: 'postgres',
  url: connectionTo(options.url).connectionString,
  applicationName: options.applicationName,
  poolSize: options.poolSize ?? 4,
  entities: getMetadataArgsStorage().tables.flatMap(({ target }) =>
    typeof target === 'function' ? [target] : [],
  ),
  migrations: options.migrations ?? migrations,
  subscribers: options.subscribers,
  migrationsTableName: 'schema_migrations',
  namingStrategy: new PostgresNaming(),
  uuidExtension: 'pgcrypto',
  installExtensions: false,
  synchronize: false,
  // The default logger writes to standard output, which commands use for results.
  logger: 'debug',
  extra: {
    ...clientOptions(options),
    ...connectionTo(options.url),
    // A key without a value would hide the class that finds the primary.
    ...(options.client && { Client: options.client }),
  },
});

/** A data source that is not connected yet. */
export const createDataSource = (options: ConnectionOptions): DataSource =>
  new DataSource(dataSourceOptions(options));
