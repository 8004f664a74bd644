CREATE TABLE import_jobs (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  surface text NOT NULL,
  mode text NOT NULL,
  status text NOT NULL DEFAULT 'QUEUED',
  total_rows integer NOT NULL,
  succeeded_rows integer NOT NULL DEFAULT 0,
  already_imported_rows integer NOT NULL DEFAULT 0,
  failed_rows integer NOT NULL DEFAULT 0,
  failure text,
  started_at timestamptz,
  finished_at timestamptz,
  request_id text,
  source text,
  emptied_rows integer NOT NULL DEFAULT 0,
  dry_run boolean NOT NULL DEFAULT false,
  skip_cancelled boolean NOT NULL DEFAULT false,
  cancelled_before_rows integer NOT NULL DEFAULT 0,
  undoes_job_id uuid,
  chunk_entries integer,
  chunk_conflicts integer NOT NULL DEFAULT 0,
  partner_id uuid,
  reopened_at timestamptz,
  corrects_job_id uuid,
  name text,
  sent_by_member_id uuid,
  waiting_since timestamptz,
  event_occurrence_ids uuid[] NOT NULL DEFAULT '{}',
  dry_run_job_id uuid,
  imported_dry_run_id uuid,
  places jsonb,
  warned_rows integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT import_jobs_corrects_job_id_fkey FOREIGN KEY (organization_id, corrects_job_id) REFERENCES import_jobs,
  CONSTRAINT import_jobs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations,
  CONSTRAINT import_jobs_undoes_job_id_fkey FOREIGN KEY (organization_id, undoes_job_id) REFERENCES import_jobs
);
CREATE INDEX import_jobs_open_idx ON import_jobs (created_at) WHERE status IN ('QUEUED', 'RUNNING');
CREATE INDEX import_jobs_created_at_id_idx ON import_jobs (organization_id, created_at, id);
CREATE INDEX import_jobs_organization_open_idx
  ON import_jobs (organization_id, created_at, id) WHERE status IN ('QUEUED', 'RUNNING');
CREATE INDEX import_jobs_undoes_idx
  ON import_jobs (organization_id, undoes_job_id, created_at) WHERE undoes_job_id IS NOT NULL;
CREATE INDEX import_jobs_organization_payloads_idx
  ON import_jobs (organization_id, finished_at, id) WHERE finished_at IS NOT NULL AND emptied_rows < total_rows;
CREATE INDEX import_jobs_organization_dry_run_idx ON import_jobs (organization_id, finished_at) WHERE dry_run;
CREATE INDEX import_jobs_corrects_idx
  ON import_jobs (organization_id, corrects_job_id, created_at) WHERE corrects_job_id IS NOT NULL;
CREATE INDEX import_jobs_attention_idx
  ON import_jobs (organization_id, finished_at)
  WHERE failed_rows > 0 AND corrects_job_id IS NULL AND NOT dry_run AND mode <> 'UNDO';
CREATE UNIQUE INDEX import_jobs_imported_dry_run_idx
  ON import_jobs (organization_id, imported_dry_run_id) WHERE imported_dry_run_id IS NOT NULL;
CREATE INDEX import_jobs_sender_idx
  ON import_jobs (organization_id, sent_by_member_id) WHERE sent_by_member_id IS NOT NULL;
-- Short pending lists, because each search reads all of them.
CREATE INDEX import_jobs_names_idx
  ON import_jobs USING gin (organization_id, lower(coalesce(name, '') || ' '
    || CASE WHEN sent_by_member_id IS NULL THEN coalesce(source, '') ELSE '' END) gin_trgm_ops) WITH (gin_pending_list_limit = 256);
CREATE INDEX import_jobs_occurrences_idx
  ON import_jobs USING gin (organization_id, event_occurrence_ids) WITH (gin_pending_list_limit = 256);

CREATE TABLE import_rows (
  organization_id uuid NOT NULL,
  job_id uuid NOT NULL,
  row_number integer NOT NULL,
  external_id text,
  payload jsonb NOT NULL,
  outcome text,
  result jsonb,
  error_code text,
  error_message text,
  corrects_job_id uuid,
  corrects_row integer,
  error_path text,
  PRIMARY KEY (organization_id, job_id, row_number),
  CONSTRAINT import_rows_job_id_fkey FOREIGN KEY (organization_id, job_id) REFERENCES import_jobs
);
CREATE INDEX import_rows_outcome_idx ON import_rows (organization_id, job_id, outcome, row_number);
CREATE INDEX import_rows_open_idx ON import_rows (organization_id, job_id, row_number) WHERE outcome IS NULL;
CREATE INDEX import_rows_corrections_idx
  ON import_rows (organization_id, corrects_job_id, corrects_row, job_id) WHERE corrects_job_id IS NOT NULL;
CREATE UNIQUE INDEX import_rows_live_corrections_idx
  ON import_rows (organization_id, corrects_job_id, corrects_row)
  WHERE corrects_job_id IS NOT NULL AND outcome IS DISTINCT FROM 'FAILED';

CREATE TABLE import_attempts (
  organization_id uuid NOT NULL,
  job_id uuid NOT NULL,
  worker_id uuid,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  rows integer NOT NULL,
  ends integer NOT NULL DEFAULT 0,
  ends_alone integer NOT NULL DEFAULT 0,
  losses integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, job_id),
  CONSTRAINT import_attempts_job_id_fkey FOREIGN KEY (organization_id, job_id) REFERENCES import_jobs
);
CREATE INDEX import_attempts_worker_idx ON import_attempts (worker_id);

CREATE TABLE dry_run_takings (
  organization_id uuid NOT NULL,
  job_id uuid NOT NULL,
  name bytea NOT NULL,
  value jsonb NOT NULL,
  PRIMARY KEY (organization_id, job_id, name),
  CONSTRAINT dry_run_takings_job_id_fkey FOREIGN KEY (organization_id, job_id) REFERENCES import_jobs
);

CREATE TABLE idempotency_keys (
  organization_id uuid NOT NULL,
  operation text NOT NULL,
  key text NOT NULL,
  body_hash bytea NOT NULL,
  record_id uuid,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, operation, key),
  CONSTRAINT idempotency_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
);
-- The audit log and the request log have theirs.
CREATE INDEX idempotency_keys_organization_created_idx ON idempotency_keys (organization_id, created_at);

CREATE TABLE file_mappings (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  surface text NOT NULL,
  name text NOT NULL,
  fingerprint text NOT NULL,
  mapping jsonb NOT NULL,
  member_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  saved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, id),
  CONSTRAINT file_mappings_member_id_fkey FOREIGN KEY (organization_id, member_id) REFERENCES staff_members,
  CONSTRAINT file_mappings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
);
CREATE UNIQUE INDEX file_mappings_name_idx ON file_mappings (organization_id, surface, name);
CREATE INDEX file_mappings_created_idx ON file_mappings (organization_id, created_at, id);

CREATE TABLE person_jobs (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  email text,
  entry_id uuid,
  dry_run boolean NOT NULL,
  status text NOT NULL DEFAULT 'QUEUED',
  searched_rows bigint NOT NULL DEFAULT 0,
  result jsonb,
  actor jsonb NOT NULL,
  leased_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT person_jobs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
);
CREATE INDEX person_jobs_open_idx ON person_jobs (organization_id, created_at) WHERE status IN ('QUEUED', 'RUNNING');
CREATE INDEX person_jobs_finished_idx ON person_jobs (organization_id, finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE person_job_rows (
  organization_id uuid NOT NULL,
  job_id uuid NOT NULL,
  place integer NOT NULL,
  table_name text NOT NULL,
  keys jsonb NOT NULL,
  PRIMARY KEY (organization_id, job_id, place),
  CONSTRAINT person_job_rows_job_id_fkey FOREIGN KEY (organization_id, job_id) REFERENCES person_jobs
);

CREATE FUNCTION organizations_with_open_person_jobs(beyond uuid, most integer)
RETURNS SETOF uuid LANGUAGE sql SECURITY DEFINER AS $$
  SELECT DISTINCT organization_id FROM person_jobs
  WHERE status IN ('QUEUED', 'RUNNING') AND coalesce(leased_until < clock_timestamp(), true) AND organization_id > beyond
  ORDER BY organization_id LIMIT most
$$;

CREATE FUNCTION release_import_attempts(worker uuid) RETURNS void LANGUAGE sql SECURITY DEFINER AS $$
  UPDATE import_attempts SET worker_id = NULL WHERE worker_id = worker
$$;

-- From one organization to the next by index, so that one with many jobs costs no more than one with a single job.
CREATE FUNCTION organizations_with_open_imports(beyond uuid, most integer)
RETURNS SETOF uuid LANGUAGE sql SECURITY DEFINER AS $$
  WITH RECURSIVE found AS (
    (SELECT organization_id AS id FROM import_jobs
      WHERE status IN ('QUEUED', 'RUNNING') AND organization_id > beyond ORDER BY organization_id LIMIT 1)
    UNION ALL
    SELECT next.id FROM found f CROSS JOIN LATERAL (
      SELECT organization_id AS id FROM import_jobs
      WHERE status IN ('QUEUED', 'RUNNING') AND organization_id > f.id ORDER BY organization_id LIMIT 1) next
  )
  SELECT id FROM found LIMIT most
$$;

-- By the index of open jobs, oldest first.
CREATE FUNCTION open_import_figures(most integer)
RETURNS TABLE(status text, jobs integer, age double precision) LANGUAGE sql SECURITY DEFINER AS $$
  SELECT open.status, count(*)::int,
    greatest(0, extract(epoch FROM clock_timestamp() - min(open.created_at)))::float8
  FROM (SELECT j.status, j.created_at FROM import_jobs j WHERE j.status IN ('QUEUED', 'RUNNING') ORDER BY j.created_at LIMIT most) open
  GROUP BY open.status
$$;
