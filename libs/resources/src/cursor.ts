import { createHash } from 'node:crypto';
import { instantOf, isId, isPlainDate } from '#libs/input';

import type { Sort } from './list-declaration';

/** Where a page ends, and what the walk has to remember. */
export interface Cursor {
  /** The sort key as text, microseconds and all: a JavaScript Date would lose them. */
  key: string;
  id: string;
  /** How many items match, and when they were counted (seconds since 1970). */
  total?: { count: number; at: number };
  /** The watermark of the walk's first page, where it is pinned. */
  watermark?: string;
}

/** A list with its filters and sort, for one organization: cursors hold only within it. */
export const fingerprint = (...parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);

/**
 * The cursor as base64 text. It is padded and made of such characters that the text needs no escaping in a
 * URL: no `+`, no `/`, no `=`.
 */
export function encodeCursor(list: string, { key, id, total, watermark }: Cursor): string {
  const text = [list, key, id, total?.count ?? '', total?.at ?? '', watermark ?? ''].join('|');
  return Buffer.from(text.padEnd(Math.ceil(text.length / 3) * 3, ' '), 'latin1').toString('base64');
}

const KEYS: Record<Sort['type'], (key: string) => boolean> = {
  timestamptz: (key) => instantOf(key) === key,
  date: isPlainDate,
  integer: (key) => /^-?\d{1,9}$/.test(key),
  'double precision': (key) => /^-?\d+(\.\d+)?(e-?\d+)?$/.test(key) && Number.isFinite(Number(key)),
};

/** The cursor, or undefined where the text is none of this list's. */
export function decodeCursor(list: string, type: Sort['type'], text: string): Cursor | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) return undefined;
  const parts = bytes.toString('latin1').trimEnd().split('|');
  const [fingerprint, key = '', id, count = '', at = '', watermark = ''] = parts;
  if (parts.length !== 6 || fingerprint !== list || !isId(id) || !KEYS[type](key)) return undefined;
  if (
    !/^\d{0,12}$/.test(count) ||
    !/^\d{0,12}$/.test(at) ||
    (watermark && instantOf(watermark) !== watermark)
  )
    return undefined;
  return {
    key,
    id,
    ...(count && at && { total: { count: Number(count), at: Number(at) } }),
    ...(watermark && { watermark }),
  };
}
