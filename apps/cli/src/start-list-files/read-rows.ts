import { type Advance, documentOf, linesOf, readerOf, UnreadableFile } from '#domain/catalogue';
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

const OTHER = 'The name of a start list file must end in .jsonl, .ndjson, .json, .csv, .tsv, .txt or .xlsx.';

/**
 * The rows of a JSON Lines or JSON file, by its extension. Keeps one row at a time in memory, except for JSON documents.
 *
 * @throws UnreadableFile
 */
export const readRows = (path: string, bounds: BodyBounds, advance: Advance): AsyncIterable<FileRow> =>
  readerOf(path, readLines, readDocument, OTHER)(path, bounds, advance);

async function* readLines(path: string, bounds: BodyBounds, advance: Advance): AsyncGenerator<FileRow> {
  for await (const { line, bytes } of linesOf(path, advance)) {
    if (bytes) yield { line, ...readJson(bytes, bounds) };
    else yield { line, problems: [problem('', 'TOO_LONG', 'must not be longer than 5 MB')] };
  }
}

/** An array of rows, or a single one. */
async function* readDocument(path: string, bounds: BodyBounds, advance: Advance): AsyncGenerator<FileRow> {
  const { value, problems } = readJson(await documentOf(path, advance), bounds);
  if (value === undefined)
    throw new UnreadableFile(`The file can't be read: ${problems.map(({ message }) => message).join('. ')}.`);
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
