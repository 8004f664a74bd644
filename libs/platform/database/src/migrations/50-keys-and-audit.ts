import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys that expire or are read-only, and the audit log. */
export class KeysAndAudit1795000000050 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const sql of [KEYS, AUDIT_LOG]) await queryRunner.query(sql);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      DROP TABLE audit_log;
      DROP FUNCTION refuse_audit_change, forget_audit_log;
      DROP TRIGGER announce_key_limits ON api_keys;
      ALTER TABLE api_keys DROP COLUMN read_only, DROP COLUMN expires_at;
    `);
  }
}

const KEYS = /* sql */ `
ALTER TABLE api_keys ADD COLUMN read_only boolean NOT NULL DEFAULT false, ADD COLUMN expires_at timestamptz;
CREATE TRIGGER announce_key_limits AFTER UPDATE OF read_only, expires_at ON api_keys
  FOR EACH ROW EXECUTE FUNCTION announce_access();
`;

/** The trigger protects against errors in code and at the prompt; the owner of the table can drop it. */
const AUDIT_LOG = /* sql */ `
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
  CONSTRAINT audit_log_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_log_organization_at_idx ON audit_log (organization_id, at, id);
CREATE INDEX audit_log_at_idx ON audit_log (at);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('startline.audit_retention', true) = 'on' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'The audit log is append-only: % is refused.', TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- Deletes up to "most" records that are older than "days", oldest first, and returns how many it deleted.
CREATE FUNCTION forget_audit_log(days int, most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  deleted int;
BEGIN
  -- Only a superuser may give a function a setting that PostgreSQL doesn't know.
  PERFORM set_config('startline.audit_retention', 'on', true);
  DELETE FROM audit_log WHERE (organization_id, id) IN (
    SELECT organization_id, id FROM audit_log
    WHERE at < clock_timestamp() - make_interval(days => forget_audit_log.days)
    ORDER BY at LIMIT most);
  GET DIAGNOSTICS deleted = ROW_COUNT;
  PERFORM set_config('startline.audit_retention', '', true);
  RETURN deleted;
END $$;
`;
