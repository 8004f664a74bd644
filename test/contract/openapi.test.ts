import { expectMatchesSchema, openApiDocument, violationOf } from '#libs/testing';
import type { BodyOf } from '../answer';

const document = openApiDocument();
const { schemas, responses } = document.components;

interface Operation {
  operationId: string;
  summary?: string;
  tags: string[];
  security?: object[];
  parameters: { name: string; in: string; description?: string; schema: object }[];
  requestBody?: { content: { 'application/json': { schema: object; example: unknown } } };
  responses: Record<string, { $ref?: string; content?: { 'application/json': { example: unknown } } }>;
  'x-access': { keys: string[]; roles?: string[]; rate: string };
}
const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, item]) =>
    Object.entries(item).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
);

describe('openapi.json', () => {
  it('describes version 0.2.0 of the interface in OpenAPI 3.1', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe('0.2.0');
  });

  it('keeps the schema names of earlier versions, as deprecated aliases', () => {
    const aliases = Object.entries(schemas as Record<string, { deprecated?: boolean; $ref?: string }>)
      .filter(([, schema]) => schema.deprecated)
      .map(([name, schema]) => [name, schema.$ref?.split('/').at(-1)]);
    expect(Object.fromEntries(aliases)).toEqual({
      EventOccurrencesResponse: 'PagedOrganizerEventOccurrenceSummaries',
      Races: 'PagedRaceSummaries',
      ReservedEntryGroups: 'PagedReservedEntryGroups',
      Tickets: 'PagedTickets',
    });
  });

  it('has a unique name for every operation', () => {
    const names = operations.map(([, { operationId }]) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z]+$/);
  });

  it('has no marks of editing in its texts', () => {
    const marks = /.{0,60}(?:[¶§†‡\ufffd]|TODO|FIXME|\bundefined\b|\[object |@\w+ |\*\/).{0,20}/g;
    const texts: string[] = [];
    JSON.stringify(document, (key, value) => {
      if (typeof value === 'string' && (key === 'description' || key === 'summary')) texts.push(value);
      return value;
    });
    expect(texts.length).toBeGreaterThan(500);
    expect(texts.flatMap((text) => text.match(marks) ?? [])).toEqual([]);
  });

  it('describes no time as an amount', () => {
    for (const [name, { properties = {} }] of Object.entries(schemas as Record<string, any>))
      for (const [property, { format, description = '' }] of Object.entries<any>(properties))
        if (format === 'date-time')
          expect([name, property, description]).not.toContainEqual(expect.stringMatching(/sum of|total/i));
  });

  it('has checkout links of the default template as examples', () => {
    for (const { properties } of [schemas.MarketplaceEvent, schemas.OrganizerEventOccurrence])
      expect(properties.checkoutUrl.examples).toEqual([
        'https://book.startline.example/gb/city-runs/e/city-marathon-2027',
      ]);
  });

  it('allows no extra property in a marketplace event and its parts', () => {
    const parts = [...partsOf('MarketplaceEvent')].filter((name) => schemas[name].properties);
    expect(parts).toEqual(expect.arrayContaining(['Organizer', 'Price', 'RaceSummary']));
    expect(parts.filter((name) => schemas[name].additionalProperties !== false)).toEqual([]);
  });

  it('has an example of each error in its own format', () => {
    const { NotModified, ...errors } = responses as Record<string, any>;
    expect(NotModified.content).toBeUndefined();
    for (const [name, { content }] of Object.entries(errors)) {
      const { schema, example } = content['application/json'];
      expect([name, schema.$ref]).toEqual([name, '#/components/schemas/ApiErrorBody']);
      expect(Object.keys(example)).toEqual(['statusCode', 'error', 'message']);
    }
  });
});

describe.each(operations)('%s', (_, operation) => {
  const { operationId, summary, tags, security, parameters } = operation;

  it('has a summary, a group and access', () => {
    expect(summary).toMatch(/^[A-Z].*[^.]$/);
    expect(tags).toHaveLength(1);
    expect(document.tags.map(({ name }: { name: string }) => name)).toContain(tags[0]);
    const { keys, roles } = operation['x-access'];
    if (keys.length > 0) expect(security).toEqual([{ apiKey: [] }]);
    else expect([tags, security]).toEqual([['Console'], roles ? [{ staffSession: [] }] : [{}]]);
    expect(operation['x-access'].rate).toMatch(/^\w+$/);
  });

  it('describes its parameters', () => {
    for (const { name, description, schema } of parameters) {
      expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].+\.$/s)]);
      expect([name, Object.keys(schema)]).toEqual([name, expect.arrayContaining(['type'])]);
    }
  });

  it('documents its errors', () => {
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining(['400', '401', '403', '429', '500']),
    );
    const named = parameters.some((parameter) => parameter.in === 'path');
    expect(Object.keys(operation.responses).includes('404')).toBe(named);
    expect(Object.keys(operation.responses).includes('413')).toBe(operation.requestBody !== undefined);
  });

  it('has an example response that matches its schema', () => {
    const content: Record<string, { example?: unknown }> = operation.responses['200']?.content ?? {};
    expect(Object.values(content).map(({ example }) => example)).not.toContain(undefined);
    const json = content['application/json'];
    if (json) expectMatchesSchema(operationId, 200, json.example);
    else expect(Object.keys(content)).toEqual(['text/csv', 'application/x-ndjson']);
  });

  it('has an example request that matches its schema, if it has a body', () => {
    const { schema, example } = operation.requestBody?.content['application/json'] ?? {
      schema: {},
      example: null,
    };
    expect(violationOf(schema, example)).toBeUndefined();
  });
});

describe('checking responses against the document', () => {
  it('fails for an undocumented property, a missing property and a wrong type', () => {
    const identity = {
      organiserId: '01990f3e-7a54-7c1b-9d0e-5b1f6a2c8e47',
      eventOccurrenceIds: [],
      endpoints: [],
      permissions: [],
      partnerId: null,
      restricted: false,
      test: false,
    };
    expectMatchesSchema('getIdentity', 200, identity);
    expect(() => expectMatchesSchema('getIdentity', 200, { ...identity, more: 1 })).toThrow(
      'additional properties',
    );
    expect(() => expectMatchesSchema('getIdentity', 200, { ...identity, endpoints: undefined })).toThrow(
      'endpoints',
    );
    expect(() => expectMatchesSchema('getIdentity', 200, { ...identity, organiserId: 7 })).toThrow(
      'must be string',
    );
    expect(() => expectMatchesSchema('getIdentity', 418, identity)).toThrow('418');
  });
});

describe('the types of responses in tests', () => {
  it('do not have what the document does not have, which check:types proves', () => {
    const partner = { id: '1' } as BodyOf<'PATCH', `/v0/partners/${string}`>;
    const page = { data: [{ id: '1' }] } as BodyOf<'GET', `/v0/participants?page[size]=${number}`>;
    const session = {} as BodyOf<'POST', '/console/v1/session'>;
    // @ts-expect-error not in the document
    expect(partner.bibNumber).toBeUndefined();
    // @ts-expect-error not in the document
    expect(page.data[0].ticket).toBeUndefined();
    // @ts-expect-error not in the document
    expect(page.total).toBeUndefined();
    // @ts-expect-error not in the document
    expect(session.token).toBeUndefined();
    expect([partner.id, page.data[0].id]).toEqual(['1', '1']);
  });
});

/** The names of a schema and of all schemas that it refers to. */
function partsOf(name: string, found = new Set([name])): Set<string> {
  for (const [, part] of JSON.stringify(schemas[name]).matchAll(/schemas\/(\w+)"/g)) {
    if (part && !found.has(part)) partsOf(part, found.add(part));
  }
  return found;
}

/**
 * Properties that are not self-explanatory and have no description of their own, of the referenced schema, or of a
 * constant.
 */
