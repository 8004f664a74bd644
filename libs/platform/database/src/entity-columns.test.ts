import { ImportRow, StartListEntry } from './entities';
import { columnsOf } from './entity-columns';

describe('columns of an entity', () => {
  const { table, typeOf } = columnsOf(StartListEntry);

  it('have the names and types of PostgreSQL, with those that the entity inherits', () => {
    expect(table).toBe('start_list_entries');
    expect(['organization_id', 'team_roles', 'bib_changed_at', 'fields'].map(typeOf)).toEqual([
      'uuid',
      'text[]',
      'timestamptz',
      'json',
    ]);
    expect(columnsOf(ImportRow).typeOf('row_number')).toBe('int');
  });

  it('do not include others', () => {
    expect(() => typeOf('bibNumber')).toThrow('start_list_entries has no column bibNumber');
    expect(() => columnsOf(Map)).toThrow('Map is not an entity');
  });
});
