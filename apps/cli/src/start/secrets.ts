import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { secretIn } from '#libs/database';

/** What signs keys here: as set, else made once and kept in the home, readable by its owner alone. */
export const signingSecrets = (home: string): string =>
  process.env.SIGNING_SECRETS ||
  secretIn(join(home, 'signing-secret'), () => `home:${randomBytes(32).toString('hex')}`);

/** What encrypts webhook secrets here, likewise. */
export const webhookSecretsKey = (home: string): string =>
  process.env.WEBHOOK_SECRETS_KEY ||
  secretIn(join(home, 'webhook-secrets-key'), () => `home:${randomBytes(32).toString('hex')}`);
