import { statement, typed, type Values } from '#platform/database';
import { MAXIMA, MOST_BYTES } from '#platform/validation';
import { bibHolderOf, reaches } from './bib-holder.sql';
import type { RaceDayConflict } from './race-day-update.dto';
import type { ReadMessage } from './read-timing-messages';
import type { TimingConflictCode } from './timing-message.dto';

/** The most pending claims of a bib that are read. */
const SOON = 5;

/** Whether pending messages claim the bib of message `m` for participants of one race that the key may access. */
const IS_CLAIMED_SOON = /* sql */ `(
  SELECT count(DISTINCT e.race_id) = 1
  FROM (
    SELECT participant_id FROM given WHERE sets_bib AND bib_number = m.bib_number
    UNION ALL
    (SELECT l.participant_id FROM race_day_log l
     WHERE l.organization_id = $1 AND l.bib_number = m.bib_number AND l.sets_bib AND l.applied_at IS NULL LIMIT ${SOON})
    UNION ALL
    (SELECT c.participant_id FROM bib_claims c
     WHERE c.organization_id = $1 AND c.bib_number = m.bib_number AND c.until IS NULL LIMIT ${SOON})
  ) soon
  CROSS JOIN LATERAL (
    SELECT e.race_id FROM start_list_entries e
    WHERE e.organization_id = $1 AND e.participant_id = soon.participant_id AND e.approval_status = 'APPROVED'
      AND (m.event_occurrence_ids IS NULL OR e.event_occurrence_id = ANY (m.event_occurrence_ids))
    LIMIT 1
  ) e)`;

/**
 * Stores messages in the order of receipt (of messages with the same `changed_at`, the last applies), and returns for each,
 * in that order, whether it is `unidentified`, and its `conflicts` after the whole batch. A single, atomic statement.
 *
 * A bib with a pending claim counts as identified, although the claim may fail. Of a participant's bibs in the batch, only the
 * last can be taken, by the last ones of others: bibs can be exchanged.
 *
 * Not prepared: a plan for nearly empty tables would read whole tables for each message.
 */
export const APPEND_TIMING = statement({
  parameters: ['uuid', 'uuid', 'uuid[]?', 'json'],
  columns: { unidentified: 'boolean', conflicts: typed<TimingConflictCode[]>('text[]') },
  sql: `
    WITH given AS MATERIALIZED (
      SELECT m.*, $1::uuid AS organization_id, $3::uuid[] AS event_occurrence_ids,
        e.race_id, e.cancelled_at, e.bib_changed_at, e.shipping_changed_at, e.race_id IS NOT NULL AS known
      FROM ROWS FROM (json_to_recordset($4::json) AS (participant_id uuid, named_by_bib boolean, sets_bib boolean,
        bib_number text, bib_written text, shipping_status text, shipped_at timestamptz, shipping_carrier text,
        tracking_number text, tracking_url text, changed_at timestamptz)) WITH ORDINALITY m (participant_id, named_by_bib,
        sets_bib, bib_number, bib_written, shipping_status, shipped_at, shipping_carrier, tracking_number, tracking_url, changed_at, place)
      LEFT JOIN LATERAL (
        SELECT e.* FROM start_list_entries e
        WHERE e.organization_id = $1 AND e.participant_id = m.participant_id AND e.approval_status = 'APPROVED'
          AND ($3::uuid[] IS NULL OR e.event_occurrence_id = ANY ($3::uuid[]))
        LIMIT 1
      ) e ON true
    ), identified AS MATERIALIZED (
      SELECT m.*, CASE WHEN m.named_by_bib THEN ${bibHolderOf('m')} END AS holder FROM given m
    ), claims AS MATERIALIZED (
      SELECT DISTINCT ON (participant_id) place, participant_id, race_id, bib_number, changed_at FROM given
      WHERE sets_bib AND cancelled_at IS NULL AND known AND (bib_changed_at IS NULL OR bib_changed_at <= changed_at)
      ORDER BY participant_id, changed_at DESC, place DESC
    ), stored AS (
      INSERT INTO race_day_log (organization_id, source, api_key_id, event_occurrence_ids, participant_id, named_by_bib,
        sets_bib, bib_number, bib_written, shipping_status, shipped_at, shipping_carrier, tracking_number, tracking_url, changed_at)
      SELECT organization_id, 'TIMING', $2, event_occurrence_ids, participant_id, named_by_bib, sets_bib, bib_number, bib_written,
        shipping_status, shipped_at, shipping_carrier, tracking_number, tracking_url, changed_at
      FROM given WHERE participant_id IS NOT NULL OR named_by_bib ORDER BY place
    )
    SELECT
      CASE WHEN NOT m.named_by_bib THEN NOT m.known
        ELSE m.holder IS NULL AND NOT ${IS_CLAIMED_SOON}
      END AS unidentified,
      array_remove(ARRAY[
        CASE WHEN m.sets_bib AND m.bib_number IS NOT NULL AND m.cancelled_at IS NOT NULL THEN 'PARTICIPANT_CANCELLED' END,
        CASE WHEN m.sets_bib AND m.bib_changed_at > m.changed_at THEN 'BIB_OVERTAKEN'
          WHEN m.place IN (SELECT place FROM claims) AND (EXISTS (
            SELECT FROM claims c WHERE c.race_id = m.race_id AND c.bib_number = m.bib_number
              AND (c.changed_at, c.participant_id) < (m.changed_at, m.participant_id)) OR EXISTS (
            SELECT FROM start_list_entries r
            WHERE r.organization_id = $1 AND r.race_id = m.race_id AND r.bib_claim = m.bib_number AND r.cancelled_at IS NULL
              AND r.participant_id NOT IN (SELECT participant_id FROM claims)
              AND (r.bib_changed_at, r.participant_id) < (m.changed_at, m.participant_id)
              AND NOT EXISTS (SELECT FROM race_day_log l WHERE l.organization_id = $1 AND l.participant_id = r.participant_id
                AND l.sets_bib AND l.changed_at > r.bib_changed_at AND ${reaches('l')}))) THEN 'BIB_NUMBER_TAKEN' END,
        CASE WHEN m.shipping_status IS NOT NULL AND m.changed_at < coalesce(m.shipping_changed_at, (
            SELECT h.shipping_changed_at FROM start_list_entries h
            WHERE h.organization_id = $1 AND h.participant_id = m.holder)) THEN 'SHIPPING_OVERTAKEN' END
      ], NULL) AS conflicts
    FROM identified m ORDER BY m.place
  `,
});

/** @param messages as `readTimingMessages` read them */
export const timingValues = (
  {
    organizationId,
    keyId,
    eventOccurrenceIds,
  }: {
    organizationId: string;
    keyId: string;
    eventOccurrenceIds: readonly string[] | null;
  },
  messages: ReadMessage[],
): Values<typeof APPEND_TIMING> => [organizationId, keyId, eventOccurrenceIds, JSON.stringify(messages)];

/** What entry `x` of booking `b` contains of its own, besides its fields of the race day (`entryBytes`). */
const OTHER_BYTES = /* sql */ `
  SELECT octet_length(json_build_array(x.fields, x.metadata,
      CASE WHEN x.metadata #> '{startline,ofBooking}' IS NOT NULL THEN b.metadata END, x.tags, x.participant_notes,
      x.application_notes, x.ballot_draw, x.partner_marketing_opt_ins, x.result_url, x.external_participant_id, x.team_roles,
      (SELECT name FROM teams WHERE organization_id = x.organization_id AND id = x.team_id),
      (SELECT code FROM discount_codes WHERE organization_id = x.organization_id AND id = b.discount_code_id),
      b.external_booking_id, b.tracking, b.booker_first_name, b.booker_last_name, b.booker_email, b.booker_phone)::text)
    + ${MOST_BYTES.title} * (SELECT count(*) FROM jsonb_array_elements(x.partner_marketing_opt_ins) choice
      WHERE choice->'optedIn' = 'true')
  FROM start_list_entries x
  JOIN bookings b ON b.organization_id = x.organization_id AND b.id = x.booking_id
  WHERE x.organization_id = e.organization_id AND x.participant_id = e.participant_id`;

/** Whether participant `e` stays within the maxima with the new fields. A page contains 500 participants. */
const FIT = /* sql */ `
  SELECT count(*) <= ${MAXIMA.raceDayFields}
    AND coalesce(sum(octet_length(field::text) + 2), 0) + (${OTHER_BYTES}) <= ${MOST_BYTES.entry}
  FROM (
    SELECT DISTINCT ON (field->>'id') field
    FROM (
      SELECT jsonb_build_object('id', f.field_id, 'value', f.value) AS field, 0 AS place FROM race_day_fields f
      WHERE f.organization_id = e.organization_id AND f.participant_id = e.participant_id
      UNION ALL
      SELECT f.field, f.place FROM jsonb_array_elements($6::jsonb) WITH ORDINALITY f (field, place)
    ) said
    ORDER BY field->>'id', place DESC
  ) shown`;

/**
 * Whether another participant of the race of `e` has an earlier claim of bib $5 than `e` would have: among the
 * earliest applied and pending claims, one whose participant has claimed nothing else since.
 */
const IS_TAKEN = /* sql */ `EXISTS (
  SELECT FROM (
    (SELECT r.participant_id FROM start_list_entries r
     WHERE r.organization_id = $1 AND r.race_id = e.race_id AND r.bib_claim = $5 AND r.participant_id <> e.participant_id
     ORDER BY r.bib_changed_at, r.participant_id LIMIT ${SOON})
    UNION ALL
    (SELECT l.participant_id FROM race_day_log l
     WHERE l.organization_id = $1 AND l.bib_number = $5 AND l.sets_bib AND l.applied_at IS NULL LIMIT ${SOON})
  ) other
  JOIN start_list_entries r ON r.organization_id = $1 AND r.participant_id = other.participant_id
  LEFT JOIN LATERAL (
    SELECT l.bib_number, l.changed_at FROM race_day_log l
    WHERE l.organization_id = $1 AND l.participant_id = r.participant_id AND l.sets_bib AND ${reaches('l')}
    ORDER BY l.changed_at DESC, l.seq DESC LIMIT 1
  ) newest ON true
  WHERE r.participant_id <> e.participant_id AND r.race_id = e.race_id
    AND r.approval_status = 'APPROVED' AND r.cancelled_at IS NULL
    AND (newest.changed_at IS NULL OR newest.bib_number = $5 AND newest.changed_at <= e.changed_at))`;

/**
 * Without its own time ($7), an update is later than every message that reaches the participant: it
 * applies until a newer message arrives. Returns whether it `fits` and is not in the `future`, in which case it is
 * logged if $11 is true (otherwise a bib that the participant has is no conflict), with the spelling $12 of the bib $5; and its current `conflicts`. Returns no row if the organization has no such participant.
 * Concurrent updates do not see each other, and can exceed the limits together.
 */
export const APPEND_RACE_DAY_UPDATE = statement({
  parameters: [
    ...(['uuid', 'uuid', 'uuid', 'boolean', 'text?', 'jsonb?', 'timestamptz?'] as const),
    ...(['text?', 'text?', 'text?', 'boolean', 'text?'] as const),
  ],
  columns: { fits: 'boolean', future: 'boolean', conflicts: typed<RaceDayConflict[]>('text[]') },
  sql: `
    WITH known AS MATERIALIZED (
      SELECT e.organization_id, e.participant_id, e.race_id, e.cancelled_at, e.shipped_at, e.bib_number,
        coalesce($7::timestamptz, greatest(clock_timestamp(), (
          SELECT max(l.changed_at) + interval '1 microsecond' FROM race_day_log l
          WHERE l.organization_id = e.organization_id AND l.participant_id = e.participant_id AND ${reaches('l')}))) AS changed_at
      FROM start_list_entries e
      WHERE e.organization_id = $1 AND e.participant_id = $2 AND e.approval_status = 'APPROVED'
    ), asked AS MATERIALIZED (
      SELECT e.*, $6::jsonb IS NULL OR (${FIT}) AS fits,
        coalesce($7::timestamptz > clock_timestamp(), false) AS future,
        CASE WHEN NOT $4 OR NOT $11 AND e.bib_number = $5 THEN '{}'
          WHEN $7 IS NOT NULL AND EXISTS (
            SELECT FROM race_day_log l
            WHERE l.organization_id = e.organization_id AND l.participant_id = e.participant_id AND l.sets_bib
              AND l.changed_at > e.changed_at AND ${reaches('l')}) THEN ARRAY['BIB_OVERTAKEN']
          WHEN $5::text IS NULL THEN '{}'
          WHEN e.cancelled_at IS NOT NULL THEN ARRAY['PARTICIPANT_CANCELLED']
          WHEN ${IS_TAKEN} THEN ARRAY['BIB_NUMBER_TAKEN']
          ELSE '{}' END AS conflicts
      FROM known e
    ), logged AS (
      INSERT INTO race_day_log (organization_id, source, api_key_id, participant_id, sets_bib, bib_number, bib_written, custom_fields,
        changed_at, shipping_status, shipped_at, shipping_carrier, tracking_number)
      SELECT a.organization_id, 'RACE_DAY', $3, a.participant_id, $4, $5, $12, $6::jsonb, a.changed_at,
        $8, CASE WHEN $8 = 'SHIPPED' THEN a.changed_at WHEN $8 IS NOT NULL THEN coalesce(a.shipped_at, a.changed_at) END, $9, $10
      FROM asked a WHERE a.fits AND NOT a.future AND $11
    )
    SELECT fits, future, conflicts FROM asked
  `,
  prepared: true,
});
