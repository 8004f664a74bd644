import type { ImportField, ImportShape } from '#libs/client';
import { describeName } from './openapi/words-of-names';

interface Schema {
  $ref?: string;
  oneOf?: Schema[];
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  const?: string;
  enum?: string[];
  format?: string;
  description?: string;
  examples?: unknown[];
}

export interface ImportsDocument {
  paths: Record<string, { post?: { requestBody?: { content: { 'application/json': { schema: Schema } } } } }>;
  components: { schemas: Record<string, Schema> };
}

/** One object for several shapes: all properties; those are required that every shape requires. */
function oneOfAll(variants: Schema[]): Schema {
  const properties: Record<string, Schema> = Object.assign({}, ...variants.map((each) => each.properties));
  const words = variants.flatMap((each) => each.properties?.type?.const ?? []);
  if (words.length > 0) properties.type = { type: 'string', enum: words };
  const required = variants[0]?.required?.filter((name) =>
    variants.every((each) => each.required?.includes(name)),
  );
  return { type: 'object', properties, required };
}

/** @returns for each path of an import: the property that holds the rows, and the fields of a row */
export function fieldsOfImports({
  paths,
  components: { schemas },
}: ImportsDocument): Record<string, ImportShape> {
  const resolved = (schema: Schema): Schema => {
    const { $ref, oneOf, ...rest } = schema;
    if ($ref) return { ...resolved(schemas[$ref.split('/').at(-1) ?? ''] as Schema), ...rest };
    const variants = oneOf?.filter(({ type }) => type !== 'null').map(resolved);
    if (!variants) return schema;
    return { ...(variants.length === 1 ? variants[0] : oneOfAll(variants)), ...rest };
  };
  const typeOf = ({ type }: Schema) => [type].flat().find((each) => each !== 'null');

  /** Free JSON and lists of objects other than participants have no fields here. */
  const fields = (schema: Schema, path: string, required: boolean): ImportField[] => {
    const one = resolved(schema);
    const type = typeOf(one);
    const isNamed = one.description === describeName(path.split('.').at(-1) ?? '');
    const description = isNamed ? undefined : one.description;
    if (type === 'object' && one.properties) {
      return Object.entries(one.properties).flatMap(([name, property]) =>
        fields(property, path ? `${path}.${name}` : name, required && (one.required ?? []).includes(name)),
      );
    }
    if (type === 'array') {
      const item = resolved(one.items ?? {});
      if (typeOf(item) === 'object')
        return path === 'participants' ? fields(item, `${path}[0]`, required) : [];
      return [{ path, type: 'list', required, description, example: one.examples?.[0] }];
    }
    if (!type || type === 'object') return [];
    const { format, examples, const: only, enum: values = only ? [only] : undefined } = one;
    return [{ path, type, required, description, format, values, example: examples?.[0] }];
  };

  const imports = Object.entries(paths).flatMap(([path, { post }]): [string, ImportShape][] => {
    if (!post?.requestBody || !path.endsWith('/import')) return [];
    const body = resolved(post.requestBody.content['application/json'].schema);
    const [collection = '', rows] = Object.entries(body.properties ?? {})[0] ?? [];
    return [[path, { collection, fields: fields(rows?.items ?? {}, '', true) }]];
  });
  return Object.fromEntries(imports);
}
