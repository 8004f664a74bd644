import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort, organization, SIGNING_SECRETS } from '#libs/testing';
import { loadSettings } from '#platform/config';
import { StaffMember } from '#platform/database';
import { startApi, type TestApi } from '../harness';
import { Browser, signedIn } from './console';
import { CALLBACK, CLIENT, PUBLIC_URL, RunningProvider, Visitor } from './provider/visitor';

const COOKIE = 'startline-sign-in';
const MANY = { RATE_SIGN_IN: '1000' };

let api: TestApi;
let provider: RunningProvider;
beforeAll(async () => {
  provider = await RunningProvider.start();
  api = await startApi({ ...CLIENT, ...MANY, OIDC_ISSUER: provider.issuer });
});
afterAll(async () => {
  await api.close();
  await provider.stop();
});

/** A member, and what the provider says of them. */
async function member(given: { organizationId?: string } = {}) {
  const { email, slug, memberId, browser } = await signedIn(
    api,
    'MANAGER',
    undefined,
    given.organizationId ?? api.organizationId,
  );
  return { slug, memberId, browser, email, claims: { email, email_verified: true } };
}
const failure = (slug: string, reason: string) => `/console/sign-in?organization=${slug}&failure=${reason}`;
const sessionsOf = ({ consoleCookies }: Visitor) =>
  [...consoleCookies.keys()].filter((name) => name !== COOKIE);

/** Changes what the browser keeps while it is at the provider. */
function tamper(visitor: Visitor, change: object): void {
  const begun = JSON.parse(Buffer.from(visitor.consoleCookies.get(COOKIE) ?? '', 'base64url').toString());
  visitor.consoleCookies.set(
    COOKIE,
    Buffer.from(JSON.stringify({ ...begun, ...change })).toString('base64url'),
  );
}
const withQuery = (address: string, change: Record<string, string | null>) => {
  const url = new URL(address);
  for (const [name, value] of Object.entries(change)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.href;
};

describe('single sign-on', () => {
  it('signs a member in, with a session as a password opens one, and records it', async () => {
    const { slug, memberId, email, claims, browser: owner } = await member();
    const visitor = new Visitor(api);
    expect(await visitor.signIn(slug, claims)).toBe(`/console/o/${slug}`);
    expect(visitor.landedAt).toBe(`/console/o/${slug}#organization=${api.organizationId}`);
    const browser = new Browser(api);
    for (const [name, value] of visitor.consoleCookies) browser.cookies.set(name, value);
    browser.organizationId = api.organizationId;
    const me = await browser.ask('GET', '/console/v1/me');
    expect([me.status, me.body]).toMatchObject([200, { id: memberId, email, role: 'MANAGER' }]);
    const log = await owner.ask('GET', `/console/v1/audit-log?actorId=${memberId}`);
    expect(log.body.data[0]).toMatchObject({ action: 'staff.sign_in', details: { by: 'PROVIDER' } });
    expect(visitor.consoleCookies.has(COOKIE)).toBe(false);
  });

  it('asks the provider with PKCE, state and nonce, and keeps them in a short-lived cookie', async () => {
    const { slug, claims } = await member();
    const visitor = new Visitor(api);
    const url = new URL(await visitor.begin(slug, claims));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid email',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const { headers } = await visitor.open(`${PUBLIC_URL}/console/sign-in/provider?organization=${slug}`);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^startline-sign-in=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/),
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const behindProxy = await fetch(`${api.url}/console/sign-in/provider?organization=${slug}`, {
      redirect: 'manual',
      headers: { 'x-forwarded-proto': 'https' },
    });
    expect(behindProxy.headers.getSetCookie()[0]).toMatch(/^__Host-startline-sign-in=.*; Secure$/);
  });

  it('compares emails as sign-in with a password does', async () => {
    const { slug, email } = await member();
    const claims = { email: ` ${email.toUpperCase()}`, email_verified: true };
    expect(await new Visitor(api).signIn(slug, claims)).toBe(`/console/o/${slug}`);
  });

  it('takes the email from the ID token, and a client secret in the body, where the provider wants it so', async () => {
    const { slug, claims } = await member();
    const other = await RunningProvider.start({
      CLAIMS_IN_ID_TOKEN: '1',
      AUTH_METHOD: 'client_secret_post',
    });
    const second = await startApi({
      ...CLIENT,
      ...MANY,
      OIDC_ISSUER: other.issuer,
      DATABASE_URL: api.databaseUrl,
    });
    try {
      expect(await new Visitor(second).signIn(slug, claims)).toBe(`/console/o/${slug}`);
    } finally {
      await second.close();
      await other.stop();
    }
  });

  it('returns to the page that was asked for', async () => {
    const { slug, claims } = await member();
    const next = `/console/o/${slug}/imports?status=FAILED`;
    expect(await new Visitor(api).signIn(slug, claims, next)).toBe(next);
  });

  it('knows organizations with other letters in their slug', async () => {
    const { id: organizationId } = await organization(api.dataSource, { slug: 'läufe-zürich' });
    const { slug, claims } = await member({ organizationId });
    const home = `/console/o/${encodeURIComponent(slug)}`;
    expect(await new Visitor(api).signIn(slug, claims)).toBe(home);
    expect(await new Visitor(api).signIn(slug, claims, `${home}/imports`)).toBe(`${home}/imports`);
  });

  it('tells the sign-in page what is possible', async () => {
    const { body } = await api.send('GET', '/console/v1/session/options', undefined, null);
    expect(body).toEqual({ passwords: true, singleSignOn: true, mail: false });
  });
});

describe('single sign-on refuses', () => {
  it.each([
    'https://evil.example/',
    '//evil.example/console/o/x/',
    '/\\evil.example',
    '/console/o/{slug}/../../..//evil.example',
    '/console/o/{slug}\\..\\..\\..\\\\evil.example',
    '/console/o/other/imports',
    'javascript:alert(1)',
    'https://console.example.com@evil.example/',
    'http://localhost:1/console/o/{slug}/',
    `/console/o/{slug}/${'x'.repeat(600)}`,
    '\t//evil.example',
  ])('to return to %s', async (next) => {
    const { slug, claims } = await member();
    const landing = await new Visitor(api).signIn(slug, claims, next.replace('{slug}', slug));
    expect(landing).toBe(`/console/o/${slug}`);
  });

  it('to return elsewhere, also if the browser’s own cookie says so', async () => {
    const { slug, claims } = await member();
    const visitor = new Visitor(api);
    const callback = await visitor.answered(slug, claims);
    tamper(visitor, { next: 'https://evil.example/' });
    expect(await visitor.landing(callback)).toBe(`/console/o/${slug}`);
  });

  it.each([
    ['another state', { state: 'A'.repeat(43) }],
    ['no state', { state: null }],
  ])('an answer with %s', async (_, change) => {
    const { slug, claims } = await member();
    const visitor = new Visitor(api);
    const callback = await visitor.answered(slug, claims);
    expect(await visitor.landing(withQuery(callback, change))).toBe(failure(slug, 'EXPIRED'));
    // The attempt is over: the true answer does not count any more.
    expect(await visitor.landing(callback)).toBe('/console/sign-in?failure=EXPIRED');
    expect(sessionsOf(visitor)).toEqual([]);
  });

  it('an answer in a browser that did not begin the sign-in, or began another', async () => {
    const { slug, claims } = await member();
    const callback = await new Visitor(api).answered(slug, claims);
    const victim = new Visitor(api);
    expect(await victim.landing(callback)).toBe('/console/sign-in?failure=EXPIRED');
    await victim.begin(slug, claims);
    expect(await victim.landing(callback)).toBe(failure(slug, 'EXPIRED'));
    expect(sessionsOf(victim)).toEqual([]);
  });

  it('a code for the second time, even with the cookie of the first', async () => {
    const { slug, claims } = await member();
    const visitor = new Visitor(api);
    const callback = await visitor.answered(slug, claims);
    const thief = new Visitor(api);
    thief.consoleCookies.set(COOKIE, visitor.consoleCookies.get(COOKIE) ?? '');
    expect(await visitor.landing(callback)).toBe(`/console/o/${slug}`);
    expect(await thief.landing(callback)).toBe(failure(slug, 'PROVIDER'));
    expect(sessionsOf(thief)).toEqual([]);
  });

  it.each([
    ['another nonce', { nonce: 'A'.repeat(43) }],
    ['another PKCE verifier', { verifier: 'A'.repeat(43) }],
  ])('a code that belongs to %s', async (_, change) => {
    const { slug, claims } = await member();
    const visitor = new Visitor(api);
    const callback = await visitor.answered(slug, claims);
    tamper(visitor, change);
    expect(await visitor.landing(callback)).toBe(failure(slug, 'PROVIDER'));
    expect(sessionsOf(visitor)).toEqual([]);
  });

  it('a code of somebody else’s sign-in', async () => {
    const mine = await member();
    const theirs = await member();
    const visitor = new Visitor(api);
    const own = await visitor.answered(mine.slug, mine.claims);
    const stolen = new URL(await new Visitor(api).answered(theirs.slug, theirs.claims)).searchParams;
    const mixed = withQuery(own, { code: stolen.get('code') });
    expect(await visitor.landing(mixed)).toBe(failure(mine.slug, 'PROVIDER'));
    expect(sessionsOf(visitor)).toEqual([]);
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['no issuer, although the provider names itself', { iss: null }],
  ])('an answer of %s', async (_, change) => {
    const { slug, claims } = await member();
    const visitor = new Visitor(api);
    const callback = await visitor.answered(slug, claims);
    expect(await visitor.landing(withQuery(callback, change))).toBe(failure(slug, 'PROVIDER'));
    expect(sessionsOf(visitor)).toEqual([]);
  });

  it('a provider that says that it is another one', async () => {
    const metadata = await (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).text();
    const impostor = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end(metadata);
    });
    await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(impostor.address() as AddressInfo).port}`;
    const second = await startApi({ ...CLIENT, ...MANY, OIDC_ISSUER: issuer, DATABASE_URL: api.databaseUrl });
    try {
      const { slug, claims } = await member();
      expect(await new Visitor(second).begin(slug, claims)).toBe(failure(slug, 'PROVIDER'));
    } finally {
      await second.close();
      impostor.closeAllConnections();
      impostor.close();
    }
  });

  it.each([
    ['not verified', { email_verified: false }],
    ['not said to be verified', { email_verified: undefined }],
    ['missing', { email: undefined }],
  ])('an email that is %s', async (_, change) => {
    const { slug, claims } = await member();
    const visitor = new Visitor(api);
    expect(await visitor.signIn(slug, { ...claims, ...change })).toBe(failure(slug, 'UNVERIFIED'));
    expect(sessionsOf(visitor)).toEqual([]);
  });

  it('whoever is no member of the organization, and makes no member of them', async () => {
    const { id: otherId, slug: otherSlug } = await organization(api.dataSource);
    const other = await member({ organizationId: otherId });
    const { slug } = await member();
    const count = () => api.dataSource.getRepository(StaffMember).count();
    const before = await count();
    const strangers = [other.claims, { email: 'nobody@example.com', email_verified: true }];
    for (const claims of strangers) {
      const visitor = new Visitor(api);
      expect(await visitor.signIn(slug, claims)).toBe(failure(slug, 'NOT_MEMBER'));
      expect(sessionsOf(visitor)).toEqual([]);
    }
    expect(await new Visitor(api).signIn(otherSlug, other.claims)).toBe(`/console/o/${otherSlug}`);
    expect(await count()).toBe(before);
  });

  it('an organization that does not exist in the same way', async () => {
    const { claims } = await member();
    expect(await new Visitor(api).signIn('no-such-one', claims)).toBe(failure('no-such-one', 'NOT_MEMBER'));
    for (const slug of ['', 'A/../x', 'x'.repeat(200)])
      expect(await new Visitor(api).begin(slug, claims)).toBe('/console/sign-in?failure=NOT_MEMBER');
  });

  it('members who were removed', async () => {
    const { slug, memberId, claims } = await member();
    const { browser: owner } = await signedIn(api, 'OWNER');
    expect((await owner.ask('DELETE', `/console/v1/staff/${memberId}`)).status).toBe(200);
    expect(await new Visitor(api).signIn(slug, claims)).toBe(failure(slug, 'NOT_MEMBER'));
  });

  it('a person who refused at the provider', async () => {
    const { slug } = await member();
    expect(await new Visitor(api).signIn(slug, 'deny')).toBe(failure(slug, 'CANCELLED'));
  });

  it('too many attempts from one address', async () => {
    const { slug, claims } = await member();
    const strict = await startApi({
      ...CLIENT,
      OIDC_ISSUER: provider.issuer,
      RATE_SIGN_IN: '2',
      DATABASE_URL: api.databaseUrl,
    });
    try {
      const visitor = new Visitor(strict);
      const landings = [];
      for (let i = 0; i < 4; i++) landings.push(await visitor.begin(slug, claims));
      expect(landings).toContain(failure(slug, 'TOO_MANY'));
    } finally {
      await strict.close();
    }
  });
});

describe('the provider', () => {
  it('may be away: the sign-in fails, and works when it is back', async () => {
    const { slug, claims } = await member();
    const PORT = String(await freePort());
    const issuer = `http://127.0.0.1:${PORT}`;
    const second = await startApi({ ...CLIENT, ...MANY, OIDC_ISSUER: issuer, DATABASE_URL: api.databaseUrl });
    let back: RunningProvider | undefined;
    try {
      expect(await new Visitor(second).begin(slug, claims)).toBe(failure(slug, 'PROVIDER'));
      back = await RunningProvider.start({ PORT });
      const visitor = new Visitor(second);
      const callback = await visitor.answered(slug, claims);
      await back.stop();
      expect(await visitor.landing(callback)).toBe(failure(slug, 'PROVIDER'));
      expect(sessionsOf(visitor)).toEqual([]);
      back = await RunningProvider.start({ PORT });
      expect(await new Visitor(second).signIn(slug, claims)).toBe(`/console/o/${slug}`);
    } finally {
      await second.close();
      await back?.stop();
    }
  });
});

describe('passwords', () => {
  it('can be turned off; one-time links work on', async () => {
    const { slug, email } = await member();
    const without = await startApi({
      ...CLIENT,
      ...MANY,
      OIDC_ISSUER: provider.issuer,
      STAFF_PASSWORDS: 'false',
      DATABASE_URL: api.databaseUrl,
    });
    try {
      const credentials = { organization: slug, email, password: 'correct horse battery staple' };
      const refused = await new Browser(without).ask('POST', '/console/v1/session', credentials);
      expect([refused.status, refused.body.message]).toEqual([
        403,
        'Passwords are disabled. Sign in with your identity provider.',
      ]);
      const { browser } = await signedIn(without, 'VIEWER', undefined, api.organizationId);
      expect((await browser.ask('GET', '/console/v1/me')).status).toBe(200);
      const set = await browser.ask('PUT', '/console/v1/me/password', { password: credentials.password });
      expect(set.status).toBe(403);
      const { body } = await without.send('GET', '/console/v1/session/options', undefined, null);
      expect(body).toEqual({ passwords: false, singleSignOn: true, mail: false });
    } finally {
      await without.close();
    }
  });

  it('are all there is where no provider is configured', async () => {
    const plain = await startApi({ DATABASE_URL: api.databaseUrl });
    try {
      const { body } = await plain.send('GET', '/console/v1/session/options', undefined, null);
      expect(body).toEqual({ passwords: true, singleSignOn: false, mail: false });
      for (const path of ['provider?organization=x', 'callback?code=x&state=x']) {
        const { status } = await fetch(`${plain.url}/console/sign-in/${path}`, { redirect: 'manual' });
        expect(status).toBe(404);
      }
    } finally {
      await plain.close();
    }
  });
});

describe('settings', () => {
  const secrets = SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(',');
  const load = (given: Record<string, string>) => () => loadSettings({ SIGNING_SECRETS: secrets, ...given });

  it('of single sign-on are set together', () => {
    expect(load({ OIDC_ISSUER: 'https://login.example.com' })).toThrow(
      'OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET and PUBLIC_URL',
    );
    expect(load({ STAFF_PASSWORDS: 'false' })).toThrow('STAFF_PASSWORDS is false');
    expect(load({ ...CLIENT, OIDC_ISSUER: 'https://login.example.com' })).not.toThrow();
  });

  it('take an issuer over https only, or on this machine', () => {
    const issuer = (OIDC_ISSUER: string) => load({ ...CLIENT, OIDC_ISSUER });
    for (const wrong of ['http://login.example.com', 'http://localhost.evil.example', 'login', 'ftp://x'])
      expect(issuer(wrong)).toThrow('OIDC_ISSUER: must be an https URL');
    expect(issuer('http://127.0.0.1:4000')).not.toThrow();
  });
});
