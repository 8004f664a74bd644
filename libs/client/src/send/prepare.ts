import { createHash } from 'node:crypto';
import { fillBooker } from '../rows/values';
import { type Body, buildRow, columnOf, type Mistake } from './build-row';
import type { FileMapping } from './mapping';
import { type FileRow, readRows, type SourceFile } from './read-rows';
import { identityOf, type Surface } from './surfaces';

/** An import row, and the rows of the file that it was made from. */
export interface Item {
  rows: FileRow[];
  body: Body;
}

export type Prepared =
  | { kind: 'item'; item: Item }
  | { kind: 'failed'; row: FileRow; mistake: Mistake }
  | { kind: 'duplicate'; row: FileRow };

export interface Plan {
  surface: Surface;
  source: SourceFile;
  mapping: FileMapping;
}

const isJoined = ({ surface, source }: Plan) => surface.collection === 'bookings' && !source.jsonLines;
const bookingIdOf = ({ mapping }: Plan, { values }: FileRow) =>
  values[columnOf(mapping, 'externalBookingId') ?? '']?.trim();

/** The last row of each booking, in a file with several rows per booking. Other files need none. */
export async function lastRows(plan: Plan): Promise<Map<string, number>> {
  const last = new Map<string, number>();
  if (!isJoined(plan)) return last;
  let index = 0;
  for await (const row of readRows(plan.source)) {
    const id = bookingIdOf(plan, row);
    if (id) last.set(id, index);
    index += 1;
  }
  return last;
}

/** Checks the rows of a file and turns them into import rows, in file order. Keeps ids in memory, but no rows. */
export async function* prepare(plan: Plan, last: Map<string, number>): AsyncGenerator<Prepared> {
  if (isJoined(plan)) yield* joined(plan, last);
  else yield* single(plan);
}

const failed = (row: FileRow, code: string, message: string): Prepared => ({
  kind: 'failed',
  row,
  mistake: { code, message },
});
const together = (mistakes: Mistake[]): Mistake => ({
  code: mistakes[0]?.code ?? '',
  message: mistakes.map(({ message }) => message).join(' '),
});
const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url');

async function* single({ surface, source, mapping }: Plan): AsyncGenerator<Prepared> {
  const seen = new Map<string, { row: number; content: string }>();
  for await (const row of readRows(source)) {
    if (row.broken) {
      yield failed(row, 'UNREADABLE', row.broken);
      continue;
    }
    const { body, mistakes } = row.record
      ? { body: row.record, mistakes: [] }
      : buildRow(surface, mapping, row);
    if (mistakes.length) {
      yield { kind: 'failed', row, mistake: together(mistakes) };
      continue;
    }
    const id = identityOf(surface, body);
    const first = id === undefined ? undefined : seen.get(id);
    if (first) {
      if (first.content === digest(body)) yield { kind: 'duplicate', row };
      else {
        const named = columnOf(mapping, surface.identity[0] ?? '') ?? surface.identity[0];
        yield failed(
          row,
          'DUPLICATE',
          `"${named}" is the same as in row ${first.row}, and other values differ.`,
        );
      }
      continue;
    }
    if (id !== undefined) seen.set(id, { row: row.row, content: digest(body) });
    yield { kind: 'item', item: { rows: [row], body } };
  }
}

/** Rows with the same external booking id are one booking. A booking is sent as a whole or not at all. */
async function* joined(plan: Plan, last: Map<string, number>): AsyncGenerator<Prepared> {
  const open = new Map<string, FileRow[]>();
  let index = 0;
  for await (const row of readRows(plan.source)) {
    const id = bookingIdOf(plan, row) || undefined;
    const rows = [...((id && open.get(id)) || []), row];
    if (id && last.get(id) !== index) open.set(id, rows);
    else {
      if (id) open.delete(id);
      yield* booking(plan, rows);
    }
    index += 1;
  }
}

function* booking({ surface, mapping }: Plan, all: FileRow[]): Generator<Prepared> {
  const shared = mapping.columns.filter(({ field }) => !field.path.startsWith('participants[0].'));
  const common: Record<string, string> = {};
  const from = new Map<string, number>();
  const differs = new Map<FileRow, Mistake>();
  for (const row of all) {
    for (const { column } of shared) {
      const text = (row.values[column] ?? '').trim();
      if (!text) continue;
      if (common[column] === undefined) {
        common[column] = text;
        from.set(column, row.row);
      } else if (common[column] !== text) {
        const message = `Column "${column}" is not the same as in row ${from.get(column)} of the same booking.`;
        differs.set(row, { code: 'BOOKING_DIFFERS', message });
      }
    }
  }
  const seen = new Set<string>();
  const rows: FileRow[] = [];
  const bodies: Body[] = [];
  const mistaken = new Map<FileRow, Mistake>(differs);
  for (const row of all) {
    const content = JSON.stringify(Object.values(row.values).map((value) => value.trim()));
    if (seen.has(content)) {
      yield { kind: 'duplicate', row };
      continue;
    }
    seen.add(content);
    rows.push(row);
    const { body, mistakes } = buildRow(surface, mapping, { ...row, values: { ...row.values, ...common } });
    bodies.push(body);
    if (row.broken) mistaken.set(row, { code: 'UNREADABLE', message: row.broken });
    else if (mistakes.length && !differs.has(row)) mistaken.set(row, together(mistakes));
  }
  if (mistaken.size > 0) {
    const [first] = mistaken.keys();
    const message = `Row ${first?.row} of the same booking has a mistake.`;
    for (const row of rows) {
      yield { kind: 'failed', row, mistake: mistaken.get(row) ?? { code: 'SAME_BOOKING', message } };
    }
    return;
  }
  const participants = bodies.flatMap((body) => (body.participants ?? []) as Body[]);
  const body = { ...bodies[0], participants };
  fillBooker(body);
  yield { kind: 'item', item: { rows, body } };
}
