import { CATALOGUE_BOUNDS } from '#platform/validation';
import { jsonRows } from './json-rows';
import type { Advance, Source } from './source';

const OTHER =
  'The extension of a catalogue file must be .jsonl, .ndjson or .json, or .csv, .tsv, .txt or .xlsx for a race calendar.';
/** A whole file of JSON has many records, which are in the list of a body later. */
const BOUNDS = {
  ...CATALOGUE_BOUNDS,
  values: 2_000_000,
  names: undefined,
  depth: CATALOGUE_BOUNDS.depth - 4,
};

/**
 * The records of a JSON Lines or JSON file, by its extension. What `PUT /v0/catalogue` refuses of JSON, such as a doubled property, is a
 * problem of its record.
 *
 * @throws UnreadableFile
 */
export async function* openCatalogue(path: string, advance: Advance = () => {}): Source {
  for await (const { line: row, value, problems } of jsonRows(path, BOUNDS, advance, OTHER)) {
    if (problems.length === 0) yield { row, value };
    for (const { path: field, code, message } of problems)
      yield { problem: { row, field, code, message: message.slice((field || 'The body').length + 1) } };
  }
}
