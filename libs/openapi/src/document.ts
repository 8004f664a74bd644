import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { closeRequests, deprecatedAliases, reachable, type Schemas } from './components';
import { dtoSchemas } from './dto-schemas';
import { exampleOf } from './examples';
import { GROUPS } from './groups';
import type { Schema } from './source-schemas';

/** The interface description's version (contract, "Versioning"); not the package's. */
const INTERFACE_VERSION = '0.1.0';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const OPERATION_KEYS = [
  'operationId',
  'summary',
  'description',
  'deprecated',
  'tags',
  'security',
  'parameters',
  'requestBody',
  'responses',
];

interface MediaType {
  schema?: Schema;
  example?: unknown;
}
interface Operation {
  operationId: string;
  tags?: string[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, { content?: Record<string, MediaType> }>;
  [extension: `x-${string}`]: unknown;
}
type PathItem = Partial<Record<(typeof METHODS)[number], Operation>>;

export interface OpenApiDocument {
  openapi: string;
  info: Schema;
  servers: Schema[];
  tags: { name: string; description: string }[];
  security?: Schema[];
  paths: Record<string, PathItem>;
  components: { schemas: Schemas; securitySchemes: Schema; [other: string]: unknown };
}

/**
 * The OpenAPI 3.1 document of an application, made from its routes and from the sources of its DTO classes.
 * The same code gives the same bytes: nothing in it depends on time, machine or database.
 *
 * @param root the repository, whose `*.dto.ts` files are read
 * @returns the document, and the paths of properties that lack an `@example` to compose examples from
 */
export function buildDocument(
  app: INestApplication,
  root: string,
): { document: OpenApiDocument; gaps: string[] } {
  const scanned = SwaggerModule.createDocument(app, description()) as unknown as OpenApiDocument;
  const schemas: Schemas = { ...scanned.components.schemas, ...dtoSchemas(root) };
  Object.assign(schemas, deprecatedAliases(schemas));

  const operations = Object.values(scanned.paths).flatMap((item) =>
    METHODS.flatMap((method) => item[method] ?? []),
  );
  closeRequests(
    operations.map((operation) => operation.requestBody),
    operations.map((operation) => operation.responses),
    schemas,
  );
  const missing = new Set<string>();
  for (const operation of operations) addExamples(operation, schemas, missing);

  const used = reachable(operations, schemas);
  for (const alias of Object.keys(deprecatedAliases(schemas))) used.add(alias);
  const document: OpenApiDocument = {
    openapi: scanned.openapi,
    info: scanned.info,
    servers: scanned.servers,
    tags: GROUPS.filter(({ name }) => operations.some((operation) => operation.tags?.includes(name))),
    paths: orderPaths(scanned.paths),
    components: {
      ...scanned.components,
      schemas: Object.fromEntries([...used].sort().map((name) => [name, schemas[name] as Schema])),
    },
  };
  return { document, gaps: [...missing].sort() };
}

function description() {
  return new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Startline Event Registration API')
    .setVersion(INTERFACE_VERSION)
    .setDescription(readFileSync(join(__dirname, 'introduction.md'), 'utf8'))
    .addServer('/', 'The server that this document comes from')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'An API key, as `Authorization: Bearer <API_KEY>`.',
      },
      'apiKey',
    )
    .build();
}

/** Gives each request and each success a whole example; error answers bring their own. */
function addExamples(operation: Operation, schemas: Schemas, missing: Set<string>): void {
  const bodies = [operation.requestBody, operation.responses['200']];
  for (const media of bodies.flatMap((body) => Object.values(body?.content ?? {}))) {
    if (media.schema) media.example ??= exampleOf(media.schema, schemas, missing);
  }
}

/** Paths in the contract's order of groups, and within a group as their controllers declare them. */
function orderPaths(paths: Record<string, PathItem>): Record<string, PathItem> {
  const names: (string | undefined)[] = GROUPS.map(({ name }) => name);
  const rank = (item: PathItem) => names.indexOf(Object.values(item)[0]?.tags?.[0]);
  return Object.fromEntries(
    Object.entries(paths)
      .sort(([, left], [, right]) => rank(left) - rank(right))
      .map(([path, item]) => [path, orderMethods(item)]),
  );
}

function orderMethods(item: PathItem): PathItem {
  const ordered: PathItem = {};
  for (const method of METHODS) {
    const operation = item[method];
    if (!operation) continue;
    const keys = [...OPERATION_KEYS, ...Object.keys(operation)].filter((key) => key in operation);
    ordered[method] = Object.fromEntries(
      keys.map((key) => [key, operation[key as keyof Operation]]),
    ) as never;
  }
  return ordered;
}
