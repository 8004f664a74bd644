import { JwtService } from '@nestjs/jwt';
import { isId } from '#libs/database';

export interface SigningSecret {
  kid: string;
  secret: string;
}

export const KEY_KINDS = ['ORGANIZER', 'MARKETPLACE', 'TIMING'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** What a token says. Restrictions and revocation are not in it: they live in the database. */
export interface KeyClaims {
  /** The organization. */
  sub: string;
  /** The key. */
  jti: string;
  kind: KeyKind;
  /** Seconds since 1970. */
  iat: number;
}

/** Signs and verifies API keys: HS256 and nothing else, with a secret named by the header's `kid`. */
export class Tokens {
  private readonly jwt = new JwtService();
  private readonly secrets: Map<string, string>;

  /** @param signingSecrets the first signs, all are accepted */
  constructor(private readonly signingSecrets: SigningSecret[]) {
    this.secrets = new Map(signingSecrets.map(({ kid, secret }) => [kid, secret]));
  }

  /** The same claims and secret always give the same token. */
  sign(claims: KeyClaims): string {
    const [signer] = this.signingSecrets;
    if (!signer) throw new Error('There is no signing secret: set SIGNING_SECRETS.');
    return this.jwt.sign({ ...claims }, { secret: signer.secret, algorithm: 'HS256', keyid: signer.kid });
  }

  /** The claims, or undefined where the token is not one of ours. */
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
