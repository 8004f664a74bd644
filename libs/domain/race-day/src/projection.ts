import type { EntityManager } from 'typeorm';
import { statement } from '#platform/database';
import { applied } from './bib-holder.sql';

const LOCK_BIBS = statement({
  parameters: ['text', 'text[]'],
  sql: `
    SELECT pg_advisory_xact_lock(hashtextextended('bibs/' || $1 || '/' || race_id, 0))
    FROM unnest($2::text[]) race_id
  `,
});

const RACES_OF = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { race_id: 'uuid' },
  sql: `
    SELECT DISTINCT race_id FROM start_list_entries WHERE organization_id = $1 AND participant_id = ANY ($2::uuid[])
  `,
});

/**
 * Locks the bibs of races until the transaction ends. Call it before a change of claims or bib holders and before any lock
 * of an entry, once for all races of the transaction, which are locked in id order.
 */
export async function lockBibs(
  manager: EntityManager,
  organizationId: string,
  raceIds: readonly string[],
): Promise<void> {
  if (raceIds.length > 0) await LOCK_BIBS.run(manager, [organizationId, [...new Set(raceIds)].sort()]);
}

/** The fields of message `l`, as a bit mask. The index of the newest messages uses this expression. */
const SAYS = /* sql */ `(l.sets_bib::int + (l.shipping_status IS NOT NULL)::int * 2
    + (l.shipping_carrier IS NOT NULL)::int * 4 + (l.tracking_number IS NOT NULL)::int * 8
    + (l.tracking_url IS NOT NULL)::int * 16)`;

/** All combinations of fields: a bib, or a status with or without each of the other three, or both. */
const COMBINATIONS = [
  1,
  ...Array.from({ length: 8 }, (_, others) => others * 4 + 2).flatMap((says) => [says, says + 1]),
];

const newest = (column: string, says: string) =>
  `(array_agg(l.${column} ORDER BY l.changed_at DESC, l.seq DESC) FILTER (WHERE l.${says}))[1]`;

/** The newest message of each combination, `l`, about participant `e`. */
export const NEWEST_MESSAGES = /* sql */ `
    FROM unnest('{${COMBINATIONS}}'::int[]) combination (says)
    CROSS JOIN LATERAL (
      SELECT l.* FROM own_race_day_log l
      WHERE l.organization_id = e.organization_id AND l.participant_id = e.participant_id
        AND ${SAYS} = combination.says AND ${applied('l')} AND (l.sets_bib OR l.shipping_status IS NOT NULL)
      ORDER BY l.changed_at DESC, l.seq DESC LIMIT 1
    ) l`;

/** The spelling in the earliest of the claims of participant `e` of the same bib. */
const FIRST_WRITTEN = /* sql */ `(
        SELECT l.bib_written FROM own_race_day_log l
        WHERE l.organization_id = e.organization_id AND l.participant_id = e.participant_id AND l.sets_bib
          AND l.bib_number = said.bib_number AND ${applied('l')}
        ORDER BY l.changed_at, l.seq LIMIT 1)`;

const SHOWN = `bib_claim, bib_written, bib_changed_at, shipping_status, shipped_at, shipping_changed_at, shipping_carrier,
    tracking_number, tracking_url, race_day_fields`;
const shown = (of: string) => SHOWN.replace(/\w+/g, (column) => `${of}.${column}`);
/** The columns of `projected`, of another entry. */
const RIVAL = `e.organization_id, e.id, e.race_id, e.participant_id, NULL AS former_claim, ${shown('e')}`;

/**
 * A single statement, so that readers never see a bib twice or without a holder in between. Does not write entries that are
 * unchanged. It reads the newest message of each combination, independent of the size of the log, and for a contested bib
 * its holder and the earliest claim of the other participants. A window, not a join, finds the holders, because a plan for
 * any number of participants would join with a nested loop. Joins use the organization of the previous row instead of
 * $1, so that no plan reads all rows of an organization.
 *
 * Example: P claims another bib (`projected`), so bibs 1 and 2 are `contested`. Of bib 1, Q has the earliest claim of the others
 * (`rivals`) and becomes its holder (`handed_on`). R's later claim is not read. A test runs the example.
 *
 * | participant | claims           | bib before | bib after |
 * |-------------|------------------|------------|-----------|
 * | P           | 1 at 9, 2 at 12  | 1          | 2         |
 * | Q           | 1 at 10          |            | 1         |
 * | R           | 1 at 11          |            |           |
 */
const PROJECT = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: `
  WITH projected AS MATERIALIZED (
    SELECT e.organization_id, e.id, e.race_id, e.participant_id, e.bib_claim AS former_claim,
      CASE WHEN e.cancelled_at IS NULL THEN said.bib_number END AS bib_claim, ${FIRST_WRITTEN} AS bib_written, said.bib_changed_at,
      said.shipping_status, said.shipped_at, said.shipping_changed_at, said.shipping_carrier,
      said.tracking_number, said.tracking_url, fields.race_day_fields
    FROM unnest($2::uuid[]) asked (participant_id)
    CROSS JOIN LATERAL (
      SELECT * FROM start_list_entries e
      WHERE e.organization_id = $1 AND e.participant_id = asked.participant_id
      LIMIT 1
    ) e
    CROSS JOIN LATERAL (
      SELECT ${newest('bib_number', 'sets_bib')} AS bib_number,
        max(l.changed_at) FILTER (WHERE l.sets_bib) AS bib_changed_at,
        ${newest('shipping_status', 'shipping_status IS NOT NULL')} AS shipping_status,
        ${newest('shipped_at', 'shipping_status IS NOT NULL')} AS shipped_at,
        max(l.changed_at) FILTER (WHERE l.shipping_status IS NOT NULL) AS shipping_changed_at,
        ${newest('shipping_carrier', 'shipping_carrier IS NOT NULL')} AS shipping_carrier,
        ${newest('tracking_number', 'tracking_number IS NOT NULL')} AS tracking_number,
        ${newest('tracking_url', 'tracking_url IS NOT NULL')} AS tracking_url
      ${NEWEST_MESSAGES}
    ) said
    CROSS JOIN LATERAL (
      SELECT coalesce(jsonb_agg(jsonb_build_object('id', f.field_id, 'value', f.value) ORDER BY f.field_id), '[]')
        AS race_day_fields
      FROM race_day_fields f
      WHERE f.organization_id = e.organization_id AND f.participant_id = e.participant_id
    ) fields
  ), contested AS MATERIALIZED (
    SELECT race_id, bib_claim FROM projected WHERE bib_claim IS NOT NULL
    UNION
    SELECT race_id, former_claim FROM projected WHERE former_claim IS NOT NULL
  ), rivals AS MATERIALIZED (
    SELECT rival.* FROM contested c
    CROSS JOIN LATERAL (
      (SELECT ${RIVAL} FROM start_list_entries e
       WHERE e.organization_id = $1 AND e.race_id = c.race_id AND e.bib_claim = c.bib_claim AND e.cancelled_at IS NULL
         AND e.id NOT IN (SELECT id FROM projected)
       ORDER BY e.bib_changed_at, e.participant_id LIMIT 1)
      UNION
      (SELECT ${RIVAL} FROM start_list_entries e
       WHERE e.organization_id = $1 AND e.race_id = c.race_id AND e.bib_number = c.bib_claim
         AND e.cancelled_at IS NULL AND e.id NOT IN (SELECT id FROM projected) LIMIT 1)
    ) rival
    WHERE rival.bib_claim = c.bib_claim
  ), claims AS MATERIALIZED (
    SELECT *, CASE WHEN row_number() OVER (
        PARTITION BY race_id, bib_claim ORDER BY bib_changed_at, participant_id
      ) = 1 THEN bib_claim END AS bib_number
    FROM (SELECT *, false AS is_rival FROM projected UNION ALL SELECT *, true FROM rivals) claimed
  ), handed_on AS (
    UPDATE start_list_entries e SET bib_number = c.bib_number
    FROM claims c
    WHERE c.is_rival AND e.organization_id = c.organization_id AND e.id = c.id AND e.bib_number IS DISTINCT FROM c.bib_number
  )
  UPDATE start_list_entries e SET (bib_number, ${SHOWN}) = (c.bib_number, ${shown('c')})
  FROM claims c
  WHERE NOT c.is_rival AND e.organization_id = c.organization_id AND e.id = c.id
    AND (e.bib_number, ${shown('e')}) IS DISTINCT FROM (c.bib_number, ${shown('c')})
  `,
});

/**
 * Updates the participants from the log, and assigns every bib that they claim or gave up to the earliest claim of the
 * race's entries that are not cancelled (docs/domain-rules.md#race-day). Idempotent.
 */
export async function projectParticipants(
  manager: EntityManager,
  organizationId: string,
  participantIds: readonly string[],
): Promise<void> {
  if (participantIds.length === 0) return;
  const whose = [organizationId, participantIds] as const;
  const races = await RACES_OF.rows(manager, whose);
  await lockBibs(
    manager,
    organizationId,
    races.map(({ race_id }) => race_id),
  );
  await PROJECT.run(manager, whose);
}
