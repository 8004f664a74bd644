import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { secretIn } from '#platform/embedded-postgres';

/** The signing secret: the setting, or one that is generated once and stored in the home, readable by its owner only. */
export const signingSecrets = (home: string): string =>
  process.env.SIGNING_SECRETS ||
  secretIn(join(home, 'signing-secret'), () => `home:${randomBytes(32).toString('hex')}`);

/** The key that encrypts webhook secrets, stored in the same way. */
export const webhookSecretsKey = (home: string): string =>
  process.env.WEBHOOK_SECRETS_KEY ||
  secretIn(join(home, 'webhook-secrets-key'), () => `home:${randomBytes(32).toString('hex')}`);

/** The key of the hashes that replace ids of erased persons. It never changes. */
export const erasureSecret = (home: string): string =>
  process.env.ERASURE_SECRET || secretIn(join(home, 'erasure-secret'), () => randomBytes(32).toString('hex'));
