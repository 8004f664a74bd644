import { longestOf } from './formats';
import { MOST_JSON_CHARACTERS } from './most-json';

type Schema = Record<string, unknown>;

/** The texts of these formats all have one length. */
const OF_ONE_LENGTH = new Set(['uuid', 'date']);

/**
 * The paths of values without a maximum: strings, numbers, arrays and objects whose schema permits any length or size.
 * Properties that an open schema does not name are never read.
 *
 * @param schemas the document's components, which references name
 * @param path the path of the schema's value
 */
export function unboundedIn(
  schema: Schema,
  schemas: Record<string, Schema>,
  path: string,
  seen = new Set<string>(),
): string[] {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.replace(/^.*\//, '');
    if (seen.has(name)) return [];
    seen.add(name);
    return unboundedIn(schemas[name] ?? {}, schemas, path, seen);
  }
  const within = (part: unknown, place: string) => unboundedIn(part as Schema, schemas, place, seen);
  if (['enum', 'const', MOST_JSON_CHARACTERS].some((keyword) => keyword in schema)) return [];
  const branches = [schema.oneOf, schema.anyOf].flat().filter((branch) => branch !== undefined);
  if (branches.length) return branches.flatMap((branch) => within(branch, path));
  const types = [schema.type].flat();
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const more = schema.additionalProperties;
  const isMap = typeof more === 'object';
  const patterns = Object.values((schema.patternProperties ?? {}) as Record<string, Schema>);
  const isUnbounded =
    types[0] === undefined ||
    (types.includes('string') && !('maxLength' in schema) && !OF_ONE_LENGTH.has(String(schema.format))) ||
    (types.some((type) => type === 'number' || type === 'integer') && !isRange(schema)) ||
    (types.includes('array') && !('maxItems' in schema)) ||
    (types.includes('object') &&
      !properties.length &&
      !(isMap && 'propertyNames' in schema) &&
      !(patterns.length && 'maxProperties' in schema));
  return [
    ...(isUnbounded ? [path] : []),
    ...(types.includes('array') ? within(schema.items, `${path}[]`) : []),
    ...properties.flatMap(([name, property]) => within(property, `${path}.${name}`)),
    ...(isMap ? within(more, `${path}.*`) : []),
    ...patterns.flatMap((pattern) => within(pattern, `${path}.*`)),
  ];
}

/** @throws Error that names what has no maximum in the schemas, which have the names of their paths */
export function requireBounded(named: Record<string, Schema>, schemas: Record<string, Schema> = {}): void {
  const unbounded = Object.entries(named).flatMap(([path, schema]) => unboundedIn(schema, schemas, path));
  if (unbounded.length) throw new Error(`These have no maximum: ${unbounded.join(', ')}`);
}

const isRange = (schema: Schema): boolean =>
  'maximum' in schema && ('minimum' in schema || 'exclusiveMinimum' in schema);

/** Adds the maximum of its format to each string of the schema that has no other. Changes the schema. */
export function boundFormats(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  const schema = part as Schema;
  const longest = longestOf(schema.format);
  if (longest !== undefined && !OF_ONE_LENGTH.has(String(schema.format))) schema.maxLength ??= longest;
  for (const [keyword, inner] of Object.entries(schema)) if (keyword !== 'examples') boundFormats(inner);
}
