import { LRUCache } from 'lru-cache';
import type { ClientConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { RepeatedTask } from '#platform/scheduling';
import { urlOfNode } from '../hosts';
import { dropConnections, outliveConnections } from '../lost-connections';
import { poolOf, waitingCallers } from '../statement';
import { Heartbeat, pauseOf } from './heartbeat';
import { ANCHOR, NOT_HERE } from './node-functions';

/** Organizations whose shard is kept. */
const KNOWN = 100_000;

const PLACES = `
  SELECT s.shardid::text AS shard, n.nodename AS host, n.nodeport AS port FROM pg_dist_shard s
  JOIN pg_dist_placement p ON p.shardid = s.shardid
  JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
  WHERE s.logicalrelid = 'public.${ANCHOR}'::regclass`;

const SHARD = `SELECT get_shard_id_for_distribution_column('public.${ANCHOR}', $1::uuid)::text AS shard`;

/** How often the places of organizations are read again, in questions of the heartbeat. */
const READ_AGAIN = 10;

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
  private readonly connected = new Map<string, Node>();
  private loading: Promise<void> | undefined;
  private timeoutMs: number | undefined;
  private ofHome: Heartbeat | undefined;
  private readonly ofNodes = new Map<string, Heartbeat>();
  private readingAgain: RepeatedTask | undefined;
  private readonly listeners: ((addresses: string[]) => void)[] = [];

  /** @param connect creates a data source that is not connected yet */
  constructor(
    private readonly home: DataSource,
    private readonly connect: (url: string) => DataSource,
  ) {}

  /** From now on, nothing waits for a server that does not respond, and shards that were moved are found. */
  watch(timeoutMs: number): void {
    this.timeoutMs = timeoutMs;
    const { extra } = this.home.options as { extra: ClientConfig };
    this.ofHome = new Heartbeat('the coordinator', extra, timeoutMs, () =>
      dropConnections(poolOf(this.home)),
    );
    this.readingAgain = new RepeatedTask(
      READ_AGAIN * pauseOf(timeoutMs),
      () => this.load(),
      () => {},
    );
    this.readingAgain.start();
  }

  /** @param heard receives the addresses of the nodes when they have changed */
  onChange(heard: (addresses: string[]) => void): void {
    this.listeners.push(heard);
  }

  urlOf(address: string): string {
    return urlOfNode((this.home.options as { url: string }).url, address);
  }

  /** The node that holds an organization. */
  async nodeOf(organizationId: string): Promise<Node> {
    return this.node(await this.addressOf(organizationId));
  }

  async addressOf(organizationId: string): Promise<string> {
    const address = this.places.get(await this.shardOf(organizationId));
    if (address) return address;
    await this.load();
    this.shards.delete(organizationId);
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

  /** Whether it is a shard of now: others were split. */
  holds(shard: string): boolean {
    return this.places.has(shard);
  }

  /** If the organization has moved to another node, later statements go there. */
  async afterFailure(error: unknown): Promise<void> {
    if ((error as { code?: string }).code === NOT_HERE) await this.load().catch(() => {});
  }

  /** Runs work that every server can do, on the first that responds. */
  async anywhere<T>(work: (source: DataSource) => Promise<T>): Promise<T> {
    let failure: unknown = new Error('No server of the database responds');
    for (const source of this.responding()) {
      try {
        return await work(source);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  /** Fails at once if the coordinator is away. */
  onHome<T>(work: () => Promise<T>): Promise<T> {
    return this.ofHome ? this.ofHome.unlessAway(work) : work();
  }

  /** The number of callers that wait for a connection to a node. */
  get waiting(): number {
    return [...this.connected.values()].reduce(
      (sum, { dataSource }) => sum + waitingCallers(poolOf(dataSource)),
      0,
    );
  }

  /** The servers that do not respond, for people. */
  get absent(): string[] {
    return [this.ofHome, ...this.ofNodes.values()].flatMap((each) => (each?.isAway ? [each.name] : []));
  }

  async close(): Promise<void> {
    this.timeoutMs = undefined;
    await Promise.all([this.readingAgain, this.ofHome, ...this.ofNodes.values()].map((task) => task?.stop()));
    for (const node of this.known.values()) await (await node.catch(() => undefined))?.dataSource.destroy();
  }

  /** Reads where organizations are: every node knows, so the coordinator may be away. */
  private load(): Promise<void> {
    this.loading ??= this.ask<{ shard: string; host: string; port: number }>(PLACES)
      .then((rows) => {
        const places = new Map(rows.map(({ shard, host, port }) => [shard, `${host}:${port}`]));
        // A shard that was split has new numbers.
        if ([...this.places.keys()].some((shard) => !places.has(shard))) this.shards.clear();
        this.places = places;
        this.watchNodes();
      })
      .finally(() => {
        this.loading = undefined;
      });
    return this.loading;
  }

  private watchNodes(): void {
    const addresses = new Set(this.places.values());
    const { timeoutMs } = this;
    if (timeoutMs === undefined) return;
    const before = this.ofNodes.size;
    for (const address of addresses) {
      if (this.ofNodes.has(address)) continue;
      const config = { connectionString: this.urlOf(address) };
      this.ofNodes.set(
        address,
        new Heartbeat(`the node ${address}`, config, timeoutMs, () => this.lost(address)),
      );
    }
    const gone = [...this.ofNodes.keys()].filter((address) => !addresses.has(address));
    for (const address of gone) {
      void this.ofNodes.get(address)?.stop();
      this.ofNodes.delete(address);
    }
    if (gone.length > 0 || this.ofNodes.size > before)
      for (const heard of this.listeners) heard([...addresses]);
  }

  /** Its organizations may be at another address now: that of its standby, for example. */
  private lost(address: string): void {
    const node = this.connected.get(address);
    if (node) dropConnections(poolOf(node.dataSource));
    else this.known.delete(address);
    void this.load().catch(() => {});
  }

  private async ask<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.anywhere(async (source) => (await poolOf(source).query<Row>(text, values)).rows);
  }

  /** The coordinator first. */
  private responding(): DataSource[] {
    const nodes = [...this.connected.values()].filter(({ address }) => !this.ofNodes.get(address)?.isAway);
    return [...(this.ofHome?.isAway ? [] : [this.home]), ...nodes.map(({ dataSource }) => dataSource)];
  }

  /** Fails at once if the node is away. */
  async node(address: string): Promise<Node> {
    const heartbeat = this.ofNodes.get(address);
    const connect = () => this.connected.get(address) ?? this.known.get(address) ?? this.connectTo(address);
    return heartbeat ? heartbeat.unlessAway(connect) : connect();
  }

  private connectTo(address: string): Promise<Node> {
    const source = this.connect(this.urlOf(address));
    const node = source.initialize().then(async () => {
      // It was away for so long that the node was connected to again.
      if (this.known.get(address) !== node) {
        await source.destroy();
        throw new Error(`The node ${address} responded too late`);
      }
      outliveConnections(poolOf(source));
      const connected = { address, dataSource: source };
      this.connected.set(address, connected);
      return connected;
    });
    this.known.set(address, node);
    // The next caller tries again.
    node.catch(() => this.known.get(address) === node && this.known.delete(address));
    return node;
  }
}
