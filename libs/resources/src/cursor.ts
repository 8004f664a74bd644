import {
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
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

const KEYS: Record<Sort['type'], (key: string) => boolean> = {
  timestamptz: (key) => instantOf(key) === key,
  date: isPlainDate,
  integer: (key) => /^-?\d{1,9}$/.test(key),
  'double precision': (key) => /^-?\d+(\.\d+)?(e-?\d+)?$/.test(key) && Number.isFinite(Number(key)),
};

/** Bytes of a signature that a cursor carries. */
const SIGNATURE = 16;
/** What cursors began with before they were signed. */
const UNSIGNED = /^[0-9a-f]{16}$/;
const fingerprint = (list: string): string => createHash('sha256').update(list).digest('hex').slice(0, 16);

/** Writes and reads cursors, signed with keys that are derived from the signing secrets. */
export class Cursors {
  private readonly keys: KeyObject[];

  /** @param signingSecrets the first signs, all are accepted */
  constructor(signingSecrets: { secret: string }[]) {
    this.keys = signingSecrets.map(({ secret }) =>
      createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', 'startline cursors', 32))),
    );
  }

  /**
   * The cursor as base64 text. It holds only within the list, with its filters and sort, of one organization.
   * It is padded and made of such characters that the text needs no escaping in a
   * URL: no `+`, no `/`, no `=`.
   *
   * @param list names all of that
   */
  encode(list: string, { key, id, total, watermark }: Cursor): string {
    const [signer] = this.keys;
    const content = [key, id, total?.count ?? '', total?.at ?? '', watermark ?? ''].join('|');
    const text = `${signatureOf(signer as KeyObject, list, content).toString('base64url')}|${content}`;
    return Buffer.from(text.padEnd(Math.ceil(text.length / 3) * 3, ' '), 'latin1').toString('base64');
  }

  /** The cursor, or undefined where the text is none of this list's. */
  decode(list: string, type: Sort['type'], text: string): Cursor | undefined {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.toString('base64') !== text) return undefined;
    const parts = bytes.toString('latin1').trimEnd().split('|');
    const [mark = '', key = '', id, count = '', at = '', watermark = ''] = parts;
    if (parts.length !== 6 || !isId(id) || !KEYS[type](key)) return undefined;
    // Clients keep cursors. Of one from before they were signed only the place counts, which may be any.
    if (UNSIGNED.test(mark)) return mark === fingerprint(list) ? { key, id } : undefined;
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
