import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { instantOf, isEmail, isId, isPlainDate } from '#libs/input';

type Schema = Record<string, unknown>;

const FORMATS: Record<string, (text: string) => boolean> = {
  uuid: isId,
  'date-time': (text) => instantOf(text) !== undefined,
  date: isPlainDate,
  email: isEmail,
  uri: URL.canParse,
};

const WORDS: Record<string, string> = {
  uuid: 'must be an id of ours',
  'date-time': 'must be an ISO 8601 date-time such as 2026-05-04T09:30:00Z',
  date: 'must be a date that exists, as YYYY-MM-DD',
  email: 'must be an email address',
  uri: 'must be a URL',
};

/** The checks of the OpenAPI document's own schemas: what the reference says is what is checked. */
export class BatchSchemas {
  private readonly ajv = new Ajv({ strict: false, formats: FORMATS, allErrors: false, verbose: true });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor() {
    const { components } = JSON.parse(readFileSync(openApiFile(), 'utf8')) as { components: Schema };
    this.ajv.addSchema({ $id: 'openapi', components: closed(components) as Schema });
  }

  /** @returns what is wrong first, with its place, or undefined */
  problemOf(schemaName: string, value: unknown): string | undefined {
    let validate = this.compiled.get(schemaName);
    if (!validate) {
      validate = this.ajv.compile({ $ref: `openapi#/components/schemas/${schemaName}` });
      this.compiled.set(schemaName, validate);
    }
    return validate(value) ? undefined : inWords(validate.errors ?? []);
  }
}

/** Unknown properties are refused in what is sent, also within shapes that answers share. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)])) as Schema;
  if (copy.type === 'object' && copy.properties && copy.additionalProperties === undefined)
    copy.additionalProperties = false;
  return copy;
}

function inWords(errors: ErrorObject[]): string {
  const choice = errors.find(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf');
  if (choice) return inWordsOfChoice(choice, errors);
  const [error] = errors;
  return error ? `${placeOf(error)} ${ruleOf(error)}` : 'The body breaks a rule';
}

/** Of several shapes, speak of the one whose `type` was given. */
function inWordsOfChoice(choice: ErrorObject, errors: ErrorObject[]): string {
  const branches = errors.filter((error) => error !== choice && error.schemaPath.includes('#'));
  const wrongKind = new Set(
    branches
      .filter(({ keyword, instancePath }) => keyword === 'const' && instancePath.endsWith('/type'))
      .map(branchOf),
  );
  const rest = branches.filter((error) => !wrongKind.has(branchOf(error)));
  const [error] = rest.length ? rest : branches.filter(({ keyword }) => keyword !== 'const');
  if (error) return `${placeOf(error)} ${ruleOf(error)}`;
  return `${placeOf(choice)} must have one of the types that the reference names`;
}

const branchOf = ({ schemaPath }: ErrorObject): string =>
  schemaPath.split('/properties/')[0]?.replace(/\/(required|additionalProperties|type)$/, '') ?? '';

/** `/bookings/3/booker/email` as people write it: `bookings[3].booker.email`. */
export function placeOf({
  instancePath,
  keyword,
  params,
}: Pick<ErrorObject, 'instancePath' | 'keyword' | 'params'>): string {
  const segments = instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required') segments.push(params.missingProperty);
  if (keyword === 'additionalProperties') segments.push(params.additionalProperty);
  const place = segments.reduce(
    (path, segment) => (/^\d+$/.test(segment) ? `${path}[${segment}]` : `${path}.${segment}`),
    '',
  );
  return place.replace(/^\./, '').slice(0, 300) || 'The body';
}

function ruleOf({ keyword, params, schema, parentSchema }: ErrorObject): string {
  const types = [params.type].flat();
  switch (keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
      return 'is not a known property';
    case 'type':
      return `must be ${types.map((type: string) => ({ null: 'null', integer: 'a whole number', object: 'an object', array: 'an array', boolean: 'true or false' })[type] ?? `a ${type}`).join(' or ')}`;
    case 'enum':
      return `must be one of ${(schema as unknown[]).join(', ')}`;
    case 'const':
      return `must be ${String(schema)}`;
    case 'format':
      return WORDS[params.format] ?? `must be a ${params.format}`;
    case 'pattern':
      return params.pattern === '\\S' ? 'must not be blank' : `must match ${params.pattern}`;
    case 'maxLength':
      return `must not be longer than ${params.limit} characters`;
    case 'minLength':
      return 'must not be empty';
    case 'minItems':
    case 'maxItems':
      return `must hold ${parentSchema?.minItems ?? 0} to ${parentSchema?.maxItems} items`;
    case 'minimum':
    case 'maximum':
      return `must be ${keyword === 'minimum' ? 'at least' : 'at most'} ${params.limit}`;
    default:
      return 'breaks a rule';
  }
}

function openApiFile(): string {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'openapi.json');
    if (existsSync(file)) return file;
  }
  throw new Error('openapi.json is missing: it belongs beside package.json');
}
