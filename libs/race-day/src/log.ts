import { bibHolderOf, isKnown, received } from './bib-holder.sql';
import type { ReadMessage } from './read-timing-messages';

/**
 * In the order that they came in: of two with the same `changed_at` the later holds. Answers, in that order, each
 * one's `seq` and whether it is `unidentified`: null where it names only a bib, and `UNIDENTIFIED` has to be asked.
 */
export const APPEND_TIMING = /* sql */ `
  INSERT INTO race_day_log AS l (organization_id, source, api_key_id, event_occurrence_ids, participant_id, named_by_bib,
    sets_bib, bib_number, shipping_status, shipped_at, shipping_carrier, tracking_number, tracking_url, changed_at)
  SELECT $1, 'TIMING', $2, $3, m.participant_id, m.named_by_bib, m.sets_bib, m.bib_number, m.shipping_status,
    m.shipped_at, m.shipping_carrier, m.tracking_number, m.tracking_url, m.changed_at
  FROM ROWS FROM (json_to_recordset($4::json) AS (participant_id uuid, named_by_bib boolean, sets_bib boolean,
    bib_number text, shipping_status text, shipped_at timestamptz, shipping_carrier text, tracking_number text,
    tracking_url text, changed_at timestamptz)) WITH ORDINALITY m (participant_id, named_by_bib, sets_bib, bib_number,
    shipping_status, shipped_at, shipping_carrier, tracking_number, tracking_url, changed_at, place)
  ORDER BY m.place
  RETURNING l.seq, CASE WHEN NOT l.named_by_bib THEN NOT ${isKnown('l')} END AS unidentified
`;

/** Those of the messages that name a bib, and nobody by it now. Asked of these alone: hence OFFSET. */
export const UNIDENTIFIED = /* sql */ `
  SELECT asked.seq FROM (
    SELECT m.seq, ${bibHolderOf('m', received)} AS bib_holder FROM race_day_log m
    WHERE m.organization_id = $1 AND m.seq = ANY ($2::bigint[]) OFFSET 0
  ) asked
  WHERE asked.bib_holder IS NULL
`;

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
): unknown[] => [organizationId, keyId, eventOccurrenceIds, JSON.stringify(messages)];

/** Of one participant, as what they show is written: 500 of them are a page. */
export const MOST_FIELDS = 200;
export const MOST_FIELD_TEXT = 50_000;

/** Whether participant `e` keeps to the bounds with the fields that are sent on top of those logged. */
const FIT = /* sql */ `
  SELECT count(*) <= ${MOST_FIELDS} AND coalesce(sum(length(field::text)), 0) <= ${MOST_FIELD_TEXT}
  FROM (
    SELECT DISTINCT ON (field->>'id') field
    FROM (
      SELECT f.field, f.place, l.changed_at, l.seq
      FROM race_day_log l CROSS JOIN LATERAL jsonb_array_elements(l.custom_fields) WITH ORDINALITY f (field, place)
      WHERE l.organization_id = e.organization_id AND l.participant_id = e.participant_id AND l.custom_fields IS NOT NULL
      UNION ALL
      SELECT f.field, f.place, 'infinity', 0 FROM jsonb_array_elements($6::jsonb) WITH ORDINALITY f (field, place)
    ) said
    ORDER BY field->>'id', changed_at DESC, seq DESC, place DESC
  ) shown`;

/**
 * What an organizer sets is later than all that the log knows of the participant: it holds until something newer
 * comes. Answers whether it `fits`, and is logged then; no row where the organization has no such participant.
 * Updates at the same moment don't see each other, and may exceed the bounds together.
 */
export const APPEND_RACE_DAY_UPDATE = /* sql */ `
  WITH asked AS MATERIALIZED (
    SELECT e.organization_id, e.participant_id, $6::jsonb IS NULL OR (${FIT}) AS fits
    FROM start_list_entries e
    WHERE e.organization_id = $1 AND e.participant_id = $2 AND e.approval_status = 'APPROVED'
  ), logged AS (
    INSERT INTO race_day_log (organization_id, source, api_key_id, participant_id, sets_bib, bib_number, custom_fields,
      changed_at)
    SELECT a.organization_id, 'RACE_DAY', $3, a.participant_id, $4, $5, $6::jsonb,
      greatest(clock_timestamp(), (
        SELECT max(l.changed_at) + interval '1 microsecond' FROM race_day_log l
        WHERE l.organization_id = a.organization_id AND l.participant_id = a.participant_id))
    FROM asked a WHERE a.fits
  )
  SELECT fits FROM asked
`;
