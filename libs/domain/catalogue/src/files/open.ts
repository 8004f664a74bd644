import { readCsv } from './csv/read-csv';
import type { TableOptions } from './csv/rows';
import { readJson } from './json';
import { readJsonLines } from './json-lines';
import { type Advance, type Source, UnreadableFile } from './source';
import { formatOf, TABLES } from './table';

type Read = (path: string, advance: Advance, columns?: string, options?: TableOptions) => Source;
const FORMATS: Record<string, Read> = {
  '.jsonl': readJsonLines,
  '.ndjson': readJsonLines,
  '.json': readJson,
  ...Object.fromEntries(TABLES.map((extension) => [extension, readCsv])),
};

/**
 * The records of a JSON Lines or JSON file, or of a table, by its extension.
 *
 * @param columns the columns file of a table
 * @param table how a table is read
 * @throws UnreadableFile
 */
export function openCatalogue(
  path: string,
  { columns, table, advance = () => {} }: { columns?: string; table?: TableOptions; advance?: Advance } = {},
): Source {
  const extension = formatOf(path);
  const read = FORMATS[extension];
  if (!read)
    throw new UnreadableFile(
      'The extension of a catalogue file must be .jsonl, .ndjson or .json, or .csv, .tsv, .txt or .xlsx for a race calendar.',
    );
  if ((columns || Object.keys(table ?? {}).length > 0) && !TABLES.includes(extension))
    throw new UnreadableFile('--columns and how a table is read are only for .csv, .tsv, .txt and .xlsx.');
  return read(path, advance, columns, table);
}
