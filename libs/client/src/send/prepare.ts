import { createHash } from 'node:crypto';
import {
  type Body,
  type FileMapping,
  identityOf,
  type Mistake,
  type Plan,
  type Sheet,
} from '../../../sheets/src';
import { type FileRow, readJsonLines, rowOf, type SourceFile } from './read-rows';
import type { Surface } from './surfaces';

/** An import row, and the rows of the file that it was made from. */
export interface Item {
  rows: FileRow[];
  body: Body;
  /** Its rows can't be read: they are in the file of failed rows already, and the import has it as a failed row. */
  isUnread?: boolean;
}

/** Why a row is not imported. */
export interface Failure {
  code: string;
  message: string;
}

export type Prepared =
  | { kind: 'item'; item: Item }
  | { kind: 'failed'; row: FileRow; mistake: Failure }
  | { kind: 'duplicate'; row: FileRow };

export interface Prepares {
  surface: Surface;
  source: SourceFile;
  mapping: FileMapping;
  /** The rows of a table. */
  plan?: Plan;
}

/** The import rows of a file in an order that is always the same, its invalid rows and its duplicates. */
export async function* prepare(from: Prepares): AsyncGenerator<Prepared> {
  const { sheet } = from.source;
  if (sheet && from.plan) yield* planned(sheet, from.plan);
  else yield* lines(from);
}

function* planned(sheet: Sheet, { items, unread, failed, duplicates }: Plan): Generator<Prepared> {
  for (const { row, mistakes } of failed)
    yield { kind: 'failed', row: rowOf(sheet, row), mistake: together(mistakes) };
  for (const row of duplicates) yield { kind: 'duplicate', row: rowOf(sheet, row) };
  // A file of which nothing can be read is no import.
  for (const { rows, body } of [...items, ...(items.length > 0 ? unread : [])])
    yield {
      kind: 'item',
      item: { rows: rows.map((row) => rowOf(sheet, row)), body, isUnread: 'unread' in body },
    };
}

const together = (mistakes: Mistake[]): Failure => ({
  code: mistakes[0]?.code ?? '',
  message: mistakes.map(({ message }) => message).join(' '),
});

const failed = (row: FileRow, code: string, message: string): Prepared => ({
  kind: 'failed',
  row,
  mistake: { code, message },
});
const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url');

/** Keeps ids in memory, but no rows. */
async function* lines({ surface, source }: Prepares): AsyncGenerator<Prepared> {
  const seen = new Map<string, { row: number; content: string }>();
  for await (const row of readJsonLines(source.path)) {
    const body = row.record ?? {};
    const id = row.broken ? undefined : identityOf(surface, body);
    const first = id === undefined ? undefined : seen.get(id);
    if (row.broken) yield failed(row, 'UNREADABLE', row.broken);
    else if (!first) {
      if (id !== undefined) seen.set(id, { row: row.row, content: digest(body) });
      yield { kind: 'item', item: { rows: [row], body } };
    } else if (first.content === digest(body)) yield { kind: 'duplicate', row };
    else {
      const message = `"${surface.identity[0]}" is the same as in row ${first.row}, and other values differ.`;
      yield failed(row, 'DUPLICATE', message);
    }
  }
}
