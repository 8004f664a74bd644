import { Column, type ColumnOptions, type ColumnType, getMetadataArgsStorage } from 'typeorm';
import { columnName } from '../naming';

/**
 * What a column that can contain text holds:
 *
 * - `personal`: data of participants, bookers, contacts or owners of credits. The erasure of a person clears it.
 * - `foreign`: ids and texts of other systems. They stay, so that a repeated import changes nothing, but email addresses
 *   in them are replaced.
 * - `remarks`: texts of an organization that can name anyone, such as descriptions. They stay, but email addresses in them are replaced.
 * - `derived`: what a trigger computes from other columns of the row, which the erasure clears or not.
 * - `staff`: data of staff members. The erasure of a participant does not change it.
 * - `organizer`: data of an organization about its events, offers and partners.
 * - `platform`: codes, hashes and ids that the platform generates.
 */
export const COLUMN_KINDS = [
  'personal',
  'foreign',
  'remarks',
  'derived',
  'staff',
  'organizer',
  'platform',
] as const;
export type ColumnKind = (typeof COLUMN_KINDS)[number];

const classified: { entity: object; property: string; kind: ColumnKind }[] = [];

/**
 * Declares a column with what it holds. Every column that can contain text has a kind: a test fails for a missing one, and for a
 * personal column that `person erase` does not clear.
 */
export const Holds =
  (
    kind: ColumnKind,
    type: ColumnType & string,
    options: Omit<ColumnOptions, 'type'> = {},
  ): PropertyDecorator =>
  (prototype, property) => {
    classified.push({ entity: prototype.constructor, property: String(property), kind });
    Column({ ...options, type })(prototype, property);
  };

/** The classified columns by table and kind. */
export function columnsByKind(): Record<string, Partial<Record<ColumnKind, string[]>>> {
  const { tables, columns } = getMetadataArgsStorage();
  const found: ReturnType<typeof columnsByKind> = {};
  for (const { entity, property, kind } of classified) {
    const table = tables.find(({ target }) => target === entity)?.name;
    const column = columns.find((each) => each.target === entity && each.propertyName === property);
    if (!table || !column) throw new Error(`@Holds is not on a column of an entity: ${property}`);
    found[table] ??= {};
    found[table][kind] = [...(found[table][kind] ?? []), columnName(column.options.name ?? property)];
  }
  return found;
}
