import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { RULES } from '#platform/validation';
import { boundRequests, closeRequests, deprecatedAliases, reachable, type Schemas } from './components';
import { dtoSchemas } from './dto-schemas';
import { exampleOf } from './examples';
import { GROUPS } from './groups';
import {
  type Answer,
  addHeaders,
  addParameters,
  envelopeOf,
  HEADERS,
  type Operation,
  shareErrors,
  shareParameters,
} from './operations';
import { REF, type Schema } from './schema';
import { describeWebhooks } from './webhooks';
import { describeByNames } from './words-of-names';

/** The version of the interface (docs/interface.md#versions), which differs from the package's. */
const INTERFACE_VERSION = '0.2.0';

/** Rows of files that the command line loads. No operation uses them, but they are validated by the same document. */
const FILE_ROWS = ['StartListRow'];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const OPERATION_KEYS = [
  'operationId',
  'summary',
  'description',
  'deprecated',
  'tags',
  'security',
  'x-access',
  'parameters',
  'requestBody',
  'responses',
] as const;

/** This path is documented with a trailing slash; the router accepts it with and without. */
const PATHS_AS_WRITTEN: Record<string, string> = { '/marketplace/v1/events{/}': '/marketplace/v1/events/' };

type PathItem = Partial<Record<(typeof METHODS)[number], Operation>>;

export interface OpenApiDocument {
  openapi: string;
  info: Schema;
  servers: Schema[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  /** The requests to webhook endpoints, by type. */
  webhooks: Schema;
  components: {
    schemas: Schemas;
    parameters: Record<string, Schema>;
    responses: Record<string, Answer>;
    headers: Schema;
    securitySchemes: Schema;
  };
}

/**
 * Generates the OpenAPI 3.1 documents of an application from its routes and the sources of its DTO classes: what keys can call, and what
 * only staff can. The result only depends on the code.
 *
 * @param root the root of the repository
 * @returns the documents, and what properties lack
 */
export function buildDocument(
  app: INestApplication,
  root: string,
): { document: OpenApiDocument; staffDocument: OpenApiDocument; gaps: string[] } {
  const scanned = SwaggerModule.createDocument(app, frame(), {
    autoTagControllers: false,
  }) as unknown as OpenApiDocument;
  const schemas: Schemas = dtoSchemas(root);
  const responses: Record<string, Answer> = {};

  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(scanned.paths)) {
    for (const operation of METHODS.flatMap((method) => item[method] ?? [])) {
      // Public routes (health, reference) are not part of the interface.
      if (!operation['x-access']) continue;
      if (operation['x-list']) schemas[operation['x-list'].schemaName] = envelopeOf(operation['x-list']);
      addParameters(path, operation);
      addHeaders(operation, responses);
      shareErrors(operation, responses);
      operations.push(operation);
    }
  }
  const aliases = deprecatedAliases(schemas);
  Object.assign(schemas, aliases);
  const files = FILE_ROWS.map((name) => ({ $ref: REF + name }));
  const requests = [...operations.map((operation) => operation.requestBody), ...files];
  const answers = [responses, ...operations.map((operation) => operation.responses)];
  closeRequests(requests, answers, schemas);
  boundRequests(
    Object.fromEntries([...operations.flatMap(requestsOf), ...files.map((row) => [row.$ref, row])]),
    schemas,
  );
  const missing = new Set<string>();
  for (const operation of operations) addExamples(operation, schemas, missing);
  const undescribed = describeByNames(schemas);

  const part = (
    isShown: (operation: Operation) => boolean,
    { webhooks, files, aliases, schemes, info }: Part,
  ) => {
    const shown = operations.filter(isShown);
    const parameters = shareParameters(shown);
    const used = reachable([shown, responses, webhooks, files], schemas);
    const text = JSON.stringify([shown, responses]);
    return {
      openapi: scanned.openapi,
      info: { ...scanned.info, ...info },
      servers: scanned.servers,
      tags: GROUPS.filter(({ name }) => shown.some((operation) => operation.tags?.includes(name))),
      paths: orderPaths(pathsOf(scanned.paths, isShown)),
      ...(webhooks && { webhooks }),
      components: {
        securitySchemes: Object.fromEntries(
          Object.entries(scanned.components.securitySchemes).filter(([name]) => schemes.includes(name)),
        ),
        headers: Object.fromEntries(
          Object.entries(HEADERS).filter(([name]) => text.includes(`/headers/${name}"`)),
        ),
        parameters,
        responses,
        schemas: Object.fromEntries(
          [...used, ...Object.keys(aliases ?? {})].sort().map((name) => [name, schemas[name] as Schema]),
        ),
      },
    } as OpenApiDocument;
  };
  const isForKeys = (operation: Operation) => operation['x-access'].keys.length > 0;
  return {
    document: part(isForKeys, {
      webhooks: describeWebhooks(schemas),
      files,
      aliases,
      schemes: ['apiKey'],
    }),
    staffDocument: part((operation) => !isForKeys(operation), {
      schemes: ['staffSession'],
      info: {
        title: 'Startline console',
        description:
          'The operations of the console, for its own pages. They change with it. Programs use `openapi.json`.',
      },
    }),
    gaps: [
      ...[...missing].sort().map((path) => `${path}: an example`),
      ...undescribed.map((path) => `${path}: a comment`),
    ],
  };
}

/** What a document has beside operations. */
interface Part {
  webhooks?: Schema;
  /** Rows of files, whose schemas are no operation's. */
  files?: unknown[];
  aliases?: Schemas;
  schemes: string[];
  info?: Schema;
}

/** The paths with these operations only. */
const pathsOf = (
  paths: Record<string, PathItem>,
  isShown: (operation: Operation) => boolean,
): Record<string, PathItem> =>
  Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).filter(([, operation]) => operation['x-access'] && isShown(operation)),
      ) as PathItem,
    ]),
  );

/** With the codes of problems in place of `PROBLEM_CODES`. */
const introduction = (): string => {
  const rows = Object.entries(RULES).map(([code, rule]) => `| \`${code}\` | ${rule} |`);
  return readFileSync(join(__dirname, 'introduction.md'), 'utf8').replace('PROBLEM_CODES', rows.join('\n'));
};

function frame() {
  const frame = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Startline Event Registration API')
    .setVersion(INTERFACE_VERSION)
    .setDescription(introduction())
    .addServer('/', 'The server of this document')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'An API key, as `Authorization: Bearer <API_KEY>`.',
      },
      'apiKey',
    )
    .addCookieAuth(
      '__Host-startline-{organizationId}',
      {
        type: 'apiKey',
        in: 'cookie',
        description:
          'The session of a staff member who is signed in to the console. The header `x-startline-organization` contains the id of the organization.',
      },
      'staffSession',
    )
    .build();
  const license = { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' };
  return { ...frame, info: { ...frame.info, contact: { name: 'Startline' }, license } };
}

/** The schemas of the body and the parameters, by what they are. */
const requestsOf = ({ operationId, parameters = [], requestBody }: Operation): [string, unknown][] => [
  ...Object.values(requestBody?.content ?? {}).map(({ schema }): [string, unknown] => [operationId, schema]),
  ...parameters.map(({ name, schema }): [string, unknown] => [`${name} of ${operationId}`, schema]),
];

/** Adds an example to each request and success response. */
function addExamples(operation: Operation, schemas: Schemas, missing: Set<string>): void {
  const bodies = [operation.requestBody, operation.responses['200']];
  for (const media of bodies.flatMap((body) => Object.values(body?.content ?? {}))) {
    if (media.schema) media.example ??= exampleOf(media.schema, schemas, missing);
  }
}

/** Paths in the order of the groups, and within a group in the order of the controllers. */
function orderPaths(paths: Record<string, PathItem>): Record<string, PathItem> {
  const names: (string | undefined)[] = GROUPS.map(({ name }) => name);
  const rank = (item: PathItem) => names.indexOf(Object.values(item)[0]?.tags?.[0]);
  return Object.fromEntries(
    Object.entries(paths)
      .map(([path, item]) => [PATHS_AS_WRITTEN[path] ?? path, orderMethods(item)] as const)
      .filter(([, item]) => Object.keys(item).length > 0)
      .sort(([, left], [, right]) => rank(left) - rank(right)),
  );
}

function orderMethods(item: PathItem): PathItem {
  const ordered: PathItem = {};
  for (const method of METHODS) {
    const operation = item[method];
    if (!operation) continue;
    ordered[method] = Object.fromEntries(
      OPERATION_KEYS.filter((key) => key in operation).map((key) => [key, operation[key as keyof Operation]]),
    ) as never;
  }
  return ordered;
}
