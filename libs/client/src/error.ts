import type { BodyProblem } from './openapi';

/** The API refused a request, or could not answer it. */
export class StartlineError extends Error {
  override readonly name = 'StartlineError';

  /**
   * @param status the HTTP status
   * @param code the `error` of the answer's body: `Bad Request`, `Forbidden`, `Too Many Requests` …
   * @param message a sentence that names what is wrong; for logs, not for matching
   * @param requestId what to tell Startline's operators when you ask about it
   * @param retryAfter the seconds to wait before it is worth another try, where the answer said so
   * @param problems what is wrong with the request's body: up to 100 of its mistakes, each with its path and a code to match on
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

  /** @param body the answer's body as far as it could be read; what stands between may answer in another shape */
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

/** Seconds, where the answer gives them: what stands between may write a date instead. */
export function retryAfterOf(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds >= 0 ? seconds : undefined;
}
