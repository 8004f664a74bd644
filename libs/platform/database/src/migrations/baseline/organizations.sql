CREATE TABLE organizations (
  id uuid NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  website text,
  logo_url text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  sandbox boolean NOT NULL DEFAULT false,
  deleted_at timestamptz,
  PRIMARY KEY (id),
  CONSTRAINT organizations_slug_key UNIQUE (slug)
);

CREATE TABLE organization_surfaces (
  organization_id uuid NOT NULL,
  surface text NOT NULL,
  PRIMARY KEY (organization_id, surface),
  CONSTRAINT organization_surfaces_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
);

CREATE TABLE organization_versions (
  organization_id uuid NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  delta bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, id)
);

CREATE TABLE erasure_secrets (
  generation integer NOT NULL,
  verification text NOT NULL,
  accepted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (generation)
);

-- The trigger protects against errors in code and at the prompt; the owner of the table can drop it.
CREATE TABLE audit_log (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor_type text NOT NULL,
  actor_id text,
  origin text,
  action text NOT NULL,
  object_type text NOT NULL,
  object_id text,
  details jsonb NOT NULL DEFAULT '{}',
  changes jsonb,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_log_organization_at_idx ON audit_log (organization_id, at, id);
CREATE INDEX audit_log_object_idx ON audit_log (organization_id, object_id, at, id);
CREATE INDEX audit_log_changes_idx ON audit_log (organization_id, at) WHERE changes IS NOT NULL;

CREATE FUNCTION rename_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_occurrences SET updated_at = clock_timestamp() WHERE organization_id = NEW.id;
  RETURN NULL;
END $$;
-- The occurrences of a closed organization are removed, and of a reopened one shown again: their times move.
CREATE TRIGGER close_organization AFTER UPDATE ON organizations
  FOR EACH ROW WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at) EXECUTE FUNCTION rename_organization();
CREATE TRIGGER rename_organization AFTER UPDATE ON organizations
  FOR EACH ROW WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION rename_organization();

CREATE FUNCTION organization_of_slug(wanted text) RETURNS uuid LANGUAGE sql SECURITY DEFINER AS $$
  SELECT id FROM organizations WHERE slug = wanted AND deleted_at IS NULL
$$;

CREATE FUNCTION organizations_beyond(beyond uuid, most integer)
RETURNS SETOF uuid LANGUAGE sql SECURITY DEFINER AS $$
  SELECT id FROM organizations WHERE id > beyond ORDER BY id LIMIT most
$$;

-- A write changes the version of the organization, which the ETags of its responses contain.
CREATE FUNCTION record_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO organization_versions (organization_id, delta)
  SELECT organization_id, (random() * 4611686018427387904)::bigint FROM (SELECT DISTINCT organization_id FROM changed_rows) changed;
  RETURN NULL;
END $$;

-- Responses show the slug, in links.
CREATE FUNCTION record_own_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO organization_versions (organization_id, delta)
  SELECT organization_id, (random() * 4611686018427387904)::bigint FROM (SELECT NEW.id AS organization_id) changed;
  RETURN NULL;
END $$;
CREATE TRIGGER version_own AFTER UPDATE ON organizations FOR EACH ROW EXECUTE FUNCTION record_own_write();

-- As compact_counters: a reader sees either all deltas or their sum.
CREATE FUNCTION compact_versions(crowded integer) RETURNS void LANGUAGE sql SECURITY DEFINER AS $$
  WITH crowds AS (
    SELECT organization_id FROM organization_versions GROUP BY organization_id HAVING count(*) > crowded LIMIT 500
  ), gone AS (
    DELETE FROM organization_versions v USING crowds c WHERE v.organization_id = c.organization_id
    RETURNING v.organization_id, v.delta, v.at
  )
  INSERT INTO organization_versions (organization_id, delta, at)
  SELECT organization_id, (sum(delta) % 4611686018427387904)::bigint, max(at) FROM gone GROUP BY organization_id
$$;

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('startline.audit_retention', true) = 'on' THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) = to_jsonb(OLD) || '{"changes": null}' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'The audit log is append-only: % is refused.', TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER refuse_change BEFORE DELETE OR UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- The setting permits it to the end of the transaction.
CREATE FUNCTION forget_audit_of(organization uuid, seconds double precision, most integer)
RETURNS SETOF integer LANGUAGE sql SECURITY DEFINER AS $$
  SELECT set_config('startline.audit_retention', 'on', true);
  WITH gone AS (
    DELETE FROM audit_log WHERE organization_id = organization AND id IN (
      SELECT id FROM audit_log
      WHERE organization_id = organization AND at < statement_timestamp() - make_interval(secs => seconds)
      ORDER BY at LIMIT most FOR UPDATE SKIP LOCKED)
    RETURNING 1
  )
  SELECT count(*)::int FROM gone
$$;

-- Every API process listens on channel `access` and drops its cache of the named organization.
CREATE FUNCTION announce_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('access', CASE TG_TABLE_NAME
    WHEN 'organizations' THEN to_jsonb(coalesce(NEW, OLD))->>'id'
    ELSE to_jsonb(coalesce(NEW, OLD))->>'organization_id' END);
  RETURN NULL;
END $$;
CREATE TRIGGER announce_access AFTER INSERT OR DELETE OR UPDATE ON organization_surfaces
  FOR EACH ROW EXECUTE FUNCTION announce_access();
CREATE TRIGGER announce_access AFTER INSERT OR DELETE OR UPDATE OF deleted_at ON organizations
  FOR EACH ROW EXECUTE FUNCTION announce_access();
