import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { pace } from '../harness';

/** `stalled`: connections stay open, and nothing passes, as when a server freezes or the network drops its packets. */
type Mode = 'open' | 'slow' | 'stalled';

const DELAY_MS = 100;
const LOOK_EVERY_MS = 20;

/** A network connection to a server, which can fail. */
export class Network {
  mode: Mode = 'open';
  private readonly clients = new Set<Socket>();
  private readonly servers = new Set<Socket>();
  /** The clients' ends of connections that pass nothing any more. */
  private readonly lost = new WeakSet<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: () => number,
  ) {
    server.on('connection', (client) => this.join(client));
  }

  /** @param target the server's port, which can change */
  static async start(target: () => number): Promise<Network> {
    const server = createServer();
    const proxy = new Network(server, target);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** @returns the URL of a server, with this network in between */
  through(url: string): string {
    const changed = new URL(url);
    changed.port = String(this.port);
    return changed.href;
  }

  /** Breaks all connections. */
  drop(): void {
    for (const socket of [...this.clients, ...this.servers]) socket.destroy();
  }

  /** As when a firewall forgets the connections: nothing passes any more, and the clients are not told. New ones work. */
  lose(): void {
    for (const socket of this.clients) this.lost.add(socket);
  }

  async stop(): Promise<void> {
    this.drop();
    await new Promise((done) => this.server.close(done));
  }

  private join(client: Socket): void {
    const server = connect(this.target(), '127.0.0.1');
    this.clients.add(client);
    this.servers.add(server);
    client.on('close', () => {
      this.clients.delete(client);
      server.destroy();
    });
    server.on('close', () => {
      this.servers.delete(server);
      if (!this.lost.has(client)) client.destroy();
    });
    for (const socket of [client, server]) {
      socket.setNoDelay();
      socket.on('error', () => {});
    }
    const isLost = () => this.lost.has(client);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const)
      void this.pass(from, to, isLost).then(() => server.destroy());
  }

  private async pass(from: Socket, to: Socket, isLost: () => boolean): Promise<void> {
    try {
      for await (const bytes of from) {
        if (this.mode === 'slow') await pace(DELAY_MS);
        while (this.mode === 'stalled' && !from.destroyed) await pace(LOOK_EVERY_MS);
        if (isLost() || to.destroyed) continue;
        if (!to.write(bytes)) await new Promise((done) => to.once('drain', done).once('close', done));
      }
    } catch {
      // One end is gone, which the other is told.
    }
  }
}
