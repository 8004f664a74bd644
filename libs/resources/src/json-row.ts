import { types } from 'pg';
import type { Column, TextRow } from '#libs/database';

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

/** JavaScript expressions of a property: its text, and whether it is null. */
interface Member {
  label: string;
  text: string;
  isNull?: string;
  omitted: boolean;
  /** What is written if it is null and not omitted. */
  absent: string;
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
 * The writer is compiled, because it runs for each row of each list: to one expression, of texts and columns.
 *
 * @param columns from declarations, never from clients
 * @param from the columns before it are no properties
 * @param omitNulls omits every property without a value
 */
export function rowWriter(columns: readonly Column[], from = 0, omitNulls = false): WriteRow {
  const leaves = columns.slice(from).map((column, i) => ({
    path: column.name.split('.'),
    at: from + i,
    format: formatOf(column),
  }));
  const formats = Object.fromEntries(leaves.map(({ at, format }) => [at, format]));
  const body = `return (row) => ${objectOf(membersOf(leaves, 0, omitNulls))}`;
  return new Function('formats', 'closed', body)(formats, closed) as WriteRow;
}

function membersOf(leaves: Leaf[], depth: number, omitNulls: boolean): Member[] {
  const members: Member[] = [];
  for (let i = 0; i < leaves.length; ) {
    const { path, at, format } = leaves[i] as Leaf;
    const step = path[depth] as string;
    const name = step.replace(/\?{1,2}$|\[\]$/, '');
    const mark = step.slice(name.length);
    const label = `${JSON.stringify(name)}:`;
    if (path.length === depth + 1) {
      const text = format === asIs ? `row[${at}]` : `formats[${at}](row[${at}])`;
      const omitted = omitNulls || mark === '?';
      members.push({ label, text, isNull: isNull(at), omitted, absent: 'null' });
      i += 1;
      continue;
    }
    const end = leaves.findIndex((leaf, n) => n > i && leaf.path[depth] !== step);
    const inside = leaves.slice(i, end < 0 ? undefined : end);
    const text = objectOf(membersOf(inside, depth + 1, omitNulls));
    members.push(
      mark === '[]'
        ? {
            label,
            text: `'[' + ${text} + ']'`,
            isNull: inside.map((leaf) => isNull(leaf.at)).join(' && '),
            omitted: false,
            absent: '[]',
          }
        : {
            label,
            text,
            isNull: mark ? isNull(at) : undefined,
            omitted: omitNulls || mark === '??',
            absent: 'null',
          },
    );
    i += inside.length;
  }
  return members;
}

/** An object whose last property is followed by a comma. */
const closed = (text: string): string => `${text.length > 1 ? text.slice(0, -1) : text}}`;

const isNull = (at: number): string => `row[${at}] === null`;
const literal = (text: string): string => JSON.stringify(text);

/** The expression of an object. Whether a comma is before a property is known, unless all before it may be omitted. */
function objectOf(members: Member[]): string {
  const always = members.findIndex(({ isNull, omitted }) => !(isNull && omitted));
  const parts = members.map(({ label, text, isNull, omitted, absent }, i) => {
    const after = always >= 0 && i > always ? ',' : '';
    const value = `${literal(after + label)} + ${text}`;
    // A comma at the end, for the properties before the first that is always there.
    const ended = i < always || always < 0 ? `${value} + ','` : value;
    if (!isNull) return ended;
    return omitted
      ? `(${isNull} ? '' : ${ended})`
      : `${literal(after + label)} + (${isNull} ? '${absent}' : ${text})`;
  });
  const object = `'{' + ${parts.join(' + ')}`;
  return always < 0 ? `closed(${object})` : `(${object} + '}')`;
}
