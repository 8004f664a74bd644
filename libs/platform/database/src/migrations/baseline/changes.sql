CREATE TABLE change_event_feeds (
  organization_id uuid NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  complete boolean NOT NULL DEFAULT false,
  fanned_out_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  fanned_out_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'::uuid,
  PRIMARY KEY (organization_id),
  CONSTRAINT change_event_feeds_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
);

CREATE TABLE change_events (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  type text NOT NULL,
  subject_id uuid NOT NULL,
  event_occurrence_id uuid,
  data jsonb NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX change_events_occurred_idx ON change_events (organization_id, occurred_at, id);
CREATE INDEX change_events_occurrence_idx
  ON change_events (organization_id, event_occurrence_id, occurred_at, id) WHERE event_occurrence_id IS NOT NULL;
-- Where a trigger looks for what its own transaction has announced of the same row.
CREATE INDEX change_events_merging_idx
  ON change_events (organization_id, subject_id, occurred_at) WHERE right(type, 7) = 'updated';

-- No foreign keys between them: a delivery would lock the row of its endpoint, which every worker updates.
CREATE TABLE webhook_endpoints (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  url text NOT NULL,
  description text,
  types text[] NOT NULL,
  event_occurrence_ids uuid[],
  secret text NOT NULL,
  previous_secret text,
  previous_secret_until timestamptz,
  disabled_at timestamptz,
  disabled_reason text,
  failing_since timestamptz,
  failures_in_row integer NOT NULL DEFAULT 0,
  lease uuid,
  leased_until timestamptz,
  deleted_at timestamptz,
  behind_at timestamptz,
  behind_id uuid,
  missed_until timestamptz,
  api_key_id uuid,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT webhook_endpoints_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
);

CREATE TABLE webhook_deliveries (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  endpoint_id uuid NOT NULL,
  event_id uuid NOT NULL,
  type text NOT NULL,
  state text NOT NULL DEFAULT 'PENDING',
  failures integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX webhook_deliveries_created_idx ON webhook_deliveries (organization_id, created_at, id);
CREATE INDEX webhook_deliveries_due_idx
  ON webhook_deliveries (organization_id, endpoint_id, next_attempt_at) WHERE state = 'PENDING';

CREATE TABLE webhook_attempts (
  organization_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  id uuid NOT NULL,
  attempted_at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  status integer,
  error text,
  response text,
  PRIMARY KEY (organization_id, delivery_id, id)
);

CREATE FUNCTION announce_import_finished() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  data jsonb := jsonb_build_object('importJobId', NEW.id, 'surface', NEW.surface, 'status', NEW.status, 'totalRows', NEW.total_rows,
    'succeededRows', NEW.succeeded_rows, 'alreadyImportedRows', NEW.already_imported_rows,
    'cancelledBeforeRows', NEW.cancelled_before_rows, 'failedRows', NEW.failed_rows);
BEGIN
  INSERT INTO change_events (organization_id, id, type, subject_id, data)
  SELECT NEW.organization_id, uuid_v7(), 'import.finished', NEW.id, data
  FROM change_event_feeds f WHERE f.organization_id = NEW.organization_id;
  INSERT INTO change_events (organization_id, id, type, subject_id, data)
  SELECT NEW.organization_id, uuid_v7(), 'import.needs_attention', NEW.id, data || '{"reason": "FAILED_ROWS"}'
  FROM change_event_feeds f WHERE f.organization_id = NEW.organization_id
    AND NEW.mode NOT IN ('UNDO', 'CHANGE') AND (NEW.failed_rows > 0 OR NEW.status = 'FAILED');
  RETURN NULL;
END $$;
-- A dry run changes nothing, so its end has no change event.
CREATE TRIGGER announce_finished AFTER UPDATE ON import_jobs
  FOR EACH ROW WHEN (OLD.status <> NEW.status AND NEW.status IN ('COMPLETED', 'FAILED') AND NOT NEW.dry_run)
  EXECUTE FUNCTION announce_import_finished();

CREATE FUNCTION announce_import_waiting() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  data jsonb := jsonb_build_object('importJobId', NEW.id, 'surface', NEW.surface, 'status', NEW.status, 'totalRows', NEW.total_rows,
    'succeededRows', NEW.succeeded_rows, 'alreadyImportedRows', NEW.already_imported_rows,
    'cancelledBeforeRows', NEW.cancelled_before_rows, 'failedRows', NEW.failed_rows);
BEGIN
  INSERT INTO change_events (organization_id, id, type, subject_id, data)
  SELECT NEW.organization_id, uuid_v7(), 'import.needs_attention', NEW.id, data || '{"reason": "WAITING"}'
  FROM change_event_feeds f WHERE f.organization_id = NEW.organization_id;
  RETURN NULL;
END $$;
CREATE TRIGGER announce_waiting AFTER UPDATE ON import_jobs
  FOR EACH ROW WHEN (OLD.waiting_since IS NULL AND NEW.waiting_since IS NOT NULL AND OLD.status = NEW.status)
  EXECUTE FUNCTION announce_import_waiting();

CREATE FUNCTION announce_key_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change_events (organization_id, id, type, subject_id, data)
  SELECT NEW.organization_id, uuid_v7(), 'key.revoked', NEW.id, jsonb_build_object('keyId', NEW.id, 'kind', NEW.kind)
  FROM change_event_feeds f WHERE f.organization_id = NEW.organization_id;
  RETURN NULL;
END $$;
CREATE TRIGGER announce_revoked AFTER UPDATE ON api_keys
  FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
  EXECUTE FUNCTION announce_key_revoked();

CREATE FUNCTION announce_endpoint_disabled() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change_events (organization_id, id, type, subject_id, data)
  SELECT NEW.organization_id, uuid_v7(), 'webhook_endpoint.disabled', NEW.id,
    jsonb_build_object('webhookEndpointId', NEW.id, 'reason', NEW.disabled_reason)
  FROM change_event_feeds f WHERE f.organization_id = NEW.organization_id;
  RETURN NULL;
END $$;
CREATE TRIGGER announce_disabled AFTER UPDATE ON webhook_endpoints
  FOR EACH ROW WHEN (OLD.disabled_at IS NULL AND NEW.disabled_at IS NOT NULL)
  EXECUTE FUNCTION announce_endpoint_disabled();

-- The list and every delivery send these bytes, so they use one definition.
CREATE FUNCTION change_event_body(id uuid, type text, occurred_at timestamptz, data jsonb)
RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT '{"id":"' || id || '","type":"' || type || '","timestamp":"'
  || to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '","data":' || data || '}'
$$;

CREATE FUNCTION count_change_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tallies (organization_id, kind, subject_id, delta)
  SELECT organization_id, 'changeEvents', organization_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
  FROM changed_rows GROUP BY organization_id;
  RETURN NULL;
END $$;
CREATE TRIGGER count_deleted AFTER DELETE ON change_events
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION count_change_events();
CREATE TRIGGER count_inserted AFTER INSERT ON change_events
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION count_change_events();

-- With an endpoint, and with an event after their position and below the watermark.
CREATE FUNCTION organizations_with_new_events(watermark timestamptz)
RETURNS SETOF uuid LANGUAGE sql SECURITY DEFINER AS $$
  SELECT f.organization_id FROM change_event_feeds f
  WHERE EXISTS (SELECT FROM webhook_endpoints w
      WHERE w.organization_id = f.organization_id AND w.disabled_at IS NULL AND w.deleted_at IS NULL)
    AND EXISTS (SELECT FROM change_events e WHERE e.organization_id = f.organization_id
      AND (e.occurred_at, e.id) > (f.fanned_out_at, f.fanned_out_id) AND e.occurred_at < watermark)
$$;

-- Of each organization the endpoint that is furthest behind, of those with at most so many pending deliveries.
CREATE FUNCTION webhook_endpoints_behind(most integer)
RETURNS TABLE(organization_id uuid, endpoint_id uuid) LANGUAGE sql SECURITY DEFINER AS $$
  SELECT DISTINCT ON (w.organization_id) w.organization_id, w.id FROM webhook_endpoints w
  WHERE w.behind_at IS NOT NULL AND w.disabled_at IS NULL AND w.deleted_at IS NULL
    AND (SELECT count(*) FROM (
      SELECT FROM webhook_deliveries d
      WHERE d.organization_id = w.organization_id AND d.endpoint_id = w.id AND d.state = 'PENDING' LIMIT most + 1) pending) <= most
  ORDER BY w.organization_id, w.behind_at, w.id
$$;

-- One index lookup per endpoint.
CREATE FUNCTION webhook_endpoints_due()
RETURNS TABLE(organization_id uuid, endpoint_id uuid) LANGUAGE sql SECURITY DEFINER AS $$
  SELECT w.organization_id, w.id FROM webhook_endpoints w
  CROSS JOIN LATERAL (
    SELECT d.next_attempt_at AS at FROM webhook_deliveries d
    WHERE d.organization_id = w.organization_id AND d.endpoint_id = w.id AND d.state = 'PENDING'
      AND d.next_attempt_at <= clock_timestamp()
    ORDER BY d.next_attempt_at LIMIT 1
  ) due
    WHERE w.disabled_at IS NULL AND w.deleted_at IS NULL
      AND (w.leased_until IS NULL OR w.leased_until < clock_timestamp())
    ORDER BY row_number() OVER (PARTITION BY w.organization_id ORDER BY due.at), due.at LIMIT 1000
$$;

-- Of each organization one. While an endpoint is leased, a run may be sending to it.
CREATE FUNCTION webhook_endpoints_deleted()
RETURNS TABLE(organization_id uuid, endpoint_id uuid) LANGUAGE sql SECURITY DEFINER AS $$
  SELECT DISTINCT ON (w.organization_id) w.organization_id, w.id FROM webhook_endpoints w
  WHERE w.deleted_at IS NOT NULL AND (w.leased_until IS NULL OR w.leased_until < clock_timestamp())
  ORDER BY w.organization_id, w.deleted_at, w.id
$$;

-- By endpoint and index: deliveries of disabled endpoints wait for their owner.
CREATE FUNCTION webhook_figures(most integer)
RETURNS TABLE(lag double precision, waiting double precision, disabled integer, failing integer) LANGUAGE sql SECURITY DEFINER AS $$
  SELECT coalesce(greatest(0, extract(epoch FROM clock_timestamp() - min(oldest.at))), 0)::float8,
    coalesce(sum(oldest.due), 0)::float8,
    (SELECT count(*) FROM webhook_endpoints WHERE disabled_reason IN ('GONE', 'FAILING') AND deleted_at IS NULL)::int,
    (SELECT count(*) FROM webhook_endpoints
      WHERE failing_since IS NOT NULL AND disabled_at IS NULL AND deleted_at IS NULL)::int
  FROM webhook_endpoints w CROSS JOIN LATERAL (
    SELECT min(next_attempt_at) AS at, count(*) AS due FROM (SELECT next_attempt_at FROM webhook_deliveries d
      WHERE d.organization_id = w.organization_id AND d.endpoint_id = w.id AND d.state = 'PENDING'
        AND d.next_attempt_at <= clock_timestamp()
      ORDER BY d.next_attempt_at LIMIT most) due
  ) oldest
  WHERE w.disabled_at IS NULL AND w.deleted_at IS NULL AND w.failing_since IS NULL
$$;
