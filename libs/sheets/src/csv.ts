import { type Info, type Options, parse } from 'csv-parse/sync';
import { isDamaged } from './decode';
import { isBlank, LIMITS, type SheetRow, UnreadableSheet } from './sheet';

const DELIMITERS = [',', ';', '\t', '|'];
/** Records from which the delimiter is recognised. */
const SAMPLE = 100;
/** `sep=;` in the first line, which spreadsheets write and hide. */
const NAMED = /^sep=(.)\r?\n/i;

const SETTINGS: Options = {
  bom: true,
  info: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_error: true,
};

const BREAK = /\r\n|\n|\r/;

/** The lines of a row, and those that are wholly within a value. */
const linesOf = ({ cells }: SheetRow, delimiter: string) => ({
  lines: cells.join(delimiter).split(BREAK),
  within: new Set(cells.flatMap((cell) => String(cell).split(BREAK).slice(1))),
});

/** The lines of a row that have as many separators as the header, as its first line or within a value: they are other rows. */
function swallowedIn(row: SheetRow, delimiter: string, width: number): number[] {
  const isWhole = (text = '') => text.split(delimiter).length === width;
  const { lines, within } = linesOf(row, delimiter);
  return lines.flatMap((text, at) =>
    at > 0 && isWhole(text) && (isWhole(lines[0]) || within.has(text)) ? [row.line + at] : [],
  );
}

const swallowing = ([first, ...others]: readonly number[]): string =>
  `A value has whole rows in it (${others.length > 0 ? `lines ${first} to ${others.at(-1)}` : `line ${first}`}): a quotation mark is missing, or one too many.`;

/** Refuses rows down to the header if a value has whole rows in it: all lines have as many separators, which is rare for names of several lines. */
export function refuseSwallowing(rows: readonly SheetRow[], delimiter: string): void {
  for (const row of rows) {
    const { lines, within } = linesOf(row, delimiter);
    const [width = 1, ...others] = lines.map((text) => text.split(delimiter).length);
    const isWhole = width > 1 && others.every((each) => each === width);
    if (!isWhole || !lines.some((text) => within.has(text))) continue;
    const message = `Line ${row.line} can't be read. ${swallowing(others.map((_, at) => row.line + at + 1))}`;
    throw new UnreadableSheet('FORMAT', message);
  }
}

/** Instead of a row of which a value has whole other rows in it, as `width` columns tell: each of its lines, as a broken row. */
export function breakSwallowing(rows: SheetRow[], delimiter: string, width: number): SheetRow[] {
  return rows.flatMap((row): SheetRow | SheetRow[] => {
    const swallowed = row.broken || width < 2 ? [] : swallowedIn(row, delimiter, width);
    if (swallowed.length === 0) return row;
    const broken = swallowing(swallowed);
    const { lines } = linesOf(row, delimiter);
    return lines.map((text, at) => ({ line: row.line + at, cells: text.split(delimiter), broken }));
  });
}

/** Splits a text into rows, the header among them. A row that is not well-formed is broken. */
export function parseCsv(text: string, wanted?: string): { rows: SheetRow[]; delimiter: string } {
  const named = NAMED.exec(text);
  const delimiter = wanted ?? named?.[1] ?? delimiterOf(text);
  const given = named ? text.slice(named[0].length) : text;
  return { rows: recordsOf(given, delimiter, named ? 1 : 0), delimiter };
}

/** Above the header may be as many rows as this. */
const MOST_ROWS = LIMITS.rows + 1_000;
export const tooManyRows = (): UnreadableSheet =>
  new UnreadableSheet(
    'TOO_MANY_ROWS',
    `The file has more than ${LIMITS.rows} rows. Divide it into several files.`,
  );

/**
 * Rows without a value are left out: of these, spreadsheets write up to a million.
 *
 * @param to the most records that are read of a sample
 */
function recordsOf(text: string, delimiter: string, before: number, to?: number): SheetRow[] {
  const rows: SheetRow[] = [];
  /** The last line that was read. */
  let end = before;
  const unreadable = (from: number, to: number) =>
    `A quotation mark is within a value, so ${from < to ? `lines ${from} to ${to}` : 'the row'} can be read in more than one way.`;
  const on_skip: Options['on_skip'] = (error) => {
    if (!error) return undefined;
    const [line, last] = [end + 1, before + Number(error.lines)];
    const broken =
      error.code === 'CSV_QUOTE_NOT_CLOSED'
        ? 'A quotation mark is opened and never closed, so nothing after it can be read.'
        : unreadable(line, last);
    // Each of its quotation marks is an error.
    if (last > end) rows.push({ line, cells: [], broken });
    end = last;
    return undefined;
  };
  /** A row that can't be read ends where the next one begins. */
  const endBefore = (line: number) => {
    const row = rows.at(-1);
    if (row?.cells.length === 0 && line > end + 1) row.broken = unreadable(row.line, line - 1);
  };
  const on_record: Options['on_record'] = (({ record, info }: { record: string[]; info: Info }) => {
    const breaks = record.reduce((sum, cell) => sum + cell.split(BREAK).length - 1, 0);
    const line = before + info.lines - breaks;
    endBefore(line);
    end = line + breaks;
    const broken = record.some(isDamaged)
      ? 'A character was lost before the file was saved (\uFFFD).'
      : record.some((cell) => cell.length > LIMITS.cell)
        ? `A cell has more than ${LIMITS.cell} characters.`
        : undefined;
    if (broken || !record.every(isBlank)) rows.push({ line, cells: record, ...(broken && { broken }) });
    if (rows.length > MOST_ROWS) throw tooManyRows();
    return null;
  }) as never;
  try {
    parse(text, { ...SETTINGS, delimiter, to, on_skip, on_record });
    if (rows.at(-1)?.cells.length === 0) endBefore(before + text.trimEnd().split(BREAK).length + 1);
  } catch (error) {
    if (!(error as { code?: string }).code?.startsWith('CSV_')) throw error;
    throw new UnreadableSheet('FORMAT', `The file is not well-formed CSV: ${(error as Error).message}`);
  }
  return rows;
}

/** The delimiter by which most rows, of all, have the same number of values, above one. A wrong one breaks rows at quotation marks. */
function delimiterOf(text: string): string {
  const sample = text.slice(0, 50_000);
  let best = { delimiter: ',', share: 0, width: 1 };
  for (const delimiter of DELIMITERS.filter((each) => sample.includes(each))) {
    const records = recordsOf(sample, delimiter, 0, SAMPLE);
    const widths = records.filter(({ broken }) => !broken).map(({ cells }) => cells.length);
    const counts = new Map<number, number>();
    for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
    const [[width, count] = [1, 0]] = [...counts].filter(([each]) => each > 1).sort((a, b) => b[1] - a[1]);
    const share = count / Math.max(records.length, 1);
    if (share > best.share || (share === best.share && width > best.width))
      best = { delimiter, share, width };
  }
  return best.delimiter;
}
