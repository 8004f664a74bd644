import { createHash } from 'node:crypto';

/** A UUID for what allowances count that has no id of its own, such as an address. Equal text gives an equal UUID. */
export const uuidOf = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
