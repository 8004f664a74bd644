import 'reflect-metadata';
import { DataSource, type DataSourceOptions, getMetadataArgsStorage } from 'typeorm';
import './entities';
import { connectionTo } from './hosts';
import { migrations } from './migrations';
import { PostgresNaming } from './naming';
import { ONE_ORGANIZATION } from './scope';

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
  migrations?: DataSourceOptions['migrations'];
}

/** How much longer than the server a client waits for a statement. */
const LATE_MS = 1_000;

/** The settings of every connection. */
export const clientOptions = (options: Omit<ConnectionOptions, 'url' | 'applicationName'>) => ({
  connectionTimeoutMillis: options.poolWaitMs,
  statement_timeout: options.statementTimeoutMs,
  lock_timeout: options.lockTimeoutMs,
  // A frozen or unreachable server does not enforce its own timeout.
  query_timeout: options.statementTimeoutMs && options.statementTimeoutMs + LATE_MS,
  keepAlive: true,
  idle_in_transaction_session_timeout: options.idleTransactionMs ?? 60_000,
  // Every plan reads few rows by index, so compiling it takes longer than running it.
  options: `-c TimeZone=UTC -c jit=off${options.oneOrganization ? ` -c ${ONE_ORGANIZATION}=on` : ''}${options.searchPath ? ` -c search_path=${options.searchPath}` : ''}`,
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
  migrationsTableName: 'schema_migrations',
  namingStrategy: new PostgresNaming(),
  uuidExtension: 'pgcrypto',
  installExtensions: false,
  synchronize: false,
  // The default logger writes to standard output, which commands use for results.
  logger: 'debug',
  extra: { ...clientOptions(options), ...connectionTo(options.url) },
});

/** A data source that is not connected yet. */
export const createDataSource = (options: ConnectionOptions): DataSource =>
  new DataSource(dataSourceOptions(options));
