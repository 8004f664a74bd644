import { isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { AddressRefused, guardedLookup, isAllowed, type Lookup, type Network } from './addresses';
import { signatureOf } from './secrets';

/** What is kept of a response. */
const KEPT_BYTES = 4_096;
/** A longer response is not read to its end: its connection is closed instead. */
const READ_BYTES = 65_536;
const CONNECT_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;

export interface SenderOptions {
  timeoutMs: number;
  allowedNetworks: readonly Network[];
  /** Instead of the system's resolver. */
  lookup?: Lookup;
}

export interface Message {
  url: string;
  /** The event's id, the same at each attempt. */
  id: string;
  body: string;
  /** One or, while a secret is being rotated, two. */
  keys: readonly Buffer[];
}

/** How an attempt ended. */
export interface Attempt {
  attemptedAt: Date;
  durationMs: number;
  status: number | null;
  error: string | null;
  response: string | null;
  /** What a refusal asked for. */
  retryAfterMs: number | null;
}

/** Sends messages by HTTP/1.1 over kept connections. Redirects are not followed. */
export class Sender {
  private readonly agent: Agent;

  constructor(private readonly options: SenderOptions) {
    const connector = buildConnector({
      timeout: Math.min(CONNECT_MS, options.timeoutMs),
      lookup: guardedLookup(options.allowedNetworks, options.lookup),
      autoSelectFamily: true,
    });
    this.agent = new Agent({
      // A host that is an address is never looked up, so it is checked here.
      connect: (target, callback) => {
        const host = target.hostname.replace(/^\[|\]$/g, '');
        if (isIP(host) && !isAllowed(host, options.allowedNetworks)) callback(new AddressRefused(host), null);
        else connector(target, callback);
      },
      keepAliveTimeout: KEEP_ALIVE_MS,
      pipelining: 1,
    });
  }

  /** Never fails: what went wrong is in the attempt. */
  async send({ url, id, body, keys }: Message): Promise<Attempt> {
    const attemptedAt = new Date();
    const started = performance.now();
    const timestamp = Math.floor(attemptedAt.getTime() / 1000);
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), this.options.timeoutMs);
    const end = (rest: Partial<Attempt>): Attempt => ({
      attemptedAt,
      durationMs: Math.round(performance.now() - started),
      status: null,
      error: null,
      response: null,
      retryAfterMs: null,
      ...rest,
    });
    try {
      const answer = await request(url, {
        dispatcher: this.agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Startline-Webhooks/1.0',
          'webhook-id': id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signatureOf(keys, id, timestamp, body),
        },
        body,
        signal: abort.signal,
      });
      const response = await beginningOf(answer.body);
      const retryAfterMs = retryAfterOf(answer.headers['retry-after']);
      return end({ status: answer.statusCode, response, retryAfterMs });
    } catch (error) {
      const { code, name } = error as Error & { code?: string };
      return end({ error: abort.signal.aborted ? 'TIMEOUT' : (code ?? name) });
    } finally {
      clearTimeout(timer);
    }
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}

/** The status has been received: whatever happens to the body, it stands. */
async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const kept: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (size < KEPT_BYTES) kept.push(chunk.subarray(0, KEPT_BYTES - size));
      size += chunk.length;
      if (size > READ_BYTES) break;
    }
  } catch {
    // It ended early or took too long.
  }
  // PostgreSQL's text has no NUL.
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '�');
}

function retryAfterOf(header: string | string[] | undefined): number | null {
  const text = String(header ?? '');
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}
