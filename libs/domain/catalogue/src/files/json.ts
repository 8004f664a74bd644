import { readFile, stat } from 'node:fs/promises';
import { withoutMark } from './json-lines';
import { type Advance, type Source, UnreadableFile } from './source';

/** The whole JSON file is parsed at once. */
const LARGEST_JSON = 20 * 1024 * 1024;

/** The bytes of a JSON file. */
export async function documentOf(path: string, advance: Advance): Promise<Buffer> {
  const { size } = await stat(path);
  if (size > LARGEST_JSON)
    throw new UnreadableFile(
      'A JSON file must not be larger than 20 MB. Write larger ones as JSON Lines (.jsonl).',
    );
  const bytes = withoutMark(await readFile(path));
  advance(size);
  return bytes;
}

/** An array of records, or a single one. `row` is the position of a record in the array, counted from 1. */
export async function* readJson(path: string, advance: Advance): Source {
  const document = parse(decode(await documentOf(path, advance)));
  const records = Array.isArray(document) ? document : [document];
  for (const [at, value] of records.entries()) yield { row: at + 1, value };
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableFile('The file is not UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const position = /at position (\d+)/.exec(message)?.[1];
    const line =
      position === undefined ? '' : ` (line ${text.slice(0, Number(position)).split('\n').length})`;
    throw new UnreadableFile(`The file is not JSON: ${message}${line}`);
  }
}
