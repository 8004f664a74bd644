import type { BodyProblem } from './openapi';

/** The API rejected a request or failed. */
export class StartlineError extends Error {
  override readonly name = 'StartlineError';

  /**
   * @param status the HTTP status
   * @param code the `error` of the response body: `Bad Request`, `Forbidden`, `Too Many Requests` …
   * @param message a sentence that describes the problem; for logs, not for matching
   * @param requestId give it to Startline's operators when you ask about the request
   * @param retryAfter the seconds to wait before a retry, if the response has them
   * @param problems up to 100 problems of the request body, each with its path and a code to match on
   */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId?: string,
    readonly retryAfter?: number,
    readonly problems: readonly BodyProblem[] = [],
  ) {
    super(message);
  }

  /** @param body the response body as far as it could be read; proxies may respond in another format */
  static of({ status, statusText, headers }: Response, body: unknown): StartlineError {
    const { error, message, problems } = ((typeof body === 'object' && body) || {}) as {
      error?: string;
      message?: string;
      problems?: BodyProblem[];
    };
    return new StartlineError(
      status,
      error ?? statusText,
      message ?? `The server responded with ${status} ${statusText}`,
      headers.get('x-request-id') ?? undefined,
      retryAfterOf(headers),
      Array.isArray(problems) ? problems : [],
    );
  }
}

/** Seconds, if the response has a number: proxies may send a date instead. */
export function retryAfterOf(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds >= 0 ? seconds : undefined;
}
