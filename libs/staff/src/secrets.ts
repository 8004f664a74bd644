import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits as text. Only its hash is stored, so a copy of the database signs nobody in. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** An unsalted hash is enough for a secret that cannot be guessed. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
