import { isIP } from 'node:net';
import { isAllowed, type Network } from './addresses';

const LONGEST = 2_000;

export interface UrlRules {
  allowHttp: boolean;
  /** Private networks that are permitted. */
  allowedNetworks: readonly Network[];
}

/** The broken rule of an endpoint's URL, for a message that begins with `url`; `undefined` if the URL is valid. */
export function problemOfUrl(text: string, { allowHttp, allowedNetworks }: UrlRules): string | undefined {
  if (text.length > LONGEST) return `must not be longer than ${LONGEST} characters`;
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    return `must begin with https://${allowHttp ? ' or http://' : ''}`;
  }
  if (url.username || url.password) return 'must not contain a user name or password';
  if (url.hash) return 'must not contain a fragment';
  if (isPrivate(url.hostname, allowedNetworks)) return 'must have a public address';
  return undefined;
}

/** Only what the name itself says; the addresses of other names are checked at each delivery. */
function isPrivate(hostname: string, networks: readonly Network[]): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  const address = /(^|\.)localhost\.?$/.test(host) ? '127.0.0.1' : host;
  return isIP(address) !== 0 && !isAllowed(address, networks);
}
