import type { Docs } from './source-docs';

/** A JSON Schema of dialect 2020-12, as OpenAPI 3.1 embeds it. */
export type Schema = { [keyword: string]: unknown };

export const REF = '#/components/schemas/';

/** A constant for one value, an enumeration for several. */
export function enumOrConst(values: (string | number)[]): Schema {
  return values.length === 1 ? { const: values[0] } : { enum: values };
}

export function orNull(schema: Schema, nullable: boolean): Schema {
  if (!nullable) return schema;
  if (Array.isArray(schema.enum))
    return { ...schema, type: [schema.type, 'null'], enum: [...schema.enum, null] };
  if (typeof schema.type === 'string' && !('const' in schema))
    return { ...schema, type: [schema.type, 'null'] };
  if (Array.isArray(schema.oneOf)) return { oneOf: [...schema.oneOf, { type: 'null' }] };
  return { oneOf: [schema, { type: 'null' }] };
}

/** For an array or a record, a tag such as `@format` applies to the items. */
const OF_ITEMS = new Set(['format', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength']);

/** Adds the description and tags of a comment to the schema. */
export function describe(schema: Schema, docs: Docs): Schema {
  const { type, ...keywords } = docs.keywords;
  const typed: Schema = type && schema.type ? { ...schema, type: replaceNumber(schema.type, type) } : schema;
  const described: Schema = { ...typed, ...(docs.description && { description: docs.description }) };
  for (const [keyword, value] of Object.entries(keywords)) {
    if (described.items && OF_ITEMS.has(keyword)) described.items = { ...described.items, [keyword]: value };
    else if (typeof described.additionalProperties === 'object' && OF_ITEMS.has(keyword))
      described.additionalProperties = { ...described.additionalProperties, [keyword]: value };
    else described[keyword] = value;
  }
  if (docs.default !== undefined) described.default = valueFrom(docs.default, described.type);
  if (docs.example !== undefined) described.examples = [valueFrom(docs.example, described.type)];
  return described;
}

/** Parses the text of a tag as JSON; for strings, returns the text itself. */
function valueFrom(text: string, type: unknown): unknown {
  const isText = [type].flat().includes('string');
  try {
    const value: unknown = JSON.parse(text);
    return isText && value !== null && typeof value !== 'string' ? text : value;
  } catch {
    return text;
  }
}

function replaceNumber(type: unknown, by: unknown): unknown {
  return Array.isArray(type) ? type.map((one) => replaceNumber(one, by)) : type === 'number' ? by : type;
}
