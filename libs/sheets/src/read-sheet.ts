import { breakSwallowing, parseCsv, tooManyRows } from './csv';
import { decode } from './decode';
import { requireColumns, requireTable } from './formats';
import { MARK, unsafe } from './formulas';
import { breakOthers, headerOf, uniqueNames } from './header';
import { shortenedNumbers, visibleOf, withMerged, withMessage } from './notices';
import {
  type Cell,
  isBlank,
  LIMITS,
  type ReadOptions,
  type Sheet,
  type SheetRow,
  textOf,
  trimmed,
  UnreadableSheet,
} from './sheet';
import { parseXlsx, type Workbook } from './xlsx';

const megabytes = (bytes: number) => `${bytes / 1_000_000} MB`;
const startsWith = (bytes: Uint8Array, ...start: number[]) => start.every((byte, at) => bytes[at] === byte);

/**
 * Reads a table from CSV (also TSV and TXT), a workbook (.xlsx), or either compressed with gzip. The content decides, not the name.
 *
 * @throws UnreadableSheet
 */
export async function readSheet(given: Uint8Array, options: ReadOptions = {}): Promise<Sheet> {
  if (given.length > LIMITS.bytes) {
    const message = `The file has ${megabytes(given.length)}; at most ${megabytes(LIMITS.bytes)} can be read. Divide it into several files.`;
    throw new UnreadableSheet('TOO_LARGE', message);
  }
  const { contentBytes = LIMITS.contentBytes } = options;
  const bytes = startsWith(given, 0x1f, 0x8b) ? await gunzipped(given, contentBytes) : given;
  requireTable(bytes);
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) {
    const book = await parseXlsx(bytes, options);
    const { sheets, sheet, from1904 } = book;
    const how: How = { format: 'xlsx', sheets, sheet, ...(from1904 && { from1904 }), notices: [] };
    return tableOf(book.rows, how, options, book);
  }
  const { text, encoding, notices } = decode(bytes, options.encoding);
  requireColumns(text, options.delimiter);
  const { rows, delimiter } = parseCsv(text, options.delimiter);
  return tableOf(rows, { format: 'csv', encoding, delimiter, sheets: [], notices }, options);
}

/** Decompresses up to the limit. */
async function gunzipped(bytes: Uint8Array, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream('gzip'));
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > most) {
        await reader.cancel();
        const message = `The file expands to more than ${megabytes(most)}. Divide it into several files.`;
        throw new UnreadableSheet('TOO_LARGE', message);
      }
      parts.push(value);
    }
  } catch (error) {
    if (error instanceof UnreadableSheet) throw error;
    throw new UnreadableSheet('FORMAT', "The file is damaged: it can't be decompressed (gzip).");
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** What an export ends with. */
const END = '#end';

type How = Pick<Sheet, 'format' | 'encoding' | 'delimiter' | 'sheets' | 'sheet' | 'from1904' | 'notices'>;

function tableOf(all: SheetRow[], how: How, options: ReadOptions, book?: Workbook): Sheet {
  const merges = book?.merges ?? [];
  withMerged(all, merges, Number.POSITIVE_INFINITY);
  const filled = all.filter(({ cells, broken }) => broken || !cells.every(isBlank));
  const at = headerOf(filled, { ...how, header: options.header });
  const head = filled[at];
  if (!head) throw new UnreadableSheet('EMPTY', 'The file is empty. Its first line must name the columns.');
  if (head.broken)
    throw new UnreadableSheet('HEADER', `The line of column names can't be read: ${head.broken}`);
  const names = [...head.cells];
  while (names.length > 1 && isBlank(names.at(-1))) names.pop();
  const ours = names.some((name) => trimmed(textOf(name)) === MARK);
  const most = ours ? LIMITS.ourColumns : LIMITS.columns;
  if (names.length > most) {
    const message = `The file has ${names.length} columns; at most ${most} can be read.`;
    throw new UnreadableSheet('TOO_MANY_COLUMNS', message);
  }
  const body = filled.slice(at + 1);
  if (body.length > LIMITS.rows) throw tooManyRows();
  // The last line of an export is not a row.
  const own = ours && body.at(-1)?.cells[0] === END ? body.slice(0, -1) : body;
  const rows = how.delimiter && !ours ? breakSwallowing(own, how.delimiter, names.length) : own;
  const plain = (name: string) => trimmed(ours ? unsafe(name) : name);
  const plainNames = names.map((name) => plain(textOf(name)));
  const columns = uniqueNames(plainNames);
  const merged = withMerged(filled, merges, head.line);
  const table = rows.map((row) => rowOf(row, names.length, ours));
  if (!ours) breakOthers(table, columns);
  // A spreadsheet may have saved a file of ours.
  const marks = [...(book?.marks ?? []), ...(ours ? [] : merged), ...shortenedNumbers(table, ours)];
  const notices = marks.flatMap(([column, each]) =>
    column < columns.length ? each.map((notice) => withMessage(notice, columns[column] as string)) : [],
  );
  const sheet: Sheet = {
    ...how,
    header: head.line,
    above: filled.slice(0, at).map(({ cells }) => cells.map(textOf).filter(Boolean).join(' ')),
    columns,
    repeated: plainNames.filter((name, i) => name && plainNames.indexOf(name) < i),
    rows: table,
    ours,
    notices: [...how.notices, ...notices],
  };
  return book ? visibleOf(sheet, book, options) : sheet;
}

/** A row with as many cells as the header, and in a file of ours with the texts as they were before it was written. */
function rowOf(row: SheetRow, width: number, ours: boolean): SheetRow {
  const { line, cells, shown, broken } = row;
  const isOther =
    (cells.length > 0 && cells.length < width) || cells.slice(width).some((cell) => !isBlank(cell));
  const plain = (cell: Cell) => (ours && typeof cell === 'string' ? unsafe(cell) : cell);
  const beyond = cells.slice(width).map(plain);
  const others = beyond.filter((cell) => !isBlank(cell)).map((cell) => `"${textOf(cell).slice(0, 200)}"`);
  const differs = `The row has ${cells.length} values, and the header ${width} columns.`;
  const named = others.length > 0 ? ` Beyond them: ${others.slice(0, 5).join(', ')}.` : '';
  const reason = broken ?? (isOther ? differs + named : undefined);
  return {
    line,
    cells: Array.from({ length: width }, (_, i) => plain(cells[i] ?? '')),
    ...(shown && { shown }),
    ...(reason && { broken: reason }),
    ...(isOther && { beyond }),
  };
}
