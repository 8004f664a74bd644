import { parseCsv } from './csv';
import { decode } from './decode';
import { MARK, unsafe } from './formulas';
import { headerOf, uniqueNames } from './header';
import {
  isBlank,
  LIMITS,
  type ReadOptions,
  type Sheet,
  type SheetRow,
  textOf,
  UnreadableSheet,
} from './sheet';
import { parseXlsx } from './xlsx';

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
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    throw new UnreadableSheet(
      'FORMAT',
      'The file is an old workbook (.xls), or has a password. Save it as .xlsx without a password.',
    );
  }
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) {
    const { rows, sheets, sheet } = await parseXlsx(bytes, options.sheet, contentBytes);
    return tableOf(rows, { format: 'xlsx', sheets, sheet }, options);
  }
  const { text, encoding } = decode(bytes, options.encoding);
  const { rows, delimiter } = parseCsv(text, options.delimiter);
  return tableOf(rows, { format: 'csv', encoding, delimiter, sheets: [] }, options);
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

type How = Pick<Sheet, 'format' | 'encoding' | 'delimiter' | 'sheets' | 'sheet'>;

function tableOf(all: SheetRow[], how: How, { header }: ReadOptions): Sheet {
  const filled = all.filter(({ cells, broken }) => broken || !cells.every(isBlank));
  const at = headerOf(filled, header);
  const head = filled[at];
  if (!head) throw new UnreadableSheet('EMPTY', 'The file is empty. Its first line must name the columns.');
  if (head.broken)
    throw new UnreadableSheet('HEADER', `The line of column names can't be read: ${head.broken}`);
  const names = [...head.cells];
  while (names.length > 1 && isBlank(names.at(-1))) names.pop();
  if (names.length > LIMITS.columns) {
    const message = `The file has ${names.length} columns; at most ${LIMITS.columns} can be read.`;
    throw new UnreadableSheet('TOO_MANY_COLUMNS', message);
  }
  const body = filled.slice(at + 1);
  if (body.length > LIMITS.rows) {
    const message = `The file has more than ${LIMITS.rows} rows. Divide it into several files.`;
    throw new UnreadableSheet('TOO_MANY_ROWS', message);
  }
  const ours = names.some((name) => textOf(name).trim() === MARK);
  // The last line of an export is not a row.
  const rows = ours && body.at(-1)?.cells[0] === END ? body.slice(0, -1) : body;
  const plain = (name: string) => (ours ? unsafe(name) : name).trim();
  const plainNames = names.map((name) => plain(textOf(name)));
  return {
    ...how,
    header: head.line,
    above: filled.slice(0, at).map(({ cells }) => cells.map(textOf).filter(Boolean).join(' ')),
    columns: uniqueNames(plainNames),
    repeated: plainNames.filter((name, i) => name && plainNames.indexOf(name) < i),
    rows: rows.map((row) => rowOf(row, names.length, ours)),
    ours,
  };
}

/** A row with as many cells as the header, and in a file of ours with the texts as they were before it was written. */
function rowOf(row: SheetRow, width: number, ours: boolean): SheetRow {
  const { line, cells, broken } = row;
  const beyond = cells.slice(width).some((cell) => !isBlank(cell));
  const reason =
    broken ??
    (beyond ? `The row has ${cells.length} values, and the header ${width} columns.` : undefined) ??
    (cells.length > 0 && cells.length < width
      ? `The row has ${cells.length} values, and the header ${width} columns.`
      : undefined);
  const all = Array.from({ length: width }, (_, i) => cells[i] ?? '');
  return {
    line,
    cells: ours ? all.map((cell) => (typeof cell === 'string' ? unsafe(cell) : cell)) : all,
    ...(reason && { broken: reason }),
  };
}
