import { columnFor, type FileMapping } from '../../../sheets/src';
import type { BodyProblem } from '../openapi';
import type { Failure, Item } from './prepare';
import type { FileRow } from './read-rows';

/** A problem that the API reported, in terms of the file: its failed rows, each with what to correct. */
export function mistakesOf(
  { rows }: Item,
  mapping: FileMapping,
  found: readonly (Failure & Partial<Pick<BodyProblem, 'path'>>)[],
): [row: FileRow, mistake: Failure][] {
  const byRow = new Map<FileRow, Failure>();
  for (const { code, message, path } of found) {
    const [, place = ''] = /^\w+\[\d+\]\.(.+)$/.exec(path ?? '') ?? [];
    const named = place || (/participants\[\d+\](\.\w+)*/.exec(message)?.[0] ?? '');
    const row = rows[Number(/^participants\[(\d+)\]/.exec(named)?.[1] ?? 0)] ?? rows[0];
    if (!row) continue;
    const column =
      columnFor(mapping, named) ??
      columnFor(mapping, named.replace(/^participants\[\d+\]/, 'participants[0]'));
    const inWords = column ? message.replace(path || named, `Column "${column}"`) : message;
    const text = place && !column ? inWords.replace(path ?? '', place) : inWords;
    const before = byRow.get(row);
    // The participant's address is also the booker's.
    if (before?.message.includes(text)) continue;
    byRow.set(row, {
      code: before?.code ?? code,
      message: [before?.message, text].filter(Boolean).join(' '),
    });
  }
  const [first] = byRow.keys();
  const message = `Row ${first?.row} of the same booking has a mistake.`;
  return rows.map((row) => [row, byRow.get(row) ?? { code: 'SAME_BOOKING', message }]);
}
