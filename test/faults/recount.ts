import type { DataSource } from 'typeorm';

/** Each line counts errors; the count must be 0. */
const WRONG = /* sql */ `
  SELECT 'rows without an outcome in a finished job' AS what, count(*)::int AS count FROM import_rows r
    JOIN import_jobs j ON j.organization_id = r.organization_id AND j.id = r.job_id
    WHERE j.status = 'COMPLETED' AND r.outcome IS NULL
  UNION ALL
  SELECT 'jobs whose counts are not those of their rows', count(*)::int FROM import_jobs j JOIN LATERAL (
      SELECT count(*) AS total, count(*) FILTER (WHERE outcome IN ('IMPORTED', 'UPDATED', 'CANCELLED')) AS succeeded,
        count(*) FILTER (WHERE outcome IN ('ALREADY_IMPORTED', 'UNCHANGED')) AS already, count(*) FILTER (WHERE outcome = 'CANCELLED_BEFORE') AS cancelled,
        count(*) FILTER (WHERE outcome = 'FAILED') AS failed
      FROM import_rows r WHERE r.organization_id = j.organization_id AND r.job_id = j.id) r ON true
    WHERE (j.total_rows, j.succeeded_rows, j.already_imported_rows, j.cancelled_before_rows, j.failed_rows)
      IS DISTINCT FROM (r.total, r.succeeded, r.already, r.cancelled, r.failed)
  UNION ALL
  SELECT 'imported rows whose booking is missing', count(*)::int FROM import_rows r
    WHERE r.outcome = 'IMPORTED' AND r.result ? 'bookingId' AND NOT EXISTS (SELECT FROM bookings b
      WHERE b.organization_id = r.organization_id AND b.id = (r.result->>'bookingId')::uuid)
  UNION ALL
  SELECT 'bookings that no row, or more than one, imported', count(*)::int FROM bookings b
    WHERE b.source = 'API' AND 1 <> (SELECT count(*) FROM import_rows r WHERE r.organization_id = b.organization_id
      AND r.outcome = 'IMPORTED' AND r.result->>'bookingId' = b.id::text)
  UNION ALL
  SELECT 'external ids that live twice', count(*)::int FROM (
    SELECT FROM bookings WHERE status = 'CONFIRMED' AND external_booking_id IS NOT NULL
    GROUP BY organization_id, external_booking_id HAVING count(*) > 1) twice
  UNION ALL
  SELECT 'bookings without exactly one entry and one charge for it', count(*)::int FROM bookings b
    WHERE 1 <> (SELECT count(*) FROM start_list_entries e WHERE e.organization_id = b.organization_id AND e.booking_id = b.id)
      OR 1 <> (SELECT count(*) FROM line_items l WHERE l.organization_id = b.organization_id AND l.booking_id = b.id
        AND l.item_type = 'TICKET')
  UNION ALL
  SELECT 'counters of organizations', count(*)::int FROM organizations o
    WHERE tally(o.id, 'participants', o.id) <> (SELECT count(*) FROM start_list_entries e
      WHERE e.organization_id = o.id AND e.approval_status = 'APPROVED')
  UNION ALL
  SELECT 'counters of tags', count(*)::int FROM (
      SELECT organization_id, md5(tag)::uuid AS subject_id, count(DISTINCT e.id) AS n FROM start_list_entries e
      CROSS JOIN unnest(e.tags) tag WHERE e.approval_status = 'APPROVED' GROUP BY 1, 2) counted
    FULL JOIN (SELECT organization_id, subject_id, sum(delta) AS n FROM tallies WHERE kind = 'taggedParticipants'
      GROUP BY 1, 2 HAVING sum(delta) <> 0) kept USING (organization_id, subject_id)
    WHERE counted.n IS DISTINCT FROM kept.n
  UNION ALL
  SELECT 'counters of timing messages', count(*)::int FROM (
      SELECT organization_id, CASE WHEN applied_at IS NULL THEN 'timingPending' WHEN waiting_for IS NOT NULL THEN 'timingWaiting'
        ELSE 'timingApplied' END AS kind, count(*) AS n
      FROM race_day_log WHERE source = 'TIMING' GROUP BY 1, 2) counted
    FULL JOIN (SELECT organization_id, kind, sum(delta) AS n FROM tallies
      WHERE kind LIKE 'timing%' AND subject_id = organization_id GROUP BY 1, 2 HAVING sum(delta) <> 0) kept
      USING (organization_id, kind)
    WHERE counted.n IS DISTINCT FROM kept.n
  UNION ALL
  SELECT 'counters of tickets', count(*)::int FROM tickets t
    WHERE tally(t.organization_id, 'ticketPlaces', t.id) <> (SELECT count(*) FROM start_list_entries e
      WHERE e.organization_id = t.organization_id AND e.ticket_id = t.id AND e.approval_status = 'APPROVED'
        AND e.takes_place AND e.starts_unit AND e.cancelled_at IS NULL)
  UNION ALL
  SELECT 'counters of races', count(*)::int FROM races r CROSS JOIN LATERAL (
      SELECT count(*) AS participants, count(*) FILTER (WHERE e.takes_place AND e.cancelled_at IS NULL) AS places
      FROM start_list_entries e
      WHERE e.organization_id = r.organization_id AND e.race_id = r.id AND e.approval_status = 'APPROVED') counted
    WHERE tally(r.organization_id, 'raceParticipants', r.id) <> counted.participants
      OR tally(r.organization_id, 'racePlaces', r.id) <> counted.places
  UNION ALL
  SELECT 'places of reserved groups', count(*)::int FROM reserved_entry_groups g
    WHERE g.used_capacity > g.max_capacity OR g.used_capacity <> (SELECT count(*) FROM start_list_entries e
      WHERE e.organization_id = g.organization_id AND e.reserved_entry_group_id = g.id AND e.holds_reserved_place)
  UNION ALL
  SELECT 'places of their tickets', count(*)::int FROM reserved_entry_group_tickets g
    WHERE g.used_capacity <> (SELECT count(*) FROM start_list_entries e WHERE e.organization_id = g.organization_id
      AND e.reserved_entry_group_id = g.reserved_entry_group_id AND e.ticket_id = g.ticket_id AND e.holds_reserved_place)
  UNION ALL
  SELECT 'uses of discount codes', count(*)::int FROM discount_codes d
    WHERE d.usage_count > d.limit_usage OR d.usage_count <> (SELECT coalesce(sum(b.discount_uses), 0) FROM bookings b
      WHERE b.organization_id = d.organization_id AND b.discount_code_id = d.id AND b.status = 'CONFIRMED')
  UNION ALL
  SELECT 'bibs worn twice', count(*)::int FROM (
    SELECT FROM start_list_entries WHERE bib_number IS NOT NULL
    GROUP BY organization_id, race_id, bib_number HAVING count(*) > 1) twice
`;

/** Recounts all counters from the rows, of all organizations. @returns the number of errors of each kind */
export const recount = (dataSource: DataSource): Promise<{ what: string; count: number }[]> =>
  dataSource.query(WRONG);

/** Only the counters, for data that factories have made. */
export async function expectCountersRight(dataSource: DataSource): Promise<void> {
  const counters = (await recount(dataSource)).filter(({ what }) =>
    /^(counters|places|uses|bibs)/.test(what),
  );
  expect(counters.length).toBeGreaterThan(6);
  expect(counters.filter(({ count }) => count > 0)).toEqual([]);
}

export async function expectCountsRight(dataSource: DataSource): Promise<void> {
  const wrong = await recount(dataSource);
  expect(wrong.length).toBeGreaterThan(10);
  expect(wrong.filter(({ count }) => count > 0)).toEqual([]);
}
