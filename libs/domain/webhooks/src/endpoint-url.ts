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
  // URL would drop or replace them.
  if (/[\s\\]|\p{Cc}/u.test(text)) return 'must not contain spaces, control characters or backslashes';
  const [, authority] = /^[a-z]+:\/\/([^/?#]+)/i.exec(text) ?? [];
  if (!authority || !URL.canParse(text)) return 'must be an absolute URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    return `must begin with https://${allowHttp ? ' or http://' : ''}`;
  }
  if (authority.includes('@')) return 'must not contain a user name or password';
  if (text.includes('#')) return 'must not contain a fragment';
  if (url.port === '0') return 'must not have port 0';
  if (/(^|\.)\./.test(url.hostname)) return 'must have a valid host name';
  if (isPrivate(url.hostname, allowedNetworks))
    return 'must have a public address; `startline-client listen` delivers events to a program on your machine';
  return undefined;
}

/** Domains that only resolve within a network (RFC 6762, RFC 8375, and ICANN's `internal`). */
const PRIVATE_DOMAIN = /(^|\.)(localdomain|local|internal|home\.arpa)$/;

/** Loopback addresses (RFC 6761). */
const LOOPBACK_DOMAIN = /(^|\.)localhost$/;

/** Only what the name itself says; the addresses of other names are checked at each delivery. */
function isPrivate(hostname: string, networks: readonly Network[]): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  if (isIP(host) !== 0) return !isAllowed(host, networks);
  if (LOOPBACK_DOMAIN.test(host)) return !isAllowed('127.0.0.1', networks);
  return networks.length === 0 && (!host.includes('.') || PRIVATE_DOMAIN.test(host));
}
