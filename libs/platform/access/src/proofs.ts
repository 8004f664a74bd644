import { createHmac, timingSafeEqual } from 'node:crypto';

type Secrets = readonly { secret: string }[];

const proofWith = (secret: string, words: readonly unknown[]): Buffer =>
  createHmac('sha256', secret).update(JSON.stringify(words)).digest();

/**
 * Proves that this installation wrote the words. The first secret signs.
 *
 * @param words begin with what they are for, which differs from all else that the secrets sign
 */
export const proofOf = ([signer]: Secrets, words: readonly unknown[]): string =>
  proofWith(signer?.secret ?? '', words).toString('base64url');

/** Whether a text proves the words. All secrets are accepted. */
export function isProofOf(secrets: Secrets, words: readonly unknown[], proof: string): boolean {
  const given = Buffer.from(proof, 'base64url');
  return secrets.some(({ secret }) => {
    const expected = proofWith(secret, words);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
