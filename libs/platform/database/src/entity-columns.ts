import { getMetadataArgsStorage } from 'typeorm';
import { columnName } from './naming';

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

/** What a column takes: times as text, and numbers for a `bigint`, too. */
type Written<T> = T extends Date
  ? Date | string
  : T extends readonly (infer Element)[]
    ? readonly Element[]
    : string extends T
      ? string | number
      : T;

/** Columns of an entity by their names in PostgreSQL, to be written. A trigger sets the times that are left out. */
export type NewRow<Entity> = {
  [Property in Exclude<keyof Entity & string, 'createdAt' | 'updatedAt'> as SnakeCase<Property>]?: Written<
    Entity[Property]
  >;
} & { created_at?: string | null };

export type EntityClass<Entity> = abstract new () => Entity;

export interface EntityColumns {
  table: string;
  /** @throws Error if the entity has no such column */
  typeOf(column: string): string;
}

const known = new Map<EntityClass<unknown>, EntityColumns>();

/** The table of an entity, and the PostgreSQL types of its columns by their names. */
export function columnsOf(entity: EntityClass<unknown>): EntityColumns {
  let columns = known.get(entity);
  if (!columns) {
    columns = readColumns(entity);
    known.set(entity, columns);
  }
  return columns;
}

function readColumns(entity: EntityClass<unknown>): EntityColumns {
  const { tables, columns } = getMetadataArgsStorage();
  const table = tables.find(({ target }) => target === entity)?.name;
  if (!table) throw new Error(`${entity.name} is not an entity`);
  const isOf = (target: unknown) =>
    target === entity || (typeof target === 'function' && entity.prototype instanceof target);
  const types = new Map(
    columns
      .filter(({ target }) => isOf(target))
      .map(({ propertyName, options: { name, type, array } }) => [
        columnName(name ?? propertyName),
        `${type}${array ? '[]' : ''}`,
      ]),
  );
  return {
    table,
    typeOf: (column) => {
      const type = types.get(column);
      if (!type) throw new Error(`${table} has no column ${column}`);
      return type;
    },
  };
}
