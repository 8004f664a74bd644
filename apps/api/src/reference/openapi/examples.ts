import { createHash } from 'node:crypto';
import { REF, type Schema } from './schema';

const BY_FORMAT: Record<string, string> = {
  'date-time': '2026-05-14T08:30:00.000000Z',
  date: '2026-09-20',
  'time-local': '09:30:00',
  email: 'ada.lovelace@example.com',
  uri: 'https://example.com/',
};

/**
 * An example id, which is the same for references to the same object: `Booking.id`, `LineItem.bookingId` and
 * `Participant.bookingIds[]` are equal.
 */
export function exampleId(path: string): string {
  const [, owner = '', property = ''] = /(\w*)\.?\b(\w+)(?:\[\])?$/.exec(path) ?? [];
  const thing = (property === 'id' ? owner : property.replace(/Ids?$/, '')).toLowerCase();
  const digest = createHash('sha256').update(thing).digest('hex');
  return `01990f3e-7a54-7${digest.slice(0, 3)}-9${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}

/**
 * Composes an example for a schema from its parts: `examples`, a default, the first value of an enum, or a value of the
 * format. Adds the path of every string or number without these to `missing`.
 */
export function exampleOf(
  schema: Schema,
  schemas: Record<string, Schema>,
  missing: Set<string>,
  path = '',
  open: readonly string[] = [],
): unknown {
  const [own] = (schema.examples as unknown[] | undefined) ?? [];
  if (own !== undefined) return own;
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.slice(REF.length);
    if (open.includes(name)) return undefined;
    return exampleOf(schemas[name] ?? {}, schemas, missing, name, [...open, name]);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [choice] = (schema.oneOf ?? schema.anyOf ?? []) as Schema[];
  if (choice) return exampleOf(choice, schemas, missing, path, open);

  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return exampleObject(schema, schemas, missing, path, open);
    case 'array': {
      const item = exampleOf((schema.items ?? {}) as Schema, schemas, missing, `${path}[]`, open);
      return item === undefined ? [] : [item];
    }
    case 'boolean':
      return false;
    case 'string':
      if (schema.format === 'uuid') return exampleId(path);
      if (!BY_FORMAT[schema.format as string]) missing.add(path);
      return BY_FORMAT[schema.format as string] ?? '';
    case 'number':
    case 'integer':
      if (schema.minimum === undefined) missing.add(path);
      return schema.minimum ?? 0;
  }
  missing.add(path);
  return null;
}

function exampleObject(
  schema: Schema,
  schemas: Record<string, Schema>,
  missing: Set<string>,
  path: string,
  open: readonly string[],
): Record<string, unknown> {
  const example: Record<string, unknown> = {};
  for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
    if (property.deprecated) continue;
    const value = exampleOf(property, schemas, missing, path ? `${path}.${name}` : name, open);
    if (value !== undefined) example[name] = value;
  }
  return example;
}
