import { createHash } from 'node:crypto';

/** A UUID for rate limits of something without an id, such as an address. Equal texts have equal UUIDs. */
export const uuidOf = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
