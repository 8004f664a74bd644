import { createHmac } from 'node:crypto';
import { SettingsError } from '#platform/config';
import { type RunsOn, statement } from './statement';

const LATEST = statement({
  columns: { verification: 'text' },
  sql: 'SELECT verification FROM erasure_secrets ORDER BY generation DESC LIMIT 1',
});

/** Of processes that start at the same time with different secrets, one is the first. */
const FIRST = statement({
  parameters: ['text'],
  sql: 'INSERT INTO erasure_secrets (generation, verification) VALUES (1, $1) ON CONFLICT (generation) DO NOTHING',
});

const NEXT = statement({
  parameters: ['text'],
  sql: `
    INSERT INTO erasure_secrets (generation, verification)
    SELECT coalesce(max(generation), 0) + 1, $1 FROM erasure_secrets
  `,
});

const IS_MIGRATED = statement({
  columns: { migrated: 'boolean' },
  sql: "SELECT to_regclass('erasure_secrets') IS NOT NULL AS migrated",
});

/** Whether ERASURE_SECRET is the one of the database; `NEW` and `UNSET` if the database has none. */
export type ErasureSecretState = 'SAME' | 'OTHER' | 'MISSING' | 'NEW' | 'UNSET';

const verificationOf = (secret: string): string =>
  createHmac('sha256', secret).update('startline erasure secret').digest('base64url');

/** @param home on several servers, the connections that the process starts with */
export async function erasureSecretState(
  home: RunsOn,
  secret: string | undefined,
): Promise<ErasureSecretState> {
  // A process can start before the migrations, and is not ready then.
  const { migrated } = await IS_MIGRATED.one(home, []);
  const known = migrated ? await LATEST.first(home, []) : undefined;
  if (!known) return secret && migrated ? 'NEW' : 'UNSET';
  if (!secret) return 'MISSING';
  return known.verification === verificationOf(secret) ? 'SAME' : 'OTHER';
}

const CAUSES = {
  OTHER: 'ERASURE_SECRET is not the secret that ids of erased persons in this database are hashed with',
  MISSING: 'ERASURE_SECRET is not set, but ids of erased persons in this database are hashed with one',
};

export const ERASURE_SECRET_ADVICE =
  'Set it to the value that was backed up (with "npm start", the file erasure-secret in STARTLINE_HOME). If it is lost, set a new one and run "npm run startline -- person accept-secret --yes": imports then no longer recognize the rows of persons who were erased before';

/** The reason why nothing may be erased or imported with the secret, if so. */
export const refusalOf = (state: ErasureSecretState): string | undefined =>
  state === 'OTHER' || state === 'MISSING' ? CAUSES[state] : undefined;

/**
 * Remembers the first secret, and refuses others: hashes with them would match nothing, and imports would create erased persons
 * again.
 *
 * @throws SettingsError that says what to do
 */
export async function requireErasureSecret(home: RunsOn, secret: string | undefined): Promise<void> {
  let state = await erasureSecretState(home, secret);
  if (state === 'NEW' && secret) {
    await FIRST.run(home, [verificationOf(secret)]);
    state = await erasureSecretState(home, secret);
  }
  const refusal = refusalOf(state);
  if (refusal) throw new SettingsError(`${refusal}. ${ERASURE_SECRET_ADVICE}.`);
}

/** From now on the secret is the database's. Ids that were hashed with an earlier one are no longer recognized. */
export async function acceptErasureSecret(home: RunsOn, secret: string): Promise<void> {
  if ((await erasureSecretState(home, secret)) !== 'SAME') await NEXT.run(home, [verificationOf(secret)]);
}
