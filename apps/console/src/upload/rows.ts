import { fillBooker, type ImportField, type Mapping, parsed, put, UUID } from '../api';

/** A row of the file by column, and its first line. */
export interface FileRow {
  line: number;
  values: Record<string, string>;
}

/** A value that does not fit its field. */
export interface Misfit {
  line: number;
  column: string;
  value: string;
}

export interface BuiltRow {
  /** The lines of the file that it was made from. */
  lines: number[];
  body: Record<string, unknown>;
}

export interface Built {
  rows: BuiltRow[];
  /** Required fields without a column or a constant value. */
  missing: ImportField[];
  misfits: Misfit[];
  /** Titles of tickets that the occurrence does not have. */
  unknownTickets: string[];
}

/** Values that the file does not contain: constant values by path, and ticket ids by title in lower case. */
export interface Given {
  fixed: Record<string, string>;
  tickets: Map<string, string>;
}

const BOOKER = /^booker\./;
const TICKET = 'participants[0].ticketId';

const isFilled = (path: string, filled: Set<string>): boolean =>
  filled.has(path) ||
  (/^booker\.(email|firstName|lastName)$/.test(path) && filled.has(path.replace(BOOKER, 'participants[0].')));

/** Turns the rows of a file into import rows for the API. */
export function buildRows(
  file: FileRow[],
  fields: ImportField[],
  mapping: Mapping,
  { fixed, tickets }: Given,
): Built {
  const byPath = new Map(fields.map((field) => [field.path, field]));
  const columns = Object.entries(mapping).flatMap(([column, path]) => {
    const field = byPath.get(path);
    return field ? [{ column, field }] : [];
  });
  const filled = new Set([...columns.map(({ field }) => field.path), ...Object.keys(fixed)]);
  const missing = fields.filter(({ path, required }) => required && !isFilled(path, filled));
  const misfits: Misfit[] = [];
  const unknown = new Set<string>();

  const rowOf = ({ line, values }: FileRow): BuiltRow => {
    const body: Record<string, unknown> = {};
    for (const [path, value] of Object.entries(fixed)) {
      const field = byPath.get(path);
      if (field) put(body, path, parsed(value, field));
    }
    for (const { column, field } of columns) {
      const text = (values[column] ?? '').trim();
      if (!text) continue;
      if (field.path === TICKET && !UUID.test(text)) {
        const id = tickets.get(text.toLowerCase());
        if (id) put(body, TICKET, id);
        else unknown.add(text);
        continue;
      }
      const value = parsed(text, field);
      if (value === undefined) misfits.push({ line, column, value: text });
      else put(body, field.path, value);
    }
    if (byPath.has(TICKET)) fillBooker(body);
    return { lines: [line], body };
  };

  return { rows: withPartiesTogether(file.map(rowOf)), missing, misfits, unknownTickets: [...unknown] };
}

/** Rows with the same external booking id are one booking, with the participants in file order. */
function withPartiesTogether(rows: BuiltRow[]): BuiltRow[] {
  const bookings = new Map<string, BuiltRow>();
  const result: BuiltRow[] = [];
  for (const row of rows) {
    const { externalBookingId, participants } = row.body as {
      externalBookingId?: string;
      participants?: unknown[];
    };
    const booking = externalBookingId && participants ? bookings.get(externalBookingId) : undefined;
    if (booking) {
      (booking.body.participants as unknown[]).push(...(participants ?? []));
      booking.lines.push(...row.lines);
      continue;
    }
    if (externalBookingId && participants) bookings.set(externalBookingId, row);
    result.push(row);
  }
  return result;
}

/** The maximum rows and bytes of one request. */
const MOST_ROWS = 10_000;
const MOST_BYTES = 19_000_000;

/** The rows in parts, each of which is one import job. */
export function partsOf(rows: BuiltRow[]): BuiltRow[][] {
  const parts: BuiltRow[][] = [];
  let part: BuiltRow[] = [];
  let bytes = 0;
  const encoder = new TextEncoder();
  for (const row of rows) {
    const size = encoder.encode(JSON.stringify(row.body)).length + 1;
    if (part.length === MOST_ROWS || (part.length > 0 && bytes + size > MOST_BYTES)) {
      parts.push(part);
      part = [];
      bytes = 0;
    }
    part.push(row);
    bytes += size;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}
