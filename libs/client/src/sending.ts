import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryAfterOf } from './error';

export type Send = (request: Request) => Promise<Response>;

export interface Patience {
  /** How often a request is sent at most (default 6). */
  tries?: number;
  /** A longer `retry-after` is not waited for: the error is thrown, and says how long (default 120). */
  longestWaitSeconds?: number;
}

/** Ends early, with the signal's reason, when the signal says so. */
export const pause = (ms: number, signal?: AbortSignal | null): Promise<void> =>
  sleep(ms, undefined, { signal: signal ?? undefined }).catch(() => signal?.throwIfAborted());

/**
 * Sends a request again after `429`, which says that it was not processed; and, where doing it twice is as doing it
 * once, after `5xx` and when no answer came. Waits as long as `retry-after` says, else twice as long each time.
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

/** An import that is sent twice under the same name is one import. */
function nameImport({ url, headers }: Request): void {
  if (!new URL(url).pathname.endsWith('/import') || headers.has('idempotency-key')) return;
  headers.set('idempotency-key', randomUUID());
}

/** The answer with all of its body, so that a connection lost on the way counts as no answer. */
async function whole(response: Response): Promise<Response> {
  return response.body ? new Response(await response.arrayBuffer(), response) : response;
}

const repeatable = ({ method, headers }: Request) =>
  ['GET', 'PUT', 'DELETE'].includes(method) || headers.has('idempotency-key');

/** Milliseconds; undefined where sending it again would be wrong, or of no use. */
function waitAfter({ status, headers }: Response, request: Request, sent: number): number | undefined {
  if (status !== 429 && (status < 500 || !repeatable(request))) return undefined;
  const seconds = retryAfterOf(headers);
  return seconds === undefined ? backoff(sent) : seconds * 1_000;
}

/** Half a second, doubled with each try; somewhat random, so that clients that failed together don't return together. */
const backoff = (sent: number) => 250 * 2 ** sent * (0.75 + Math.random() / 2);
