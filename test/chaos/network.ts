import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** `stalled`: connections stay open, and nothing passes, as when a server freezes or the network drops its packets. */
type Mode = 'open' | 'slow' | 'stalled' | 'refusing';

const DELAY_MS = 100;
const LOOK_EVERY_MS = 20;

/** A network connection to a server, which can fail. */
export class Network {
  mode: Mode = 'open';
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: () => number,
  ) {
    server.on('connection', (socket) => this.join(socket));
  }

  /** @param target the server's port, which can change */
  static async start(target: () => number): Promise<Network> {
    const server = createServer({ allowHalfOpen: false });
    const proxy = new Network(server, target);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Breaks all connections. */
  drop(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.drop();
    await new Promise((done) => this.server.close(done));
  }

  private join(socket: Socket): void {
    if (this.mode === 'refusing') return void socket.destroy();
    const other = connect(this.target(), '127.0.0.1');
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.sockets.add(from);
      from.setNoDelay();
      from.on('error', () => {});
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      void this.pass(from, to);
    }
  }

  private async pass(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const bytes of from) {
        if (this.mode === 'slow') await sleep(DELAY_MS);
        while (this.mode === 'stalled' && !from.destroyed) await sleep(LOOK_EVERY_MS);
        if (!to.write(bytes)) await new Promise((done) => to.once('drain', done).once('close', done));
      }
    } catch {
      // One end is gone, which the other is told.
    }
    to.destroy();
  }
}
