import { statement } from '#platform/database';
import type { ImportContext, Warning } from '#platform/import-rows';
import type { Resource } from '#platform/queries';
import { resolved } from './csv';
import { PARTICIPANT } from './participants.resource';
import { joinPerson } from './person.sql';

/** The most that are named, the earliest first, and the most warnings of a row: a page has the rows of large bookings. */
const MOST = 3;
const MOST_WARNINGS = 3;

/**
 * The other participants of the same person in the occurrence, for each of many. Who may be the same is found once, by the indexes
 * of addresses and, with a phone, of names; so it takes the same time for 2,000 people with one address as for others.
 *
 * @param given a query of ids of participants, with their places: of two of them, the later one is the duplicate
 * @param among a condition on entry `e`
 */
const duplicates = (organization: string, given: string, among: string) => /* sql */ `
  WITH people AS MATERIALIZED (
    SELECT given.place, e.participant_id, e.event_occurrence_id, person.*,
      CASE WHEN person.phone IS NOT NULL THEN e.name_order END AS phoned
    FROM (${given}) given (id, place)
    CROSS JOIN LATERAL (
      SELECT * FROM start_list_entries e
      WHERE e.organization_id = ${organization} AND e.participant_id = given.id AND e.approval_status = 'APPROVED'
        AND e.cancelled_at IS NULL LIMIT 1
    ) e ${joinPerson('e')}
    WHERE person.name <> '' AND person.birth_date IS NOT NULL
  ), found AS MATERIALIZED (
    -- OFFSET 0: one by one, because PostgreSQL reads all entries of an organization that the statistics do not know yet.
    SELECT e.id FROM (SELECT DISTINCT event_occurrence_id, email FROM people) p
    CROSS JOIN LATERAL (
      SELECT e.id FROM start_list_entries e
      WHERE e.organization_id = ${organization} AND e.event_occurrence_id = p.event_occurrence_id AND e.email_normalized = p.email OFFSET 0
    ) e
    UNION
    SELECT e.id FROM (SELECT DISTINCT event_occurrence_id, phoned FROM people WHERE phoned IS NOT NULL) p
    CROSS JOIN LATERAL (
      SELECT e.id, e.event_occurrence_id FROM own_start_list_entries e
      WHERE e.organization_id = ${organization} AND e.approval_status = 'APPROVED' AND e.name_order = p.phoned OFFSET 0
    ) e
    WHERE e.event_occurrence_id = p.event_occurrence_id
  ), others AS MATERIALIZED (
    SELECT e.id, e.participant_id, e.event_occurrence_id, person.*
    FROM found CROSS JOIN LATERAL (
      SELECT * FROM start_list_entries e WHERE e.organization_id = ${organization} AND e.id = found.id LIMIT 1
    ) e ${joinPerson('e')}
    WHERE e.approval_status = 'APPROVED' AND e.cancelled_at IS NULL AND NOT e.gdpr_redacted AND ${among}
  )
  SELECT p.participant_id AS "participantId", (array_agg(o.participant_id ORDER BY o.id))[:${MOST}] AS "duplicateOf"
  FROM people p JOIN others o ON o.event_occurrence_id = p.event_occurrence_id AND o.name = p.name AND o.birth_date = p.birth_date
    AND (o.email = p.email OR o.phone = p.phone) AND o.participant_id <> p.participant_id
  LEFT JOIN people later ON later.participant_id = o.participant_id
  WHERE later.place IS NULL OR later.place < p.place
  GROUP BY p.participant_id`;

/** For a partner, among those that it sees. Without $4: in a dry run, the new entries do not stay. */
const DUPLICATES = statement({
  parameters: ['uuid', 'uuid[]', 'uuid?', 'uuid[]'],
  columns: { participantId: 'uuid', duplicateOf: 'uuid[]' },
  sql: duplicates(
    '$1',
    'SELECT id, place FROM unnest($2::uuid[]) WITH ORDINALITY given (id, place)',
    `($3::uuid IS NULL OR $3 IN (e.via_partner_id, e.via_top_partner_id)) AND e.participant_id <> ALL ($4)`,
  ),
});

/** A participant who has just got a place, with the others of the same person that the caller may read. */
export const PLACED_PARTICIPANT: Resource = {
  ...PARTICIPANT,
  select: (...given) => {
    const [, bind, { organizationId, permissions }] = given;
    const found =
      (permissions?.includes('participants:read') ?? true)
        ? `(SELECT d."duplicateOf" FROM (
      ${duplicates(`${bind(organizationId)}::uuid`, 'SELECT t.participant_id, 1', 'true')}) d)`
        : 'NULL::uuid[]';
    return `${resolved(PARTICIPANT.select, given)}, coalesce(${found}, '{}') AS "duplicateOf"`;
  },
};

/** Who the participants are, by what makes two the same person. */
const PERSONS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { participantId: 'uuid', keys: 'text[]' },
  sql: `
    SELECT e.participant_id AS "participantId", array(
      SELECT jsonb_build_array(e.event_occurrence_id, person.name, person.birth_date, reached.at)::text
      FROM (VALUES ('email ' || person.email), ('phone ' || person.phone)) reached (at) WHERE reached.at IS NOT NULL
    ) AS keys
    FROM unnest($2::uuid[]) given (id) CROSS JOIN LATERAL (
      SELECT * FROM start_list_entries e
      WHERE e.organization_id = $1 AND e.participant_id = given.id AND e.approval_status = 'APPROVED'
        AND e.cancelled_at IS NULL LIMIT 1
    ) e ${joinPerson('e')}
    WHERE person.name <> '' AND person.birth_date IS NOT NULL
  `,
});

/** Where a participant is in the rows of an import. */
export interface InRow {
  row: number;
  path: string;
  /** A participant whom the row has corrected; otherwise the row has made it. */
  isCorrected?: boolean;
}

/**
 * Warnings about participants whom the chunk has made or corrected, and whose person was in the occurrence before.
 *
 * @param placed by participant, in the order of the rows
 */
export async function duplicateWarnings(
  context: ImportContext,
  placed: ReadonlyMap<string, InRow>,
): Promise<{ row: number; warning: Warning }[]> {
  if (placed.size === 0) return [];
  const { manager, organizationId, partnerId, carried } = context;
  const ids = [...placed.keys()];
  const passing = carried ? ids.filter((id) => !placed.get(id)?.isCorrected) : [];
  const found = await DUPLICATES.rows(manager, [organizationId, ids, partnerId, passing]);
  const byId = new Map(found.map(({ participantId, duplicateOf }) => [participantId, duplicateOf]));
  const earlier = await rowsBefore(context, placed);
  const warned = new Map<number, number>();
  return [...placed].flatMap(([participantId, { row, path }]) => {
    const duplicateOf = byId.get(participantId) ?? [];
    const [stored] = duplicateOf;
    const where = stored
      ? `is on the start list of the event already, as participant ${stored}`
      : earlier.get(participantId);
    const before = warned.get(row) ?? 0;
    if (!where || before === MOST_WARNINGS) return [];
    warned.set(row, before + 1);
    const message = `${path} ${where}. Cancel one of them if that is a mistake.`;
    return [{ row, warning: { path, code: 'DUPLICATE_PARTICIPANT', message, duplicateOf } }];
  });
}

/** In a dry run: which participant of an earlier row is the same person. Its entry does not stay, so it has no id. */
async function rowsBefore(
  { manager, organizationId, jobId, carried }: ImportContext,
  placed: ReadonlyMap<string, InRow>,
): Promise<Map<string, string>> {
  const before = new Map<string, string>();
  if (!carried) return before;
  const persons = await PERSONS.rows(manager, [organizationId, [...placed.keys()]]);
  const keysOf = new Map(persons.map(({ participantId, keys }) => [participantId, keys]));
  const known = await carried.get<InRow & { jobId: string | null }>(
    'person',
    persons.flatMap(({ keys }) => keys),
  );
  for (const [participantId, { row, path }] of placed) {
    const keys = keysOf.get(participantId) ?? [];
    const same = keys.map((key) => known.get(key)).find((each) => each !== undefined);
    if (same) {
      const job = same.jobId === jobId ? '' : ` of dry run ${same.jobId}`;
      before.set(participantId, `is the same person as ${same.path} of row ${same.row}${job}`);
    }
    for (const key of keys.filter((each) => !known.has(each))) {
      const here = { row, path, jobId };
      known.set(key, here);
      carried.set('person', key, here);
    }
  }
  return before;
}
