import { isIP } from 'node:net';
import type { Agent, Dispatcher } from 'undici';
import { jsonBytes } from '#platform/validation';
import { AddressRefused, guardedLookup, isAllowed, type Lookup, type Network } from './addresses';
import { signatureOf } from './secrets';

/** The stored part of a response, in bytes of JSON. */
const KEPT_BYTES = 4_096;
/** The connection of a longer response is closed. */
const READ_BYTES = 65_536;
const CONNECT_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;

export interface SenderOptions {
  timeoutMs: number;
  allowedNetworks: readonly Network[];
  /** Replaces the system's resolver. */
  lookup?: Lookup;
}

export interface Message {
  url: string;
  /** Whether it is of a sandbox, which the header `startline-test` says. */
  test?: boolean;
  /** The id of the event, which is the same for each attempt. */
  id: string;
  body: string;
  /** One signature, or two while a secret is being rotated. */
  keys: readonly Buffer[];
}

/** The result of an attempt. */
export interface Attempt {
  attemptedAt: Date;
  durationMs: number;
  status: number | null;
  error: string | null;
  response: string | null;
  /** The requested delay of the response. */
  retryAfterMs: number | null;
}

/** Loaded when it is first used, because the api starts without it. */
const undici = () => require('undici') as typeof import('undici');

/** Sends messages by HTTP/1.1 with keep-alive. Does not follow redirects. */
export class Sender {
  private readonly agent: Agent;

  constructor(private readonly options: SenderOptions) {
    const connector = undici().buildConnector({
      timeout: Math.min(CONNECT_MS, options.timeoutMs),
      lookup: guardedLookup(options.allowedNetworks, options.lookup),
      autoSelectFamily: true,
    });
    this.agent = new (undici().Agent)({
      // A host that is an IP address is not resolved, so it is checked here.
      connect: (target, callback) => {
        const host = target.hostname.replace(/^\[|\]$/g, '');
        if (isIP(host) && !isAllowed(host, options.allowedNetworks)) callback(new AddressRefused(host), null);
        else connector(target, callback);
      },
      keepAliveTimeout: KEEP_ALIVE_MS,
      pipelining: 1,
    });
  }

  /** Never rejects: errors are part of the attempt. */
  async send({ url, test, id, body, keys }: Message): Promise<Attempt> {
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
      const answer = await undici().request(url, {
        dispatcher: this.agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Startline-Webhooks/1.0',
          ...(test && { 'startline-test': 'true' }),
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

/** The status was received, so it counts even if the body fails. */
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
    // The body ended early or took too long.
  }
  // PostgreSQL can't store NUL.
  let text = Buffer.concat(kept).toString('utf8').replaceAll('\0', '�');
  // Escapes and replacement characters are longer than what was received.
  while (jsonBytes(text) > KEPT_BYTES + 2) text = text.slice(0, text.length * 0.9).toWellFormed();
  return text;
}

function retryAfterOf(header: string | string[] | undefined): number | null {
  const text = String(header ?? '');
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}
