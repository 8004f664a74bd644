import { longestOf } from './formats';
import type { OpenNames } from './scan';
import { KINDS, UNIQUE } from './words';

type Schema = Record<string, unknown>;
export type NamedSchemas = Record<string, Schema>;

/**
 * Rewrites the schemas into equivalent ones whose validation time is bounded by the schema and not by the input, and
 * whose errors refer to the intended alternative. Rejects unknown properties, also in schemas that responses share.
 */
export const checkable = (schemas: NamedSchemas): NamedSchemas =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, rewritten(schema, schemas)]));

function rewritten<Part>(part: Part, schemas: NamedSchemas): Part {
  if (Array.isArray(part)) return part.map((one) => rewritten(one, schemas)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  let schema: Schema = part as Schema;
  for (const rewrite of [choices, names, closed, items, lengths]) schema = rewrite(schema, schemas);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, rewritten(value, schemas)]),
  ) as Part;
}

/** Turns alternatives into a choice by a property of the value. */
function choices(schema: Schema, schemas: NamedSchemas): Schema {
  if (!Array.isArray(schema.oneOf)) return schema;
  const { oneOf, ...rest } = schema;
  const branches = oneOf as Schema[];
  const isNull = ({ type }: Schema) => type === 'null';
  const [only, ...others] = branches.filter((branch) => !isNull(branch));
  if (only && !others.length && branches.some(isNull)) return { ...rest, if: { type: 'null' }, else: only };
  const kinds = branches.flatMap((branch) => {
    const { properties } = resolved(branch, schemas) as { properties?: { type?: { const?: unknown } } };
    return properties?.type?.const ?? [];
  });
  if (kinds.length === branches.length) {
    return {
      ...rest,
      type: 'object',
      discriminator: { propertyName: 'type' },
      [KINDS]: kinds.join(', '),
      oneOf,
    };
  }
  // Keywords only apply to values of their own type.
  if (branches.every(({ type }) => typeof type === 'string')) {
    return Object.assign(rest, ...branches, { type: branches.map(({ type }) => type) });
  }
  return schema;
}

/** A fixed set of names is a set of properties. */
function names(schema: Schema, schemas: NamedSchemas): Schema {
  const { propertyNames, additionalProperties, ...rest } = schema;
  const { enum: allowed } = resolved((propertyNames ?? {}) as Schema, schemas);
  if (!Array.isArray(allowed)) return schema;
  return {
    ...rest,
    properties: Object.fromEntries(allowed.map((name) => [name, additionalProperties ?? {}])),
  };
}

const closed = (schema: Schema): Schema =>
  schema.type === 'object' && schema.properties && schema.additionalProperties === undefined
    ? { ...schema, additionalProperties: false }
    : schema;

/** Validates items only if there are not too many. */
function items(schema: Schema): Schema {
  if (!('items' in schema && 'maxItems' in schema)) return schema;
  const { items, uniqueItems, ...rest } = schema;
  const content = { items, ...(uniqueItems === true && { [UNIQUE]: true }) };
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { ...rest, if: { maxItems: schema.maxItems }, then: content };
}

/** The known properties of an object that permits others, or of the objects that the schema offers. */
export function openNames(schema: Schema, schemas: NamedSchemas): OpenNames | undefined {
  const { oneOf, properties, additionalProperties } = resolved(schema, schemas);
  if (Array.isArray(oneOf)) return oneOf.map((one) => openNames(one, schemas)).find(Boolean);
  if (additionalProperties !== true || !properties) return undefined;
  const known = Object.entries(properties as NamedSchemas);
  return new Map(known.map(([name, value]) => [name, openNames(value, schemas)]));
}

/** Judges the format and pattern of a text only if it is not too long. */
function lengths(schema: Schema): Schema {
  const { maxLength, format, pattern, ...rest } = schema;
  const content = { ...(format !== undefined && { format }), ...(pattern !== undefined && { pattern }) };
  if (maxLength === undefined || Object.keys(content).length === 0) return schema;
  // The format refuses what is too long for it, with a message of its own.
  if (pattern === undefined && isTime(format) && maxLength === longestOf(format)) return { ...rest, format };
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { ...rest, maxLength, if: { maxLength }, then: content };
}

const isTime = (format: unknown): boolean => format === 'date-time';

const resolved = (schema: Schema, schemas: NamedSchemas): Schema =>
  typeof schema.$ref === 'string' ? (schemas[schema.$ref.replace(/^.*\//, '')] ?? {}) : schema;
