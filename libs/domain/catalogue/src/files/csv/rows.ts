import {
  contradicts,
  type Decision,
  decide,
  isBlank,
  kindOf,
  readValue,
  type Sheet,
  type SheetField,
  textOf,
} from '#libs/sheets';
import { type Advance, type SourceProblem, UnreadableFile } from '../source';
import { readTable } from '../table';
import { type Column, type Columns, columnsOf, fieldOf, type readMapping } from './columns';

/** The cells of a row: numbers, dates, times and amounts as the fields of the catalogue have them. */
export interface Cells {
  row: number;
  cells: string[];
}

const CURRENCY = 'ticket.price.currencyCode';

/** A column whose values are not texts. */
interface Local {
  at: number;
  column: Column;
  field: SheetField;
  decision: Decision;
}

/** The columns of a race calendar, and its rows. Rows that can't be read are reported. */
export async function rowsOf(
  path: string,
  mapping: ReturnType<typeof readMapping>,
  advance: Advance,
): Promise<{ columns: Columns; items: (Cells | SourceProblem)[] }> {
  const sheet = await readTable(path, advance, { delimiter: mapping?.delimiter });
  const columns = columnsOf(sheet.columns, mapping);
  const local = localColumns(sheet, columns);
  const currencyAt = columns.inOrder.findIndex((column) => column?.to === CURRENCY);
  const currencyIn = (texts: string[]) => texts[currencyAt] || `${columns.values[CURRENCY] ?? ''}`;
  return { columns, items: sheet.rows.flatMap((row) => itemsOf(row, local, currencyIn)) };
}

/**
 * The columns of dates, times, numbers and amounts, with the way in which each is written.
 *
 * @throws UnreadableFile if the order of day and month, or the decimal sign, of a column can't be known
 */
function localColumns({ rows, format }: Sheet, { inOrder, dateOrder, decimal }: Columns): Local[] {
  return inOrder.flatMap((column, at): Local[] => {
    const field = column && fieldOf(column.to);
    if (!column || !field) return [];
    const cells = rows
      .map((row) => row.cells[at] ?? '')
      .filter((cell) => !isMissing(column, textOf(cell).trim()));
    // Under the name of its field, a column is written as the catalogue writes it.
    const choices = column.name === column.to ? { decimal: '.' as const } : { dateOrder, decimal };
    const { decision, asks } = decide(kindOf(field), cells, choices, format);
    if (asks) {
      const how =
        kindOf(field) === 'amount' || kindOf(field) === 'number'
          ? 'may have thousands or decimals. Add "decimal": "." or "," to the columns file'
          : 'may have day and month reversed. Add "dateOrder": "dmy" or "mdy" to the columns file';
      throw new UnreadableFile(
        `Column "${column.name}": ${asks.map((text) => `"${text.trim()}"`).join(', ')} ${how}.`,
      );
    }
    return [{ at, column, field, decision }];
  });
}

const isMissing = ({ missing }: Column, text: string) => text === '' || missing.has(text);

function itemsOf(
  { line: row, cells, broken }: Sheet['rows'][number],
  local: Local[],
  currencyIn: (texts: string[]) => string,
): (Cells | SourceProblem)[] {
  if (broken) return [{ problem: { row, field: '', message: broken } }];
  const texts = cells.map((cell) => textOf(cell).trim());
  const problems: SourceProblem[] = [];
  for (const { at, column, field, decision } of local) {
    const cell = cells[at];
    if (cell === undefined || isBlank(cell) || isMissing(column, texts[at] ?? '')) continue;
    const read = readValue(cell, field, decision, '');
    const currency = currencyIn(texts);
    if ('value' in read && contradicts(read.sign, currency)) {
      const message = `"${texts[at]}" is not in ${currency || 'a known currency: ticket.price.currencyCode is missing'}`;
      problems.push({ problem: { row, field: column.name, message } });
    } else if ('value' in read) texts[at] = String(read.value);
    else
      problems.push({
        problem: { row, field: column.name, message: `"${texts[at]}" must be ${read.misfit}` },
      });
  }
  return problems.length > 0 ? problems : [{ row, cells: texts }];
}
