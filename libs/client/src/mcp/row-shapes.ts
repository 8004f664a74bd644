import type { ImportPath } from '../imports';
import type { ApiDocument, JsonSchema } from './access';

const REF = '#/components/schemas/';
/** What tells an assistant how to write a value. */
const KEPT = ['type', 'description', 'enum', 'const', 'format', 'required', 'minimum', 'default'];

/** The schema of a row of an import, from the OpenAPI document: without references, patterns and empty values. */
export function shapeOf(document: ApiDocument, path: ImportPath, collection: string): JsonSchema {
  const { schemas } = document.components;
  const known = (schema: JsonSchema): JsonSchema => {
    const { $ref, oneOf, ...own } = schema;
    if ($ref) return { ...known(schemas[$ref.slice(REF.length)] ?? {}), ...own };
    const [only, ...others] = (oneOf ?? []).filter(({ type }: JsonSchema) => type !== 'null');
    if (others.length > 0) return { ...own, oneOf: [only, ...others] };
    return only ? { ...known(only), ...own } : own;
  };
  const shape = (schema: JsonSchema): JsonSchema => {
    const { properties, items, oneOf, examples, ...rest } = known(schema);
    const kept = Object.fromEntries(Object.entries(rest).filter(([name]) => KEPT.includes(name)));
    if (Array.isArray(kept.type)) kept.type = kept.type.find((each: string) => each !== 'null');
    if (properties) {
      const inner = Object.entries<JsonSchema>(properties).map(([name, property]) => [name, shape(property)]);
      return { ...kept, properties: Object.fromEntries(inner) };
    }
    if (oneOf) return { ...kept, oneOf: oneOf.map(shape) };
    if (items) return { ...kept, items: shape(items), ...(examples && { examples: examples.slice(0, 1) }) };
    return { ...kept, ...(examples && { examples: examples.slice(0, 1) }) };
  };
  const body = document.paths[path]?.post?.requestBody?.content['application/json'].schema ?? {};
  return shape(known(body).properties[collection].items);
}
