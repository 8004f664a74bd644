import { readCsv } from './csv/read-csv';
import { readJson } from './json';
import { readJsonLines } from './json-lines';
import { type Advance, type Source, UnreadableFile } from './source';
import { formatOf, TABLES } from './table';

const FORMATS: Record<string, (path: string, advance: Advance, columns?: string) => Source> = {
  '.jsonl': readJsonLines,
  '.ndjson': readJsonLines,
  '.json': readJson,
  ...Object.fromEntries(TABLES.map((extension) => [extension, readCsv])),
};

/**
 * The records of a JSON Lines or JSON file, or of a table, by its extension.
 *
 * @param columns the columns file of a table
 * @throws UnreadableFile
 */
export function openCatalogue(
  path: string,
  { columns, advance = () => {} }: { columns?: string; advance?: Advance } = {},
): Source {
  const extension = formatOf(path);
  const read = FORMATS[extension];
  if (!read)
    throw new UnreadableFile(
      'The extension of a catalogue file must be .jsonl, .ndjson or .json, or .csv, .tsv, .txt or .xlsx for a race calendar.',
    );
  if (columns && !TABLES.includes(extension))
    throw new UnreadableFile('--columns is only for tables (.csv, .tsv, .txt, .xlsx).');
  return read(path, advance, columns);
}
