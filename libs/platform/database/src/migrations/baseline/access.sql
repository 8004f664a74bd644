CREATE TABLE api_keys (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  last4 text NOT NULL,
  event_occurrence_ids uuid[],
  endpoints text[],
  created_at timestamptz NOT NULL DEFAULT date_trunc('second', clock_timestamp()),
  revoked_at timestamptz,
  last_used_at timestamptz,
  read_only boolean NOT NULL DEFAULT false,
  expires_at timestamptz,
  permissions text[],
  reads text[],
  partner_id uuid,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
);
CREATE INDEX api_keys_name_idx ON api_keys (organization_id, name);
-- Not on last_used_at, which moves all the time.
CREATE TRIGGER announce_access AFTER DELETE
  OR UPDATE OF event_occurrence_ids, endpoints, permissions, reads, read_only, expires_at, revoked_at ON api_keys
  FOR EACH ROW EXECUTE FUNCTION announce_access();

CREATE TABLE staff_members (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  email text NOT NULL,
  email_normalized text NOT NULL,
  role text NOT NULL,
  password_hash text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_signed_in_at timestamptz,
  removed_at timestamptz,
  partner_id uuid,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT staff_members_partner CHECK ((role = 'PARTNER') = (partner_id IS NOT NULL)),
  CONSTRAINT staff_members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations,
  CONSTRAINT staff_members_partner_id_fkey FOREIGN KEY (organization_id, partner_id) REFERENCES partners
);
CREATE UNIQUE INDEX staff_members_email_idx
  ON staff_members (organization_id, email_normalized) WHERE removed_at IS NULL;
CREATE TRIGGER announce_access AFTER DELETE OR UPDATE OF role, removed_at ON staff_members
  FOR EACH ROW EXECUTE FUNCTION announce_access();

CREATE TABLE staff_links (
  organization_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  member_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, token_hash),
  CONSTRAINT staff_links_member_id_fkey FOREIGN KEY (organization_id, member_id) REFERENCES staff_members
);
CREATE INDEX staff_links_member_idx ON staff_links (organization_id, member_id);

CREATE TABLE staff_sessions (
  organization_id uuid NOT NULL,
  secret_hash bytea NOT NULL,
  member_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, secret_hash),
  CONSTRAINT staff_sessions_member_id_fkey FOREIGN KEY (organization_id, member_id) REFERENCES staff_members
);
CREATE INDEX staff_sessions_member_idx ON staff_sessions (organization_id, member_id);
CREATE INDEX staff_sessions_last_seen_idx ON staff_sessions (last_seen_at);
CREATE TRIGGER announce_access AFTER DELETE ON staff_sessions FOR EACH ROW EXECUTE FUNCTION announce_access();

CREATE UNLOGGED TABLE rate_windows (
  api_key_id uuid NOT NULL,
  endpoint text NOT NULL,
  window_start timestamptz NOT NULL,
  used integer NOT NULL,
  PRIMARY KEY (api_key_id, endpoint)
);

CREATE TABLE request_log (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  at timestamptz NOT NULL,
  api_key_id uuid NOT NULL,
  operation text NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  status smallint NOT NULL,
  ms real NOT NULL,
  request_id text NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX request_log_organization_idx ON request_log (organization_id, at, id);
CREATE INDEX request_log_key_idx ON request_log (organization_id, api_key_id, at, id);
CREATE INDEX request_log_route_idx ON request_log (organization_id, route, at, id);
CREATE INDEX request_log_refused_idx ON request_log (organization_id, at, id) WHERE status >= 400;

-- Writes what a process has seen of all organizations, up to "most" rows for each key and clock hour. A quarter of
-- them is left to refusals. It returns how many rows each key has then. The lock makes the limit hold for several
-- processes.
CREATE FUNCTION record_requests(entries json, most integer)
RETURNS TABLE(api_key_id uuid, hour timestamptz, written integer) LANGUAGE sql SECURITY DEFINER AS $$
  SELECT pg_advisory_xact_lock(5717255);
  WITH given AS MATERIALIZED (
    SELECT g.*, date_trunc('hour', g.at, 'UTC') AS hour FROM json_to_recordset(entries) g (organization_id uuid, at timestamptz,
      api_key_id uuid, operation text, method text, route text, status smallint, ms real, request_id text)
  ), taken AS MATERIALIZED (
    SELECT k.*, (SELECT count(*) FROM (SELECT FROM request_log r
        WHERE r.organization_id = k.organization_id AND r.api_key_id = k.api_key_id
          AND r.at >= k.hour AND r.at < k.hour + interval '1 hour' LIMIT most) there)::int AS rows
    FROM (SELECT DISTINCT organization_id, api_key_id, hour FROM given) k
  ), ranked AS (
    SELECT g.*, t.rows + row_number() OVER (
      PARTITION BY g.organization_id, g.api_key_id, g.hour ORDER BY g.status < 400, g.at) AS place
    FROM given g
    JOIN taken t ON t.organization_id = g.organization_id AND t.api_key_id = g.api_key_id AND t.hour = g.hour
  ), written AS (
    INSERT INTO request_log (organization_id, id, at, api_key_id, operation, method, route, status, ms, request_id)
    SELECT organization_id, uuid_v7(), at, api_key_id, operation, method, route, status, ms, request_id FROM ranked
    WHERE place <= CASE WHEN status >= 400 THEN most ELSE most - most / 4 END
    RETURNING organization_id, api_key_id, date_trunc('hour', at, 'UTC') AS hour
  )
  SELECT t.api_key_id, t.hour, t.rows + (SELECT count(*)::int FROM written w
    WHERE w.organization_id = t.organization_id AND w.api_key_id = t.api_key_id AND w.hour = t.hour)
  FROM taken t
$$;

CREATE FUNCTION forget_requests_of(organization uuid, seconds double precision, most integer)
RETURNS SETOF integer LANGUAGE sql SECURITY DEFINER AS $$
  WITH gone AS (
    DELETE FROM request_log WHERE organization_id = organization AND id IN (
      SELECT id FROM request_log
      WHERE organization_id = organization AND at < statement_timestamp() - make_interval(secs => seconds)
      ORDER BY at LIMIT most FOR UPDATE SKIP LOCKED)
    RETURNING 1
  )
  SELECT count(*)::int FROM gone
$$;
