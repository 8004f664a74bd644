import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { RepeatedTask } from '#platform/scheduling';
import { Database } from './database';
import type { Cluster } from './distributed/cluster';
import { poolOf, statement } from './statement';

/**
 * MATERIALIZED: the end of the log must be read after the watermark. The commit of every transaction that the watermark
 * covers is then in the log, but possibly only in memory: so this reads the insert position, not the write position.
 */
const READ = statement({
  columns: { at: 'text?', logEnd: 'text?' },
  sql: `
    WITH seen AS MATERIALIZED (SELECT horizon() AS at)
    SELECT at, CASE WHEN NOT pg_is_in_recovery() THEN (pg_current_wal_insert_lsn() - '0/0')::text END AS "logEnd" FROM seen
  `,
  prepared: true,
});

/**
 * The watermark of a node, and the shards that it held before and after that was read: a change of an organization that
 * came later to another node is later than the watermark.
 */
const READ_NODE = `
  WITH before AS MATERIALIZED (SELECT node.shards() AS shards),
    seen AS MATERIALIZED (SELECT horizon() AS at, shards FROM before),
    later AS MATERIALIZED (SELECT seen.*, node.shards() AS now FROM seen)
  SELECT at, ARRAY(SELECT unnest(shards) INTERSECT SELECT unnest(now))::text[] AS shards FROM later`;

const START = '0001-01-01T00:00:00.000000Z';

/** A watermark, and the end of the primary's write-ahead log after it was read. */
interface Reading {
  at: string;
  logEnd: number;
  /** When a newer watermark replaced it, by the monotonic clock of this process. */
  supersededAt?: number;
}

/**
 * The time below which no new changes can appear: every `updated_at` that becomes visible later is greater. Lists by
 * `updatedAt` end at it, so that a poller that stores the highest `updatedAt` misses nothing. It is read in the
 * background, so that requests do not wait for it, and it never decreases.
 */
@Injectable()
export class Watermark implements OnModuleInit, OnApplicationShutdown {
  private at = START;
  /** Oldest first. */
  private readings: Reading[] = [];
  /** By shard, in a distributed database. */
  private readonly ofShards = new Map<string, string>();
  private readonly asked = new Map<string, Promise<void>>();
  private readonly task: RepeatedTask;

  /**
   * @param refreshMs how often it is read
   * @param keptMs how long earlier ones are kept, for a replica
   */
  constructor(
    private readonly database: Database,
    refreshMs: number,
    private readonly keptMs = 0,
  ) {
    // While the database is unavailable, the watermark does not advance: lists are late, but not wrong.
    this.task = new RepeatedTask(
      refreshMs,
      () => this.refresh(),
      () => {},
    );
  }

  async onModuleInit(): Promise<void> {
    await this.refresh();
    this.task.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /** ISO 8601 with microseconds. */
  now(): string {
    return this.at;
  }

  /** That of the node that holds an organization. */
  async of(organizationId: string): Promise<string> {
    const { nodes } = this.database;
    return nodes ? (this.ofShards.get(await nodes.shardOf(organizationId)) ?? START) : this.at;
  }

  /**
   * The newest watermark that is valid on a replica, or `undefined` if its lag is too large. Everything that was committed
   * below it was in the log before `logEnd` was read, so the replica shows it.
   *
   * @param replayedTo the replay position of the replica
   */
  replayed(replayedTo: number): string | undefined {
    this.forget();
    return this.readings.findLast(({ logEnd }) => logEnd <= replayedTo)?.at;
  }

  /** The lag behind the clock. It grows while a long transaction writes. */
  lagMs(): number {
    return Date.now() - Date.parse(this.at);
  }

  private async refresh(): Promise<void> {
    if (this.database.nodes) return this.refreshNodes(this.database.nodes);
    const { at, logEnd } = await READ.one(this.database);
    if (!at || !logEnd || at <= this.at) return;
    const newest = this.readings.at(-1);
    if (newest) newest.supersededAt = performance.now();
    this.at = at;
    this.readings.push({ at, logEnd: Number(logEnd) });
    this.forget();
  }

  /** A node that does not answer delays no other. */
  private async refreshNodes(nodes: Cluster): Promise<void> {
    const readings = (await nodes.addresses()).map((address) => {
      let reading = this.asked.get(address);
      if (!reading) {
        reading = this.refreshNode(nodes, address).finally(() => this.asked.delete(address));
        reading.catch(() => {});
        this.asked.set(address, reading);
      }
      return reading;
    });
    await Promise.any(readings);
    for (const shard of this.ofShards.keys()) if (!nodes.holds(shard)) this.ofShards.delete(shard);
    const all = [...this.ofShards.values()].sort();
    if (all[0] && all[0] > this.at) this.at = all[0];
  }

  private async refreshNode(nodes: Cluster, address: string): Promise<void> {
    const { dataSource } = await nodes.node(address);
    const { rows } = await poolOf(dataSource).query<{ at: string | null; shards: string[] }>(READ_NODE);
    const [{ at, shards } = { at: null, shards: [] }] = rows;
    if (!at) return;
    for (const shard of shards) if (at > (this.ofShards.get(shard) ?? '')) this.ofShards.set(shard, at);
  }

  private forget(): void {
    const oldest = performance.now() - this.keptMs;
    while ((this.readings[0]?.supersededAt ?? Number.POSITIVE_INFINITY) < oldest) this.readings.shift();
  }
}
