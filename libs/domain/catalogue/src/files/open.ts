import { readJson } from './json';
import { readJsonLines } from './json-lines';
import { type Advance, type Source, UnreadableFile } from './source';
import { formatOf } from './table';

type Read = (path: string, advance: Advance) => Source;
const FORMATS: Record<string, Read> = {
  '.jsonl': readJsonLines,
  '.ndjson': readJsonLines,
  '.json': readJson,
};

/**
 * The records of a JSON Lines or JSON file, by its extension.
 *
 * @throws UnreadableFile
 */
export function openCatalogue(path: string, advance: Advance = () => {}): Source {
  const read = FORMATS[formatOf(path)];
  if (!read)
    throw new UnreadableFile(
      'The extension of a catalogue file must be .jsonl, .ndjson or .json, or .csv, .tsv, .txt or .xlsx for a race calendar.',
    );
  return read(path, advance);
}
