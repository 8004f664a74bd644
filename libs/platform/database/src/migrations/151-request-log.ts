import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createDefinerFunctions } from './definer';

/** Requests with API keys, as staff see them. */
export class RequestLog1795000000151 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(TABLE);
    await createDefinerFunctions(queryRunner, [RECORD, FORGET]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION record_requests, forget_requests');
    await queryRunner.query('DROP TABLE request_log');
  }
}

const TABLE = /* sql */ `
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
  CONSTRAINT request_log_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX request_log_at_idx ON request_log (at);
CREATE INDEX request_log_organization_idx ON request_log (organization_id, at, id);
CREATE INDEX request_log_key_idx ON request_log (organization_id, api_key_id, at, id);
CREATE INDEX request_log_route_idx ON request_log (organization_id, route, at, id);
CREATE INDEX request_log_refused_idx ON request_log (organization_id, at, id) WHERE status >= 400
`;

/** Any number; the same in every release. */
const LOCK = 5_717_255;

/**
 * Writes what a process has seen of all organizations, up to "most" rows for each key and clock hour. A quarter of them is
 * left to refusals. It returns how many rows each key has then. The lock makes the limit hold for several processes.
 */
const RECORD = {
  signature: 'record_requests(entries json, most int)',
  returns: 'TABLE (api_key_id uuid, hour timestamptz, written int)',
  body: `
    SELECT pg_advisory_xact_lock(${LOCK});
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
    FROM taken t`,
};

const FORGET = {
  signature: 'forget_requests(days int, most int)',
  returns: 'int',
  body: `
    WITH gone AS (
      DELETE FROM request_log r USING (
        SELECT organization_id, id FROM request_log
        WHERE at < clock_timestamp() - make_interval(days => days)
        ORDER BY at LIMIT most FOR UPDATE SKIP LOCKED
      ) old
      WHERE r.organization_id = old.organization_id AND r.id = old.id
      RETURNING 1
    )
    SELECT count(*)::int FROM gone`,
};
