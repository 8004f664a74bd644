import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What signs keys here: as set, else made once and kept in the home, readable by its owner alone. */
export function signingSecrets(home: string): string {
  if (process.env.SIGNING_SECRETS) return process.env.SIGNING_SECRETS;
  const file = join(home, 'signing-secret');
  if (!existsSync(file)) writeFileSync(file, `home:${randomBytes(32).toString('hex')}`, { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
