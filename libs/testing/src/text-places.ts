type Schema = Record<string, any>;

/** A text in a body. */
export interface TextPlace {
  /** `bookings.0.booker.email` */
  path: string;
  /** Its maximum. */
  most: number;
  format?: string;
  /** A body with the text, and with nothing else that is not needed to reach it. */
  body(text: string): unknown;
}

/** Every text that a schema declares, at any depth. */
export function textPlacesOf(
  schema: Schema,
  schemas: Record<string, Schema>,
  path: readonly string[] = [],
): TextPlace[] {
  const inner = (part: Schema, ...more: string[]) => textPlacesOf(part, schemas, [...path, ...more]);
  if (schema.$ref) return inner(schemas[schema.$ref.replace(/^.*\//, '')] ?? {});
  // The JSON of all of it has a maximum.
  if ('x-mostJsonCharacters' in schema) return [];
  const branches: Schema[] = schema.oneOf ?? [];
  const types = [schema.type].flat();
  const most = schema.maxLength ?? (schema.format && 36);
  return [
    ...(types.includes('string') && !('enum' in schema || 'const' in schema)
      ? [{ path: path.join('.'), most, format: schema.format, body: (text: string) => nested(path, text) }]
      : []),
    ...branches.filter((branch) => branch.type !== 'string').flatMap((branch) => inner(branch)),
    ...(types.includes('array') && schema.items ? inner(schema.items, '0') : []),
    ...Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, property]) =>
      inner(property, name),
    ),
    ...(schema.propertyNames?.enum ?? schemas[schema.propertyNames?.$ref?.replace(/^.*\//, '')]?.enum ?? [])
      .slice(0, 1)
      .flatMap((name: string) => inner(schema.additionalProperties, name)),
  ];
}

const nested = (path: readonly string[], text: string): unknown =>
  path.reduceRight<unknown>((value, name) => (name === '0' ? [value] : { [name]: value }), text);
