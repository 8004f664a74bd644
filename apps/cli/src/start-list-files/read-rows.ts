import { readFile, stat } from 'node:fs/promises';
import { type Advance, formatOf, linesOf, UnreadableFile } from '#domain/catalogue';
import type { Item } from '#libs/sheets';
import { type BodyBounds, type Problem, problem, readJson } from '#platform/validation';

/** A parsed row of a file, not checked yet; without a value if it cannot be parsed. */
export interface FileRow {
  line: number;
  value?: unknown;
  /** The JSON problems of the row. Paths start at the row. */
  problems: Problem[];
  /** The rows of a table that it was made from. */
  item?: Item;
}

/** What is not loaded from a file. */
export interface FileWarning {
  line: number;
  warning: string;
}

/** The maximum size of a JSON document, which is parsed as a whole. */
const LARGEST_JSON = 20 * 1024 * 1024;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const FORMATS: Record<
  string,
  (path: string, bounds: BodyBounds, advance: Advance) => AsyncIterable<FileRow>
> = {
  '.jsonl': readLines,
  '.ndjson': readLines,
  '.json': readDocument,
};

/**
 * The rows of a JSON Lines or JSON file, by its extension. Keeps one row at a time in memory, except for JSON documents.
 *
 * @throws UnreadableFile
 */
export function readRows(path: string, bounds: BodyBounds, advance: Advance): AsyncIterable<FileRow> {
  const read = FORMATS[formatOf(path)];
  if (!read)
    throw new UnreadableFile(
      'The name of a start list file must end in .jsonl, .ndjson, .json, .csv, .tsv, .txt or .xlsx.',
    );
  return read(path, bounds, advance);
}

async function* readLines(path: string, bounds: BodyBounds, advance: Advance): AsyncGenerator<FileRow> {
  let line = 0;
  for await (const bytes of linesOf(path, advance)) {
    line += 1;
    if (!bytes) yield { line, problems: [problem('', 'TOO_LONG', 'must not be longer than 5 MB')] };
    else if (!isBlank(bytes)) yield { line, ...readJson(line === 1 ? withoutMark(bytes) : bytes, bounds) };
  }
}

const isBlank = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

const withoutMark = (bytes: Buffer): Buffer =>
  BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;

/** An array of rows, or a single one. */
async function* readDocument(path: string, bounds: BodyBounds, advance: Advance): AsyncGenerator<FileRow> {
  const { size } = await stat(path);
  if (size > LARGEST_JSON)
    throw new UnreadableFile(
      'A JSON document may have up to 20 MB. Write larger files as JSON Lines (.jsonl).',
    );
  const { value, problems } = readJson(withoutMark(await readFile(path)), bounds);
  if (value === undefined)
    throw new UnreadableFile(`The file can't be read: ${problems.map(({ message }) => message).join('. ')}.`);
  advance(size);
  if (!Array.isArray(value)) {
    yield { line: 1, value, problems };
    return;
  }
  for (const [at, row] of value.entries()) {
    const place = `[${at}]`;
    const own = problems.filter(({ path: of }) => of === place || of.startsWith(`${place}.`));
    yield {
      line: at + 1,
      value: row,
      problems: own.map(({ path: of, code, message }) => {
        const inRow = of.slice(place.length + 1);
        return problem(inRow, code, message.slice(of.length + 1));
      }),
    };
  }
}

/** Cells can be any text, so the limits of JSON apply to rows of a table as well. */
export const withinBounds = (row: FileRow, bounds: BodyBounds): FileRow => ({
  ...row,
  ...readJson(Buffer.from(JSON.stringify(row.value)), bounds),
});
