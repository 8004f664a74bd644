import type { Docs } from './source-docs';

/** A JSON Schema of dialect 2020-12, as OpenAPI 3.1 embeds it. */
export type Schema = { [keyword: string]: unknown };

export const REF = '#/components/schemas/';

/** A constant for one value, an enumeration for several. */
export function enumOrConst(values: (string | number)[]): Schema {
  return values.length === 1 ? { const: values[0] } : { enum: values };
}

/** Also permits null, if it is nullable. Call it before `describe`: a schema with `oneOf` loses its other keywords. */
export function orNull(schema: Schema, nullable: boolean): Schema {
  if (!nullable) return schema;
  if (Array.isArray(schema.enum))
    return { ...schema, type: [schema.type, 'null'], enum: [...schema.enum, null] };
  if (typeof schema.type === 'string' && !('const' in schema))
    return { ...schema, type: [schema.type, 'null'] };
  if (Array.isArray(schema.oneOf)) return { oneOf: [...schema.oneOf, { type: 'null' }] };
  return { oneOf: [schema, { type: 'null' }] };
}

/** For a list or a record, these apply to its items. */
const OF_ITEMS = new Set(['type', 'format', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength']);

/** Adds a description and the keywords of decorators or tags to the schema. */
export function describe(schema: Schema, { description, keywords }: Docs): Schema {
  const described: Schema = { ...schema, ...(description && { description }) };
  for (const [keyword, value] of Object.entries(keywords)) {
    const isOfItems = OF_ITEMS.has(keyword);
    if (isOfItems && described.items)
      described.items = withKeyword(described.items as Schema, keyword, value);
    else if (isOfItems && typeof described.additionalProperties === 'object')
      described.additionalProperties = withKeyword(described.additionalProperties as Schema, keyword, value);
    else Object.assign(described, withKeyword(described, keyword, value));
  }
  return described;
}

/** A keyword `type` says what a number is, also where it can be `null`. */
const withKeyword = (schema: Schema, keyword: string, value: unknown): Schema => ({
  ...schema,
  [keyword]: keyword === 'type' && Array.isArray(schema.type) ? [value, 'null'] : value,
});
