import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Client, type PoolOptions } from 'pg';
import { Database, type RunsOn, statement } from '#platform/database';

const RETRY_MS = 1_000;

const ANNOUNCE = statement({ parameters: ['text'], sql: `SELECT pg_notify('access', $1)` });

/**
 * Announces that the access of an organization has changed, after a change for which no trigger can: in a distributed
 * database, organizations are changed on all nodes by a prepared transaction, which must not notify.
 *
 * @param node the server of the organization
 */
export async function announceAccess(node: RunsOn, organizationId: string): Promise<void> {
  await ANNOUNCE.run(node, [organizationId]);
}

/**
 * Listens for notifications of the triggers on keys, staff, surfaces and organizations, and invalidates cached callers. In
 * a distributed database, the node of an organization sends them.
 * Notifications are lost while the connection is down, so all caches are cleared when it drops and when it is
 * re-established.
 */
@Injectable()
export class AccessChanges implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(AccessChanges.name);
  private readonly listeners: ((organizationId: string | undefined) => void)[] = [];
  private readonly clients = new Map<string | undefined, Client>();
  private readonly retries = new Map<string | undefined, NodeJS.Timeout>();
  /** The URLs of the nodes of a distributed database. */
  private nodes: ReadonlySet<string> = new Set();
  /** How the pool connects. It is read at the start, because the pool can be closed while this still listens. */
  private options: PoolOptions = {} as PoolOptions;
  private stopped = false;

  constructor(private readonly database: Database) {}

  /** @param heard receives the organization whose access changed, or undefined if any could have changed */
  subscribe(heard: (organizationId: string | undefined) => void): void {
    this.listeners.push(heard);
  }

  async onModuleInit(): Promise<void> {
    const { nodes, pool } = this.database;
    this.options = pool.options;
    if (!nodes) return this.start();
    const listen = async (addresses: string[]) => {
      this.nodes = new Set(addresses.map((address) => nodes.urlOf(address)));
      await Promise.all(
        [...this.nodes].filter((url) => !this.clients.has(url)).map((url) => this.start(url)),
      );
    };
    nodes.onChange((addresses) => void listen(addresses));
    await listen(await nodes.addresses());
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    for (const retry of this.retries.values()) clearTimeout(retry);
    await Promise.all([...this.clients.values()].map((client) => client.end().catch(() => {})));
  }

  private heard(organizationId: string | undefined): void {
    for (const listener of this.listeners) listener(organizationId);
  }

  private async start(url?: string): Promise<void> {
    // Nodes can change, and a retry can be due, while the process shuts down.
    if (this.stopped) return;
    // The URL of a node names one server.
    const Connected = url ? Client : ((this.options.Client as typeof Client | undefined) ?? Client);
    const client = new Connected({
      ...this.options,
      ...(url && { connectionString: url }),
      application_name: 'startline access changes',
    });
    this.clients.set(url, client);
    client.on('notification', ({ payload }) => this.heard(payload));
    client.on('error', () => {});
    client.on('end', () => this.lost(url));
    try {
      await client.connect();
      await client.query('LISTEN access');
      this.heard(undefined);
    } catch {
      await client.end().catch(() => {});
    }
  }

  private lost(url: string | undefined): void {
    this.heard(undefined);
    if (this.stopped) return;
    if (url && !this.nodes.has(url)) return void this.clients.delete(url);
    this.logger.warn('lost the connection that announces changed keys; reconnecting');
    clearTimeout(this.retries.get(url));
    this.retries.set(
      url,
      setTimeout(() => void this.start(url), RETRY_MS),
    );
  }
}
