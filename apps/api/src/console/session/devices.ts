import { randomBytes } from 'node:crypto';
import type { Response } from 'express';
import { isProofOf, proofOf } from '#platform/access';
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
    return isProofOf(this.secrets, wordsOf(who, name), proof) ? name : undefined;
  }

  /** Remembers the browser of a sign-in, by a new name. */
  remember(request: ApiRequest, response: Response, who: string): void {
    const name = randomBytes(NAME_BYTES).toString('base64url');
    const value = `${name}.${proofOf(this.secrets, wordsOf(who, name))}`;
    setHostCookie(request, response, cookieOf(who), value, LASTS_SECONDS);
  }
}

const cookieOf = (who: string): string => `device-${uuidOf(who)}`;

const wordsOf = (who: string, name: string) => ['startline device', who, name];
