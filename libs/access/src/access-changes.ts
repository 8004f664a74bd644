import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Client } from 'pg';
import { Database } from '#libs/database';

const RETRY_MS = 1_000;

/**
 * Listens for notifications of the triggers on keys, staff, surfaces and organizations, and invalidates cached callers.
 * Notifications are lost while the connection is down, so all caches are cleared when it drops and when it is
 * re-established.
 */
@Injectable()
export class AccessChanges implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(AccessChanges.name);
  private readonly listeners: ((organizationId: string | undefined) => void)[] = [];
  private client: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly database: Database) {}

  /** @param heard receives the organization whose access changed, or undefined if any could have changed */
  subscribe(heard: (organizationId: string | undefined) => void): void {
    this.listeners.push(heard);
  }

  onModuleInit(): Promise<void> {
    return this.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.client?.end().catch(() => {});
  }

  private heard(organizationId: string | undefined): void {
    for (const listener of this.listeners) listener(organizationId);
  }

  private async start(): Promise<void> {
    const { options } = this.database.pool;
    const client = new ((options.Client as typeof Client | undefined) ?? Client)({
      ...options,
      application_name: 'startline access changes',
    });
    this.client = client;
    client.on('notification', ({ payload }) => this.heard(payload));
    client.on('error', () => {});
    client.on('end', () => this.lost());
    try {
      await client.connect();
      await client.query('LISTEN access');
      this.heard(undefined);
    } catch {
      await client.end().catch(() => {});
    }
  }

  private lost(): void {
    this.heard(undefined);
    if (this.stopped) return;
    this.logger.warn('lost the connection that announces changed keys; reconnecting');
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.start(), RETRY_MS);
  }
}
