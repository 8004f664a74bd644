import { WAITING_FOR } from '#domain/imports';
import { type RunsOn, statement, typed } from '#platform/database';
import { instant } from '#platform/queries';
import type { AttentionItem, AttentionKind, DayOfEntries, EventToCome } from './attention.dto';

const MOST = 10;
/** The share of places from which a race is nearly full. */
const NEARLY_FULL = 0.95;
const LAG_SECONDS = 60;

/** The import `j` was not undone. */
const STANDS = /* sql */ `NOT EXISTS (SELECT FROM import_jobs u
          WHERE u.organization_id = $1 AND u.undoes_job_id = j.id AND u.status = 'COMPLETED' AND NOT u.dry_run)`;

/** The newest of a kind. */
const some = (select: string): string => `(${select} ORDER BY since DESC NULLS LAST LIMIT ${MOST})`;

/** Each part reads few rows by an index: of recent jobs, endpoints, races to come, and pending applications and messages. */
const ATTENTION = statement({
  parameters: ['uuid'],
  columns: {
    kind: typed<AttentionKind>('text'),
    id: 'uuid?',
    title: 'text?',
    eventTitle: 'text?',
    eventOccurrenceId: 'uuid?',
    count: 'int',
    total: 'int?',
    since: 'text?',
  },
  sql: `
    SELECT kind, id, title, "eventTitle",
      CASE kind WHEN 'APPLICATIONS' THEN (SELECT k.event_occurrence_id FROM tickets k WHERE k.organization_id = $1 AND k.id = found.id) END
        AS "eventOccurrenceId",
      count, total, ${instant('since')} AS since FROM (
    ${some(`
      SELECT 'IMPORT_FAILURES' AS kind, j.id, j.surface AS title, NULL::text AS "eventTitle", j.failed_rows - later.corrected_rows AS count,
        j.total_rows AS total, j.created_at AS since
      FROM import_jobs j CROSS JOIN LATERAL (
        SELECT coalesce(sum(c.succeeded_rows + c.already_imported_rows + c.cancelled_before_rows), 0)::int AS corrected_rows
        FROM import_jobs c WHERE c.organization_id = j.organization_id AND c.corrects_job_id = j.id AND NOT c.dry_run
      ) later
      WHERE j.organization_id = $1 AND j.created_at > clock_timestamp() - interval '7 days' AND j.failed_rows > 0
        AND j.corrects_job_id IS NULL AND NOT j.dry_run AND j.mode NOT IN ('UNDO', 'CHANGE') AND j.failed_rows > later.corrected_rows AND ${STANDS}`)}
    UNION ALL
    ${some(`
      SELECT 'IMPORT_WARNINGS', j.id, j.surface, NULL, j.warned_rows, j.total_rows, j.created_at AS since
      FROM import_jobs j
      WHERE j.organization_id = $1 AND j.created_at > clock_timestamp() - interval '7 days' AND j.warned_rows > 0
        AND NOT j.dry_run AND ${STANDS}`)}
    UNION ALL
    ${some(`
      SELECT 'IMPORT_WAITING', t.id, t.surface, NULL, extract(epoch FROM clock_timestamp() - t.created_at)::int / 60, t.total_rows,
        t.created_at AS since
      FROM import_jobs t
      WHERE t.organization_id = $1 AND t.status IN ('QUEUED', 'RUNNING')
        AND t.created_at < clock_timestamp() - interval '10 minutes' AND ${WAITING_FOR} IS NOT NULL`)}
    UNION ALL
    ${some(`
      SELECT CASE WHEN w.disabled_reason IS NULL THEN 'ENDPOINT_FAILING' ELSE 'ENDPOINT_DISABLED' END, w.id, w.url, NULL,
        w.failures_in_row, NULL::int, coalesce(w.disabled_at, w.failing_since) AS since
      FROM webhook_endpoints w
      WHERE w.organization_id = $1 AND w.deleted_at IS NULL
        AND (w.disabled_at IS NULL AND w.failing_since IS NOT NULL OR w.disabled_reason = 'FAILING')`)}
    UNION ALL
    ${some(`
      SELECT CASE WHEN r.used > r.max_capacity THEN 'RACE_OVERBOOKED' ELSE 'RACE_NEARLY_FULL' END, r.event_occurrence_id, r.title, r.event,
        r.used, r.max_capacity, NULL::timestamptz AS since
      FROM (
        SELECT r.*, o.title AS event, tally($1, 'racePlaces', r.id)::int AS used FROM event_occurrences o
        JOIN races r ON r.organization_id = o.organization_id AND r.event_occurrence_id = o.id
        WHERE o.organization_id = $1 AND o.start_date >= current_date AND r.max_capacity > 0
      ) r
      WHERE r.used >= r.max_capacity * ${NEARLY_FULL}`)}
    UNION ALL
    ${some(`
      SELECT 'APPLICATIONS', k.id, k.title, o.title, waiting.count, NULL::int, waiting.since
      FROM (
        SELECT e.ticket_id, count(*)::int AS count, min(e.created_at) AS since FROM start_list_entries e
        WHERE e.organization_id = $1 AND e.approval_status = 'PENDING' AND e.cancelled_at IS NULL GROUP BY 1
      ) waiting
      JOIN tickets k ON k.organization_id = $1 AND k.id = waiting.ticket_id
      JOIN event_occurrences o ON o.organization_id = $1 AND o.id = k.event_occurrence_id`)}
    UNION ALL
    SELECT 'UNIDENTIFIED_MESSAGES', NULL, NULL, NULL, messages::int, NULL, NULL
    FROM (SELECT tally($1, 'timingWaiting', $1) AS messages) waiting WHERE messages > 0
    UNION ALL
    SELECT 'FEED_LAG', NULL, NULL, NULL, extract(epoch FROM clock_timestamp() - received_at)::int, NULL, received_at
    FROM (SELECT l.received_at FROM race_day_log l WHERE l.organization_id = $1 AND l.applied_at IS NULL AND l.waiting_for IS NULL
      ORDER BY l.seq LIMIT 1) oldest
    WHERE received_at < clock_timestamp() - interval '${LAG_SECONDS} seconds'
    ) found
  `,
});

const DAYS = statement({
  parameters: ['uuid'],
  columns: { day: 'text', entries: 'int' },
  sql: `
    SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*)::int AS entries FROM start_list_entries
    WHERE organization_id = $1 AND created_at >= date_trunc('day', clock_timestamp() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '29 days'
      AND approval_status = 'APPROVED' AND cancelled_at IS NULL
    GROUP BY 1 ORDER BY 1
  `,
});

const EVENTS = statement({
  parameters: ['uuid'],
  columns: { id: 'uuid', title: 'text', startDate: 'text', city: 'text?', entries: 'int', places: 'int?' },
  sql: `
    SELECT o.id, o.title, o.start_date::text AS "startDate", o.address->>'city' AS city, races.entries, races.places
    FROM (SELECT * FROM event_occurrences WHERE organization_id = $1 AND start_date >= current_date ORDER BY start_date, id LIMIT 5) o
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(tally($1, 'racePlaces', r.id)), 0)::int AS entries,
        CASE WHEN bool_and(r.max_capacity IS NOT NULL) THEN least(sum(r.max_capacity), 2147483647)::int END AS places
      FROM races r WHERE r.organization_id = o.organization_id AND r.event_occurrence_id = o.id
    ) races
    ORDER BY o.start_date, o.id
  `,
});

export const attention = (on: RunsOn, organizationId: string): Promise<AttentionItem[]> =>
  ATTENTION.rows(on, [organizationId]);

export const entriesByDay = (on: RunsOn, organizationId: string): Promise<DayOfEntries[]> =>
  DAYS.rows(on, [organizationId]);

export const eventsToCome = (on: RunsOn, organizationId: string): Promise<EventToCome[]> =>
  EVENTS.rows(on, [organizationId]);
