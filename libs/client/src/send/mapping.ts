import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import {
  ADDED,
  type Choices,
  choiceOf,
  type FileMapping,
  type ImportKind,
  mappingFor,
  mappingIn,
  missingOf,
  READINGS,
  recognise,
  type Sheet,
  WrongMapping,
} from '../../../sheets/src';
import type { SourceFile } from './read-rows';
import { SendRefused } from './refused';

export interface Given extends Pick<Choices, 'dateOrder' | 'decimal'> {
  /** A mapping file. By default, columns are recognised by name. */
  map?: string;
  /** How columns are written, where their values leave it open, as `column=way`. */
  reading?: string[];
  /** Sends values that are not plausible, such as a person of 120 years. */
  acceptOutside?: boolean;
  /** Values for every row, as `path=value`. */
  set?: string[];
}

/** Recognises the columns of a file, with what a mapping file and options say. */
export function mappingOf(
  kind: ImportKind,
  { sheet }: SourceFile,
  { map, set = [], reading = [], acceptOutside, dateOrder, decimal }: Given,
): FileMapping {
  if (!sheet) {
    if (map || set.length || reading.length) {
      throw new SendRefused(
        'INVALID_COMMAND',
        'Lines of JSON Lines are rows of the import: --map, --set and --reading are for tables.',
      );
    }
    return { columns: {} };
  }
  const file = map ? readMapping(map) : { columns: {} };
  const readings = { ...file.readings };
  for (const text of reading) {
    const [column, way] = pair(text, '--reading', text.lastIndexOf('='));
    const choice = choiceOf(way);
    if (!choice || !sheet.columns.includes(column)) {
      const message = `--reading ${text}: write it as <column>=<way>, with ${Object.values(READINGS).flat().join(', ')}.`;
      throw new SendRefused('INVALID_COMMAND', message);
    }
    readings[column] = { ...readings[column], ...choice };
  }
  const values = Object.fromEntries(set.map((text) => pair(text, '--set', text.indexOf('='))));
  const said = {
    ...file,
    ...(dateOrder && { dateOrder }),
    ...(decimal && { decimal }),
    ...(acceptOutside && { accepted: true as const }),
    ...{ readings, values: { ...file.values, ...values } },
  };
  return usable(() => mappingFor(sheet, kind, said, today()), map ? 'INVALID_FILE' : 'INVALID_COMMAND');
}

function usable<T>(take: () => T, code: 'INVALID_FILE' | 'INVALID_COMMAND'): T {
  try {
    return take();
  } catch (error) {
    if (!(error instanceof WrongMapping)) throw error;
    throw new SendRefused(code, error.message);
  }
}

/** The latest date of birth anywhere. */
export const today = (): string => new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);

function pair(text: string, option: string, at: number): [string, string] {
  if (at < 1)
    throw new SendRefused('INVALID_COMMAND', `${option} ${text}: write it with a = between name and value.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function readMapping(path: string): FileMapping {
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new SendRefused('INVALID_FILE', `The mapping ${path} does not exist or is not JSON.`);
  }
  return usable(() => mappingIn(given), 'INVALID_FILE');
}

/**
 * Keeps what a person answered. How dates and amounts are written belongs to one file only, unless the mapping said it itself.
 *
 * @param isUsed whether the answers complete the mapping that is there
 */
export function keepMapping(
  path: string,
  { dateOrder, decimal, readings, accepted, ...answered }: FileMapping,
  isUsed: boolean,
): void {
  const mapping = { ...(isUsed && readMapping(path)), ...answered };
  writeFileSync(path, `${JSON.stringify(mapping, null, 2)}\n`);
}

/** Writes a mapping file beside a table, with the columns that were recognised. */
export function writeMapping(
  kind: ImportKind,
  path: string,
  sheet: Sheet,
): { output: string; unmatched: string[] } {
  const output = `${path}.map.json`;
  if (existsSync(output))
    throw new SendRefused('INVALID_COMMAND', `${output} already exists. Use it with --map, or delete it.`);
  const matched = recognise(sheet, kind);
  const own = sheet.columns.filter((column) => !ADDED.includes(column));
  const columns = Object.fromEntries(own.map((column) => [column, matched[column] ?? null]));
  const missing = missingOf(kind.fields, new Set(Object.values(matched)));
  const values = Object.fromEntries(missing.map((field) => [field.path, '']));
  writeFileSync(output, `${JSON.stringify({ columns, values }, null, 2)}\n`);
  return { output, unmatched: own.filter((column) => !matched[column]) };
}
