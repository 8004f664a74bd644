import { withDatabase } from '#libs/testing';
import type { Cluster } from './cluster';

/** What `distributedStatements` reads. */
export const COUNTED = { 'citus.enable_stat_counters': 'on' };

/**
 * Statements that Citus has planned: for one shard on the data nodes, where only statements of organizations run, and for
 * several shards on all servers. On the coordinator, sweepers read the organizations.
 */
export async function distributedStatements({
  coordinator,
  workers,
}: Cluster): Promise<{ single: number; multi: number }> {
  const counts = await Promise.all(
    [coordinator, ...workers].map((node) =>
      withDatabase(node.url(), async (client) => {
        const { rows } = await client.query(
          `SELECT query_execution_single_shard::int AS single, query_execution_multi_shard::int AS multi
           FROM citus_stat_counters WHERE name = current_database()`,
        );
        return { ...rows[0], ...(node === coordinator && { single: 0 }) };
      }),
    ),
  );
  return counts.reduce((sum, { single, multi }) => ({
    single: sum.single + single,
    multi: sum.multi + multi,
  }));
}
