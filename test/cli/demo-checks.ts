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
