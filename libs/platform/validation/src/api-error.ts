import { STATUS_CODES } from 'node:http';
import { type Problem, type ProblemCode, problem, shortened } from './problem';

/** The body of every error response (docs/interface.md#errors). */
export interface ErrorBody {
  statusCode: number;
  error: string;
  message: string;
  problems?: readonly Problem[];
}

/** An error response. The message is for the client. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
    /** The problems of the body, if the error is about the body. */
    readonly problems?: readonly Problem[],
  ) {
    super(shortened(message));
  }

  get body(): ErrorBody {
    const { status: statusCode, message, problems } = this;
    return { statusCode, error: STATUS_CODES[statusCode] ?? 'Error', message, ...(problems && { problems }) };
  }
}

type Answer = readonly [
  status: number,
  message: string,
  headers?: Record<string, string>,
  problems?: readonly Problem[],
];
type Registry = Record<string, (...details: never[]) => Answer>;
type Raisers<R extends Registry> = { [Name in keyof R]: (...details: Parameters<R[Name]>) => ApiError };

/**
 * A group's errors by name, each with its status.
 *
 *   export const errors = defineErrors({ noSuchPartner: (id: string) => [404, `There is no partner ${id}.`] });
 *   throw errors.noSuchPartner(id);
 */
export const defineErrors = <R extends Registry>(registry: R): Raisers<R> =>
  Object.fromEntries(
    Object.entries(registry).map(([name, describe]) => [
      name,
      (...details: never[]) => new ApiError(...describe(...details)),
    ]),
  ) as unknown as Raisers<R>;

/** One rule of the body, which its schema does not say. @param subject instead of the path, in the message */
export function brokenRule(path: string, code: ProblemCode, rule: string, subject?: string): Answer {
  const found = problem(path, code, rule);
  const told = subject ? { ...found, message: `${subject} ${rule}` } : found;
  return [400, told.message, {}, [told]];
}

/** Errors of all operations. */
export const errors = defineErrors({
  unauthorized: () => [
    401,
    'This API key is not valid: it was revoked, changed, or belongs to another server. Send a valid one: `Authorization: Bearer <API_KEY>`.',
    { 'www-authenticate': 'Bearer' },
  ],
  noKey: () => [
    401,
    'The request has no API key. Send it as `Authorization: Bearer <API_KEY>`.',
    { 'www-authenticate': 'Bearer' },
  ],
  keyIncomplete: () => [
    401,
    'This API key is incomplete: it has three parts with points between them, and the last has 43 characters. Send all of it: `Authorization: Bearer <API_KEY>`.',
    { 'www-authenticate': 'Bearer' },
  ],
  keyExpired: (at: string) => [
    401,
    `This API key expired at ${at}. Use another key.`,
    { 'www-authenticate': 'Bearer' },
  ],
  forbidden: (message: string) => [403, message],
  surfaceOff: (surface: string) => [
    403,
    `${surface} is not enabled for your organization. Contact us to enable it.`,
  ],
  notFound: () => [404, 'There is no such resource in your organization.'],
  occurrenceForEvent: (eventId: string) => [
    404,
    `This is the id of an event occurrence. Send the id of its event, ${eventId}.`,
  ],
  noRoute: (method: string, path: string) => [
    404,
    `There is no ${method} ${path}. See /docs for the available endpoints.`,
  ],
  noMethod: (method: string, path: string, methods: readonly string[]) => [
    405,
    `There is no ${method} ${path}; it can be called with ${methods.join(', ')}. See /docs for the available endpoints.`,
    { allow: methods.join(', ') },
  ],
  invalid: (message: string) => [400, message],
  invalidBody: (problems: readonly Problem[]) => [
    400,
    problems[0]?.message ?? 'The body is invalid',
    {},
    problems,
  ],
  invalidAt: brokenRule,
  tooMany: (seconds: number) => [
    429,
    `Too many requests. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then send the request again.`,
    { 'retry-after': String(seconds) },
  ],
  dayUsedUp: (reason: string, seconds: number) => [
    429,
    `${reason}. Wait ${seconds} seconds, then send the request again.`,
    { 'retry-after': String(seconds), 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(seconds) },
  ],
  diskFull: () => [
    503,
    'The database is nearly full, so nothing that takes space is accepted at the moment. Try again later.',
    { 'retry-after': '60' },
  ],
  overloaded: (headers: Record<string, string> = {}) => [
    503,
    'The server is overloaded. Try again in a few seconds.',
    { 'retry-after': '2', ...headers },
  ],
  tookTooLong: () => [
    503,
    'The request took too long, and was undone. Ask for less at once, or try again in a few seconds.',
    { 'retry-after': '2' },
  ],
  unread: () => [
    503,
    'Earlier responses for your organization have not been read. Read them or close their connections, then try again.',
    { 'retry-after': '2' },
  ],
  tooLarge: (limit: number, advice?: string) => [
    413,
    [`The body must not be larger than ${limit} bytes.`, advice].filter(Boolean).join(' '),
  ],
});
