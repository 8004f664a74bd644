import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { matchColumns } from '../rows/match-columns';
import type { ImportField } from '../rows/shapes';
import { parsed } from '../rows/values';
import type { SourceFile } from './read-rows';
import { SendRefused } from './refused';
import type { Surface } from './surfaces';

/** A field with a column, or with the same value in every row. */
export interface Filled {
  column: string;
  field: ImportField;
  /** The answer of a form field, by the key or id of the form field. */
  answerTo?: string;
}

export interface FileMapping {
  columns: Filled[];
  /** Values of every row by path. */
  values: Map<string, unknown>;
}

interface MappingFile {
  columns: Record<string, string | null>;
  values?: Record<string, string>;
}

const FREE = /^(metadata|participants\[0\]\.fields)\.([^.:]+)(?::(number|boolean|list))?$/;

function fieldAt(surface: Surface, path: string): Omit<Filled, 'column'> {
  const field = surface.fields.find((each) => each.path === path);
  if (field) return { field };
  const [, place, name, type = 'string'] = surface.collection === 'bookings' ? (FREE.exec(path) ?? []) : [];
  if (!place || !name) {
    throw new SendRefused(
      'INVALID_COMMAND',
      `${surface.name} has no field "${path}". The reference lists them.`,
    );
  }
  const free = { path: place === 'metadata' ? `metadata.${name}` : place, type, required: false };
  return { field: free, ...(place !== 'metadata' && { answerTo: name }) };
}

const BOOKER = /^booker\.(email|firstName|lastName)$/;

/** Required fields with neither a column nor a value. By default, the booker is the first participant. */
export function missingFields(surface: Surface, filled: Set<string>): ImportField[] {
  return surface.fields.filter(
    ({ path, required }) =>
      required &&
      !filled.has(path) &&
      !(BOOKER.test(path) && filled.has(path.replace('booker.', 'participants[0].'))),
  );
}

/**
 * Matches the columns of a file by name, or according to a mapping file.
 *
 * @param set values for every row, as `path=value`
 */
export function mappingOf(
  surface: Surface,
  source: SourceFile,
  map?: string,
  set: string[] = [],
): FileMapping {
  if (source.jsonLines) {
    if (map || set.length) {
      throw new SendRefused(
        'INVALID_COMMAND',
        'Lines of JSON Lines are rows of the import: --map and --set are for CSV.',
      );
    }
    return { columns: [], values: new Map() };
  }
  const file: MappingFile = map
    ? readMapping(map)
    : { columns: matchColumns(source.columns, surface.fields) };
  const given = { ...file.values, ...Object.fromEntries(set.map(pair)) };
  const columns = Object.entries(file.columns).flatMap(([column, path]): Filled[] => {
    if (!path) return [];
    if (!source.columns.includes(column)) {
      throw new SendRefused(
        'INVALID_FILE',
        `The mapping names the column "${column}", which the file doesn't have.`,
      );
    }
    return [{ column, ...fieldAt(surface, path) }];
  });
  const values = new Map<string, unknown>();
  for (const [path, text] of Object.entries(given)) {
    if (text === '') continue;
    const value = parsed(text, fieldAt(surface, path).field);
    if (value === undefined) throw new SendRefused('INVALID_COMMAND', `"${text}" is not a value of ${path}.`);
    values.set(path, value);
  }
  const missing = missingFields(
    surface,
    new Set([...columns.map(({ field }) => field.path), ...values.keys()]),
  );
  if (missing.length) {
    throw new SendRefused(
      'INVALID_FILE',
      `No column matches ${missing.map(({ path }) => path).join(', ')}. Write a mapping with --map init, or set a value for every row with --set <field>=<value>.`,
    );
  }
  return { columns, values };
}

function pair(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new SendRefused('INVALID_COMMAND', `--set ${text}: write it as <field>=<value>.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function readMapping(path: string): MappingFile {
  let file: MappingFile;
  try {
    file = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new SendRefused('INVALID_FILE', `The mapping ${path} does not exist or is not JSON.`);
  }
  const texts = [...Object.values(file?.columns ?? { none: 0 }), ...Object.values(file?.values ?? {})];
  if (texts.every((text) => text === null || typeof text === 'string')) return file;
  throw new SendRefused(
    'INVALID_FILE',
    `The mapping ${path} must have "columns" and "values" with texts. Write one with --map init.`,
  );
}

/** Writes a mapping file beside a CSV file, with the columns that were matched by name. */
export function writeMapping(surface: Surface, source: SourceFile): { output: string; unmatched: string[] } {
  if (source.jsonLines) throw new SendRefused('INVALID_COMMAND', 'JSON Lines need no mapping.');
  const output = `${source.path}.map.json`;
  if (existsSync(output))
    throw new SendRefused('INVALID_COMMAND', `${output} already exists. Use it with --map, or delete it.`);
  const matched = matchColumns(source.columns, surface.fields);
  const columns = Object.fromEntries(source.columns.map((column) => [column, matched[column] ?? null]));
  const missing = missingFields(surface, new Set(Object.values(matched)));
  const values = Object.fromEntries(missing.map(({ path }) => [path, '']));
  writeFileSync(output, `${JSON.stringify({ columns, values }, null, 2)}\n`);
  return { output, unmatched: source.columns.filter((column) => !matched[column]) };
}
