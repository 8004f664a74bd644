import type { DataSource } from 'typeorm';
import { connectToNode, isDistributed, newId } from '#platform/database';

interface Placed {
  /** The coordinator, through which organizations are made. */
  home: DataSource;
  /** The organization whose shards a data source of a node reads and writes. */
  organizationId: string;
}
const placed = new WeakMap<DataSource, Placed>();

/**
 * On Citus, a data source of the organization's node: tests read and write tables there as on one server. It sees the
 * organizations of the same shards, and the factory puts the others of the test there. Otherwise `home` itself.
 */
export async function nodeOf(home: DataSource, organizationId: string): Promise<DataSource> {
  if (!(await isDistributed(home))) return home;
  const { url } = home.options as { url: string };
  const node = await connectToNode(home, organizationId, { url, applicationName: 'test' });
  placed.set(node, { home, organizationId });
  return node;
}

/** Ids for one of which is in a given shard, almost certainly, of as many shards as tests use. */
const TRIES = 500;

/** Where an organization is made, and an id with which the data source sees it. */
export async function besideOf(dataSource: DataSource): Promise<{ home: DataSource; id: string }> {
  const { home, organizationId } = placed.get(dataSource) ?? {};
  if (!home) return { home: dataSource, id: newId() };
  const [{ id }] = await home.query(
    `SELECT id FROM unnest($1::uuid[]) id
     WHERE get_shard_id_for_distribution_column('organization_surfaces', id)
       = get_shard_id_for_distribution_column('organization_surfaces', $2::uuid) LIMIT 1`,
    [Array.from({ length: TRIES }, newId), organizationId],
  );
  return { home, id };
}

/** The relation with the rows of a table, for system columns: on Citus, a shard. */
export async function storageOf(dataSource: DataSource, table: string): Promise<string> {
  const { home, organizationId } = placed.get(dataSource) ?? {};
  if (!home) return table;
  const [{ shard }] = await home.query('SELECT get_shard_id_for_distribution_column($1, $2::uuid) AS shard', [
    table,
    organizationId,
  ]);
  return `public.${table}_${shard}`;
}
