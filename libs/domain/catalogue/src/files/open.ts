import { readJson } from './json';
import { readJsonLines } from './json-lines';
import type { Advance, Source } from './source';
import { readerOf } from './table';

const OTHER =
  'The extension of a catalogue file must be .jsonl, .ndjson or .json, or .csv, .tsv, .txt or .xlsx for a race calendar.';

/**
 * The records of a JSON Lines or JSON file, by its extension.
 *
 * @throws UnreadableFile
 */
export const openCatalogue = (path: string, advance: Advance = () => {}): Source =>
  readerOf(path, readJsonLines, readJson, OTHER)(path, advance);
