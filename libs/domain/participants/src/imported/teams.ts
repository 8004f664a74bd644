import { newId, statement } from '#platform/database';
import type { Organization } from '#platform/import-rows';
import { comparedName } from '#platform/validation';

export interface TeamName {
  eventOccurrenceId: string;
  name: string;
}

export const teamKey = ({ eventOccurrenceId, name }: TeamName): string =>
  `${eventOccurrenceId}/${comparedName(name)}`;

const UPSERT = statement({
  parameters: ['uuid', 'jsonb'],
  sql: `
    INSERT INTO teams (organization_id, id, event_occurrence_id, name)
    SELECT $1, id, "eventOccurrenceId", name
    FROM jsonb_to_recordset($2::jsonb) AS x (id uuid, "eventOccurrenceId" uuid, name text) ORDER BY 3, compared_name(name)
    ON CONFLICT (organization_id, event_occurrence_id, compared_name(name)) DO NOTHING
  `,
});

/** By the name as sent. */
const READ = statement({
  parameters: ['uuid', 'jsonb'],
  columns: { id: 'uuid', eventOccurrenceId: 'uuid!', name: 'text!' },
  sql: `
    SELECT t.id, x."eventOccurrenceId", x.name FROM own_teams t
    JOIN jsonb_to_recordset($2::jsonb) AS x ("eventOccurrenceId" uuid, name text)
      ON t.event_occurrence_id = x."eventOccurrenceId" AND compared_name(t.name) = compared_name(x.name)
    WHERE t.organization_id = $1
  `,
});

/** Ids of teams by `teamKey`; creates missing teams, unless `make` is false. */
export async function teamsByName(
  { manager, organizationId }: Organization,
  names: TeamName[],
  { make = true } = {},
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const distinct = [...new Map(names.map((name) => [teamKey(name), { ...name, id: newId() }])).values()];
  if (make) await UPSERT.run(manager, [organizationId, JSON.stringify(distinct)]);
  const rows = await READ.rows(manager, [organizationId, JSON.stringify(distinct)]);
  return new Map(rows.map((row) => [teamKey(row), row.id]));
}
