import type { Resource } from '#platform/queries';
import { OccurrenceEntries } from './occurrence-entries.dto';

const MOST_DAYS = 800;

/** The days with entries of an occurrence, oldest first: of who is registered now. */
const daysOf = (occurrence: string): string => `(
  SELECT coalesce(json_agg(d ORDER BY d.day), '[]') FROM (
    SELECT (e.created_at AT TIME ZONE ${occurrence}.time_zone)::date AS day,
      count(*) FILTER (WHERE b.source = 'WEBSITE')::int AS website,
      count(*) FILTER (WHERE b.source = 'API')::int AS api,
      count(*) FILTER (WHERE b.source = 'DASHBOARD')::int AS dashboard
    FROM start_list_entries e
    JOIN bookings b ON b.organization_id = e.organization_id AND b.id = e.booking_id
    WHERE e.organization_id = ${occurrence}.organization_id AND e.event_id = ${occurrence}.event_id
      AND e.event_occurrence_id = ${occurrence}.id AND e.approval_status = 'APPROVED' AND e.cancelled_at IS NULL
    GROUP BY 1 ORDER BY 1 DESC LIMIT ${MOST_DAYS}) d)`;

export const OCCURRENCE_ENTRIES: Resource = {
  schema: OccurrenceEntries,
  from: 'event_occurrences t',
  select: `
    t.start_date AS "startDate",
    ${daysOf('t')} AS "days",
    (SELECT json_build_object('id', p.id, 'title', p.title, 'startDate', p.start_date, 'days', ${daysOf('p')})
      FROM event_occurrences p
      WHERE p.organization_id = t.organization_id AND p.event_id = t.event_id AND p.start_date < t.start_date
      ORDER BY p.start_date DESC, p.id LIMIT 1) AS "previous"`,
};
