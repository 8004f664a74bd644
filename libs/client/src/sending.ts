import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryAfterOf } from './error';

export type Send = (request: Request) => Promise<Response>;

export interface Patience {
  /** The maximum number of attempts per request (default 6). */
  tries?: number;
  /** The maximum `retry-after` in seconds; a longer one throws the error, which contains it (default 120). */
  longestWaitSeconds?: number;
}

/** Ends early with the reason of the signal. */
export const pause = (ms: number, signal?: AbortSignal | null): Promise<void> =>
  sleep(ms, undefined, { signal: signal ?? undefined }).catch(() => signal?.throwIfAborted());

/**
 * Retries a request after `429`, which means that it was not processed; and, if the request is idempotent, after
 * `5xx` and without a response. Waits for `retry-after`, otherwise twice as long each time.
 */
export function patient(
  send: Send,
  { tries = 6, longestWaitSeconds = 120 }: Patience,
  receive: (response: Response) => Promise<Response> = whole,
): Send {
  return async (request) => {
    nameImport(request);
    for (let sent = 1; ; sent++) {
      const response = await send(request.clone())
        .then(receive)
        .catch((error: unknown) => {
          request.signal.throwIfAborted();
          if (sent === tries || !repeatable(request)) throw error;
        });
      const wait = response ? waitAfter(response, request, sent) : backoff(sent);
      if (response && (sent === tries || wait === undefined || wait > longestWaitSeconds * 1_000)) {
        return response;
      }
      await pause(wait as number, request.signal);
    }
  };
}

/** An import that is sent twice under the same key is imported once. */
function nameImport({ url, headers }: Request): void {
  if (!new URL(url).pathname.endsWith('/import') || headers.has('idempotency-key')) return;
  headers.set('idempotency-key', randomUUID());
}

/** Reads the whole body, so that a connection that is lost meanwhile counts as no response. */
async function whole(response: Response): Promise<Response> {
  return response.body ? new Response(await response.arrayBuffer(), response) : response;
}

const repeatable = ({ method, headers }: Request) =>
  ['GET', 'PUT', 'DELETE'].includes(method) || headers.has('idempotency-key');

/** Milliseconds; undefined if a retry would be unsafe or useless. */
function waitAfter({ status, headers }: Response, request: Request, sent: number): number | undefined {
  if (status !== 429 && (status < 500 || !repeatable(request))) return undefined;
  const seconds = retryAfterOf(headers);
  return seconds === undefined ? backoff(sent) : seconds * 1_000;
}

/**
 * Half a second, doubled with each attempt; randomized, so that clients that failed together do not retry together.
 */
const backoff = (sent: number) => 250 * 2 ** sent * (0.75 + Math.random() / 2);
