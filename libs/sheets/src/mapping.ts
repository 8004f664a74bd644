import { type Open, READINGS } from './choices';
import { recognise } from './columns';
import { NUMBERED_BY } from './numbering';
import type { FileMapping } from './plan';
import type { Sheet } from './sheet';
import { type ImportKind, targetAt } from './targets';
import { readValue } from './values';

/** A mapping that can't be used. The message names what is wrong. */
export class WrongMapping extends Error {}

type Is = (value: unknown) => boolean;
const isText: Is = (value) => typeof value === 'string';
const areTexts: Is = (value) => Array.isArray(value) && value.every(isText);
const isOneOf =
  (values: readonly string[]): Is =>
  (value) =>
    isText(value) && values.includes(value as string);
const record =
  (isEach: (value: unknown, name: string) => boolean): Is =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(([name, each]) => isEach(each, name));
const isWay = (way: unknown, open: string) =>
  way === null || (Object.hasOwn(READINGS, open) && isOneOf(READINGS[open as Open])(way));
const isNumbering = record((value, name) => (name === 'by' ? isOneOf(NUMBERED_BY) : isText)(value));

/** What a mapping can have. */
const PARTS: Record<keyof FileMapping, [is: Is, words: string]> = {
  columns: [record((path) => path === null || isText(path)), 'the field of each column, or null'],
  values: [record(isText), 'a text for each field'],
  matches: [record(record(isText)), 'by field, the id of each text'],
  missing: [record(areTexts), 'by column, a list of texts'],
  readings: [record(record(isWay)), 'by column, how it is written'],
  accepted: [(value) => value === true || record(areTexts)(value), 'true, or by column a list of texts'],
  dateOrder: [isOneOf(READINGS.dateOrder), READINGS.dateOrder.join(' or ')],
  decimal: [isOneOf(READINGS.decimal), READINGS.decimal.join(' or ')],
  occurrence: [isText, 'an id'],
  numbering: [isNumbering, `"by" (${NUMBERED_BY.join(' or ')}) and "prefix"`],
};

/**
 * A mapping as somebody wrote, sent or stored it.
 *
 * @throws WrongMapping
 */
export function mappingIn(given: unknown): FileMapping {
  if (!record(() => true)(given)) throw new WrongMapping('A mapping is an object.');
  for (const [name, value] of Object.entries(given as object)) {
    const [is, words] = Object.hasOwn(PARTS, name) ? PARTS[name as keyof FileMapping] : [];
    if (!is) throw new WrongMapping(`A mapping has no "${name}": it has ${Object.keys(PARTS).join(', ')}.`);
    if (!is(value)) throw new WrongMapping(`"${name}" of a mapping is ${words}.`);
  }
  return { columns: {}, ...(given as object) };
}

/** With a field, or null, for each column of a table: what somebody said, or else what its name says. */
export function completed(
  { columns }: Pick<Sheet, 'columns'>,
  kind: ImportKind,
  said: FileMapping,
): FileMapping {
  const recognised = recognise({ columns }, kind);
  const stated = (column: string) => (Object.hasOwn(said.columns, column) ? said.columns[column] : undefined);
  const taken = new Set(columns.map(stated));
  const fieldOf = (column: string): string | null => {
    const path = stated(column);
    const likely = recognised[column] ?? null;
    return path !== undefined ? path : taken.has(likely) ? null : likely;
  };
  return { ...said, columns: Object.fromEntries(columns.map((column) => [column, fieldOf(column)])) };
}

/**
 * The mapping of a table, by what somebody said: the same for the console, the command and the API.
 *
 * @throws WrongMapping if it names a column or a field that is not there, or a value that its field can't have
 */
export function mappingFor(sheet: Sheet, kind: ImportKind, said: FileMapping, today: string): FileMapping {
  const used = Object.entries(said.columns).filter((entry): entry is [string, string] => entry[1] !== null);
  for (const [, path] of used) fieldAt(kind, path);
  const byColumn = [said.missing, said.readings, said.accepted].flatMap((each) => Object.keys(each ?? {}));
  for (const column of [...used.map(([name]) => name), ...byColumn])
    if (!sheet.columns.includes(column))
      throw new WrongMapping(`The mapping names the column "${column}", which the file doesn't have.`);
  for (const [path, text] of Object.entries(said.values ?? {})) {
    const field = fieldAt(kind, path);
    if (text === '') continue;
    const read = readValue(text, field, { decimal: '.', ...said }, today);
    if ('misfit' in read) throw new WrongMapping(`"${text}" is not a value of ${path}.`);
    // It could be another one than that of a row.
    if (read.sign)
      throw new WrongMapping(`"${text}" has a currency: that is a value of ${path}.currencyCode.`);
  }
  return completed(sheet, kind, said);
}

function fieldAt(kind: ImportKind, path: string) {
  const field = targetAt(kind, path);
  if (field) return field;
  throw new WrongMapping(`There is no field "${path}". The reference lists them.`);
}
