import { types } from 'pg';
import type { Column, TextRow } from '#platform/database';

/** Writes a row of text values as JSON. */
export type WriteRow = (row: TextRow) => string;

type Format = (text: string) => string;

/** What JSON strings escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has no control characters in strings
const ESCAPED = /["\\\u0000-\u001f]/;
const asIs: Format = (text) => text;
const string: Format = (text) => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`);
const quoted: Format = (text) => `"${text}"`;
const boolean: Format = (text) => (text === 't' ? 'true' : 'false');
/** JSON has no NaN and no infinity. */
const number: Format = (text) => (/^-?\d/.test(text) ? text : `"${text}"`);

const INSTANT = /^\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/;
const MICROSECONDS = '.000000';

/** ISO 8601 with microseconds, of which PostgreSQL omits zeros at the end. */
export const instantText: Format = (text) => {
  if (!INSTANT.test(text)) throw new Error(`Not a time in UTC and ISO format: ${text}`);
  const space = text.indexOf(' ');
  const fraction = text.slice(space + 9, -3);
  return `${text.slice(0, space)}T${text.slice(space + 1, space + 9)}${fraction}${MICROSECONDS.slice(fraction.length)}Z`;
};

/** pg's parser of `text[]`. */
const textsOf = types.getTypeParser(1009 as never) as (text: string) => (string | null)[];
const array: Format = (text) => (text === '{}' ? '[]' : JSON.stringify(textsOf(text)));

/** PostgreSQL's built-in types, by number. A type that is missing here can't be a property. */
const FORMATS: Record<number, Format> = {
  16: boolean,
  20: asIs, // int8
  21: asIs, // int2
  23: asIs, // int4
  25: string, // text
  114: asIs, // json
  700: number, // float4
  701: number, // float8
  1009: array, // text[]
  1015: array, // varchar[]
  1043: string, // varchar
  1082: quoted, // date
  1184: (text) => `"${instantText(text)}"`, // timestamptz
  1700: number, // numeric
  2950: quoted, // uuid
  2951: array, // uuid[]
  3802: asIs, // jsonb
};

function formatOf({ name, dataTypeID }: Column): Format {
  const format = FORMATS[dataTypeID];
  if (!format) throw new Error(`The property ${name} has type ${dataTypeID}, which has no JSON format`);
  return format;
}

/** A column of a row, and its place among the properties. */
interface Leaf {
  path: string[];
  at: number;
  format: Format;
}

interface Property {
  label: string;
  /** The column without which it has no value; undefined if it always has one. */
  at?: number;
  /** @param text the value of that column */
  write: (text: string, row: TextRow) => string;
  /** Whether it is omitted without a value, instead of null. */
  omitted: boolean;
}

/**
 * The columns as properties, in their order. Their names say how objects are nested:
 *
 * - `booker.email`: a property of the object `booker`.
 * - `team?.id`: the same; the object is null if its first property is.
 * - `place??.latitude`: the same, omitted instead of null.
 * - `waves[].id`: a property of the only object of the array `waves`, which is empty if the object has no value.
 * - `hasDonated?`: omitted instead of null.
 *
 * @param columns from declarations
 * @param from the columns before it are no properties
 * @param omitNulls omits every property without a value
 */
export function rowWriter(columns: readonly Column[], from = 0, omitNulls = false): WriteRow {
  const leaves = columns.slice(from).map((column, i) => ({
    path: column.name.split('.'),
    at: from + i,
    format: formatOf(column),
  }));
  return objectOf(propertiesOf(leaves, 0, omitNulls));
}

function propertiesOf(leaves: Leaf[], depth: number, omitNulls: boolean): Property[] {
  const properties: Property[] = [];
  for (let i = 0; i < leaves.length; ) {
    const { path, at, format } = leaves[i] as Leaf;
    const step = path[depth] as string;
    const name = step.replace(/\?{1,2}$|\[\]$/, '');
    const mark = step.slice(name.length);
    const label = `${JSON.stringify(name)}:`;
    if (path.length === depth + 1) {
      properties.push({ label, at, write: format, omitted: omitNulls || mark === '?' });
      i += 1;
      continue;
    }
    const end = leaves.findIndex((leaf, n) => n > i && leaf.path[depth] !== step);
    const inside = leaves.slice(i, end < 0 ? undefined : end);
    const write = objectOf(propertiesOf(inside, depth + 1, omitNulls));
    const isEmpty = (row: TextRow) => inside.every((leaf) => row[leaf.at] === null);
    properties.push(
      mark === '[]'
        ? { label, write: (_, row) => (isEmpty(row) ? '[]' : `[${write(row)}]`), omitted: false }
        : {
            label,
            at: mark ? at : undefined,
            write: (_, row) => write(row),
            omitted: omitNulls || mark === '??',
          },
    );
    i += inside.length;
  }
  return properties;
}

/** Adds few texts, and makes few calls, for each property: an item has about sixty. */
function objectOf(properties: Property[]): WriteRow {
  const written = properties.map(({ label, at, write, omitted }) => ({
    at,
    write,
    first: `{${label}`,
    next: `,${label}`,
    noFirst: omitted ? '' : `{${label}null`,
    noNext: omitted ? '' : `,${label}null`,
  }));
  return (row) => {
    let text = '';
    for (const { at, write, first, next, noFirst, noNext } of written) {
      const value = at === undefined ? '' : (row[at] as string | null);
      if (value === null) text += text ? noNext : noFirst;
      else {
        text += text ? next : first;
        text += write(value, row);
      }
    }
    return text ? `${text}}` : '{}';
  };
}
