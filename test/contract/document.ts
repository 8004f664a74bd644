import { openApiDocument } from '#libs/testing';
import type { Surface } from '#platform/access';

/** A JSON Schema in the format of the document. */
export type Schema = Record<string, any>;

/** An operation of the OpenAPI document; the tests of the whole interface iterate over these. */
export interface DocumentedOperation {
  name: string;
  method: string;
  /** With its parameters in braces. */
  path: string;
  pathParameters: string[];
  query: { name: string; schema: Schema; required: boolean; deprecated: boolean }[];
  /** Path parameters that can be any text. */
  foreignIds: string[];
  access: {
    keys: string[];
    /** Of a list, one is needed, and which one is the matter of the record. */
    permission: string | string[];
    partners?: boolean;
    scoped: string | false;
    surface: Surface | null;
    rate: string;
    /** Of operations for staff only. */
    roles?: string[];
  };
  isList: boolean;
  /** The schema of the request body. */
  body?: Schema;
  example?: unknown;
}

export const DOCUMENT: Schema = openApiDocument();

/** Every operation, including the internal ones of the console. */
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
          .map(({ name, schema, required = false, deprecated = false }) => ({
            ...{ name, schema, required, deprecated },
          })),
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

/** The operations that keys can call; test/console covers the others. */
export const OPERATIONS = ALL_OPERATIONS.filter(({ access }) => access.keys.length > 0);

export const operation = (name: string): DocumentedOperation => {
  const found = ALL_OPERATIONS.find((each) => each.name === name);
  if (!found) throw new Error(`openapi.json has no operation ${name}`);
  return found;
};

const ROUTES = ALL_OPERATIONS.map((of) => ({
  of,
  route: new RegExp(`^${of.path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '/?')}$`),
})).sort((left, right) => left.of.pathParameters.length - right.of.pathParameters.length);

/** The operation that a request calls. */
export function operationOf(method: string, path: string): DocumentedOperation {
  const [pathname = ''] = path.split('?');
  const found = ROUTES.find(({ route, of }) => of.method === method && route.test(pathname));
  if (!found) throw new Error(`openapi.json has no operation ${method} ${path}`);
  return found.of;
}

/** The object of a path parameter, in the words of the path: `races`, `bookings/import` … */
export function subjectOf({ path }: DocumentedOperation, parameter: string): string {
  const [, subject] =
    new RegExp(`(?:^/(?:v0/|console/v1/(?:catalogue/)?)|/)([\\w/-]+)/\\{${parameter}\\}`).exec(path) ?? [];
  return subject as string;
}

/**
 * The path of the operation with its parameters: from the organization's data, or as given, already URL-encoded.
 *
 * @param query required parameters, or those to test
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

/** Operations that undo jobs. */
export const UNDO_IMPORTS: ReadonlySet<string> = new Set(['undoImport']);

/** Operations with the allowance of imports whose bodies have no rows. */
export const WITHOUT_ROWS: ReadonlySet<string> = new Set([...UNDO_IMPORTS, 'planBibs']);
