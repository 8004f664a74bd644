import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Response } from 'express';
import type { Settings } from '#platform/config';
import { type ApiRequest, hostCookieOf, setHostCookie, uuidOf } from '#platform/http';

const LASTS_SECONDS = 365 * 24 * 3_600;
const NAME_BYTES = 16;

/**
 * Browsers in which a member has signed in before. Each proves it with a cookie and has attempts of its own, so that whoever guesses
 * passwords for an email cannot keep its owner out (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
 */
export class Devices {
  constructor(private readonly secrets: Settings['SIGNING_SECRETS']) {}

  /** The name of the browser, if the member has signed in there. @param who the member, in any constant form */
  nameOf(request: ApiRequest, who: string): string | undefined {
    const [name = '', proof = ''] = (hostCookieOf(request, cookieOf(who)) ?? '').split('.');
    const given = Buffer.from(proof, 'base64url');
    const isProven = this.secrets.some(({ secret }) => {
      const expected = proofOf(secret, who, name);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    return isProven ? name : undefined;
  }

  /** Remembers the browser of a sign-in, by a new name. */
  remember(request: ApiRequest, response: Response, who: string): void {
    const [signer] = this.secrets;
    if (!signer) return;
    const name = randomBytes(NAME_BYTES).toString('base64url');
    const value = `${name}.${proofOf(signer.secret, who, name).toString('base64url')}`;
    setHostCookie(request, response, cookieOf(who), value, LASTS_SECONDS);
  }
}

const cookieOf = (who: string): string => `device-${uuidOf(who)}`;

/** The first words differ from all else that the secret signs. */
const proofOf = (secret: string, who: string, name: string): Buffer =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['startline device', who, name]))
    .digest();
