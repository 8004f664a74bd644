import type { SheetField } from './field';
import { plain } from './match-values';
import { isBlank, type SheetRow, trimmed } from './sheet';

/** What only several rows of a booking together leave open. */
export type OpenInGroups = 'amountOf' | 'equalRows';
interface Column {
  name: string;
  at: number;
  field: SheetField;
}
interface Open<C> {
  column: C;
  open: OpenInGroups;
  examples: string[];
}

/** What the rows of bookings leave open, by column, with examples. */
export function openInGroups<C extends Column>(
  columns: readonly C[],
  groups: SheetRow[][],
  contentOf: (row: SheetRow) => string,
  isMerged: (column: C) => boolean,
): Open<C>[] {
  const number = columns.find(({ field }) => field.path === 'externalBookingId');
  const copies = number ? equalRows(columns, number, groups, contentOf) : [];
  const isOpen = (column: C) => isPrice(column) && (isMerged(column) || paidOnce(column));
  const found = columns.filter(isOpen).map((column): Open<C> => {
    const examples = openAmounts(columns, column, groups, contentOf, isMerged(column));
    return { column, open: 'amountOf', examples };
  });
  return [...(number ? [{ column: number, open: 'equalRows' as const, examples: copies }] : []), ...found]
    .filter(({ examples }) => examples.length > 0)
    .map((each) => ({ ...each, examples: [...new Set(each.examples)].slice(0, 3) }));
}

/** Equal rows are copies if they name a participant or a bib, which nobody else has. */
function equalRows(
  columns: readonly Column[],
  number: Column,
  groups: SheetRow[][],
  contentOf: (row: SheetRow) => string,
): string[] {
  const own = columns.filter(({ field }) => /(bibNumber|externalParticipantId)$/.test(field.path));
  const isCertain = ({ cells }: SheetRow) => own.some(({ at }) => !isBlank(cells[at]));
  const equal = groups.filter((rows) => {
    if (rows.length === 1) return false;
    const contents = rows.filter((row) => !isCertain(row)).map(contentOf);
    return new Set(contents).size < contents.length;
  });
  return equal.map(([row]) => trimmed(row?.cells[number.at]));
}

const isPrice = ({ name, field: { path, type } }: Column): boolean =>
  type === 'amount' && /\.price$/.test(path) && name !== path;

/**
 * Whether a column of amounts may have what was paid for a booking: a price, or a fee, is that of one participant, unless it is one cell for
 * several.
 */
const paidOnce = ({ name }: Column): boolean =>
  /amount|paid|total|sum|betrag|gezahlt|montant|paye/.test(plain(name));

/**
 * An amount on each row of a booking may be that of the whole booking, unless a row alone, or one with another amount, shows it. One cell for
 * several rows leaves it open whatever others show.
 */
function openAmounts(
  columns: readonly Column[],
  column: Column,
  groups: SheetRow[][],
  contentOf: (row: SheetRow) => string,
  isMerged: boolean,
): string[] {
  const ticket = columns.find(({ field }) => field.path.endsWith('ticketId'))?.at ?? -1;
  const paid = ({ cells }: SheetRow) => trimmed(cells[column.at]);
  const priceOf = (row: SheetRow) => `${trimmed(row.cells[ticket])} ${paid(row)}`;
  const alone = new Set(groups.flatMap((rows) => (rows.length === 1 ? rows.map(priceOf) : [])));
  const several = groups
    .filter((rows) => rows.length > 1)
    .map((rows) => [...new Map(rows.map((row) => [contentOf(row), row])).values()])
    .filter((rows) => rows.length > 1);
  const same = several.filter((rows) => new Set(rows.map(paid)).size === 1);
  if (!isMerged && same.length < several.length) return [];
  return same
    .filter(([row]) => row && /[1-9]/.test(paid(row)) && (isMerged || !alone.has(priceOf(row))))
    .map(([row]) => paid(row as SheetRow));
}
