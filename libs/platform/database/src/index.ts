/**
 * PostgreSQL: entities, migrations and the connection.
 *
 *   await migrate(url);                                           // any number of processes at once
 *   @Module({ imports: [DatabaseModule.forRoot({ url, applicationName: 'startline api' })] })
 *   constructor(private readonly database: Database) {}
 *   const PARTNERS = statement({
 *     parameters: ['uuid'],
 *     columns: { id: 'uuid' },
 *     sql: 'SELECT id FROM partners WHERE organization_id = $1',
 *   });
 *   await PARTNERS.rows(database.of(organizationId), [organizationId]);   // or within its transaction(): rows(manager, …)
 *
 * The optional connection to Redis, for volatile data that processes share. The queues have their own connections.
 *
 *   constructor(@Inject(REDIS) private readonly redis: Redis | undefined) {}
 *   await redis.ping();      // fails immediately while Redis is unavailable
 */

export { isId, NIL_ID, newId } from '#platform/validation';
export { LOCKS, lockCatalogue, lockExternalIds, lockOf, organizationLock } from './advisory-locks';
export { clientOptions, createDataSource, dataSourceOptions } from './data-source';
export {
  type Column,
  type Connections,
  Database,
  type RowReader,
  type Table,
  type TextRow,
} from './database';
export { DatabaseModule } from './database.module';
export { DiskReserve } from './disk-reserve';
export { connectToNode } from './distributed/connect-to-node';
export { ClusterNotReady } from './distributed/distribute';
export { isDistributed, missingRequirements } from './distributed/requirements';
export * from './entities';
export { columnsOf, type EntityClass, type NewRow } from './entity-columns';
export {
  acceptErasureSecret,
  ERASURE_SECRET_ADVICE,
  erasureSecretState,
  refusalOf,
  requireErasureSecret,
} from './erasure-secret';
export { clientTo, connectionTo } from './hosts';
export { inGroups } from './in-groups';
export { insertRows, NONE } from './insert-rows';
export { SHARED_TABLES, VIEWS } from './isolation';
export { outliveConnections } from './lost-connections';
export { distributeDatabase, migrate, planDistribution, schemaDrift } from './migrate';
export { doOnce, type Once } from './once';
export { QUEUE_SCHEMA } from './queue-schema';
export { newRedis } from './redis/new-redis';
export { REDIS, RedisModule } from './redis/redis.module';
export { redisOptions } from './redis/redis-options';
export { Replica } from './replica';
export {
  askRedis,
  cannotConnect,
  cannotConnectToRedis,
  databaseUrlOf,
  isNotMigrated,
  requireDatabase,
  requireRedis,
  unreachableFor,
} from './require-database';
export { appRoleOf, appUrlOf, type Roles } from './roles';
export { asOrganization, type HeldConnection, ORGANIZATION, type Owner, PLANNING } from './scope';
export {
  declaredStatements,
  lockMsOf,
  type Row,
  type RunsOn,
  statement,
  typed,
  type Values,
} from './statement';
export { limitStatements } from './statement-limit';
export { updateRows } from './update-rows';
export { Watermark } from './watermark';
export { workerConnections, workerStatementMs } from './worker-connections';
export { isTaken, UNTAKEN_QUEUES } from './workers';
export { insertNew, updateGiven } from './write-entity';
