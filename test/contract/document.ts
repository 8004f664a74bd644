import type { Surface } from '#libs/access';
import { openApiDocument } from '#libs/testing';

/** A JSON Schema as the document writes them. */
export type Schema = Record<string, any>;

/** What the OpenAPI document says of one operation; the tests of the whole interface walk these. */
export interface DocumentedOperation {
  name: string;
  method: string;
  /** With its parameters in braces. */
  path: string;
  pathParameters: string[];
  query: { name: string; schema: Schema; required: boolean }[];
  /** Path parameters that are any text. */
  foreignIds: string[];
  access: { keys: string[]; scoped: string | false; surface: Surface | null; rate: string };
  isList: boolean;
  /** Of its request's body. */
  body?: Schema;
  example?: unknown;
}

export const DOCUMENT: Schema = openApiDocument();

/** Every operation, the internal ones of the console among them. */
export const ALL_OPERATIONS: DocumentedOperation[] = Object.entries(DOCUMENT.paths as Schema).flatMap(
  ([path, item]) =>
    Object.entries(item as Schema).map(([method, operation]) => {
      const parameters: Schema[] = operation.parameters ?? [];
      const content = operation.requestBody?.content['application/json'];
      return {
        name: operation.operationId,
        method: method.toUpperCase(),
        path,
        pathParameters: parameters.filter((each) => each.in === 'path').map(({ name }) => name),
        query: parameters
          .filter((each) => each.in === 'query')
          .map(({ name, schema, required }) => ({ name, schema, required: required === true })),
        foreignIds: parameters
          .filter((each) => each.in === 'path' && each.schema.format !== 'uuid')
          .map(({ name }) => name),
        access: operation['x-access'],
        isList: parameters.some(({ name }) => name === 'page[size]' || name === 'pageSize'),
        body: content?.schema,
        example: content?.example,
      };
    }),
);

/** The operations that keys may call; test/console walks the others. */
export const OPERATIONS = ALL_OPERATIONS.filter(({ access }) => access.keys.length > 0);

export const operation = (name: string): DocumentedOperation => {
  const found = ALL_OPERATIONS.find((each) => each.name === name);
  if (!found) throw new Error(`openapi.json has no operation ${name}`);
  return found;
};

/** What a path parameter names, in the words of the path: `races`, `bookings/import` … */
export function subjectOf({ path }: DocumentedOperation, parameter: string): string {
  const [, subject] = new RegExp(`/(?:v0/)?([\\w/-]+)/\\{${parameter}\\}`).exec(path) ?? [];
  return subject as string;
}

/**
 * The operation's path with its parameters filled in: with what the organization has, or as given, URL encoded
 * already.
 *
 * @param query parameters that it needs, or that are asked for
 */
export function pathOf(
  operation: DocumentedOperation,
  ids: Readonly<Record<string, string>>,
  given: Record<string, string> = {},
  query: Record<string, string> = {},
): string {
  const path = operation.path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => given[name] ?? encodeURIComponent(ids[subjectOf(operation, name)] as string),
  );
  const needed = Object.fromEntries(
    operation.query.filter(({ required }) => required).map(({ name }) => [name, 'marathon']),
  );
  const text = new URLSearchParams({ ...needed, ...query }).toString();
  return text ? `${path}?${text}` : path;
}
