import type { EntityManager } from 'typeorm';
import { statement } from '#platform/database';

/** Removes the values of up to $3 records of the organization $1 that are older than $2 seconds. The records stay. */
export const FORGET_AUDITED_VALUES = statement({
  parameters: ['uuid', 'float8', 'int'],
  columns: { deleted: 'int' },
  sql: `
    WITH gone AS (
      UPDATE audit_log SET changes = NULL WHERE organization_id = $1 AND id IN (
        SELECT id FROM audit_log
        WHERE organization_id = $1 AND changes IS NOT NULL AND at < statement_timestamp() - make_interval(secs => $2)
        ORDER BY at LIMIT $3::int FOR UPDATE SKIP LOCKED)
      RETURNING 1
    )
    SELECT count(*)::int AS deleted FROM gone
  `,
});

const FORGET_OF = statement({
  parameters: ['uuid', 'text[]'],
  columns: { id: 'uuid' },
  sql: `
    UPDATE audit_log SET changes = NULL
    WHERE organization_id = $1 AND object_id = ANY ($2) AND changes IS NOT NULL RETURNING id
  `,
});

/**
 * Removes the old and new values of all changes of records whose person is erased or replaced. Who changed which field, and when,
 * stays.
 *
 * @returns the changed records of the audit log
 */
export const forgetAuditedValues = (
  manager: EntityManager,
  organizationId: string,
  objectIds: readonly string[],
): Promise<{ id: string }[]> => FORGET_OF.rows(manager, [organizationId, objectIds]);
