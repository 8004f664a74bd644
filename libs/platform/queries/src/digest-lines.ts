/** The length of a line `<id> <updatedAt>`, with its line feed. All have the same. */
export const LINE_LENGTH = 65;

const ID_LENGTH = 36;

/** A row whose line is new, replaced, or, without a time, removed. */
export interface Change {
  id: string;
  at: string | null;
}

/**
 * @param lines lines in the order of their ids
 * @returns the lines with the changes, in the same order
 */
export function withChanges(lines: Buffer, changes: readonly Change[]): Buffer {
  const parts: Buffer[] = [];
  let copied = 0;
  for (const { id, at } of changes.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const { start, end } = placeOf(lines, id);
    parts.push(lines.subarray(copied, start));
    if (at !== null) parts.push(Buffer.from(`${id} ${at}\n`, 'latin1'));
    copied = end;
  }
  return Buffer.concat([...parts, lines.subarray(copied)]);
}

/** Where the line of the id is, or, without one, would be. */
function placeOf(lines: Buffer, id: string): { start: number; end: number } {
  let low = 0;
  let high = lines.length / LINE_LENGTH;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = middle * LINE_LENGTH;
    const found = lines.toString('latin1', start, start + ID_LENGTH);
    if (found === id) return { start, end: start + LINE_LENGTH };
    if (found < id) low = middle + 1;
    else high = middle;
  }
  return { start: low * LINE_LENGTH, end: low * LINE_LENGTH };
}
