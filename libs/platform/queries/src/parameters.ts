import { ApiError, errors, instantOf, isId, isPlainDate, nearestOf } from '#platform/validation';

/** The JSON Schema of the parameter in the OpenAPI document. */
export interface ParameterSchema {
  type: 'string' | 'integer' | 'boolean';
  format?: string;
  pattern?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  default?: unknown;
  examples?: unknown[];
}

/** A query parameter: its parser and its description. */
export interface Parameter<T> {
  /** @throws Rule the broken rule, such as `must be true or false` */
  read(text: string): T;
  description: string;
  schema: ParameterSchema;
  required?: boolean;
  deprecated?: boolean;
}

export type Parameters = Record<string, Parameter<unknown>>;
export type ParameterValues<P extends Parameters> = { [Name in keyof P]?: ReturnType<P[Name]['read']> };

/** Thrown by a parameter's `read`; the message becomes `<name> <rule>`. */
export class Rule extends Error {}

const rule = (text: string): never => {
  throw new Rule(text);
};

const text = (value: string): string => {
  if (value.includes('\0') || !value.isWellFormed()) rule('must not contain NUL or unpaired surrogates');
  return value;
};

export const dateTime = (description: string, round: 'down' | 'up' = 'down'): Parameter<string> => ({
  read: (value) =>
    instantOf(value, round) ?? rule('must be an ISO 8601 date-time such as 2026-05-04T09:30:00Z'),
  description,
  schema: { type: 'string', format: 'date-time', maxLength: 36 },
});

export const date = (description: string): Parameter<string> => ({
  read: (value) => (isPlainDate(value) ? value : rule('must be a date that exists, as YYYY-MM-DD')),
  description,
  schema: { type: 'string', format: 'date' },
});

export const id = (description: string): Parameter<string> => ({
  read: (value) => (isId(value) ? value : rule('must be an id: a UUID of version 7, in lower case')),
  description,
  schema: { type: 'string', format: 'uuid' },
});

export const integer = (
  description: string,
  { min, max, ...schema }: { min: number; max: number; default?: number },
): Parameter<number> => ({
  read: (value) =>
    /^(0|-?[1-9]\d{0,8})$/.test(value) && Number(value) >= min && Number(value) <= max
      ? Number(value)
      : rule(`must be a whole number between ${min} and ${max}`),
  description,
  schema: { type: 'integer', minimum: min, maximum: max, ...schema },
});

export const boolean = (description: string): Parameter<boolean> => ({
  read: (value) => (value === 'true' ? true : value === 'false' ? false : rule('must be true or false')),
  description,
  schema: { type: 'boolean', default: false },
});

export const oneOf = <T extends string>(description: string, values: readonly T[]): Parameter<T> => ({
  read: (value) => values.find((known) => known === value) ?? rule(`must be one of ${values.join(', ')}`),
  description,
  schema: { type: 'string', enum: [...values] },
});

const LONGEST_LIST = 1_000;

const short = (value: string, max: number): string =>
  value.length > max ? rule(`must not be longer than ${max} characters`) : value;

/** Comma-separated values of a known set, without duplicates. */
export const someOf = <T extends string>(
  description: string,
  values: readonly T[],
): Parameter<ReadonlySet<T>> => ({
  read: (value) =>
    new Set(
      short(value, LONGEST_LIST)
        .split(',')
        .map((part) => {
          const known = values.find((candidate) => candidate === part.trim());
          return known ?? rule(`must be a comma separated list of ${values.join(', ')}`);
        }),
    ),
  description,
  schema: { type: 'string', maxLength: LONGEST_LIST, examples: [values.join(',')] },
});

export const freeText = (
  description: string,
  { min, max }: { min?: number; max: number },
): Parameter<string> => ({
  read: (value) => {
    text(short(value, max));
    if (min !== undefined && value.trim().length < min) rule(`must have at least ${min} characters`);
    return value;
  },
  description,
  schema: { type: 'string', ...(min !== undefined && { minLength: min }), maxLength: max },
});

/** Two hexadecimal digits in lower case. */
export const byte = (description: string): Parameter<string> => ({
  read: (value) =>
    /^[0-9a-f]{2}$/.test(value) ? value : rule('must be two hexadecimal digits in lower case'),
  description,
  schema: { type: 'string', pattern: '^[0-9a-f]{2}$', maxLength: 2, examples: ['8b'] },
});

/**
 * Parses the query parameters of a request.
 *
 * @throws ApiError 400 for a parameter that is unknown, repeated, missing or invalid
 */
export function readParameters(
  declared: Parameters,
  query: Record<string, unknown>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(query)) {
    const parameter = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (!parameter) throw errors.invalid(unknownParameter(name, given, Object.keys(declared)));
    if (typeof given !== 'string') throw errors.invalid(`${name} must not be repeated`);
    try {
      values[name] = parameter.read(given);
    } catch (error) {
      throw error instanceof Rule ? new ApiError(400, `${name} ${error.message}`) : error;
    }
  }
  for (const [name, { required }] of Object.entries(declared)) {
    if (required && values[name] === undefined) throw errors.invalid(`${name} is required`);
  }
  return values;
}

/** How APIs name the lower and the upper limit of a value; ours first. */
const LIMITS = [
  ['after', 'gte', 'gt', 'since', 'from', 'min'],
  ['before', 'lte', 'lt', 'until', 'to', 'max'],
];

/** The limit of a field that the name is likely to mean: `updatedAt` or `updatedAt[gte]` is `updatedAt[after]`. */
function limitMeant(name: string, known: readonly string[]): string | undefined {
  const [, field, limit = 'after'] = /^(\w+)(?:\[(\w+)\])?$/.exec(name) ?? [];
  const names = LIMITS.find((each) => each.includes(limit)) ?? [];
  return names.map((each) => `${field}[${each}]`).find((each) => known.includes(each));
}

const SORTS = ['sort', 'order', 'sortBy', 'sort_by', 'orderBy', 'order_by'];

/** `sort=-updatedAt` is `sort[updatedAt]=-1`. */
function sortMeant(name: string, given: unknown, known: readonly string[]): string | undefined {
  if (!SORTS.includes(name)) return undefined;
  const [, sign, field, direction] = /^([+-]?)(\w+)(?:[ :,](asc|desc))?$/i.exec(String(given).trim()) ?? [];
  const sort = `sort[${field}]`;
  const isDescending = sign === '-' || direction?.toLowerCase() === 'desc';
  return known.includes(sort) ? `${sort}=${isDescending ? -1 : 1}` : undefined;
}

const unknownParameter = (name: string, given: unknown, known: string[]): string => {
  const shown = JSON.stringify(name.slice(0, 100).toWellFormed());
  const meant = sortMeant(name, given, known) ?? limitMeant(name, known) ?? nearestOf(name, known);
  const list = known.length ? `known parameters are ${known.join(', ')}` : 'this endpoint has no parameters';
  return `${shown} is not a known query parameter: ${meant ? `did you mean ${meant}? The ` : ''}${list}`;
};
