import { isDeepStrictEqual } from 'node:util';
import { DOCUMENT, type Schema } from '../document';

/** Names of properties that hold objects of any shape. */
const isOpen = ({ type, properties }: Schema): boolean =>
  [type].flat().includes('object') && properties === undefined;

const schemaNamed = (reference: string): Schema =>
  DOCUMENT.components.schemas[reference.split('/').at(-1) as string];

/** More values than that are of lists such as currencies, whose values are all stored in the same way. */
const MOST_VALUES = 8;

/** The values that the schema permits, if it names them. */
export function constantsOf({ const: only, enum: values, anyOf = [] }: Schema): unknown[] | undefined {
  if (only !== undefined) return [only];
  const each: unknown[] = anyOf.map((option: Schema) => option.const);
  return values ?? (each.length > 0 && !each.includes(undefined) ? each : undefined);
}

/**
 * How each property of a body can be written: `tags[]: string`, `phone: null`, `itemType: "REFUND"`.
 *
 * @param name of the body, empty for the whole
 */
export function documentedSpellings(schema: Schema, name = ''): string[] {
  if (schema.$ref) return documentedSpellings(schemaNamed(schema.$ref), name);
  const options: Schema[] | undefined = schema.oneOf ?? schema.anyOf;
  const values = constantsOf(schema);
  if (options && !values) return options.flatMap((option) => documentedSpellings(option, name));
  if (values) {
    const known = values.filter((value) => value !== null);
    return values.length > MOST_VALUES
      ? [`${name}: ${typeof known[0]}`, ...(known.length < values.length ? [`${name}: null`] : [])]
      : values.map((value) => `${name}: ${JSON.stringify(value)}`);
  }
  return [schema.type].flat().flatMap((type: string | undefined) => {
    if (type === 'array') return documentedSpellings(schema.items, `${name}[]`);
    if (type === undefined) return [`${name}: any`];
    if (type !== 'object') return [`${name}: ${type === 'integer' ? 'number' : type}`];
    if (isOpen(schema)) return [`${name}: object`];
    return Object.entries(schema.properties as Schema).flatMap(([property, of]) =>
      documentedSpellings(of, name ? `${name}.${property}` : property),
    );
  });
}

/** A property of a body as it was sent. */
export interface Sent {
  /** The path in the body, with places in arrays. */
  at: (string | number)[];
  /** The path without places: `bookings[].tags[]`. */
  name: string;
  value: unknown;
}

/** The properties of a body. @param open the names of objects of any shape */
export function sentIn(body: unknown, open: ReadonlySet<string>, at: Sent['at'] = [], name = ''): Sent[] {
  if (typeof body !== 'object' || body === null || open.has(name)) return [{ at, name, value: body }];
  if (Array.isArray(body) && body.length === 0) return [{ at, name, value: body }];
  if (Array.isArray(body)) return body.flatMap((each, i) => sentIn(each, open, [...at, i], `${name}[]`));
  return Object.entries(body).flatMap(([property, value]) =>
    value === undefined
      ? []
      : sentIn(value, open, [...at, property], name ? `${name}.${property}` : property),
  );
}

/** The spelling of a value, in the words of `documentedSpellings`. */
export const spellingsOf = ({ name, value }: Sent): string[] =>
  value === null
    ? [`${name}: null`]
    : [`${name}: any`, `${name}: ${typeof value}`, `${name}: ${JSON.stringify(value)}`];

export const openIn = (spellings: readonly string[]): Set<string> =>
  new Set(
    spellings
      .filter((each) => /: (object|any)$/.test(each))
      .map((each) => each.slice(0, each.lastIndexOf(': '))),
  );

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);

/** Whether what is shown is what was sent: times are equal as instants, and what was removed is absent, `null` or empty. */
export function isShown(sent: unknown, shown: unknown): boolean {
  if (sent === null) return shown === null || shown === undefined;
  if (Array.isArray(sent) && sent.length === 0 && shown === undefined) return true;
  if (isTime(sent) && isTime(shown)) return Date.parse(sent) === Date.parse(shown);
  return isDeepStrictEqual(sent, shown);
}

export const shownAt = (value: any, at: Sent['at']): unknown =>
  at.reduce((part, property) => part?.[property], value);
