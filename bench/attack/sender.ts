import { Agent, type ClientRequest, request } from 'node:http';
import { connect, type Socket } from 'node:net';

const PATIENCE_MS = 60_000;

/** A request of an attack. */
export interface Sent {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Sends the requests of an attack, and counts the responses by status. */
export class Sender {
  requests = 0;
  readonly statuses: Record<string, number> = {};
  /** The bytes of bodies that were accepted. */
  accepted = 0;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly open = new Set<ClientRequest>();
  private readonly held = new Set<Socket>();

  constructor(private readonly url: string) {}

  /** Resolves when the response has been read, or the connection is closed. */
  send({ path, method = 'GET', headers, body }: Sent): Promise<void> {
    return new Promise((resolve) => {
      const outgoing = this.begin(path, method, headers);
      outgoing.on('response', (answer) => {
        if (answer.statusCode === 200) this.accepted += Buffer.byteLength(body ?? '');
        answer.resume();
      });
      outgoing.once('close', resolve);
      outgoing.end(body);
    });
  }

  /** Sends a request whose response is never read; it stays until `end`. */
  ignore({ path, method = 'GET', headers, body }: Sent): void {
    const outgoing = this.begin(path, method, headers);
    outgoing.on('response', (answer) => answer.pause());
    outgoing.end(body);
  }

  /** Announces a body and sends only its beginning. */
  stopShort({ path, method = 'POST', headers, body = '' }: Sent, bytes: number): void {
    const length = Buffer.byteLength(body);
    const outgoing = this.begin(path, method, { ...headers, 'content-length': String(length) });
    outgoing.on('response', (answer) => answer.resume());
    outgoing.write(body.slice(0, bytes));
  }

  /** Opens a connection, sends the text, and reads nothing; it stays until `end`. */
  hold(text: string): void {
    this.requests += 1;
    const { hostname, port } = new URL(this.url);
    const socket = connect(Number(port), hostname).pause();
    this.held.add(socket);
    socket
      .on('error', () => {})
      .once('close', () => {
        this.held.delete(socket);
        this.count('closed');
      });
    if (text) socket.write(text);
  }

  get waiting(): number {
    return this.open.size + this.held.size;
  }

  end(): void {
    for (const outgoing of [...this.open, ...this.held]) outgoing.destroy();
    this.agent.destroy();
  }

  private begin(path: string, method: string, headers: Record<string, string> = {}): ClientRequest {
    this.requests += 1;
    const outgoing = request(this.url + path, { agent: this.agent, method, headers, timeout: PATIENCE_MS });
    this.open.add(outgoing);
    outgoing
      .on('response', ({ statusCode }) => this.count(String(statusCode)))
      .on('error', () => this.count('closed'))
      .on('timeout', () => outgoing.destroy())
      .once('close', () => this.open.delete(outgoing));
    return outgoing;
  }

  private count(what: string): void {
    this.statuses[what] = (this.statuses[what] ?? 0) + 1;
  }
}
