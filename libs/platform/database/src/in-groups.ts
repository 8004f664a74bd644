/** The bytes of stored rows that are in memory at once, unless one row has more: to rebuild them takes a turn of about 10 ms. */
const MOST_BYTES = 262_144;
const MOST_ROWS = 1_000;

/**
 * Divides rows into groups that are read or written by a statement each. Find the keys of the rows first, with the `bytes` of what the
 * statements read of each: `LIMIT` bounds rows only, and a row can have any size that its texts permit.
 */
export function inGroups<Key extends { bytes: number }>(keys: readonly Key[]): Key[][] {
  const groups: Key[][] = [];
  let left = 0;
  for (const key of keys) {
    const group = groups.at(-1);
    left -= key.bytes;
    if (group && left >= 0 && group.length < MOST_ROWS) group.push(key);
    else {
      groups.push([key]);
      left = MOST_BYTES - key.bytes;
    }
  }
  return groups;
}
