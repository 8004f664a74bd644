import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryAfterOf, StartlineError } from './error';

export type Send = (request: Request) => Promise<Response>;

/** A request that is sent again after a wait. */
export interface Retry {
  method: string;
  url: string;
  /** How often the request was sent so far. */
  attempt: number;
  /** The time until it is sent again. */
  waitMs: number;
  /** A `StartlineError`, or the error of `fetch` if there was no complete response. */
  error: Error;
}

export interface Patience {
  /** The maximum number of attempts per request (default 6). */
  tries?: number;
  /** The maximum `retry-after` in seconds; a longer one throws the error, which contains it (default 120). */
  longestWaitSeconds?: number;
  /** Called before each wait. An error that it throws ends the request. */
  onRetry?: (retry: Retry) => void;
}

/** The patience of loops without an end: until they are left. */
export const ENDLESS: Patience = {
  tries: Number.POSITIVE_INFINITY,
  longestWaitSeconds: Number.POSITIVE_INFINITY,
};
const LONGEST_BACKOFF_MS = 30_000;

/** Ends early with the reason of the signal. */
export const pause = (ms: number, signal?: AbortSignal | null): Promise<void> =>
  sleep(ms, undefined, { signal: signal ?? undefined }).catch(() => signal?.throwIfAborted());

/**
 * Retries a request after `429`, which means that it was not processed, and after `408`, `5xx` and without a response: what it writes has
 * an idempotency key. Waits for `retry-after`, otherwise twice as long each time.
 */
export function patient(
  send: Send,
  { tries = 6, longestWaitSeconds = 120, onRetry }: Patience,
  receive: (response: Response) => Promise<Response> = whole,
): Send {
  return async (request) => {
    nameWrite(request);
    for (let sent = 1; ; sent++) {
      let failure: unknown;
      const response = await send(request.clone())
        .then(receive)
        .catch((error: unknown) => {
          request.signal.throwIfAborted();
          if (sent === tries) throw error;
          failure = error;
        });
      const wait = response ? waitAfter(response, sent) : backoff(sent);
      if (response && (sent === tries || wait === undefined || wait > longestWaitSeconds * 1_000)) {
        return response;
      }
      const waitMs = wait as number;
      if (onRetry) {
        const error = response
          ? StartlineError.of(response, await response.json().catch(() => undefined))
          : (failure as Error);
        onRetry({ method: request.method, url: request.url, attempt: sent, waitMs, error });
      }
      await pause(waitMs, request.signal);
    }
  };
}

/** A write that is sent twice under the same key is done once. */
function nameWrite({ method, headers }: Request): void {
  if (['GET', 'DELETE'].includes(method) || headers.has('idempotency-key')) return;
  headers.set('idempotency-key', randomUUID());
}

/** Reads the whole body, so that a connection that is lost meanwhile counts as no response. */
async function whole(response: Response): Promise<Response> {
  return response.body ? new Response(await response.arrayBuffer(), response) : response;
}

/** Throws if the body is not JSON: the page of a proxy, or a body whose end was lost unnoticed. */
export async function wholeJson(response: Response): Promise<Response> {
  if (!response.ok || !response.body) return whole(response);
  const body = await response.text();
  JSON.parse(body);
  return new Response(body, response);
}

/** Milliseconds; undefined if a retry would be useless. */
function waitAfter({ status, headers }: Response, sent: number): number | undefined {
  if (status !== 429 && status !== 408 && status < 500) return undefined;
  const seconds = retryAfterOf(headers);
  return seconds === undefined ? backoff(sent) : seconds * 1_000;
}

/**
 * Half a second, doubled with each attempt up to half a minute; randomized, so that clients that failed together do not retry together.
 */
const backoff = (sent: number) => Math.min(LONGEST_BACKOFF_MS, 250 * 2 ** sent) * (0.75 + Math.random() / 2);
