import type { EntityManager } from 'typeorm';
import { isId, type Row, statement } from '#platform/database';

/** Searches each organization by index, because keys begin with the organization. */
const find = (entries: string) => /* sql */ `
  SELECT e.organization_id AS "organizationId", e.id AS "id", e.participant_id AS "participantId",
    e.booking_id AS "bookingId"
  FROM organizations o
  CROSS JOIN LATERAL (${entries}) e
`;

const FOUND = { organizationId: 'uuid', id: 'uuid', participantId: 'uuid', bookingId: 'uuid' } as const;

const FIND = statement({
  parameters: ['uuid'],
  columns: FOUND,
  sql: find(/* sql */ `
    (SELECT * FROM start_list_entries WHERE organization_id = o.id AND id = $1 LIMIT 1)
    UNION ALL
    (SELECT * FROM start_list_entries WHERE organization_id = o.id AND participant_id = $1 LIMIT 1)`),
});

const FIND_APPLICATIONS = statement({
  parameters: ['uuid[]'],
  columns: FOUND,
  sql: find(
    'SELECT * FROM start_list_entries WHERE organization_id = o.id AND id = ANY ($1::uuid[]) OFFSET 0',
  ),
});

export type FoundEntry = Row<typeof FIND>;

/** The entry of any organization with this application id or participant id. */
export async function findEntry(manager: EntityManager, id: string): Promise<FoundEntry | undefined> {
  if (!isId(id)) return undefined;
  return FIND.first(manager, [id]);
}

/** The entries of any organization that have these application ids. */
export async function findApplications(
  manager: EntityManager,
  ids: readonly string[],
): Promise<Map<string, FoundEntry>> {
  const found = await FIND_APPLICATIONS.rows(manager, [ids.filter(isId)]);
  return new Map(found.map((entry) => [entry.id, entry]));
}
