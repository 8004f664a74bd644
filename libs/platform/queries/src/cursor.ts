import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { instantOf, isId, isPlainDate } from '#platform/validation';

import type { Sort } from './list-declaration';

/** The position of a page, and the state of the walk. */
export interface Cursor {
  /** The sort key as text, because a JavaScript Date would lose microseconds. */
  key: string;
  id: string;
  /** The total, and the time of the count (seconds since 1970). */
  total?: { count: number; at: number };
  /** The watermark of the first page of the walk, if it is pinned. */
  watermark?: string;
}

const KEYS: Record<Sort['type'], (key: string) => boolean> = {
  timestamptz: (key) => instantOf(key) === key,
  date: isPlainDate,
  integer: (key) => /^-?\d{1,9}$/.test(key),
  bigint: (key) => /^-?\d{1,18}$/.test(key),
  text: () => true,
  'double precision': (key) => /^-?\d+(\.\d+)?(e-?\d+)?$/.test(key) && Number.isFinite(Number(key)),
};

/** The length of the signature in bytes. */
const SIGNATURE = 16;

/** Encodes and decodes cursors, signed with keys that are derived from the signing secrets. */
export class Cursors {
  private readonly keys: KeyObject[];

  /** @param signingSecrets the first signs, all are accepted */
  constructor(signingSecrets: { secret: string }[]) {
    this.keys = signingSecrets.map(({ secret }) =>
      createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', 'startline cursors', 32))),
    );
  }

  /**
   * The cursor as base64 text. It is valid only for the list, its filters and sort order, and the organization. The content
   * is padded so that the text needs no escaping in a URL: it contains no `+`, `/` or `=`.
   *
   * @param list identifies the list, filters, sort order and organization
   */
  encode(list: string, type: Sort['type'], { key, id, total, watermark }: Cursor): string {
    const [signer] = this.keys;
    const position = type === 'text' ? Buffer.from(key).toString('base64url') : key;
    const content = [position, id, total?.count ?? '', total?.at ?? '', watermark ?? ''].join('|');
    const text = `${signatureOf(signer as KeyObject, list, content).toString('base64url')}|${content}`;
    return Buffer.from(text.padEnd(Math.ceil(text.length / 3) * 3, ' '), 'latin1').toString('base64');
  }

  /** The cursor, or `undefined` if the text is not a cursor of this list. */
  decode(list: string, type: Sort['type'], text: string): Cursor | undefined {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.toString('base64') !== text) return undefined;
    const parts = bytes.toString('latin1').trimEnd().split('|');
    const [mark = '', position = '', id, count = '', at = '', watermark = ''] = parts;
    const key = type === 'text' ? Buffer.from(position, 'base64url').toString() : position;
    if (parts.length !== 6 || !isId(id) || !KEYS[type](key)) return undefined;
    if (!this.isSigned(mark, list, parts.slice(1).join('|'))) return undefined;
    return {
      key,
      id,
      ...(count && at && { total: { count: Number(count), at: Number(at) } }),
      ...(watermark && { watermark }),
    };
  }

  private isSigned(signature: string, list: string, content: string): boolean {
    const given = Buffer.from(signature, 'base64url');
    return (
      given.length === SIGNATURE &&
      this.keys.some((key) => timingSafeEqual(given, signatureOf(key, list, content)))
    );
  }
}

const signatureOf = (key: KeyObject, list: string, content: string): Buffer =>
  createHmac('sha256', key).update(`${list}|${content}`).digest().subarray(0, SIGNATURE);
