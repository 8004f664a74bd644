import { createHmac } from 'node:crypto';

const LENGTH = 32;
const ADDRESS = /@|%40/i;

/**
 * What replaces an external id that contains the address of an erased person: a keyed hash, by which the same id is recognized
 * when it is looked up or imported again. Without the key, the address can't be guessed from it.
 */
export const erasedId = (secret: string, organizationId: string, id: string): string =>
  `erased-${createHmac('sha256', secret).update(`${organizationId}\0${id}`).digest('base64url').slice(0, LENGTH)}`;

/** Whether an id can have been replaced. Others need no second look-up. */
export const mayBeErased = (id: string): boolean => ADDRESS.test(id);
