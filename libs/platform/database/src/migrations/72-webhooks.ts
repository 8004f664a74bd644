import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhook endpoints, their deliveries, and each attempt of a delivery. */
export class Webhooks1795000000072 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const sql of [TABLES, DISABLED]) await queryRunner.query(sql);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      DROP TABLE webhook_attempts, webhook_deliveries, webhook_endpoints;
      DROP FUNCTION announce_endpoint_disabled;
    `);
  }
}

/** No foreign keys between them: a delivery would lock the row of its endpoint, which every worker updates. */
const TABLES = /* sql */ `
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
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT webhook_endpoints_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id)
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
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX webhook_deliveries_created_idx ON webhook_deliveries (organization_id, created_at, id);
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (organization_id, endpoint_id, next_attempt_at)
  WHERE state = 'PENDING';

CREATE TABLE webhook_attempts (
  organization_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  id uuid NOT NULL,
  attempted_at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  status integer,
  error text,
  response text,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (organization_id, delivery_id, id)
);
`;

const DISABLED = /* sql */ `
CREATE FUNCTION announce_endpoint_disabled() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change_events (organization_id, id, type, subject_id, data)
  SELECT NEW.organization_id, uuid_v7(), 'webhook_endpoint.disabled', NEW.id,
    jsonb_build_object('webhookEndpointId', NEW.id, 'reason', NEW.disabled_reason)
  FROM change_event_feeds f WHERE f.organization_id = NEW.organization_id;
  RETURN NULL;
END $$;
CREATE TRIGGER announce_disabled AFTER UPDATE ON webhook_endpoints FOR EACH ROW
  WHEN (OLD.disabled_at IS NULL AND NEW.disabled_at IS NOT NULL) EXECUTE FUNCTION announce_endpoint_disabled();
`;
