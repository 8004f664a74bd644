import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits as text. Only the hash is stored, so a copy of the database can't be used to sign in. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** An unsalted hash is sufficient for a secret that cannot be guessed. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
