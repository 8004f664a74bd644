import type { QueryRunner } from 'typeorm';
import type { Migration } from '.';
import { createDefinerFunctions } from './definer';

/** Kind, table, the column of the age, and which of its rows expire. */
const EXPIRING = [
  ['idempotency keys', 'idempotency_keys', 'created_at', 'true'],
  ['audit log', 'audit_log', 'at', 'true'],
  ['requests', 'request_log', 'at', 'true'],
  ['import payloads', 'import_jobs', 'finished_at', 'finished_at IS NOT NULL AND emptied_rows < total_rows'],
  ['dry runs', 'import_jobs', 'finished_at', 'dry_run'],
  ['deliveries', 'webhook_deliveries', 'created_at', 'true'],
  ['change events', 'change_events', 'occurred_at', 'true'],
  ['waiting messages', 'race_day_log', 'applied_at', 'waiting_for IS NOT NULL'],
  ['audited values', 'audit_log', 'at', 'changes IS NOT NULL'],
  ['person jobs', 'person_jobs', 'finished_at', 'finished_at IS NOT NULL'],
];

/** By position: `kind` is also a column of person_jobs, which comes before the parameter of that name, so none of them expired. */
const walk = ([kind, table, at, rows]: string[]) => /* sql */ `
  (WITH RECURSIVE walk AS (
    (SELECT organization_id AS id, ${at} AS oldest FROM ${table}
     WHERE ${rows} AND $1 = '${kind}' ORDER BY organization_id, ${at} LIMIT 1)
    UNION ALL
    SELECT next.* FROM walk CROSS JOIN LATERAL (
      SELECT organization_id AS id, ${at} AS oldest FROM ${table}
      WHERE ${rows} AND organization_id > walk.id ORDER BY organization_id, ${at} LIMIT 1) next
  )
  SELECT id FROM walk WHERE oldest < statement_timestamp() - make_interval(secs => $2))`;

/** As in the baseline, and for jobs on persons as well. */
export class ExpiredPersonJobs1796000000002 implements Migration {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createDefinerFunctions(queryRunner, [
      {
        signature: 'organizations_with_expired(kind text, seconds double precision)',
        returns: 'SETOF uuid',
        body: EXPIRING.map(walk).join(' UNION ALL '),
      },
    ]);
  }
}
