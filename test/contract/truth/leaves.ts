import { DOCUMENT, type Schema } from '../document';

const schemaNamed = (reference: string): Schema =>
  DOCUMENT.components.schemas[reference.split('/').at(-1) as string];

/** The schema behind references and alternatives with `null`. */
function resolved(schema: Schema): Schema {
  if (schema.$ref) return resolved(schemaNamed(schema.$ref));
  const options: Schema[] = schema.oneOf ?? schema.anyOf ?? schema.allOf ?? [];
  const [only, ...others] = options.filter(({ type }) => type !== 'null');
  return only && others.length === 0 ? resolved(only) : schema;
}

/** The properties without properties of their own, of one value or of all items of an array: `booker.email`, `waves.title`. */
export function leavesOf(schema: Schema, name = ''): string[] {
  const { type, items, properties } = resolved(schema);
  if (type === 'array' && items) return leavesOf(items, name);
  if (!properties) return [name];
  return Object.entries(properties as Schema).flatMap(([property, of]) =>
    leavesOf(of, name ? `${name}.${property}` : property),
  );
}

const valueAt = (value: any, [property, ...rest]: string[]): unknown => {
  if (property === undefined || value === null || value === undefined) return value;
  return Array.isArray(value)
    ? value.map((item) => valueAt(item, [property, ...rest]))
    : valueAt(value[property], rest);
};

export const leafOf = (value: unknown, leaf: string): string =>
  JSON.stringify(valueAt(value, leaf.split('.')) ?? null);

/** The property of the record that a leaf is in. */
export const propertyOf = (leaf: string): string => leaf.split('.')[0] as string;

export const RECORDS = ['Participant', 'Application', 'TimingParticipant', 'Booking', 'Partner'] as const;
export type RecordName = (typeof RECORDS)[number];

export const LEAVES = Object.fromEntries(
  RECORDS.map((name) => [name, leavesOf(DOCUMENT.components.schemas[name])]),
) as Record<RecordName, string[]>;
