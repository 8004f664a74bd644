import { STATUS_CODES } from 'node:http';
import { exampleId } from './examples';
import { REF, type Schema } from './schema';

export interface MediaType {
  schema?: Schema;
  example?: unknown;
}
export interface Answer {
  description?: string;
  headers?: Schema;
  content?: Record<string, MediaType>;
  $ref?: string;
}
export interface Operation {
  operationId: string;
  tags?: string[];
  parameters?: Schema[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, Answer>;
  'x-access': { keys: string[]; rate: string };
  'x-list'?: { schemaName: string; item: string; envelope: 'standard' | 'brief' };
  'x-foreign-ids'?: string[];
  'x-idempotent'?: boolean;
  'x-etag'?: boolean;
}

const EXAMPLE_MESSAGES: Record<string, string> = {
  400: 'page[size] must be a whole number between 1 and 500',
  401: 'Send a valid API key: `Authorization: Bearer <API_KEY>`.',
  403: 'This key is not permitted to call this endpoint.',
  404: 'There is no such resource in your organization.',
  413: 'The body must not be larger than 1048576 bytes.',
  429: 'Too many requests. Wait 12 seconds, then send the request again.',
  500: 'An internal error occurred.',
  503: 'The server is overloaded. Try again in a few seconds.',
};

const LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

export const HEADERS: Schema = {
  'retry-after': {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer', examples: [12] },
  },
  etag: {
    description:
      'Names this response; see `If-None-Match`. Absent if the response may change without a write.',
    schema: { type: 'string', examples: ['W/"3q2-7wAAAAC6rb8d0lq5oWb6nZ9"'] },
  },
  'x-ratelimit-limit': {
    description: 'The allowance: requests per window.',
    schema: { type: 'integer', examples: [300] },
  },
  'x-ratelimit-remaining': {
    description: 'Remaining requests in the current window.',
    schema: { type: 'integer', examples: [299] },
  },
  'x-ratelimit-reset': {
    description: 'Seconds until the next window.',
    schema: { type: 'integer', examples: [42] },
  },
};

/** The envelope of a list. */
export function envelopeOf({ item, envelope }: NonNullable<Operation['x-list']>): Schema {
  const [items, page] = envelope === 'brief' ? ['events', 'MarketplacePage'] : ['data', 'Page'];
  return {
    type: 'object',
    description: `One page of a list of ${item}.`,
    properties: {
      [items]: {
        type: 'array',
        description: 'The items of the page, in order.',
        items: { $ref: REF + item },
      },
      page: { $ref: REF + page },
    },
    required: [items, 'page'],
  };
}

const IDEMPOTENCY_KEY: Schema = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'For 24 hours, a repeat with this key has no further effect.',
  schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['order-1815'] },
};

const IF_NONE_MATCH: Schema = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The `etag` of an earlier response. If nothing has changed in your organization, the response is `304`.',
  schema: { type: 'string', maxLength: 16_384, examples: ['W/"3q2-7wAAAAC6rb8d0lq5oWb6nZ9"'] },
};

/**
 * The parameters besides the query: the ids in the path, ours unless the operation declares them as external, and the
 * headers that the operation accepts.
 */
export function addParameters(path: string, operation: Operation): void {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const foreign = operation['x-foreign-ids'] ?? [];
  const parameters = named.map((name) => ({
    name,
    in: 'path',
    required: true,
    ...describePath(path, name, foreign.includes(name)),
  }));
  const others = (operation.parameters ?? [])
    .filter((one) => one.in !== 'path')
    .map(({ required, ...one }) => (required ? { ...one, required } : one));
  operation.parameters = [
    ...parameters,
    ...others,
    ...(operation['x-idempotent'] ? [IDEMPOTENCY_KEY] : []),
    ...(operation['x-etag'] ? [IF_NONE_MATCH] : []),
  ];
}

/**
 * Shares parameters that several operations have: those of lists, and headers. A name with different meanings stays with the operations.
 *
 * @returns the shared ones, by their names in the document
 */
export function shareParameters(operations: Operation[]): Record<string, Schema> {
  const meanings = new Map<string, Set<string>>();
  const uses = new Map<string, number>();
  const all = operations.flatMap(({ parameters = [] }) => parameters).filter((one) => one.in !== 'path');
  for (const one of all) {
    const name = one.name as string;
    const text = JSON.stringify(one);
    meanings.set(name, (meanings.get(name) ?? new Set()).add(text));
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  const shared: Record<string, Schema> = {};
  for (const operation of operations) {
    operation.parameters = operation.parameters?.map((one) => {
      const text = JSON.stringify(one);
      if (meanings.get(one.name as string)?.size !== 1 || (uses.get(text) ?? 0) < 2) return one;
      const name = componentOf(one.name as string);
      shared[name] = one;
      return { $ref: `#/components/parameters/${name}` };
    });
  }
  return Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `PageAfter` for `page[after]`, `IfNoneMatch` for `If-None-Match`. */
const componentOf = (name: string): string =>
  name.replace(/(?:^|\W+)(\w?)/g, (_, letter: string) => letter.toUpperCase());

/** `/v0/booking-forms/{id}/tickets`: "The booking form’s id". `{jobId}`: "The job’s id". */
function describePath(path: string, name: string, foreign: boolean): Schema {
  const collection = /([\w-]+)\/\{id\}/.exec(path)?.[1] ?? '';
  const words =
    name === 'id' ? collection.replace(/ies$/, 'y').replace(/s$/, '') : kebab(name.replace(/Id$/, ''));
  const id = exampleId(words.replaceAll('-', ''));
  const thing = `The ${words.replaceAll('-', ' ')}’s id`;
  if (!foreign)
    return { description: `${thing}.`, schema: { type: 'string', format: 'uuid', examples: [id] } };
  return name === 'id'
    ? {
        description: `${thing}, or an external id.`,
        schema: { type: 'string', maxLength: 255, examples: [id] },
      }
    : {
        description: 'Your external id, as imported.',
        schema: { type: 'string', maxLength: 255, examples: ['ORDER-1041'] },
      };
}

const kebab = (name: string): string => name.replace(/([A-Z])/g, '-$1').toLowerCase();

/** Error responses are shared by all operations, by status. */
export function shareErrors(operation: Operation, shared: Record<string, Answer>): void {
  const inPath = operation.parameters?.some((parameter) => parameter.in === 'path');
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (Number(status) < 400) continue;
    if (status === '404' && !inPath) {
      delete operation.responses[status];
      continue;
    }
    const error = STATUS_CODES[status] ?? status;
    const name = error.replace(/\W/g, '');
    shared[name] ??= {
      description: answer.description,
      ...(['429', '503'].includes(status) && {
        headers: headers('retry-after', ...(status === '429' ? LIMIT_HEADERS : [])),
      }),
      content: {
        'application/json': {
          schema: { $ref: `${REF}ApiErrorBody` },
          example: { statusCode: Number(status), error, message: EXAMPLE_MESSAGES[status] },
        },
      },
    };
    operation.responses[status] = { $ref: `#/components/responses/${name}` };
  }
}

/** Every success response has the headers of the allowance. Operations with an `etag` share the response without a body. */
export function addHeaders(operation: Operation, shared: Record<string, Answer>): void {
  const success = operation.responses['200'];
  const names = [...(operation['x-etag'] ? ['etag'] : []), ...LIMIT_HEADERS];
  if (success) success.headers = headers(...names);
  if (!operation['x-etag']) return;
  shared.NotModified ??= {
    description: 'Nothing has changed: the response is the one that `If-None-Match` names.',
    headers: headers(...names),
  };
  operation.responses['304'] = { $ref: '#/components/responses/NotModified' };
}

const headers = (...names: string[]): Schema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
