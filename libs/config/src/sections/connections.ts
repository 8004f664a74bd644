import { host, port, str, url } from 'envalid';
import { between, databaseUrl, sentinels, share } from '../validators';

export const CONNECTIONS = {
  DATABASE_URL: databaseUrl({
    default: undefined,
    desc: 'The database, PostgreSQL 15 to 18. It can name several servers, of which the primary is used: postgres://user:password@a:5432,b:5432/name?target_session_attrs=read-write. With Citus, name the coordinator and then the nodes, with target_session_attrs=any. Unset: `npm start` runs an embedded server in STARTLINE_HOME.',
  }),
  DATABASE_OWNER_URL: databaseUrl({
    default: undefined,
    desc: 'The same database for the role that owns the schema: migrations and the command line. Unset: DATABASE_URL, so one role does all.',
  }),
  DATABASE_BACKUP_URL: databaseUrl({
    default: undefined,
    desc: 'The same database for the role that backups use. `migrate` creates that role if it is missing.',
  }),
  DATABASE_REPLICA_URL: databaseUrl({
    default: undefined,
    desc: 'A streaming replica: lists by `updatedAt` are read from it while its lag is small. With several servers and target_session_attrs=standby, one that is a standby is used. Unset: DATABASE_URL serves every request.',
  }),
  REDIS_URL: url({
    default: undefined,
    desc: 'Redis, for queues and rate counts. Unset: both use PostgreSQL.',
  }),
  REDIS_SENTINELS: sentinels({
    default: undefined,
    desc: 'The sentinels that name the Redis master. Its user, password and database are those of REDIS_URL, whose host is then not used.',
    example: '10.0.0.1:26379,10.0.0.2:26379,10.0.0.3:26379',
  }),
  REDIS_SENTINEL_NAME: str({ default: 'mymaster', desc: 'The name of the Redis master at the sentinels.' }),
  REDIS_SENTINEL_PASSWORD: str({ default: undefined, desc: 'The password of the sentinels.' }),
  REDIS_TIMEOUT_MS: between(
    12_000,
    600_000,
  )({
    default: 15_000,
    desc: 'A connection to Redis on which a command has no response for this long counts as lost, and is made again. Workers wait up to 10 seconds for a job.',
  }),
  STARTLINE_HOME: str({
    default: '.startline',
    desc: 'The directory in which `npm start` stores its database and its secrets.',
  }),
  DATABASE_DIRECTORY: str({
    default: undefined,
    desc: 'The directory of the database, if it is on this machine: while its disk has less free space than DISK_RESERVE_MB, imports get 503. `npm start` sets it for its own server.',
  }),
  DISK_RESERVE_MB: between(
    0,
    1_000_000_000,
  )({ default: 1_000, desc: 'Space that imports leave free, in MB, for race day and all other changes.' }),
  DATABASE_SIZE_LIMIT_MB: between(
    0,
    1_000_000_000,
  )({
    default: 0,
    desc: 'The space for the database, in MB, if DATABASE_DIRECTORY is unset: imports get 503 while it is larger than this minus DISK_RESERVE_MB. 0: unknown.',
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
};
