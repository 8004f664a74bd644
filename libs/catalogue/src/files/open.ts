import { extname } from 'node:path';
import { readJson } from './json';
import { readJsonLines } from './json-lines';
import { type Advance, type Source, UnreadableFile } from './source';

const FORMATS: Record<string, (path: string, advance: Advance) => Source> = {
  '.jsonl': readJsonLines,
  '.ndjson': readJsonLines,
  '.json': readJson,
};

/**
 * The records of a JSON Lines or JSON file, by its extension.
 *
 * @throws UnreadableFile
 */
export function openCatalogue(
  path: string,
  { advance = () => {} }: { columns?: string; advance?: Advance } = {},
): Source {
  const read = FORMATS[extname(path).toLowerCase()];
  if (!read) throw new UnreadableFile('A catalogue file is called .jsonl, .ndjson, .json or .csv.');
  return read(path, advance);
}
