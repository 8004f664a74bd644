import type { Item } from '../api';

/** The maximum rows and bytes of one request. */
const MOST_ROWS = 10_000;
const MOST_BYTES = 19_000_000;

/** The rows in parts, each of which is one import job. */
export function partsOf(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  let part: Item[] = [];
  let bytes = 0;
  const encoder = new TextEncoder();
  for (const item of items) {
    const size = encoder.encode(JSON.stringify(item.body)).length + 1;
    if (part.length === MOST_ROWS || (part.length > 0 && bytes + size > MOST_BYTES)) {
      parts.push(part);
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += size;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}
