import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

export interface SecretsKey {
  kid: string;
  key: Buffer;
}

const PREFIX = 'whsec_';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** 32 random bytes, in the format of Standard Webhooks. */
export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/**
 * Encrypts secrets at rest: AES-256-GCM, `kid.base64(nonce, text, tag)`. The first key encrypts, all keys decrypt. The
 * endpoint is authenticated data, so that a secret can't be copied to the row of another endpoint.
 */
export class SecretBox {
  /** @param keys at least one */
  constructor(private readonly keys: readonly SecretsKey[]) {}

  seal(secret: string, place: string): string {
    const [first] = this.keys as [SecretsKey];
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', first.key, nonce).setAAD(Buffer.from(place));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return `${first.kid}.${Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64')}`;
  }

  /** @throws Error if the key is missing, or the text or the endpoint does not match */
  open(sealed: string, place: string): string {
    const at = sealed.indexOf('.');
    const kid = sealed.slice(0, at);
    const key = this.keys.find((each) => each.kid === kid)?.key;
    if (!key)
      throw new Error(`WEBHOOK_SECRETS_KEY has no key ${kid}, with which a webhook secret is encrypted.`);
    const bytes = Buffer.from(sealed.slice(at + 1), 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return (
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  }

  /** Whether it is encrypted with the first key. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${this.keys[0]?.kid}.`);
  }
}

/** The authenticated data of an endpoint, for `SecretBox`. */
export const placeOf = (organizationId: string, endpointId: string): string =>
  `${organizationId}/${endpointId}`;

/** The signing key of a secret in its text format. */
export const signingKeyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');

/** Standard Webhooks 1.0.0: the value of `webhook-signature`, one signature for each key. */
export const signatureOf = (keys: readonly Buffer[], id: string, timestamp: number, body: string): string =>
  keys
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ');
