import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { type ConnectionOptions, createDataSource } from '../data-source';
import { Cluster } from './cluster';

/**
 * Connects to the node of an organization. Every statement and transaction runs on the organization's shards; the owner
 * also sees the other organizations of the same shards, as in a database on one server.
 *
 * @param home the coordinator's data source
 */
export async function connectToNode(
  home: DataSource,
  organizationId: string,
  options: ConnectionOptions,
): Promise<DataSource> {
  const cluster = new Cluster(home, (url) => createDataSource({ ...options, url }));
  const url = cluster.urlOf(await cluster.addressOf(organizationId));
  const searchPath = await pathOf(url, organizationId);
  return createDataSource({ ...options, url, searchPath, organizationId }).initialize();
}

async function pathOf(url: string, organizationId: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ path: string }>('SELECT node.path_of($1) AS path', [
      organizationId,
    ]);
    return String(rows[0]?.path).replaceAll(' ', '');
  } finally {
    await client.end();
  }
}
