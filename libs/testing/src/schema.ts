import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ValidateFunction } from 'ajv';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

type Json = Record<string, any>;

const DOCUMENT = 'openapi.json';
/** The format of times in responses; requests accept more formats. */
const STRICT_FORMATS = {
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/,
  'time-local': /^\d{2}:\d{2}:\d{2}$/,
  /** A domain needs no dot: `max@intranet` is an address. */
  email: /^[^\s@]+@[^\s@]+$/u,
  uuid: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/,
};

interface Route {
  method: string;
  path: RegExp;
  operation: Json;
}

let compiled: { ajv: Ajv; document: Json; routes: Route[] } | undefined;

/** Operations have their shared parameters. */
function committed(name: string): Json {
  const document = JSON.parse(readFileSync(resolve(__dirname, '../../..', name), 'utf8'));
  const shared = document.components.parameters;
  for (const operation of Object.values<Json>(document.paths).flatMap((item) => Object.values<Json>(item)))
    operation.parameters = operation.parameters?.map(
      (one: Json) => shared[one.$ref?.split('/').at(-1)] ?? one,
    );
  return document;
}

/** The committed document, with the operations of the console. */
export function openApiDocument(): Json {
  const [open, own] = [committed(DOCUMENT), committed('openapi.console.json')];
  const schemas = { ...own.components.schemas, ...open.components.schemas };
  return {
    ...open,
    tags: [...open.tags, ...own.tags],
    paths: { ...open.paths, ...own.paths },
    components: { ...open.components, schemas },
  };
}

/**
 * Fails unless the document permits the response. Stricter than the document: undocumented properties fail, and times
 * must have the format of responses.
 */
export function expectMatchesSchema(operationId: string, status: number, body: unknown): void {
  const { routes } = read();
  const operation = routes.find((route) => route.operation.operationId === operationId)?.operation;
  if (!operation) throw new Error(`openapi.json has no operation ${operationId}: run \`npm run openapi\``);
  const answer = operation.responses[status];
  if (!answer) throw new Error(`openapi.json does not say that ${operationId} may answer ${status}`);
  const { content } = answer.$ref ? at(answer.$ref) : answer;
  // Streams have their own tests.
  if (body === undefined && String(Object.keys(content ?? {})) !== 'application/json') return;
  const { schema } = content['application/json'];
  const violation = violationOf(schema, body);
  if (violation) {
    throw new Error(
      `${operationId} answered ${status} with a body that openapi.json does not allow: ${violation}`,
    );
  }
}

/** The mismatch of a value with a schema of the document, as text; undefined if it matches. */
export function violationOf(schema: Json, value: unknown): string | undefined {
  const validate = validatorOf(schema);
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  const { instancePath, message, params, data } = error ?? {};
  return `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}: ${JSON.stringify(data)}`;
}

/** The same for a response whose operation is found by its request. Paths outside the interface pass. */
export function expectDocumented(method: string, path: string, status: number, body: unknown): void {
  const [pathname = ''] = path.split('?');
  const route = read().routes.find((one) => one.method === method.toLowerCase() && one.path.test(pathname));
  if (route) expectMatchesSchema(route.operation.operationId, status, body);
}

function read() {
  if (compiled) return compiled;
  const document = closed(openApiDocument()) as Json;
  const ajv = addFormats(new Ajv({ strict: false, verbose: true }));
  for (const [name, format] of Object.entries(STRICT_FORMATS)) ajv.addFormat(name, format);
  ajv.addSchema(document, DOCUMENT);
  const routes = Object.entries(document.paths as Json).flatMap(([path, item]) =>
    Object.entries(item as Json).map(([method, operation]) => ({
      method,
      // The only path that is documented with a trailing slash works without it; all others have one spelling.
      path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '/?')}$`),
      operation,
    })),
  );
  // A path without parameters takes precedence over one whose parameter would match the same segment.
  routes.sort(
    (left, right) => Number(left.path.source.includes('[^/]')) - Number(right.path.source.includes('[^/]')),
  );
  compiled = { ajv, document, routes };
  return compiled;
}

const at = (ref: string): Json =>
  ref
    .slice(2)
    .split('/')
    .reduce((part, name) => part[name], read().document);

const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: Json): ValidateFunction {
  // References are relative to the document, so the schema can be used anywhere.
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${DOCUMENT}#/`);
  let validate = validators.get(text);
  if (!validate) {
    validate = read().ajv.compile(JSON.parse(text));
    validators.set(text, validate);
  }
  return validate;
}

/** The same document with `additionalProperties` false for all objects. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (!part || typeof part !== 'object') return part;
  const copy: Json = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]));
  if (copy.type === 'object' && copy.properties) copy.additionalProperties ??= false;
  return copy;
}
