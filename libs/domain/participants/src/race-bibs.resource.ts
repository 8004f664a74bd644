import type { Resource } from '#platform/queries';
import { RaceBibs } from './race-bibs.dto';

const highest = (column: string): string => `(SELECT max(e.${column}::int) FROM start_list_entries e
      WHERE e.organization_id = t.organization_id AND e.race_id = t.id AND e.${column} ~ '^[0-9]{1,9}$')`;

export const RACE_BIBS: Resource = {
  schema: RaceBibs,
  from: 'races t',
  select: `
    t.id AS "id",
    coalesce(greatest(${highest('bib_number')}, ${highest('bib_claim')}), 0) AS "highest"`,
};
