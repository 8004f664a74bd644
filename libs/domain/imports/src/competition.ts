import { type HeldConnection, LOCKS, statement } from '#platform/database';
import type { Chunk } from './chunk-rows';
import { IMPORT_DEFINITIONS, type ImportSurface } from './definitions';
import type { OpenJob } from './open-jobs';

/** The things of a chunk that most rows name: those that other jobs are most likely to write to at the same time. */
const MOST = 8;

const keysOf = (competesFor: string) =>
  statement({
    parameters: ['uuid', 'uuid', 'int'],
    columns: { keys: 'int[]' },
    sql: `
      SELECT coalesce(array_agg(DISTINCT key ORDER BY key), '{}') AS keys FROM (
        SELECT hashtext(r.organization_id || '/' || thing) & 2147483647 AS key
        FROM import_rows r CROSS JOIN LATERAL (${competesFor}) things
        WHERE r.organization_id = $1 AND r.job_id = $2 AND r.outcome IS NULL AND r.row_number <= $3
        GROUP BY r.organization_id, thing ORDER BY count(*) DESC, thing LIMIT ${MOST}) most
    `,
  });

const KEYS = new Map<ImportSurface, ReturnType<typeof keysOf>>(
  IMPORT_DEFINITIONS.flatMap(({ surface, competesFor }) =>
    competesFor ? [[surface, keysOf(competesFor)] as const] : [],
  ),
);

/** In the given order, which is the same for all jobs. `set_config` comes first, and lasts as long as the statement. */
const QUEUE = statement({
  parameters: ['int[]', 'text'],
  sql: `
    WITH bound AS MATERIALIZED (SELECT set_config('lock_timeout', $2, true))
    SELECT pg_advisory_lock(${LOCKS.competition}, key) FROM bound CROSS JOIN unnest($1::int[]) key
  `,
});

/** A wait that timed out keeps the locks that it had, so this asks which they are. */
const LEAVE = statement({
  sql: `
    SELECT pg_advisory_unlock(${LOCKS.competition}, objid::bigint::int) FROM pg_locks
    WHERE locktype = 'advisory' AND classid = ${LOCKS.competition} AND objsubid = 2 AND granted AND pid = pg_backend_pid()
  `,
});

/**
 * Runs the transaction of a chunk after those of other jobs that write to the same bibs, reserved entry group or discount
 * code, in the order of arrival. The wait ends before the transaction begins: a transaction that waited would hold back
 * the watermark and, with its lock timeout, waste its work.
 *
 * The locks are of the connection and exclude nothing but such waits: the handler takes the locks that its data needs.
 *
 * @throws a lock timeout after `waitMs`
 */
export async function inTurn<T>(
  connection: HeldConnection,
  { organizationId, jobId }: OpenJob,
  { surface, last }: Chunk,
  waitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const found = await KEYS.get(surface)?.one(connection, [organizationId, jobId, last]);
  if (!found?.keys.length) return work();
  try {
    await QUEUE.run(connection, [found.keys, String(waitMs)]);
    return await work();
  } finally {
    // A lost connection has no locks.
    await LEAVE.run(connection).catch(() => {});
  }
}
