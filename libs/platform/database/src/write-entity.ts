import type { EntityManager, EntityTarget, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity';

/**
 * Inserts rows, without those whose unique values exist. A lint (`writes.grit`) permits no other insert of this kind.
 *
 * @returns the number of inserted rows: TypeORM also returns the ids of rows that were not
 */
export async function insertNew<Entity extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Entity>,
  rows: QueryDeepPartialEntity<Entity>[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const ids = manager.connection.getMetadata(entity).primaryColumns.map(({ propertyName }) => propertyName);
  const query = manager.createQueryBuilder().insert().into(entity).values(rows).orIgnore().returning(ids);
  const { raw } = await query.execute();
  return raw.length;
}

/**
 * Changes the given columns; without any there is no statement, which TypeORM refuses to write. A lint (`writes.grit`) permits no other
 * update of entities.
 *
 * @returns the number of changed rows
 */
export async function updateGiven<Entity extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Entity>,
  where: FindOptionsWhere<Entity>,
  changes: QueryDeepPartialEntity<Entity>,
): Promise<number> {
  if (Object.values(changes).every((value) => value === undefined)) return 0;
  const { affected } = await manager.update(entity, where, changes);
  return affected as number;
}
