import { argon2id, hash, verify } from 'argon2';
import { FairQueue } from '#platform/scheduling';
import { networkOf } from '#platform/validation';

/** OWASP's minimum for Argon2id: 19 MiB, two passes. It runs in libuv's threads, not on the event loop. */
const COST = { type: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFKC'), COST);

/** A hash of an unknown password: a sign-in with an unknown email takes as long as one with a wrong password. */
let decoy: Promise<string> | undefined;

/** Anyone can ask for a check, which takes 19 MiB and a thread that compression and files need too. Addresses take turns. */
const checks = new FairQueue({ slots: 2, waitMs: 10_000, mostWaiting: 50 });

/**
 * @param stored null if the member or the password does not exist: returns false after the same work
 * @param origin the address that asks
 * @throws ShareExceeded if the wait is too long
 */
export async function isPassword(
  stored: string | null,
  password: string,
  origin: string | null,
): Promise<boolean> {
  decoy ??= hashPassword(crypto.randomUUID());
  const expected = stored ?? (await decoy);
  const matches = await checks.run(networkOf(origin ?? ''), () =>
    verify(expected, password.normalize('NFKC')),
  );
  return stored !== null && matches;
}
