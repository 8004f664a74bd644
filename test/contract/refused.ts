import { STATUS_CODES } from 'node:http';
import { PROBLEM_CODES } from '#platform/validation';
import type { Answer, TestApi } from '../harness';

/** Texts of databases, stack traces or unexpected errors. */
const NEVER =
  /\b(violates|duplicate key|QueryFailedError|node_modules|invalid input syntax)\b|\.[jt]s:\d|\n\s+at /;

/** Texts of databases, stack traces or bugs. */
const NOT_FOR_CLIENTS =
  /\bSELECT\b|\bINSERT\b|\bWHERE\b|\bsyntax error\b|\brelation\b|\bcolumn\b|\bconstraint\b|\bviolates\b|\bduplicate key\b|\bpg_|\bnode_modules\b|\.[jt]s:\d|\n|\[object |\bundefined\b|\bNaN\b|\b(Type|Syntax|Range)Error\b|Cannot (read|GET|POST|PUT|PATCH|DELETE)/;

/**
 * Expects an error body (docs/interface.md#errors) without other properties. One `expect` for everything, because tests send
 * thousands of requests, and each takes a tenth of the time of a request.
 */
export function expectErrorShape({ status, body, headers }: Answer<any>): void {
  const { problems, ...rest } = body;
  const { message } = body;
  expect({
    type: headers.get('content-type'),
    requestId: headers.get('x-request-id'),
    body: rest,
    texts: NEVER.exec(message),
    hasLength: message.length > 5 && message.length < 1_002,
  }).toEqual({
    type: 'application/json; charset=utf-8',
    requestId: expect.stringMatching(/^[\w.:-]{1,64}$/),
    body: { statusCode: status, error: STATUS_CODES[status], message: expect.any(String) },
    texts: null,
    hasLength: true,
  });
  if (problems !== undefined) expectProblems(status, body);
}

function expectProblems(status: number, { message, problems }: any): void {
  const wrong = problems.filter(
    (one: any) =>
      !(PROBLEM_CODES as readonly string[]).includes(one.code) ||
      !one.message.startsWith(one.path) ||
      NEVER.test(one.message),
  );
  // The message of the error is cut, if it is very long.
  const isOfFirst = problems[0]?.message.startsWith(message.replace(/…$/, ''));
  expect([status, problems.length <= 100, isOfFirst || message, wrong]).toEqual([400, true, true, []]);
}

/**
 * The same, with a check of the message.
 *
 * @param says text that the message must contain
 */
export function expectRefused(answer: Answer<any>, status: number, ...says: (string | RegExp)[]): void {
  const message = String(answer.body?.message);
  const unsaid = says.filter((part) =>
    typeof part === 'string' ? !message.includes(part) : !part.test(message),
  );
  expect({
    status: answer.status,
    text: answer.text,
    startsWithText: /^\S/.test(message),
    notForClients: NOT_FOR_CLIENTS.exec(message),
    unsaid,
  }).toEqual({
    status,
    text: expect.any(String),
    startsWithText: true,
    notForClients: null,
    unsaid: [],
  });
  expectErrorShape(answer);
}

/** Sends a request unchanged, including malformed ones. */
export async function raw(
  { url, token }: TestApi,
  method: string,
  path: string,
  init: { body?: string | Buffer; headers?: Record<string, string>; token?: string | null } = {},
): Promise<Answer<any>> {
  const given = init.token === undefined ? token : init.token;
  const response = await fetch(url + path, {
    method,
    body: init.body,
    headers: { ...(given && { authorization: `Bearer ${given}` }), ...init.headers },
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text ? JSON.parse(text) : undefined,
  };
}
