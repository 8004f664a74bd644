import { Client, type ClientConfig } from 'pg';
import { type DatabaseServers, databaseServers } from '#platform/config';
import { LoneConnection, socketOf } from './lone-connection';
import { statement } from './statement';

/** How often all servers are asked while there are connections, and how long each may take to respond. */
const ASK_EVERY_MS = 1_000;
const PATIENCE_MS = 1_000;
/** A server that starts up has the same code, so requests get 503 and jobs are retried. */
const NO_SERVER = '57P03';

/** The timeline of a primary, in hexadecimal. A promotion begins a new timeline, with a higher number. */
const TIMELINE = statement({
  columns: { timeline: 'text?' },
  sql: `
    SELECT CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END AS timeline
  `,
});

/** A server, which is asked on a connection of its own that stays open. */
class Server {
  readonly host: string;
  readonly port: number;
  private readonly connection: LoneConnection;

  constructor(url: string) {
    const { host, port } = new Client({ connectionString: url });
    this.host = host;
    this.port = port;
    this.connection = new LoneConnection(
      { connectionString: url, application_name: 'startline hosts' },
      PATIENCE_MS,
    );
  }

  /** @returns undefined if it is a standby */
  async timeline(): Promise<string | undefined> {
    return (await this.connection.ask((client) => TIMELINE.one(client))).timeline ?? undefined;
  }

  leave(): void {
    this.connection.leave();
  }
}

interface Response {
  server: Server;
  timeline: string | undefined;
}

/**
 * The servers of one URL, for all connections of the process. New connections go to the primary, or to a standby if the
 * URL asks for one. When another server was promoted, connections to the former primary are closed, even if it still
 * responds; a server with an older timeline is never used again. If the URL asks for any server, they go to the first that
 * responds.
 */
class Hosts {
  private readonly servers: Server[];
  private chosen: Server | undefined;
  private asking: Promise<Server> | undefined;
  private newest = '';
  private readonly clients = new Map<Client, Server>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    urls: string[],
    private readonly wants: NonNullable<DatabaseServers['wants']>,
  ) {
    this.servers = urls.map((url) => new Server(url));
  }

  /** @throws Error if no server is suitable */
  async forNewConnection(): Promise<Server> {
    return this.chosen ?? this.ask();
  }

  join(client: Client, server: Server): void {
    this.clients.set(client, server);
    client.on('error', () => this.doubt(server));
    // BullMQ removes the listeners of a client before it releases it.
    socketOf(client).once('close', () => this.left(client));
    this.timer ??= setInterval(() => void this.ask().catch(() => {}), ASK_EVERY_MS).unref();
  }

  /** The next connection asks all servers. */
  doubt(server: Server): void {
    if (this.chosen === server) this.chosen = undefined;
  }

  private left(client: Client): void {
    this.clients.delete(client);
    if (this.clients.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.chosen = undefined;
    for (const server of this.servers) server.leave();
  }

  private ask(): Promise<Server> {
    this.asking ??= this.choose().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  private async choose(): Promise<Server> {
    // Of all that respond: a former primary may respond before its successor.
    const answers = await Promise.all(
      this.servers.map((server) =>
        server.timeline().then(
          (timeline) => ({ server, timeline }),
          () => undefined,
        ),
      ),
    );
    const responses = answers.filter((answer) => !!answer);
    const best = this.wants === 'any' ? responses[0] : this.suitable(responses);
    if (!best) {
      const message = this.wants === 'any' ? 'No server responds' : `No server is a ${this.wants}`;
      throw Object.assign(new Error(message), { code: NO_SERVER });
    }
    this.newest = best.timeline ?? '';
    this.chosen = best.server;
    for (const [client, server] of this.clients) if (server !== best.server) socketOf(client).destroy();
    return best.server;
  }

  private suitable(responses: Response[]): Response | undefined {
    const suitable = responses.filter(({ timeline }) =>
      this.wants === 'standby' ? !timeline : timeline && timeline >= this.newest,
    );
    suitable.sort((a, b) => Number(b.server === this.chosen) - Number(a.server === this.chosen));
    suitable.sort((a, b) => (b.timeline ?? '').localeCompare(a.timeline ?? ''));
    return suitable[0];
  }
}

/** A client that connects to the suitable server. */
const clientOf = (hosts: Hosts): typeof Client =>
  class extends Client {
    override connect(): Promise<this>;
    override connect(done: (error: Error) => void): void;
    override connect(done?: (error: Error) => void): Promise<this> | undefined {
      const connected = this.toSuitable();
      if (!done) return connected;
      connected.then(() => (done as () => void)(), done);
    }

    private async toSuitable(): Promise<this> {
      const server = await this.suitable();
      Object.assign(this, { host: server.host, port: server.port });
      hosts.join(this, server);
      try {
        await super.connect();
      } catch (error) {
        hosts.doubt(server);
        throw error;
      }
      return this;
    }

    private async suitable(): Promise<Server> {
      try {
        const server = await hosts.forNewConnection();
        // Meanwhile, a pool destroys the socket of a client that takes too long, and others end it.
        const { _ending: isEnding } = this as unknown as { _ending: boolean };
        if (socketOf(this).destroyed || isEnding) throw new Error('timeout exceeded when trying to connect');
        return server;
      } catch (error) {
        // As after a refused connection.
        process.nextTick(() => this.emit('end'));
        throw error;
      }
    }
  };

const clients = new Map<string, typeof Client>();

/** The settings with which pg connects to a URL, which can name several servers. */
export function connectionTo(url: string): { connectionString: string; Client?: typeof Client } {
  const { urls, wants } = databaseServers(url);
  const [connectionString] = urls;
  if (!wants) return { connectionString };
  const known = clients.get(url) ?? clientOf(new Hosts(urls, wants));
  clients.set(url, known);
  return { connectionString, Client: known };
}

/** A client, not yet connected, for a URL that can name several servers. */
export function clientTo(url: string, config: ClientConfig): Client {
  const { Client: Suitable = Client, ...connection } = connectionTo(url);
  return new Suitable({ ...connection, ...config });
}

/** The URL of a node of a distributed database, with the role, password and database of the coordinator's. */
export function urlOfNode(coordinator: string, address: string): string {
  const url = new URL(databaseServers(coordinator).urls[0]);
  url.host = address;
  // A node is one server.
  url.searchParams.delete('target_session_attrs');
  return url.href;
}
