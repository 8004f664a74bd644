import { Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { signInByProvider } from '#domain/staff';
import { Database } from '#platform/database';
import { type ApiRequest, hostCookieOf, setHostCookie } from '#platform/http';
import { ApiError, errors, networkOf } from '#platform/validation';
import { IdentityProvider, type SignInChecks } from './identity-provider';
import { SessionService } from './session.service';

const COOKIE = 'sign-in';
/** How long signing in at the provider may take. */
const COOKIE_SECONDS = 600;
const SLUG = /^[\p{L}\p{M}\p{N}-]{1,100}$/u;
const LONGEST_NEXT = 500;

/** Why the sign-in failed, for the sign-in page. `NOT_MEMBER` also stands for organizations that do not exist. */
type Failure = 'CANCELLED' | 'EXPIRED' | 'PROVIDER' | 'UNVERIFIED' | 'NOT_MEMBER' | 'TOO_MANY';

/** A sign-in that has begun: what the browser keeps while it is at the provider. */
interface Begun extends SignInChecks {
  organization: string;
  next: string;
}

/** Sign-in with the identity provider. A browser comes and goes by redirects, so that failures are redirects too. */
@Injectable()
export class SingleSignOnService {
  private readonly logger = new Logger('single sign-on');

  constructor(
    private readonly database: Database,
    private readonly provider: IdentityProvider,
    private readonly sessions: SessionService,
  ) {}

  /** Sends the browser to the provider. */
  async begin(request: ApiRequest, response: Response): Promise<void> {
    this.requireConfigured(request);
    const organization = textOf(request.query.organization);
    const next = addressOf(organization, textOf(request.query.next));
    if (!next) return failed(response, organization, 'NOT_MEMBER');
    try {
      await this.sessions.countAttempt('beginSingleSignOn', networkOf(request.ip ?? ''));
      const { url, checks } = await this.provider.begin();
      setHostCookie(request, response, COOKIE, encoded({ ...checks, organization, next }), COOKIE_SECONDS);
      redirect(response, url.href);
    } catch (error) {
      failed(response, organization, this.failureOf(error));
    }
  }

  /** Takes the browser back from the provider, and opens a session if its member may have one. */
  async finish(request: ApiRequest, response: Response): Promise<void> {
    this.requireConfigured(request);
    const begun = begunOf(hostCookieOf(request, COOKIE));
    // Whatever comes of it, the answer of the provider counts once.
    setHostCookie(request, response, COOKIE, undefined, 0);
    const next = begun && addressOf(begun.organization, begun.next);
    if (!begun || !next || begun.state !== request.query.state)
      return failed(response, begun?.organization ?? '', 'EXPIRED');
    const { organization: slug } = begun;
    try {
      await this.sessions.countAttempt('finishSingleSignOn', networkOf(request.ip ?? ''));
      const search = new URL(request.originalUrl, 'http://localhost').search;
      const { email, isVerified } = await this.provider.identityOf(search, begun);
      if (!email || !isVerified) return failed(response, slug, 'UNVERIFIED');
      const session = await signInByProvider(this.database, { slug, email, origin: request.ip ?? null });
      if (!session) return failed(response, slug, 'NOT_MEMBER');
      const { organization } = await this.sessions.opened(request, response, session);
      // Scripts can't read the cookie: this browser learns here which organization the address belongs to.
      redirect(response, `${next}#${new URLSearchParams({ organization: organization.id })}`);
    } catch (error) {
      failed(response, slug, this.failureOf(error));
    }
  }

  /** Neither the error's text nor its cause is logged: they can contain the code of the answer. */
  private failureOf(error: unknown): Failure {
    if (error instanceof ApiError && error.status === 429) return 'TOO_MANY';
    const { name, code, error: reason } = error as { name?: string; code?: string; error?: string };
    if (reason === 'access_denied') return 'CANCELLED';
    this.logger.warn({ msg: 'sign-in with the identity provider failed', name, code, reason });
    return 'PROVIDER';
  }

  private requireConfigured({ method, path }: ApiRequest): void {
    if (!this.provider.isConfigured) throw errors.noRoute(method, path);
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * The address within the organization's console to which the browser returns. Anything else, such as an address of another
 * site, is replaced by the organization's first page. Undefined if the slug is none.
 */
function addressOf(slug: string, next: string): string | undefined {
  if (!SLUG.test(slug)) return undefined;
  const home = `/console/o/${encodeURIComponent(slug)}`;
  const here = 'http://localhost';
  if (next.length > LONGEST_NEXT || !URL.canParse(next, here)) return home;
  const { origin, pathname, search } = new URL(next, here);
  return origin === here && pathname.startsWith(`${home}/`) ? pathname + search : home;
}

const encoded = (begun: Begun): string => Buffer.from(JSON.stringify(begun)).toString('base64url');

function begunOf(cookie: string | undefined): Begun | undefined {
  try {
    const begun = JSON.parse(Buffer.from(cookie ?? '', 'base64url').toString());
    const isWhole = ['state', 'nonce', 'verifier', 'organization', 'next'].every(
      (name) => typeof begun?.[name] === 'string',
    );
    return isWhole ? begun : undefined;
  } catch {
    return undefined;
  }
}

function failed(response: Response, organization: string, failure: Failure): void {
  const query = new URLSearchParams({ ...(SLUG.test(organization) && { organization }), failure });
  redirect(response, `/console/sign-in?${query}`);
}

function redirect(response: Response, address: string): void {
  response.setHeader('cache-control', 'no-store');
  response.redirect(303, address);
}
