import { host, port, str, url } from 'envalid';
import {
  baseUrl,
  between,
  databaseUrl,
  leading,
  milliseconds,
  redisUrl,
  sentinels,
  share,
} from '../validators';

export const CONNECTIONS = {
  DATABASE_URL: leading(
    databaseUrl({
      default: undefined,
      desc: 'PostgreSQL 15 to 18. Of several servers, the primary is used: postgres://user:password@a:5432,b:5432/name?target_session_attrs=read-write. With Citus: the coordinator, then the nodes, with target_session_attrs=any. Unset: `npm start` runs an embedded server.',
    }),
  ),
  DATABASE_OWNER_URL: leading(
    databaseUrl({
      default: undefined,
      desc: 'The same database, with the role that owns the schema. Unset: DATABASE_URL, so one role does all.',
    }),
  ),
  DATABASE_BACKUP_URL: databaseUrl({
    default: undefined,
    desc: 'The same database, with the role for backups. `migrate` creates the role if it is missing.',
  }),
  DATABASE_REPLICA_URL: leading(
    databaseUrl({
      default: undefined,
      desc: 'A streaming replica for lists by `updatedAt`. Of several servers, with target_session_attrs=standby, a standby is used.',
    }),
  ),
  REDIS_URL: leading(
    redisUrl({
      default: undefined,
      desc: 'Redis, for queues and rate counts. Unset: both use PostgreSQL.',
    }),
  ),
  REDIS_SENTINELS: sentinels({
    default: undefined,
    desc: 'Redis Sentinel. The host of REDIS_URL is then not used.',
    example: '10.0.0.1:26379,10.0.0.2:26379,10.0.0.3:26379',
  }),
  REDIS_SENTINEL_NAME: str({ default: 'mymaster', desc: 'The name of the master at the sentinels.' }),
  REDIS_SENTINEL_PASSWORD: str({ default: undefined, desc: 'The password of the sentinels.' }),
  STARTLINE_HOME: str({
    default: '.startline',
    desc: 'Where `npm start` stores its database and secrets.',
  }),
  DATABASE_DIRECTORY: str({
    default: undefined,
    desc: 'The directory of a database on this machine, to measure free space. `npm start` sets it.',
  }),
  DISK_RESERVE_MB: between(0, 1_000_000_000, {
    default: 1_000,
    desc: 'With less free space, in MB, imports and other writes get 503, and `start-list load` stops; race day with a fifth of it. What removes data, cancels or revokes is never refused.',
  }),
  DATABASE_SIZE_LIMIT_MB: leading(
    between(0, 1_000_000_000, {
      default: 0,
      desc: 'The space for the database, in MB, if DATABASE_DIRECTORY is unset. Writes leave DISK_RESERVE_MB of it free. 0: unknown.',
    }),
  ),
  HOST: leading(host({ default: '127.0.0.1', desc: 'The address to listen on.' })),
  PORT: leading(port({ default: 3000, desc: 'The port of the api.' })),
  METRICS_PORT: leading(
    port({
      default: undefined,
      desc: 'A port for /metrics, health and GET /workers. Unset: the api serves /metrics on PORT, and the worker does not. The worker of `npm start` has the next port.',
    }),
  ),
  PUBLIC_URL: leading(baseUrl({ default: undefined, desc: 'The URL of the api for clients.' })),
  LOG_LEVEL: leading(
    str({
      choices: ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
      default: 'info',
      desc: 'The lowest level that is logged.',
    }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: leading(
    url({
      default: undefined,
      desc: 'The OTLP endpoint for traces and metrics, without /v1/traces. Unset: neither is sent.',
      example: 'http://127.0.0.1:4318',
    }),
  ),
  OTEL_TRACES_SAMPLER_ARG: share({
    default: 1,
    desc: 'The share of requests that are traced.',
  }),
  OTEL_METRIC_EXPORT_INTERVAL: milliseconds({
    default: 60_000,
    desc: 'How often metrics are sent to the endpoint, in ms.',
  }),
};
