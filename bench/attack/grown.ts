import { DOCUMENT, type Schema } from '../../test/contract/document';

/** Where an array has no maximum of its own. */
const ITEMS = 1_000;
const BYTES_OF_CHARACTER = 3;

const resolved = (schema: Schema): Schema => {
  if (schema.$ref) return resolved(DOCUMENT.components.schemas[schema.$ref.split('/').at(-1)]);
  const [part] = schema.allOf ?? schema.oneOf ?? schema.anyOf ?? [];
  return part ? { ...resolved(part), ...schema } : schema;
};

/** The largest value that the schema permits, by example, in about that many bytes; ids and formats stay as they are. */
export function grown(given: Schema | undefined, value: unknown, bytes: number): unknown {
  const schema = given && resolved(given);
  if (!schema) return value;
  if (Array.isArray(value)) {
    const item = grown(schema.items, value[0], bytes);
    const fitting = Math.floor(bytes / (Buffer.byteLength(JSON.stringify(item) ?? '') + 1));
    return Array.from({ length: Math.max(1, Math.min(schema.maxItems ?? ITEMS, fitting)) }, () => item);
  }
  const characters = schema['x-mostJsonCharacters'];
  if (characters) return { grown: '€'.repeat(characters - '{"grown":""}'.length) };
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value);
    return Object.fromEntries(
      parts.map(([name, part]) => [name, grown(schema.properties?.[name], part, bytes / parts.length)]),
    );
  }
  if (typeof value !== 'string' || schema.format || schema.pattern || schema.enum) return value;
  const fitting = Math.floor(bytes / BYTES_OF_CHARACTER);
  return '€'.repeat(Math.min(schema.maxLength ?? fitting, fitting));
}
