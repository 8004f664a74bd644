import type { Response } from 'express';
import { ApiError, isId, isUrl } from '#platform/validation';
import type { ApiRequest } from '../request';

/** The header in which a page of the console names the organization that it shows. */
export const ORGANIZATION_HEADER = 'x-startline-organization';

const COOKIE = /(?:^|; *)(__Host-)?startline-([0-9a-f-]{36})=([\w-]{43})(?=;|$)/g;
const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;
const LOOPBACK_ADDRESS = /^(::ffff:)?127\.|^::1$/;
const SAFE = ['GET', 'HEAD'];

export interface StaffCookie {
  organizationId: string;
  secret: string;
}

/** A browser accepts `__Host-` and `Secure` cookies over https only; development over plain http needs another name. */
const isPlainLoopback = (request: ApiRequest): boolean =>
  LOOPBACK_HOST.test(request.headers.host ?? '') &&
  LOOPBACK_ADDRESS.test(request.socket.remoteAddress ?? '') &&
  request.headers['x-forwarded-proto'] !== 'https';

/** The sessions that a request carries, one per organization. */
function cookiesOf(request: ApiRequest): StaffCookie[] {
  const plain = isPlainLoopback(request);
  return [...(request.headers.cookie ?? '').matchAll(COOKIE)].flatMap(
    ([, host, organizationId = '', secret = '']) =>
      (host || plain) && isId(organizationId) ? [{ organizationId, secret }] : [],
  );
}

/**
 * The session of the organization that the request names. A browser can have sessions of several organizations; a
 * request without an organization gets none.
 *
 * @throws ApiError 400 for a session together with an API key, 403 for a request from another site or for an
 * organization that this browser is not signed in to
 */
export function staffCookieOf(request: ApiRequest): StaffCookie | undefined {
  if (request.headers.cookie === undefined) return undefined;
  const cookies = cookiesOf(request);
  if (cookies.length === 0) return undefined;
  const named = request.headers[ORGANIZATION_HEADER];
  if (request.headers.authorization !== undefined) {
    if (named === undefined) return undefined;
    throw new ApiError(400, 'Send either an API key or a staff session, not both.');
  }
  if (named === undefined) return undefined;
  const cookie = cookies.find(({ organizationId }) => organizationId === named);
  if (!cookie) throw new ApiError(403, 'This browser is not signed in to that organization.');
  requireSameOrigin(request);
  return cookie;
}

/**
 * Another site can make a browser send the cookie with a request that changes data.
 *
 * @throws ApiError 403
 */
export function requireSameOrigin(request: ApiRequest): void {
  if (SAFE.includes(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  const { origin, host } = request.headers;
  const same = site !== undefined ? site === 'same-origin' : origin !== undefined && hostOf(origin) === host;
  if (!same)
    throw new ApiError(
      403,
      'Requests with a staff session must come from the console itself: their Origin must name the host that they are sent to.',
    );
}

const hostOf = (origin: string): string | undefined => (isUrl(origin) ? new URL(origin).host : undefined);

/** Sets or clears the session cookie. */
export const setStaffCookie = (
  request: ApiRequest,
  response: Response,
  organizationId: string,
  secret: string | undefined,
  maxAgeSeconds: number,
): void => setHostCookie(request, response, organizationId, secret, maxAgeSeconds);

const hostCookieName = (request: ApiRequest, name: string): string =>
  `${isPlainLoopback(request) ? '' : '__Host-'}startline-${name}`;

/** The value of a cookie that `setHostCookie` set. */
export function hostCookieOf(request: ApiRequest, name: string): string | undefined {
  const begin = `${hostCookieName(request, name)}=`;
  const cookies = (request.headers.cookie ?? '').split('; ');
  return cookies.find((cookie) => cookie.startsWith(begin))?.slice(begin.length);
}

/** Sets or clears a cookie that scripts can't read, and that no other host, not even a subdomain, can set. */
export function setHostCookie(
  request: ApiRequest,
  response: Response,
  name: string,
  value: string | undefined,
  maxAgeSeconds: number,
): void {
  response.append(
    'set-cookie',
    [
      `${hostCookieName(request, name)}=${value ?? ''}`,
      'Path=/',
      'HttpOnly',
      'SameSite=Lax',
      `Max-Age=${value === undefined ? 0 : maxAgeSeconds}`,
      ...(isPlainLoopback(request) ? [] : ['Secure']),
    ].join('; '),
  );
}
