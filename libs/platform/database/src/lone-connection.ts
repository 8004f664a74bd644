import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

/** The part of pg's client that its types do not have. */
export const socketOf = (client: Client) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/**
 * A connection besides the pools, which asks a server about itself. It stays open, is made again after a failure, and does
 * not keep a process running.
 */
export class LoneConnection {
  private connection: Promise<Client> | undefined;

  /** @param patienceMs how long connecting and each query may take */
  constructor(
    private readonly config: ClientConfig & { Client?: typeof Client },
    private readonly patienceMs: number,
  ) {}

  async ask<T>(work: (client: Client) => Promise<T>): Promise<T> {
    this.connection ??= this.connect();
    const { connection } = this;
    try {
      return await work(await connection);
    } catch (error) {
      if (this.connection === connection) this.connection = undefined;
      // A server that does not respond does not confirm the end of a connection either.
      void connection.then((client) => socketOf(client).destroy()).catch(() => {});
      throw error;
    }
  }

  leave(): void {
    void this.connection?.then((client) => client.end()).catch(() => {});
    this.connection = undefined;
  }

  private async connect(): Promise<Client> {
    const { Client: Connected = Client, ...config } = this.config;
    const client = new Connected({
      ...config,
      connectionTimeoutMillis: this.patienceMs,
      query_timeout: this.patienceMs,
      keepAlive: true,
    });
    client.on('error', () => this.leave());
    await client.connect();
    socketOf(client).unref();
    return client;
  }
}
