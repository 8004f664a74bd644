import { createHmac } from 'node:crypto';
import { JwtService } from '@nestjs/jwt';
import { isId } from '#platform/database';

export interface SigningSecret {
  kid: string;
  secret: string;
}

export const KEY_KINDS = ['ORGANIZER', 'MARKETPLACE', 'TIMING'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** The claims of a token. Restrictions, expiry and revocation are stored in the database instead. */
export interface KeyClaims {
  /** The organization. */
  sub: string;
  /** The key. */
  jti: string;
  kind: KeyKind;
  /** Seconds since 1970. */
  iat: number;
}

/**
 * The type of our tokens (RFC 8725, section 3.11). It is the first member of the header, so that every token begins
 * with the same 36 characters, which secret scanners look for (docs/security.md). Older tokens have `JWT`.
 */
const TYPE = 'startline-key+jwt';

/** Signs and verifies API keys: HS256 and nothing else, with a secret named by the header's `kid`. */
export class Tokens {
  private readonly jwt = new JwtService();
  private readonly secrets: Map<string, string>;

  /** @param signingSecrets the first signs, all are accepted */
  constructor(private readonly signingSecrets: SigningSecret[]) {
    this.secrets = new Map(signingSecrets.map(({ kid, secret }) => [kid, secret]));
  }

  /**
   * The token depends only on the claims and the secret. The library can't sign it, because it always writes `alg`
   * before the type.
   */
  sign({ sub, jti, kind, iat }: KeyClaims): string {
    const [signer] = this.signingSecrets;
    if (!signer) throw new Error('There is no signing secret: set SIGNING_SECRETS.');
    const header = { typ: TYPE, alg: 'HS256', kid: signer.kid };
    const text = `${encoded(header)}.${encoded({ sub, jti, kind, iat })}`;
    return `${text}.${createHmac('sha256', signer.secret).update(text).digest('base64url')}`;
  }

  /** The claims, or `undefined` if the token is invalid. */
  verify(token: string): KeyClaims | undefined {
    const header = this.jwt.decode<{ header: { kid?: unknown } } | null>(token, { complete: true })?.header;
    const secret = typeof header?.kid === 'string' ? this.secrets.get(header.kid) : undefined;
    if (!secret) return undefined;
    try {
      const claims = this.jwt.verify<KeyClaims>(token, { secret, algorithms: ['HS256'] });
      return isId(claims.sub) && isId(claims.jti) ? claims : undefined;
    } catch {
      return undefined;
    }
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
