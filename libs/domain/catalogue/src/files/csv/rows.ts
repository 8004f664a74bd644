import {
  type Choices,
  contradicts,
  currencyOf,
  type Decision,
  decide,
  isBlank,
  type Open,
  orderInName,
  type ReadOptions,
  readValue,
  type Sheet,
  type SheetField,
  textOf,
} from '#libs/sheets';
import { type Advance, type SourceProblem, UnreadableFile } from '../source';
import { readTable } from '../table';
import { type Column, type Columns, columnsOf, fieldOf, type readMapping, type Target } from './columns';
import { distanceIn, isMetersOrMiles } from './distances';
import { constantOf } from './words';

/** The cells of a row: numbers, dates, times and amounts as the fields of the catalogue have them. */
export interface Cells {
  row: number;
  cells: string[];
  /** What cells say beside their own field: the currency of an amount, the unit of a distance. */
  beside?: Partial<Record<Target, string>>;
}

/** The day of waves whose time is before that of their race: that of the race, or the next one. */
export type WaveDay = 'same' | 'next';

/** How a table is read, and what its columns leave open. */
export type TableOptions = ReadOptions & Pick<Choices, 'dateOrder' | 'decimal'> & { waveDay?: WaveDay };

/** What can be said for a whole file. What else is open is a problem of its row. */
const HOW: Partial<Record<Open, string>> = {
  decimal: 'may have thousands or decimals. Use --decimal . or --decimal ,',
  dateOrder: 'may have day and month reversed. Use --date-order dmy or --date-order mdy',
};

const COUNTRY_CODE = 'occurrence.location.address.countryCode';
const COUNTRY_NAME = 'occurrence.location.address.countryName';

/** What a field says about another one. */
const BESIDE: Partial<Record<Target, Target>> = {
  'ticket.price': 'ticket.price.currencyCode',
  'race.distance.value': 'race.distance.unit',
};

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
  { dateOrder = mapping?.dateOrder, decimal = mapping?.decimal, ...options }: TableOptions = {},
): Promise<{ columns: Columns; items: (Cells | SourceProblem)[] }> {
  const sheet = await readTable(path, advance, { delimiter: mapping?.delimiter, ...options });
  const columns = columnsOf(sheet.columns, mapping);
  const local = localColumns(sheet, columns, { dateOrder, decimal });
  const items = sheet.rows.flatMap((row) => itemsOf(row, local, columns));
  return { columns, items: [...columns.unknown.map((each) => notLoaded(each, sheet.header)), ...items] };
}

const notLoaded = ({ name, similar }: Columns['unknown'][number], row: number): SourceProblem => {
  const proposal = similar ? ` (did you mean "${similar}"?)` : '';
  return {
    warning: true,
    problem: { row, field: name, message: `is not loaded: no field has this name${proposal}` },
  };
};

/**
 * The columns of dates, times, numbers and amounts, with the way in which each is written.
 *
 * @throws UnreadableFile if the order of day and month, or the decimal sign, of a column can't be known
 */
function localColumns(
  { rows, format }: Sheet,
  { inOrder }: Columns,
  given: Omit<TableOptions, keyof ReadOptions>,
): Local[] {
  return inOrder.flatMap((column, at): Local[] => {
    const field = column && fieldOf(column.to);
    if (!column || !field) return [];
    const cells = rows
      .map((row) => numberIn(column, row.cells[at] ?? ''))
      .filter((cell) => !isMissing(column, textOf(cell).trim()));
    // Under the name of its field, a column is written as the catalogue writes it, unless a comma says otherwise.
    const isOwn = column.name === column.to && !cells.some((cell) => textOf(cell).includes(','));
    const order = orderInName(column.name);
    const stated = order ? { ...given, dateOrder: order } : given;
    const choices = isOwn ? { ...stated, decimal: '.' as const } : stated;
    const about = { format, column: column.name, today: '' };
    const { decision, readings } = decide(field, cells, choices, about);
    const open = readings.find(({ answer, open: what }) => !answer && HOW[what]);
    if (open) {
      const how = HOW[open.open];
      const setting = open.open;
      const examples = open.examples.map((text) => `"${text}"`).join(', ');
      throw new UnreadableFile(
        `Column "${column.name}": ${examples} ${how}, or "${setting}" in the columns file.`,
      );
    }
    return [{ at, column, field, decision }];
  });
}

const isMissing = ({ missing }: Column, text: string) => text === '' || missing.has(text);

/** The number of a distance with a unit; any other cell unchanged. */
const numberIn = ({ to }: Column, cell: Sheet['rows'][number]['cells'][number]) =>
  (to === 'race.distance.value' && distanceIn(textOf(cell).trim())?.number) || cell;

function itemsOf(
  { line: row, cells, broken }: Sheet['rows'][number],
  local: Local[],
  { inOrder, values }: Columns,
): (Cells | SourceProblem)[] {
  if (broken) return [{ problem: { row, field: '', message: broken } }];
  const texts = cells.map((cell, at) => {
    const text = textOf(cell).trim();
    const column = inOrder[at];
    return column && !isMissing(column, text) ? constantOf(column.to, text) : text;
  });
  const problems: SourceProblem[] = [];
  const beside: Cells['beside'] = {};
  const textAt = (target: Target) => texts[inOrder.findIndex((column) => column?.to === target)];
  for (const { at, column, field, decision } of local) {
    const cell = cells[at];
    const text = texts[at] ?? '';
    if (cell === undefined || isBlank(cell) || isMissing(column, text)) continue;
    const refuse = (message: string) =>
      problems.push({ problem: { row, field: column.name, message: `"${text}" ${message}` } });
    const country =
      textAt(COUNTRY_CODE) || textAt(COUNTRY_NAME) || values[COUNTRY_CODE] || values[COUNTRY_NAME];
    if (column.to === 'race.distance.value' && isMetersOrMiles(text, `${country ?? ''}`)) {
      refuse('must have m or mi: M may be meters or miles');
      continue;
    }
    const read = readValue(numberIn(column, cell), field, decision, '');
    if ('misfit' in read) {
      refuse(`must be ${read.misfit}`);
      continue;
    }
    texts[at] = String(read.value);
    const other = BESIDE[column.to];
    if (!other) continue;
    const isPrice = column.to === 'ticket.price';
    const own = read.sign ?? (isPrice ? undefined : distanceIn(text)?.unit);
    const stated = textAt(other) || `${values[other] ?? ''}`;
    const said = [column.unit, own].filter((unit) => unit !== undefined);
    const meant = stated || said.map((unit) => (isPrice ? currencyOf(unit) : unit)).find(Boolean);
    if (!meant && said.length > 0) refuse(`is not in a known currency: ${other} is missing`);
    else if (meant && said.some((unit) => (isPrice ? contradicts(unit, meant) : unit !== meant)))
      refuse(`is not in ${meant}`);
    else if (meant && !stated) beside[other] = meant;
  }
  if (problems.length > 0) return problems;
  return [{ row, cells: texts, ...(Object.keys(beside).length > 0 && { beside }) }];
}
