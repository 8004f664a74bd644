import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import { outliveConnections } from '../lost-connections';
import { poolOf } from '../statement';
import { ANCHOR, NOT_HERE } from './node-functions';

/** Organizations whose shard is kept. */
const KNOWN = 100_000;

const PLACES = `
  SELECT s.shardid::text AS shard, n.nodename AS host, n.nodeport AS port FROM pg_dist_shard s
  JOIN pg_dist_placement p ON p.shardid = s.shardid
  JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
  WHERE s.logicalrelid = 'public.${ANCHOR}'::regclass`;

const SHARD = `SELECT get_shard_id_for_distribution_column('public.${ANCHOR}', $1::uuid)::text AS shard`;

/** A server that holds organizations. */
export interface Node {
  /** Host and port. */
  address: string;
  dataSource: DataSource;
}

/**
 * The nodes of a distributed database, and which of them holds an organization. Statements of an organization go to its
 * node directly, so they need no coordinator, and the absence of a node stops no organization of the others.
 */
export class Cluster {
  private readonly shards = new LRUCache<string, string>({ max: KNOWN });
  private places = new Map<string, string>();
  private readonly known = new Map<string, Promise<Node>>();
  private loading: Promise<void> | undefined;

  /** @param connect creates a data source that is not connected yet */
  constructor(
    private readonly home: DataSource,
    private readonly connect: (url: string) => DataSource,
  ) {}

  /** The URL of a node, with the role, password and database of the coordinator's. */
  urlOf(address: string): string {
    const url = new URL((this.home.options as { url: string }).url);
    url.host = address;
    return url.href;
  }

  /** The node that holds an organization. */
  async nodeOf(organizationId: string): Promise<Node> {
    return this.node(await this.addressOf(organizationId));
  }

  async addressOf(organizationId: string): Promise<string> {
    const address = this.places.get(await this.shardOf(organizationId));
    if (address) return address;
    // A shard that was split has new numbers.
    this.shards.delete(organizationId);
    await this.load();
    const found = this.places.get(await this.shardOf(organizationId));
    if (!found) throw new Error(`No node holds the organization ${organizationId}`);
    return found;
  }

  /** The shard of the first distributed table that an organization is in: it names its shard group. */
  async shardOf(organizationId: string): Promise<string> {
    const known = this.shards.get(organizationId);
    if (known) return known;
    const [row] = await this.ask<{ shard: string }>(SHARD, [organizationId]);
    const shard = row?.shard as string;
    this.shards.set(organizationId, shard);
    return shard;
  }

  /**
   * Runs `work` on every node that holds organizations, and joins the results. A node that does not answer is left out, if
   * another one answers.
   */
  async everywhere<T>(work: (node: Node) => Promise<T[]>): Promise<T[]> {
    const results = await Promise.allSettled(
      (await this.addresses()).map(async (address) => work(await this.node(address))),
    );
    const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const [failed] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    if (answers.length === 0 && failed) throw failed;
    return answers.flat();
  }

  async addresses(): Promise<string[]> {
    if (this.places.size === 0) await this.load();
    return [...new Set(this.places.values())];
  }

  /** If the organization has moved to another node, later statements go there. */
  async afterFailure(error: unknown): Promise<void> {
    if ((error as { code?: string }).code === NOT_HERE) await this.load().catch(() => {});
  }

  async close(): Promise<void> {
    for (const node of this.known.values()) await (await node.catch(() => undefined))?.dataSource.destroy();
  }

  private load(): Promise<void> {
    this.loading ??= this.ask<{ shard: string; host: string; port: number }>(PLACES)
      .then((rows) => {
        this.places = new Map(rows.map(({ shard, host, port }) => [shard, `${host}:${port}`]));
      })
      .finally(() => {
        this.loading = undefined;
      });
    return this.loading;
  }

  /** Every node knows where organizations are, so the coordinator may be away. */
  private async ask<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const nodes = await Promise.allSettled(this.known.values());
    const others = nodes.flatMap((node) => (node.status === 'fulfilled' ? [node.value.dataSource] : []));
    let failure: unknown;
    for (const source of [this.home, ...others]) {
      try {
        return (await poolOf(source).query<Row>(text, values)).rows;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  node(address: string): Promise<Node> {
    let node = this.known.get(address);
    if (!node) {
      const source = this.connect(this.urlOf(address));
      node = source.initialize().then(() => {
        outliveConnections(poolOf(source));
        return { address, dataSource: source };
      });
      this.known.set(address, node);
      // The next caller tries again.
      node.catch(() => this.known.delete(address));
    }
    return node;
  }
}
