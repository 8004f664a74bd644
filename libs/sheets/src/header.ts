import { refuseSwallowing } from './csv';
import { MARK } from './formulas';
import { plain } from './match-values';
import { ALIASES } from './names';
import {
  type Cell,
  isBlank,
  type ReadOptions,
  type SheetRow,
  textOf,
  trimmed,
  UnreadableSheet,
} from './sheet';

/** Rows among which the header is. */
const SEARCHED = 30;
/** What names of columns don't look like: numbers and dates. */
const VALUE = /^[-+]?[\d.,:/ -]*\d[\d.,:/ -]*$/;

/**
 * The position of the header.
 *
 * @param line the line that a person chose
 * @throws UnreadableSheet if that row has values rather than names, or whole rows in a value
 */
export function headerOf(
  rows: SheetRow[],
  { header: line, delimiter }: Pick<ReadOptions, 'header' | 'delimiter'>,
): number {
  const found = line === undefined ? likelyHeader(rows) : rows.findIndex((row) => row.line === line);
  const head = rows[found];
  if (!head && line !== undefined)
    throw new UnreadableSheet('HEADER', `Line ${line} has no names of columns.`);
  if (!head) return 0;
  if (delimiter && !isOurs(head)) refuseSwallowing(rows.slice(0, found + 1), delimiter);
  const filled = head.cells.filter((cell) => !isBlank(cell));
  const values = filled.filter((cell) => typeof cell === 'number' || VALUE.test(cell.trim()));
  const known = knownIn(head);
  // Names in a file of ours can be anything, such as keys of questions; beside known ones, the years of earlier races are names.
  const areNames = line !== undefined || isOurs(head) || known >= 3;
  const isRow = values.length > (known > 0 ? filled.length / 4 : 0) || filled.some(isAddress);
  if (!head.broken && !areNames && isRow) {
    const message = `Line ${head.line} has values instead of names of columns. Add a line with the names, or choose the line that has them.`;
    throw new UnreadableSheet('HEADER', message);
  }
  return found;
}

/** The first row that is about as wide as most rows. Titles above the table are narrower. */
function likelyHeader(rows: readonly SheetRow[]): number {
  const widths = rows.slice(0, SEARCHED * 4).map(widthOf);
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [usual = 1] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [];
  const first = widths.slice(0, SEARCHED).findIndex((width) => width >= Math.max(usual * 0.6, 1));
  // A line above the header may name groups of columns.
  const next = knownIn(rows[first + 1]);
  const isGroups =
    !isOurs(rows[first]) &&
    next > Math.max(knownIn(rows[first]), 1) &&
    next >= (widths[first + 1] as number) / 3;
  return isGroups ? first + 1 : first;
}

const isOurs = (row: SheetRow | undefined): boolean =>
  row?.cells.some((cell) => trimmed(textOf(cell)) === MARK) ?? false;

const KNOWN = new Set(Object.values(ALIASES).flat().concat('id'));

/** How many cells are names of columns that are known. */
const knownIn = (row: SheetRow | undefined): number =>
  row?.cells.filter((cell) => typeof cell === 'string' && KNOWN.has(plain(cell))).length ?? 0;

const TOTAL = /^(grand total|total|totals|summe|gesamt|insgesamt|somme|totale|suma|celkem|razem)( \d+)?:?$/i;

/** What printed lists have between their rows: the names of the columns on each page, and a total. A person has to see that they are no entries. */
export function breakOthers(rows: readonly SheetRow[], columns: readonly string[]): void {
  const isName = (cell: Cell, at: number) =>
    isBlank(cell) || plain(textOf(cell)) === plain(columns[at] ?? '');
  for (const row of rows)
    if (row.cells.some((cell) => !isBlank(cell)) && row.cells.every(isName))
      row.broken ??= 'The row has the names of the columns again. Delete it.';
  const last = rows.at(-1);
  const [first, ...others] = last?.cells ?? [];
  if (!last || typeof first !== 'string' || !others.some(isBlank) || !TOTAL.test(trimmed(first))) return;
  last.broken ??= 'The row looks like a total. Delete it, or fill the other columns if it is an entry.';
}

const isAddress = (cell: Cell) => typeof cell === 'string' && /^\S+@\S+\.\S+$/.test(cell.trim());

/** Without the empty cells at the end, which spreadsheets add to short rows. */
const widthOf = ({ cells }: SheetRow): number => cells.findLastIndex((cell) => !isBlank(cell)) + 1;

/** Names of columns, each different: unnamed ones by their place, repeated ones with a number. */
export function uniqueNames(names: string[]): string[] {
  const taken = new Set<string>();
  return names.map((name, i) => {
    const base = name || `Column ${i + 1}`;
    let unique = base;
    for (let count = 2; taken.has(unique); count += 1) unique = `${base} (${count})`;
    taken.add(unique);
    return unique;
  });
}
