import { type Advance, readTable } from '#domain/catalogue';
import { textOf } from '#libs/sheets';
import { type Column, type Columns, columnsOf, meant, readCell } from './csv-columns';

/** The maximum participants of one booking; the check rejects a row with more, so they need not be kept. */
const MOST_PARTICIPANTS = 51;

type CsvRow = { line: number } & ({ value: object } | { problem: string } | { warning: string });
interface Booking {
  id: string;
  line: number;
  cells: string[];
  value: Record<string, unknown> & { participants: object[] };
  /** A booking is loaded as a whole or not at all. */
  problems: { line: number; problem: string }[];
}

/**
 * One participant per line. Lines of one booking are consecutive: the first has the columns of the booking, the
 * others repeat them or leave them empty. The line of the booking is its first. First of all is a warning for each column
 * that is not loaded.
 */
export async function* readCsvRows(path: string, advance: Advance): AsyncGenerator<CsvRow> {
  let booking: Booking | undefined;
  const sheet = await readTable(path, advance);
  const { inOrder: columns, unknown } = columnsOf(sheet.columns);
  for (const { name, similar } of unknown)
    yield {
      line: sheet.header,
      warning: `The column "${name}" is not loaded: no property has this name${meant(similar)}`,
    };
  for (const { line, cells: given, broken } of sheet.rows) {
    if (broken) {
      yield { line, problem: broken };
      continue;
    }
    const cells = given.map((cell) => textOf(cell).trim());
    const id = cells[columns.findIndex((column) => column?.name === 'externalBookingId')] ?? '';
    if (booking && id !== '' && id !== booking.id) {
      yield* rowsOf(booking);
      booking = undefined;
    }
    booking ??= {
      id,
      line,
      cells,
      value: { ...partOf(columns, cells, 'booking'), participants: [] },
      problems: [],
    };
    addTo(booking, columns, { line, cells });
  }
  if (booking) yield* rowsOf(booking);
}

function addTo(
  booking: Booking,
  columns: Columns['inOrder'],
  { line, cells }: { line: number; cells: string[] },
): void {
  const other = columns.find(
    (column, i) => column?.of === 'booking' && cells[i] && cells[i] !== booking.cells[i],
  );
  if (other)
    booking.problems.push({
      line,
      problem: `has another ${other.name} than line ${booking.line}, the first of its booking`,
    });
  else if (booking.value.participants.length < MOST_PARTICIPANTS)
    booking.value.participants.push(partOf(columns, cells, 'participant'));
}

const rowsOf = ({ line, value, problems }: Booking): CsvRow[] =>
  problems.length > 0 ? problems.slice(0, 1) : [{ line, value }];

/** The cells of a booking or a participant as JSON. Empty cells are omitted. */
function partOf(columns: Columns['inOrder'], cells: string[], of: Column['of']): Record<string, unknown> {
  const part: Record<string, unknown> = {};
  for (const [i, column] of columns.entries()) {
    const cell = cells[i];
    if (column?.of !== of || !cell) continue;
    const value = readCell(cell, column.kind);
    const [first, second] = column.path as [string, string?];
    if (column.kind === 'answer') {
      part.fields = [...((part.fields as object[] | undefined) ?? []), { id: second, value }];
    } else if (second === undefined) part[first] = value;
    else part[first] = { ...(part[first] as object | undefined), [second]: value };
  }
  return part;
}
