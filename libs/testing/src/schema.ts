import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ValidateFunction } from 'ajv';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

type Json = Record<string, any>;

const DOCUMENT = 'openapi.json';
/** As answers write them; decisions let more in than out. */
const STRICT_FORMATS = {
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/,
  'time-local': /^\d{2}:\d{2}:\d{2}$/,
  uuid: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/,
};

interface Route {
  method: string;
  path: RegExp;
  operation: Json;
}

let compiled: { ajv: Ajv; document: Json; routes: Route[] } | undefined;

/** The committed document, as it is. */
export const openApiDocument = (): Json =>
  JSON.parse(readFileSync(resolve(__dirname, '../../..', DOCUMENT), 'utf8'));

/**
 * Fails unless the document says that the operation may answer so. Stricter than the document: a property that
 * no schema names fails, and moments are written as the API writes them.
 */
export function expectMatchesSchema(operationId: string, status: number, body: unknown): void {
  const { routes } = read();
  const operation = routes.find((route) => route.operation.operationId === operationId)?.operation;
  if (!operation) throw new Error(`openapi.json has no operation ${operationId}: run \`npm run openapi\``);
  const answer = operation.responses[status];
  if (!answer) throw new Error(`openapi.json does not say that ${operationId} may answer ${status}`);
  const { content } = answer.$ref ? at(answer.$ref) : answer;
  // A stream: its own tests read it.
  if (body === undefined && !content['application/json']) return;
  const { schema } = content['application/json'];
  const violation = violationOf(schema, body);
  if (violation) {
    throw new Error(
      `${operationId} answered ${status} with a body that openapi.json does not allow: ${violation}`,
    );
  }
}

/** What is wrong with a value by a schema of the document, in words; undefined where nothing is. */
export function violationOf(schema: Json, value: unknown): string | undefined {
  const validate = validatorOf(schema);
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  const { instancePath, message, params, data } = error ?? {};
  return `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}: ${JSON.stringify(data)}`;
}

/** The same for an answer whose operation is known by its request. Paths outside the interface pass. */
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
      // The one path that is documented with a slash at its end works without it; no other has two spellings.
      path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '/?')}$`),
      operation,
    })),
  );
  // A path without parameters is meant before one whose parameter would take its last part.
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
  // Its references are to the document, wherever it stands itself.
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${DOCUMENT}#/`);
  let validate = validators.get(text);
  if (!validate) {
    validate = read().ajv.compile(JSON.parse(text));
    validators.set(text, validate);
  }
  return validate;
}

/** The same document in which objects have no properties but those that they name. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (!part || typeof part !== 'object') return part;
  const copy: Json = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]));
  if (copy.type === 'object' && copy.properties) copy.additionalProperties ??= false;
  return copy;
}
