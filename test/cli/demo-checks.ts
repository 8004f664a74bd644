/** Each query finds incorrect rows: stored counts that differ from recounts. */
export const MISCOUNTS: Record<string, string> = {
  counters: /* sql */ `
    SELECT * FROM (
      SELECT kind, subject_id, sum(delta)::bigint AS n FROM tallies GROUP BY 1, 2
    ) kept FULL JOIN (
      SELECT counted.kind, counted.subject_id, count(*) AS n
      FROM start_list_entries e
      CROSS JOIN LATERAL (VALUES
        ('applications', e.organization_id, true),
        ('eventApplications', e.event_id, true),
        ('participants', e.organization_id, e.approval_status = 'APPROVED'),
        ('raceParticipants', e.race_id, e.approval_status = 'APPROVED'),
        ('racePlaces', e.race_id, e.approval_status = 'APPROVED' AND e.cancelled_at IS NULL AND e.takes_place),
        ('ticketPlaces', e.ticket_id, e.approval_status = 'APPROVED' AND e.cancelled_at IS NULL AND e.takes_place AND e.starts_unit)
      ) counted (kind, subject_id, holds)
      WHERE counted.holds GROUP BY 1, 2
      UNION ALL
      SELECT 'taggedParticipants', md5(tag)::uuid, count(DISTINCT e.id)
      FROM start_list_entries e CROSS JOIN unnest(e.tags) tag WHERE e.approval_status = 'APPROVED' GROUP BY 1, 2
    ) recount USING (kind, subject_id)
    WHERE kept.n IS DISTINCT FROM recount.n AND kind IN
      ('applications', 'eventApplications', 'participants', 'raceParticipants', 'racePlaces', 'ticketPlaces', 'taggedParticipants')`,
  'used capacity of reserved groups': /* sql */ `
    SELECT name, used_capacity, max_capacity FROM reserved_entry_groups g
    WHERE used_capacity <> (SELECT count(*) FROM start_list_entries e
      WHERE e.reserved_entry_group_id = g.id AND e.holds_reserved_place) OR used_capacity > max_capacity`,
  'used capacity of their tickets': /* sql */ `
    SELECT used_capacity FROM reserved_entry_group_tickets t
    WHERE used_capacity <> (SELECT count(*) FROM start_list_entries e WHERE e.reserved_entry_group_id = t.reserved_entry_group_id
      AND e.ticket_id = t.ticket_id AND e.holds_reserved_place) OR used_capacity > max_capacity`,
  'uses of discount codes': /* sql */ `
    SELECT code, usage_count FROM discount_codes d
    WHERE usage_count <> (
      SELECT CASE d.applies_per WHEN 'ENTRY' THEN count(e.id) ELSE count(DISTINCT b.id) END
      FROM bookings b JOIN start_list_entries e ON e.booking_id = b.id
      WHERE b.discount_code_id = d.id AND b.status = 'CONFIRMED') OR usage_count > limit_usage`,
  'places of tickets': /* sql */ `
    SELECT slug FROM tickets WHERE tally(organization_id, 'ticketPlaces', id) > max_capacity`,
  'places of races': /* sql */ `SELECT title FROM races WHERE tally(organization_id, 'racePlaces', id) > max_capacity`,
  'places of waves': /* sql */ `
    SELECT title FROM waves w WHERE capacity < (SELECT count(*) FROM start_list_entries e WHERE e.wave_id = w.id)`,
  'totals of bookings': /* sql */ `
    SELECT b.id, total_value, sum(amount_value) FROM bookings b
    LEFT JOIN line_items l ON l.booking_id = b.id AND NOT EXISTS (SELECT FROM add_on_allocations a
      WHERE a.purchase_line_item_id = l.id AND (a.financial_status <> 'PAID' OR a.operational_status = 'CANCELLED'))
    GROUP BY b.organization_id, b.id HAVING sum(amount_value) IS DISTINCT FROM total_value OR total_value < 0`,
};

/** Each query finds entries that differ from the result of the race-day log. */
export const WRONG_PROJECTIONS: Record<string, string> = {
  bibs: /* sql */ `
    WITH said AS (
      SELECT DISTINCT ON (participant_id) participant_id, bib_number, changed_at FROM race_day_log
      WHERE sets_bib ORDER BY participant_id, changed_at DESC, seq DESC
    ), claims AS (
      SELECT e.participant_id, said.bib_number AS claim, said.changed_at,
        row_number() OVER (PARTITION BY e.race_id, said.bib_number ORDER BY said.changed_at) = 1 AS holds
      FROM start_list_entries e LEFT JOIN said ON said.participant_id = e.participant_id
    )
    SELECT e.id, e.bib_claim, claims.claim FROM start_list_entries e JOIN claims ON claims.participant_id = e.participant_id
    WHERE e.bib_claim IS DISTINCT FROM claims.claim OR e.bib_changed_at IS DISTINCT FROM claims.changed_at
      OR e.bib_number IS DISTINCT FROM CASE WHEN claims.holds THEN claims.claim END`,
  shipping: /* sql */ `
    WITH newest AS (
      SELECT participant_id,
        (array_agg(shipping_status ORDER BY changed_at DESC, seq DESC))[1] AS status,
        (array_agg(shipped_at ORDER BY changed_at DESC, seq DESC))[1] AS shipped_at,
        (array_agg(shipping_carrier ORDER BY changed_at DESC, seq DESC) FILTER (WHERE shipping_carrier IS NOT NULL))[1] AS carrier,
        (array_agg(tracking_number ORDER BY changed_at DESC, seq DESC) FILTER (WHERE tracking_number IS NOT NULL))[1] AS number,
        (array_agg(tracking_url ORDER BY changed_at DESC, seq DESC) FILTER (WHERE tracking_url IS NOT NULL))[1] AS url,
        max(changed_at) AS changed_at
      FROM race_day_log WHERE shipping_status IS NOT NULL GROUP BY 1
    )
    SELECT e.id FROM start_list_entries e LEFT JOIN newest n ON n.participant_id = e.participant_id
    WHERE (e.shipping_status, e.shipped_at, e.shipping_carrier, e.tracking_number, e.tracking_url, e.shipping_changed_at)
      IS DISTINCT FROM (n.status, n.shipped_at, n.carrier, n.number, n.url, n.changed_at)`,
  'race-day fields': /* sql */ `
    SELECT e.id FROM start_list_entries e LEFT JOIN race_day_log l
      ON l.participant_id = e.participant_id AND l.custom_fields IS NOT NULL
    WHERE e.race_day_fields <> coalesce(l.custom_fields, '[]')`,
  'nobody else': /* sql */ `
    SELECT seq FROM race_day_log l WHERE applied_at IS NULL
      OR NOT EXISTS (SELECT FROM start_list_entries e WHERE e.participant_id = l.participant_id)`,
};

/** Each query finds rows that no real sale would create. */
export const UNSOUND: Record<string, string> = {
  'no time is later than the day it was loaded on': /* sql */ `
    SELECT 'entry' FROM start_list_entries WHERE greatest(created_at, cancelled_at, bib_changed_at, shipping_changed_at, result_submitted_at) > now()
    UNION ALL SELECT 'booking' FROM bookings WHERE greatest(created_at, cancelled_at) > now()
    UNION ALL SELECT 'line item' FROM line_items WHERE created_at > now()
    UNION ALL SELECT 'message' FROM race_day_log WHERE greatest(changed_at, received_at) > now()`,
  'a cancelled booking has freed what it held': /* sql */ `
    SELECT b.id FROM bookings b JOIN start_list_entries e ON e.booking_id = b.id
    WHERE b.status = 'CANCELLED' AND (e.cancelled_at IS NULL OR e.bib_number IS NOT NULL OR e.status_details->-1->>'status' <> 'CANCELLED'
      OR EXISTS (SELECT FROM line_items l WHERE l.booking_id = b.id AND l.released_at IS NULL))
    UNION ALL SELECT e.id FROM bookings b JOIN start_list_entries e ON e.booking_id = b.id
    WHERE b.status = 'CONFIRMED' AND e.cancelled_at IS NOT NULL`,
  'every entry has its ticket on the receipt': /* sql */ `
    SELECT e.id FROM start_list_entries e WHERE 1 <> (SELECT count(*) FROM line_items l
      WHERE l.booking_id = e.booking_id AND l.participant_id = e.participant_id AND l.item_type = 'TICKET' AND l.item_id = e.ticket_id::text)`,
  'every allocation was paid for by its line item': /* sql */ `
    SELECT a.id FROM add_on_allocations a JOIN line_items l ON l.id = a.purchase_line_item_id
    WHERE l.amount_value <> a.quantity * a.unit_price_value OR l.participant_id <> a.participant_id OR l.booking_id <> a.booking_id
      OR l.item_id <> a.add_on_id::text OR l.item_selection_id IS DISTINCT FROM a.variant_id::text`,
  'one booking has one currency': /* sql */ `
    SELECT b.id FROM bookings b JOIN line_items l ON l.booking_id = b.id WHERE l.currency_code <> b.currency_code
    UNION ALL SELECT e.id FROM start_list_entries e JOIN bookings b ON b.id = e.booking_id WHERE original_price_currency <> currency_code`,
  'fields are those of the form, in its order, who it is first': /* sql */ `
    SELECT e.id FROM start_list_entries e
    JOIN LATERAL (SELECT array_agg(f->>'key') AS keys FROM json_array_elements(e.fields) f) given ON true
    LEFT JOIN LATERAL (
      SELECT array_agg(f.key ORDER BY n.position) AS keys FROM ticket_booking_forms t
      JOIN booking_form_entries n ON n.organization_id = t.organization_id AND n.booking_form_id = t.booking_form_id
      JOIN booking_form_fields f ON f.organization_id = n.organization_id AND f.id = n.field_id
      WHERE t.organization_id = e.organization_id AND t.ticket_id = e.ticket_id
    ) form ON true
    WHERE NOT e.gdpr_redacted AND (given.keys[1:5] <> ARRAY['firstName', 'lastName', 'email', 'dateOfBirth', 'gender']
      OR given.keys <> coalesce(form.keys, given.keys[1:5]))`,
  'emails are compared in lower case, and redacted people have none': /* sql */ `
    SELECT e.id FROM start_list_entries e JOIN bookings b ON b.id = e.booking_id
    WHERE CASE WHEN e.gdpr_redacted THEN e.email_normalized IS NOT NULL OR b.booker_email IS NOT NULL OR e.fields::text <> '[]'
      ELSE e.email_normalized IS DISTINCT FROM lower(coalesce(
        (SELECT f->>'value' FROM json_array_elements(e.fields) f WHERE f->>'key' = 'email'), b.booker_email)) END`,
  'who is not approved has neither bib nor wave': /* sql */ `
    SELECT id FROM start_list_entries WHERE approval_status <> 'APPROVED' AND coalesce(bib_claim, wave_id::text) IS NOT NULL`,
};

/** Ids in a column that are not UUIDs of version 7. */
export const STRANGE_IDS = (table: string, column: string, isArray: boolean): string => /* sql */ `
  SELECT '${table}.${column}' AS place, id
  FROM (SELECT ${isArray ? `unnest(${column})` : column}::text AS id FROM ${table}) ids
  WHERE id !~ '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$'`;
