CREATE TABLE workers (
  id uuid NOT NULL,
  host text NOT NULL,
  version text NOT NULL,
  queues text[] NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  activity jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (id)
) WITH (fillfactor=50);

-- What is open, for the number of workers that are wanted. Counts up to `most` rows of each kind. An import that
-- runs does not wait. At most `places` imports of an organization run at the same time.
CREATE FUNCTION open_work(places integer, most integer)
RETURNS TABLE(queue text, units double precision, parts integer, waiting_seconds double precision) LANGUAGE sql SECURITY DEFINER AS $$
  SELECT 'imports', coalesce(sum(j.rows), 0)::float8,
    coalesce(sum(least(j.jobs, places)), 0)::int,
    coalesce(extract(epoch FROM clock_timestamp() - min(j.oldest)), 0)::float8
  FROM (
    SELECT count(*) AS jobs, min(created_at) FILTER (WHERE status = 'QUEUED') AS oldest,
      sum(total_rows - succeeded_rows - already_imported_rows - cancelled_before_rows - failed_rows) AS rows
    FROM (SELECT * FROM import_jobs WHERE status IN ('QUEUED', 'RUNNING') ORDER BY created_at LIMIT most) open
    GROUP BY organization_id
  ) j
  UNION ALL
  SELECT 'race-day', coalesce(sum(l.messages), 0)::float8, count(*)::int,
    coalesce(extract(epoch FROM clock_timestamp() - min(l.oldest)), 0)::float8
  FROM (
    SELECT organization_id, count(*) AS messages, min(received_at) AS oldest
    FROM (SELECT organization_id, received_at FROM race_day_log WHERE applied_at IS NULL
      ORDER BY organization_id, seq LIMIT most) pending
    GROUP BY organization_id
  ) l
  UNION ALL
  SELECT 'webhooks', coalesce(sum(d.due), 0)::float8, count(*) FILTER (WHERE d.due > 0)::int,
    coalesce(extract(epoch FROM clock_timestamp() - min(d.oldest)), 0)::float8
  FROM webhook_endpoints w CROSS JOIN LATERAL (
    SELECT count(*) AS due, min(next_attempt_at) AS oldest FROM (
      SELECT next_attempt_at FROM webhook_deliveries
      WHERE organization_id = w.organization_id AND endpoint_id = w.id AND state = 'PENDING' AND next_attempt_at <= clock_timestamp()
      ORDER BY next_attempt_at LIMIT least(most, 10000)) due
  ) d
  WHERE w.disabled_at IS NULL AND w.deleted_at IS NULL AND w.failing_since IS NULL
$$;

-- Organizations with rows that are older than `seconds`. The oldest row of each organization is found by index, from one
-- organization to the next, so that one with many rows costs no more than one with a single row.
DO $do$
BEGIN
  EXECUTE format($sql$
    CREATE FUNCTION organizations_with_expired(kind text, seconds double precision)
    RETURNS SETOF uuid LANGUAGE sql SECURITY DEFINER AS $body$ %s $body$
  $sql$, (
    SELECT string_agg(format($part$(
  WITH RECURSIVE walk AS (
    (SELECT organization_id AS id, %2$I AS oldest FROM %1$I
     WHERE %3$s AND kind = %4$L ORDER BY organization_id, %2$I LIMIT 1)
    UNION ALL
    SELECT next.* FROM walk CROSS JOIN LATERAL (
      SELECT organization_id AS id, %2$I AS oldest FROM %1$I
      WHERE %3$s AND organization_id > walk.id ORDER BY organization_id, %2$I LIMIT 1) next
  )
  SELECT id FROM walk WHERE oldest < statement_timestamp() - make_interval(secs => seconds))$part$,
      rows, aged_by, kept, kind), ' UNION ALL ' ORDER BY place)
    FROM (VALUES
      (1, 'idempotency keys', 'idempotency_keys', 'created_at', 'true'),
      (2, 'audit log', 'audit_log', 'at', 'true'),
      (3, 'requests', 'request_log', 'at', 'true'),
      (4, 'import payloads', 'import_jobs', 'finished_at', 'finished_at IS NOT NULL AND emptied_rows < total_rows'),
      (5, 'dry runs', 'import_jobs', 'finished_at', 'dry_run'),
      (6, 'deliveries', 'webhook_deliveries', 'created_at', 'true'),
      (7, 'change events', 'change_events', 'occurred_at', 'true'),
      (8, 'waiting messages', 'race_day_log', 'applied_at', 'waiting_for IS NOT NULL'),
      (9, 'audited values', 'audit_log', 'at', 'changes IS NOT NULL'),
      (10, 'person jobs', 'person_jobs', 'finished_at', 'finished_at IS NOT NULL')
    ) expiring (place, kind, rows, aged_by, kept)));
END $do$;
