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
 */

export { isId, newId } from '#libs/input';
export { type ConnectionOptions, clientOptions, createDataSource, dataSourceOptions } from './data-source';
export {
  type Column,
  type Connections,
  Database,
  type RowReader,
  type Table,
  type TextRow,
} from './database';
export { DatabaseModule } from './database.module';
export { connectToNode } from './distributed/connect-to-node';
export { ClusterNotReady } from './distributed/distribute';
export { isDistributed, missingRequirements } from './distributed/requirements';
export * from './entities';
export { columnsOf, type EntityClass, type NewRow } from './entity-columns';
export { clientTo, connectionTo } from './hosts';
export { insertRows, NONE } from './insert-rows';
export { SHARED_TABLES, VIEWS } from './isolation';
export { outliveConnections } from './lost-connections';
export { distributeDatabase, migrate, planDistribution, schemaDrift } from './migrate';
export { QUEUE_SCHEMA } from './queue-schema';
export { Replica } from './replica';
export { appRoleOf, appUrlOf, type Roles } from './roles';
export { ONE_ORGANIZATION, ORGANIZATION, PLANNING } from './scope';
export {
  declaredStatements,
  lockMsOf,
  type Row,
  type RunsOn,
  type SqlType,
  type Statement,
  statement,
  typed,
  type Values,
} from './statement';
export { EXTERNAL_IDS, trimmed } from './trimmed';
export { updateRows } from './update-rows';
export { Watermark } from './watermark';
export { isTaken, UNTAKEN_QUEUES } from './workers';
