import type { EntityManager } from 'typeorm';
import { limitStatements, statement } from '#platform/database';

/**
 * Statements are planned for an average organization: of one that is newer than the statistics, PostgreSQL expects a single
 * row, and could read all of its bookings for each that it looks up. On a node of Citus, `bookings` is a view of the table. The settings are in a CTE because the result has one column.
 */
const BOUND = statement({
  parameters: ['text', 'numeric?'],
  columns: { isNew: 'boolean' },
  sql: `
    WITH bounds AS MATERIALIZED (
      SELECT set_config('lock_timeout', $1, true),
        ${limitStatements('$2')},
        set_config('plan_cache_mode', 'force_generic_plan', true)
    )
    SELECT EXISTS (SELECT FROM pg_class WHERE reltuples <= 0 AND oid = coalesce((SELECT d.refobjid FROM pg_rewrite w
        JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass
          AND d.refobjid <> w.ev_class
        WHERE w.ev_class = to_regclass('bookings') LIMIT 1), to_regclass('bookings'))) AS "isNew" FROM bounds
  `,
});

/**
 * Plans that were made for empty tables, also those of foreign keys and triggers: any index then looks as good as the primary
 * key, and such a plan reads the whole organization for each row.
 */
const PLAN_ANEW = statement({ sql: 'DISCARD PLANS' });

export interface Bounds {
  /** A transaction that waits longer for a lock is rolled back and retried. */
  waitMs: number;
  /** A transaction with a longer statement is retried with fewer rows; by default, the database's timeout. */
  workMs?: number;
}

/** Limits a chunk of rows, and decides how PostgreSQL plans its statements, until the transaction ends. */
export async function boundChunk(manager: EntityManager, { waitMs, workMs }: Bounds): Promise<void> {
  const { isNew } = await BOUND.one(manager, [String(waitMs), workMs ? String(workMs) : null]);
  if (isNew) await PLAN_ANEW.run(manager);
}
