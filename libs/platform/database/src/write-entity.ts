import type { EntityManager, EntityTarget, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity';

/**
 * Inserts a row, unless one with its unique values exists.
 *
 * @returns whether it was inserted: `identifiers` of TypeORM contain the id of a row that was not
 */
export async function insertIfNew<Entity extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Entity>,
  values: QueryDeepPartialEntity<Entity>,
): Promise<boolean> {
  const query = manager.createQueryBuilder().insert().into(entity).values(values).orIgnore().returning('id');
  const { raw } = await query.execute();
  return raw.length > 0;
}

/** Changes the given columns; without any there is no statement, which TypeORM refuses to write. */
export async function updateGiven<Entity extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Entity>,
  where: FindOptionsWhere<Entity>,
  changes: QueryDeepPartialEntity<Entity>,
): Promise<void> {
  if (Object.values(changes).some((value) => value !== undefined))
    await manager.update(entity, where, changes);
}
