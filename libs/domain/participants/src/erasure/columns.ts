import { type ColumnKind, columnsByKind } from '#platform/database';

/** The columns that can contain text, by table and by what they hold, as `@Holds` of the entities says. */
export const COLUMNS: Readonly<Record<string, Partial<Record<ColumnKind, readonly string[]>>>> = {
  ...columnsByKind(),
  // TypeORM's own table.
  schema_migrations: { platform: ['name'] },
};
