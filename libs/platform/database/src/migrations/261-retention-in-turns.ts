import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createDefinerFunctions, type DefinerFunction } from './definer';

/** What retention needs beyond the rows of one organization, and beyond the privileges of API and worker. */
export class RetentionInTurns1795000000261 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createDefinerFunctions(queryRunner, FUNCTIONS);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const names = FUNCTIONS.map(({ signature }) => signature.split('(')[0]);
    await queryRunner.query(`DROP FUNCTION ${names.join(', ')}`);
  }
}

type Kinds = Record<string, [table: string, time: string, which?: string]>;

/** The table of each kind of row that expires, the time that counts, and which rows it has. */
export const KINDS: Kinds = {
  'idempotency keys': ['idempotency_keys', 'created_at'],
  'audit log': ['audit_log', 'at'],
  requests: ['request_log', 'at'],
  'import payloads': ['import_jobs', 'finished_at', 'finished_at IS NOT NULL AND emptied_rows < total_rows'],
  'dry runs': ['import_jobs', 'finished_at', 'dry_run'],
  deliveries: ['webhook_deliveries', 'created_at'],
  'change events': ['change_events', 'occurred_at'],
  'waiting messages': ['race_day_log', 'applied_at', 'waiting_for IS NOT NULL'],
};

/** From the oldest row of one organization to that of the next: one index lookup for each. */
const organizationsWith = ([kind, [table, time, which = 'true']]: [string, Kinds[string]]): string => {
  const oldest = (where: string) => /* sql */ `
    SELECT organization_id AS id, ${time} AS oldest FROM ${table}
    WHERE ${which} AND ${where} ORDER BY organization_id, ${time} LIMIT 1`;
  return /* sql */ `(
    WITH RECURSIVE walk AS (
      (${oldest(`kind = '${kind}'`)})
      UNION ALL
      SELECT next.* FROM walk CROSS JOIN LATERAL (${oldest('organization_id > walk.id')}) next
    )
    SELECT id FROM walk WHERE oldest < statement_timestamp() - make_interval(secs => seconds))`;
};

/** Deletes up to `most` rows of an organization that are older than `seconds`, and returns how many. */
const forgetting = (table: string): string => /* sql */ `
  WITH gone AS (
    DELETE FROM ${table} WHERE organization_id = organization AND id IN (
      SELECT id FROM ${table}
      WHERE organization_id = organization AND at < statement_timestamp() - make_interval(secs => seconds)
      ORDER BY at LIMIT most FOR UPDATE SKIP LOCKED)
    RETURNING 1
  )
  SELECT count(*)::int FROM gone`;

export const organizationsWithExpired = (kinds: Kinds): DefinerFunction => ({
  signature: 'organizations_with_expired(kind text, seconds double precision)',
  returns: 'SETOF uuid',
  body: Object.entries(kinds).map(organizationsWith).join(' UNION ALL '),
});

const FUNCTIONS: DefinerFunction[] = [
  organizationsWithExpired(KINDS),
  // The setting permits it to the end of the transaction.
  {
    signature: 'forget_audit_of(organization uuid, seconds double precision, most int)',
    returns: 'SETOF int',
    body: `SELECT set_config('startline.audit_retention', 'on', true); ${forgetting('audit_log')}`,
  },
  {
    signature: 'forget_requests_of(organization uuid, seconds double precision, most int)',
    returns: 'SETOF int',
    body: forgetting('request_log'),
  },
];
