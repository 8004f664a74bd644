import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { type BodyBounds, type Problem, problem, readJson } from '#platform/validation';
import { type Advance, UnreadableFile } from './source';
import { formatOf } from './table';

/** More than any record needs. Protects the memory from a file without line breaks. */
const LONGEST_LINE = 5 * 1024 * 1024;
/** The whole JSON file is parsed at once. */
const LARGEST_JSON = 20 * 1024 * 1024;
const NEWLINE = 0x0a;
const BLANK = [0x20, 0x09, 0x0d];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** A parsed row of a file, not checked yet; without a value if it cannot be parsed. */
export interface JsonRow {
  /** The line, or in a JSON array the position of the row, counted from 1. */
  line: number;
  value?: unknown;
  /** The JSON problems of the row. Paths start at the row. */
  problems: Problem[];
}

/**
 * The rows of a JSON Lines or JSON file, by its extension. Keeps one row at a time in memory, except for JSON documents.
 *
 * @param others what to say of a file with another extension
 * @throws UnreadableFile
 */
export function jsonRows(
  path: string,
  bounds: BodyBounds,
  advance: Advance,
  others: string,
): AsyncIterable<JsonRow> {
  const format = formatOf(path);
  if (format === '.json') return rowsOfDocument(path, bounds, advance);
  if (format === '.jsonl' || format === '.ndjson') return rowsOfLines(path, bounds, advance);
  throw new UnreadableFile(others);
}

async function* rowsOfLines(path: string, bounds: BodyBounds, advance: Advance): AsyncGenerator<JsonRow> {
  for await (const { line, bytes } of linesOf(path, advance)) {
    if (bytes) yield { line, ...readJson(bytes, bounds) };
    else yield { line, problems: [problem('', 'TOO_LONG', 'must not be longer than 5 MB')] };
  }
}

/** An array of rows, or a single one. */
async function* rowsOfDocument(path: string, bounds: BodyBounds, advance: Advance): AsyncGenerator<JsonRow> {
  const { size } = await stat(path);
  if (size > LARGEST_JSON)
    throw new UnreadableFile(
      'A JSON file must not be larger than 20 MB. Write larger ones as JSON Lines (.jsonl).',
    );
  const bytes = withoutMark(await readFile(path));
  const { value, problems } = readJson(bytes, bounds);
  advance(size);
  if (value === undefined) {
    const message = problems.map(({ message }) => message.replace(/^The body/, 'The file')).join('. ');
    const at = /position (\d+)/.exec(message)?.[1];
    const line = at && bytes.toString().slice(0, Number(at)).split('\n').length;
    throw new UnreadableFile(`${message}${line ? ` (line ${line})` : ''}.`);
  }
  if (!Array.isArray(value)) {
    yield { line: 1, value, problems };
    return;
  }
  for (const [at, row] of value.entries()) {
    const place = `[${at}]`;
    const own = problems.filter(({ path: of }) => of.startsWith(place));
    yield {
      line: at + 1,
      value: row,
      problems: own.map(({ path: of, code, message }) => {
        const inRow = of.slice(place.length).replace(/^\./, '');
        return problem(inRow, code, message.slice(of.length + 1));
      }),
    };
  }
}

/** The lines of a file that are not empty, one at a time. One that is longer than 5 MB has no bytes. */
async function* linesOf(path: string, advance: Advance): AsyncGenerator<{ line: number; bytes?: Buffer }> {
  let parts: Buffer[] = [];
  let length = 0;
  let line = 0;
  const keep = (part: Buffer) => {
    length += part.length;
    if (length > LONGEST_LINE) parts = [];
    else parts.push(part);
  };
  const take = () => {
    const whole = Buffer.concat(parts);
    const isLong = length > LONGEST_LINE;
    [parts, length, line] = [[], 0, line + 1];
    const bytes = line === 1 ? withoutMark(whole) : whole;
    return isLong ? [{ line }] : bytes.every((byte) => BLANK.includes(byte)) ? [] : [{ line, bytes }];
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    advance(chunk.length);
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, end));
      yield* take();
      from = end + 1;
    }
    keep(chunk.subarray(from));
  }
  if (length > 0) yield* take();
}

const withoutMark = (bytes: Buffer): Buffer =>
  BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
