import {
  addTo,
  isBlank,
  type Notice,
  type ReadOptions,
  type Sheet,
  type SheetRow,
  textOf,
  UnreadableSheet,
} from './sheet';
import type { Merge, Workbook } from './xlsx';

type Marks = Map<number, Notice[]>;

const noticesOf = (marks: Marks, column: number): Notice[] => {
  const notices = marks.get(column) ?? [];
  marks.set(column, notices);
  return notices;
};

/** The lines and cells of all merged ranges together: more would fill the memory of a browser. */
const MOST_MERGED = 2_000_000;

/**
 * Gives the cells of merged ranges their value, in the rows themselves: in the first column for every row, so that a header of two lines has it, and in the
 * other columns for the rows below a line, as a title is no value: neither above a table nor within it.
 *
 * @returns notices by column about the rows below that line
 */
export function withMerged(rows: readonly SheetRow[], merges: readonly Merge[], below: number): Marks {
  const marks: Marks = new Map();
  const byLine = new Map(merges.length > 0 ? rows.map((row) => [row.line, row]) : []);
  const end = rows.at(-1)?.line ?? 0;
  let count = 0;
  for (const { lines, columns } of merges) {
    const [top, bottom] = lines;
    const [first, last] = columns;
    const from = byLine.get(top);
    const value = from?.cells[first] ?? '';
    if (isBlank(value)) continue;
    const shown = from?.shown?.[first];
    for (let line = top; line <= Math.min(bottom, end); line += 1) {
      count += 1;
      const row = byLine.get(line);
      if (!row || row.cells.every(isBlank)) continue;
      const to = line > below ? Math.min(last, row.cells.length - 1) : first;
      if (line > below && first === 0 && last > 1 && row.cells.slice(last + 1).every(isBlank)) {
        row.broken ??= 'The row is one merged cell, as a title is. Delete it, or fill its columns.';
        continue;
      }
      for (let column = first; column <= to; column += 1) {
        count += 1;
        if (line === top && column === first) continue;
        row.cells[column] = value;
        if (shown !== undefined) row.shown ??= [];
        if (row.shown) row.shown[column] = shown;
        if (line > below)
          addTo(noticesOf(marks, column), 'MERGED', line, { from: '', to: shown ?? textOf(value) });
      }
    }
    if (count > MOST_MERGED)
      throw new UnreadableSheet('TOO_LARGE', 'The sheet has too many merged cells. Unmerge them.');
  }
  return marks;
}

const SCIENTIFIC = /^[-+]?\d([.,]\d+)?E\+?\d{1,3}$/i;
/** As spreadsheets write it: a file of ours can have others, such as `1E5`, as texts. */
const BY_SPREADSHEET = /^-?\d[.,]\d{2,}E\+\d{2}$/;

/** The columns of a text with numbers that a spreadsheet shortened, such as 4.91761E+12. */
export function shortenedNumbers(rows: readonly SheetRow[], ours: boolean): Marks {
  const marks: Marks = new Map();
  const shortened = ours ? BY_SPREADSHEET : SCIENTIFIC;
  for (const { cells, line } of rows)
    for (const [column, cell] of cells.entries())
      if (typeof cell === 'string' && cell.length < 30 && shortened.test(cell.trim()))
        addTo(noticesOf(marks, column), 'DAMAGED_NUMBERS', line, { from: cell });
  return marks;
}

const quoted = (texts: readonly string[]) => texts.map((text) => `"${text}"`).join(', ');

/** The notice about a column, with its sentence. */
export function withMessage(notice: Notice, column: string): Notice {
  const examples = quoted((notice.examples ?? []).map(({ from, to }) => from || (to ?? '')));
  const messages: Partial<Record<Notice['code'], string>> = {
    MERGED: `Column "${column}": the value of merged cells counts for each of their rows (${examples}).`,
    DAMAGED_NUMBERS: `Column "${column}": a spreadsheet has lost digits of long numbers (${examples}). Export the list again with this column as text.`,
    DATES: `Column "${column}": the spreadsheet has dates (${examples}), which may have been other texts, such as 10-12.`,
  };
  return { ...notice, column, message: messages[notice.code] ?? '' };
}

/** The table without what is hidden, if that was chosen; otherwise with notices about it, and about other sheets. */
export function visibleOf(sheet: Sheet, book: Workbook, { hidden, sheet: wanted }: ReadOptions): Sheet {
  const notices = [...sheet.notices];
  if (wanted === undefined && book.others.length > 0) {
    const message = `The workbook has other sheets: ${book.others.join(', ')}. "${book.sheet}" is read. Choose the sheet.`;
    notices.push({ code: 'OTHER_SHEETS', message, readings: book.sheets.map((value) => ({ value })) });
  }
  const isHidden = ({ line }: SheetRow) => book.hiddenRows.has(line);
  const isShown = (_: unknown, at: number) => !book.hiddenColumns.has(at);
  const lines = sheet.rows.filter(isHidden).map(({ line }) => line);
  const columns = sheet.columns.filter((name, at) => !isShown(name, at));
  if (hidden === 'read' || (lines.length === 0 && columns.length === 0)) return { ...sheet, notices };
  if (hidden === 'skip') {
    const rows = sheet.rows.filter((row) => !isHidden(row));
    const cut = rows.map(({ shown, ...row }) => ({
      ...{ ...row, cells: row.cells.filter(isShown) },
      ...(shown && { shown: Array.from(row.cells, (_, at) => shown[at]).filter(isShown) }),
    }));
    const own = notices.filter(({ column }) => !column || !columns.includes(column));
    return { ...sheet, columns: sheet.columns.filter(isShown), rows: cut, notices: own };
  }
  const named = [
    ...(lines.length > 0
      ? [`${lines.length} hidden or filtered ${lines.length === 1 ? 'row' : 'rows'} (the first: ${lines[0]})`]
      : []),
    ...(columns.length > 0 ? [`hidden columns (${quoted(columns)})`] : []),
  ];
  const message = `The sheet has ${named.join(' and ')}. Choose whether they are read or skipped.`;
  const readings = [{ value: 'read' }, { value: 'skip' }];
  const examples = columns.map((from) => ({ from }));
  const count = lines.length;
  notices.push({ code: 'HIDDEN', message, count, lines: lines.slice(0, 3), examples, readings });
  return { ...sheet, notices };
}
