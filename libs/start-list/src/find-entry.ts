import type { EntityManager } from 'typeorm';
import { isId } from '#libs/database';

export interface FoundEntry {
  organizationId: string;
  id: string;
  participantId: string;
  bookingId: string;
}

/** Searches each organization by index, because keys begin with the organization. */
const find = (entries: string) => /* sql */ `
  SELECT e.organization_id AS "organizationId", e.id AS "id", e.participant_id AS "participantId",
    e.booking_id AS "bookingId"
  FROM organizations o
  CROSS JOIN LATERAL (${entries}) e
`;

const FIND = find(/* sql */ `
    (SELECT * FROM start_list_entries WHERE organization_id = o.id AND id = $1 LIMIT 1)
    UNION ALL
    (SELECT * FROM start_list_entries WHERE organization_id = o.id AND participant_id = $1 LIMIT 1)`);

const FIND_APPLICATIONS = find(
  /* sql */ `SELECT * FROM start_list_entries WHERE organization_id = o.id AND id = ANY ($1::uuid[]) OFFSET 0`,
);

/** The entry of any organization with this application id or participant id. */
export async function findEntry(manager: EntityManager, id: string): Promise<FoundEntry | undefined> {
  if (!isId(id)) return undefined;
  const [found]: FoundEntry[] = await manager.query(FIND, [id]);
  return found;
}

/** The entries of any organization that have these application ids. */
export async function findApplications(
  manager: EntityManager,
  ids: readonly string[],
): Promise<Map<string, FoundEntry>> {
  const found: FoundEntry[] = await manager.query(FIND_APPLICATIONS, [ids.filter(isId)]);
  return new Map(found.map((entry) => [entry.id, entry]));
}
