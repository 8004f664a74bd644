import type { EntityManager } from 'typeorm';
import { applied } from './bib-holder.sql';

const LOCK_BIBS = /* sql */ `
  SELECT pg_advisory_xact_lock(hashtextextended('bibs/' || $1 || '/' || race_id, 0))
  FROM unnest($2::text[]) race_id
`;

const RACES_OF = /* sql */ `
  SELECT DISTINCT race_id FROM start_list_entries WHERE organization_id = $1 AND participant_id = ANY ($2::uuid[])
`;

/**
 * Holds the races' bibs until the transaction ends. Whoever changes who claims or wears a bib holds them first,
 * before any entry, and asks once for all its races: they are locked in id order.
 */
export async function lockBibs(
  manager: EntityManager,
  organizationId: string,
  raceIds: readonly string[],
): Promise<void> {
  if (raceIds.length > 0) await manager.query(LOCK_BIBS, [organizationId, [...new Set(raceIds)].sort()]);
}

/** The newest message about participant `e` that says something of the matter. */
const newest = (columns: string, says: string) => /* sql */ `
  LEFT JOIN LATERAL (
    SELECT ${columns} FROM race_day_log l
    WHERE l.organization_id = e.organization_id AND l.participant_id = e.participant_id AND ${applied('l')} AND ${says}
    ORDER BY l.changed_at DESC, l.seq DESC LIMIT 1
  )`;

const SHOWN = `bib_claim, bib_changed_at, shipping_status, shipped_at, shipping_changed_at, shipping_carrier,
    tracking_number, tracking_url, race_day_fields`;
const shown = (of: string) => SHOWN.replace(/\w+/g, (column) => `${of}.${column}`);

/**
 * One statement, so that no reader sees a bib worn twice or by nobody in between. An entry that shows what it
 * should is not touched.
 */
const PROJECTION = /* sql */ `
WITH projected AS MATERIALIZED (
  SELECT e.id, e.race_id, e.participant_id,
    CASE WHEN e.cancelled_at IS NULL THEN bib.bib_number END AS bib_claim, bib.changed_at AS bib_changed_at,
    ship.shipping_status, ship.shipped_at, ship.changed_at AS shipping_changed_at,
    carrier.shipping_carrier, number.tracking_number, url.tracking_url, fields.race_day_fields
  FROM start_list_entries e
  ${newest('l.bib_number, l.changed_at', 'l.sets_bib')} bib ON true
  ${newest('l.shipping_status, l.shipped_at, l.changed_at', 'l.shipping_status IS NOT NULL')} ship ON true
  ${newest('l.shipping_carrier', 'l.shipping_carrier IS NOT NULL')} carrier ON true
  ${newest('l.tracking_number', 'l.tracking_number IS NOT NULL')} number ON true
  ${newest('l.tracking_url', 'l.tracking_url IS NOT NULL')} url ON true
  CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', said.id, 'value', said.value) ORDER BY said.id), '[]') AS race_day_fields
    FROM (
      SELECT DISTINCT ON (f.field->>'id') f.field->>'id' AS id, f.field->'value' AS value
      FROM race_day_log l CROSS JOIN LATERAL jsonb_array_elements(l.custom_fields) WITH ORDINALITY f (field, place)
      WHERE l.organization_id = e.organization_id AND l.participant_id = e.participant_id AND ${applied('l')}
        AND l.custom_fields IS NOT NULL
      ORDER BY f.field->>'id', l.changed_at DESC, l.seq DESC, f.place DESC
    ) said
  ) fields
  WHERE e.organization_id = $1 AND e.participant_id = ANY ($2::uuid[])
), contested AS (
  SELECT race_id, bib_claim FROM projected WHERE bib_claim IS NOT NULL
  UNION
  SELECT e.race_id, e.bib_claim FROM start_list_entries e JOIN projected ON projected.id = e.id
  WHERE e.organization_id = $1 AND e.bib_claim IS NOT NULL
), rivals AS MATERIALIZED (
  SELECT e.id, e.race_id, e.participant_id, e.bib_claim, e.bib_changed_at, e.bib_number
  FROM contested c JOIN start_list_entries e
    ON e.organization_id = $1 AND e.race_id = c.race_id AND e.bib_claim = c.bib_claim
  WHERE e.cancelled_at IS NULL AND NOT EXISTS (SELECT FROM projected WHERE projected.id = e.id)
), holders AS MATERIALIZED (
  SELECT DISTINCT ON (race_id, bib_claim) id, bib_claim
  FROM (
    SELECT id, race_id, participant_id, bib_claim, bib_changed_at FROM projected WHERE bib_claim IS NOT NULL
    UNION ALL
    SELECT id, race_id, participant_id, bib_claim, bib_changed_at FROM rivals
  ) claims
  ORDER BY race_id, bib_claim, bib_changed_at, participant_id
), handed_on AS (
  UPDATE start_list_entries e SET bib_number = h.bib_claim
  FROM rivals r LEFT JOIN holders h ON h.id = r.id
  WHERE e.organization_id = $1 AND e.id = r.id AND e.bib_number IS DISTINCT FROM h.bib_claim
)
UPDATE start_list_entries e SET (bib_number, ${SHOWN}) = (h.bib_claim, ${shown('f')})
FROM projected f LEFT JOIN holders h ON h.id = f.id
WHERE e.organization_id = $1 AND e.id = f.id
  AND (e.bib_number, ${shown('e')}) IS DISTINCT FROM (h.bib_claim, ${shown('f')})
`;

/**
 * Makes the participants show what the log says of them, and gives every bib that they claim or gave up to whom it
 * belongs: of a race's live entries with the same claim, to the earliest (decisions, section 6). It may run any
 * number of times.
 */
export async function projectParticipants(
  manager: EntityManager,
  organizationId: string,
  participantIds: readonly string[],
): Promise<void> {
  if (participantIds.length === 0) return;
  const whose = [organizationId, participantIds];
  const races: { race_id: string }[] = await manager.query(RACES_OF, whose);
  await lockBibs(
    manager,
    organizationId,
    races.map(({ race_id }) => race_id),
  );
  await manager.query(PROJECTION, whose);
}
