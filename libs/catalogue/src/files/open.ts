import { extname } from 'node:path';
import { readCsv } from './csv/read-csv';
import { readJson } from './json';
import { readJsonLines } from './json-lines';
import { type Advance, type Source, UnreadableFile } from './source';

const FORMATS: Record<string, (path: string, advance: Advance, columns?: string) => Source> = {
  '.jsonl': readJsonLines,
  '.ndjson': readJsonLines,
  '.json': readJson,
  '.csv': readCsv,
};

/**
 * The records of a JSON Lines, JSON or CSV file, by its extension.
 *
 * @param columns the columns file of a CSV file
 * @throws UnreadableFile
 */
export function openCatalogue(
  path: string,
  { columns, advance = () => {} }: { columns?: string; advance?: Advance } = {},
): Source {
  const extension = extname(path).toLowerCase();
  const read = FORMATS[extension];
  if (!read)
    throw new UnreadableFile('The extension of a catalogue file must be .jsonl, .ndjson, .json or .csv.');
  if (columns && extension !== '.csv') throw new UnreadableFile('--columns is only for CSV files.');
  return read(path, advance, columns);
}
