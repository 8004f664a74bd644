import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiCookieAuth,
  ApiExtension,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  ApiSecurity,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { IDENTITY, isForPartners } from '#platform/access';
import type { ListDeclaration } from '#platform/queries';
import { ApiErrorBody } from './api-error.dto';
import { isList, type OperationDeclaration, queryParametersOf } from './operation-declaration';

const ERRORS: Record<number, string> = {
  400: 'A parameter or the body is invalid. `message` describes the first problem; `problems` lists up to 100 problems of a body.',
  401: 'The key is missing, invalid or revoked, or its kind is not permitted here.',
  403: 'The key is valid, but its restrictions or permissions do not permit this request, or the endpoint is not enabled for the organization.',
  404: 'There is no such resource in your organization.',
  413: 'The body is too large.',
  429: 'Too many requests. The request was not processed. Wait `retry-after` seconds.',
  500: 'Our mistake.',
  503: 'The server is overloaded. Wait `retry-after` seconds.',
};

const NDJSON = 'application/x-ndjson';

const accessText = (declaration: OperationDeclaration): string => {
  const { keys, permission, scoped, surface, anonymous, roles } = declaration;
  return [
    keys.length > 0
      ? `Takes a key of kind ${keys.map((kind) => `\`${kind}\``).join(', ')}`
      : anonymous
        ? 'Internal: for sign-in to the console'
        : 'Internal: requires a staff session of the console',
    keys.length === 0 && roles ? `roles ${roles.map((role) => `\`${role}\``).join(', ')}` : undefined,
    permission && permission !== IDENTITY
      ? `permission ${[permission]
          .flat()
          .map((each) => `\`${each}\``)
          .join(' or ')}`
      : undefined,
    scoped ? 'also for restricted keys' : undefined,
    keys.includes('ORGANIZER') && isForPartners(declaration) ? "also for partners' keys" : undefined,
    surface ? `organizations enabled for \`${surface}\`` : undefined,
  ]
    .filter(Boolean)
    .join('; ')
    .concat('.');
};

/** Converts the declaration to decorators of @nestjs/swagger. */
export function describeOperation(declaration: OperationDeclaration): MethodDecorator {
  const { name, group, summary, description, answers, body, surface, scoped, keys, rate } = declaration;
  const statuses = Object.keys(ERRORS)
    .map(Number)
    .filter((status) => status !== 413 || body || declaration.rawBody);
  return applyDecorators(
    ApiTags(group),
    ...(declaration.anonymous
      ? [ApiSecurity({})]
      : [keys.length > 0 ? ApiBearerAuth('apiKey') : ApiCookieAuth('staffSession')]),
    ApiOperation({
      operationId: name,
      summary,
      description: [description, accessText(declaration)].filter(Boolean).join('\n\n'),
    }),
    ApiExtension('x-access', {
      keys,
      ...(declaration.permission && { permission: declaration.permission }),
      ...(keys.includes('ORGANIZER') && { partners: isForPartners(declaration) }),
      scoped: scoped ?? false,
      surface: surface ?? null,
      rate,
      ...(declaration.roles && { roles: declaration.roles }),
    }),
    ...(declaration.idempotent ? [ApiExtension('x-idempotent', true)] : []),
    ...(declaration.etag ? [ApiExtension('x-etag', true)] : []),
    ...(declaration.foreignIds ? [ApiExtension('x-foreign-ids', declaration.foreignIds)] : []),
    ...(isList(answers)
      ? describeList(answers)
      : declaration.streams
        ? describeStream(answers, declaration.streams)
        : [ApiOkResponse({ type: answers, description: 'Success.' })]),
    ...Object.entries(queryParametersOf(declaration)).map(
      ([name, { description, schema, deprecated, required = false }]) =>
        ApiQuery({ name, required, description, schema: schema as object, deprecated }),
    ),
    ...(body ? describeBody(body, declaration.orArrayOf) : []),
    ...statuses.map((status) => ApiResponse({ status, description: ERRORS[status], type: ApiErrorBody })),
  );
}

function describeBody(body: Type, orArrayOf: number | undefined): MethodDecorator[] {
  if (!orArrayOf) return [ApiBody({ type: body })];
  const one = { $ref: getSchemaPath(body) };
  const several = { type: 'array', items: one, minItems: 1, maxItems: orArrayOf };
  return [ApiExtraModels(body), ApiBody({ required: true, schema: { oneOf: [one, several] } })];
}

/** JSON and the lines of NDJSON are items; for other types the example shows the format. */
function describeStream(item: Type, streams: Record<string, string>): MethodDecorator[] {
  const content = Object.fromEntries(
    Object.entries(streams).map(([type, example]) => [
      type,
      {
        schema:
          type === NDJSON || type === 'application/json'
            ? { $ref: getSchemaPath(item) }
            : { type: 'string', examples: [example] },
      },
    ]),
  );
  return [ApiExtraModels(item), ApiOkResponse({ description: 'A stream.', content })];
}

function describeList({ of, schemaName, envelope }: ListDeclaration): MethodDecorator[] {
  const item: Type = of.schema;
  return [
    ApiExtraModels(item),
    ApiExtension('x-list', { schemaName, item: item.name, envelope: envelope ?? 'standard' }),
    ApiOkResponse({ description: 'One page.', schema: { $ref: getSchemaPath(schemaName) } }),
  ];
}
