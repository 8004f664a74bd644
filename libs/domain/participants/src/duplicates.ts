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
      WHERE e.organization_id = ${organization} AND e.participant_id = given.id AND e.approval_status = 'APPROVED' LIMIT 1
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

/** For a partner, among those that it sees. In a dry run ($4), only what stays is an entry. */
const DUPLICATES = statement({
  parameters: ['uuid', 'uuid[]', 'uuid?', 'boolean'],
  columns: { participantId: 'uuid', duplicateOf: 'uuid[]' },
  sql: duplicates(
    '$1',
    'SELECT id, place FROM unnest($2::uuid[]) WITH ORDINALITY given (id, place)',
    `($3::uuid IS NULL OR $3 IN (e.via_partner_id, e.via_top_partner_id)) AND NOT ($4 AND e.participant_id = ANY ($2))`,
  ),
});

/** A participant who has just got a place, with the others of the same person that the caller sees. */
export const PLACED_PARTICIPANT: Resource = {
  ...PARTICIPANT,
  select: (...given) => {
    const [, bind, { organizationId }] = given;
    return `${resolved(PARTICIPANT.select, given)}, coalesce((SELECT d."duplicateOf" FROM (
      ${duplicates(`${bind(organizationId)}::uuid`, 'SELECT t.participant_id, 1', 'true')}) d), '{}') AS "duplicateOf"`;
  },
};

/**
 * Warnings about participants whom the chunk has made, and whose person was in the occurrence before.
 *
 * @param made the rows and paths of the participants, in the order of the rows
 */
export async function duplicateWarnings(
  { manager, organizationId, partnerId, carried }: ImportContext,
  made: ReadonlyMap<string, { row: number; path: string }>,
): Promise<{ row: number; warning: Warning }[]> {
  if (made.size === 0) return [];
  const isDry = carried !== undefined;
  const found = await DUPLICATES.rows(manager, [organizationId, [...made.keys()], partnerId, isDry]);
  const byId = new Map(found.map(({ participantId, duplicateOf }) => [participantId, duplicateOf]));
  const warned = new Map<number, number>();
  return [...made].flatMap(([participantId, { row, path }]) => {
    const duplicateOf = byId.get(participantId);
    const before = warned.get(row) ?? 0;
    if (!duplicateOf || before === MOST_WARNINGS) return [];
    warned.set(row, before + 1);
    const message = `${path} is on the start list of the event already, as participant ${duplicateOf[0]}. Cancel one of them if that is a mistake.`;
    return [{ row, warning: { path, code: 'DUPLICATE_PARTICIPANT', message, duplicateOf } }];
  });
}
