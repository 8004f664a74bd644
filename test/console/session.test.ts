import { linkMember, resetMember } from '#domain/staff';
import { organization } from '#libs/testing';
import { StaffLink, StaffMember, StaffSession } from '#platform/database';
import { type Answer, eventually, startApi, type TestApi } from '../harness';
import { Browser, signedIn } from './console';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_SIGN_IN: '1000' });
});
afterAll(() => api.close());

const ACTOR = { type: 'COMMAND_LINE', id: 'test', origin: 'test' } as const;
const PASSWORD = 'correct horse battery staple';
/** The end of a session is announced to every process within a second. */
const ends = (browser: Browser, cookie?: string) =>
  eventually(
    async () =>
      (await browser.ask('GET', '/console/v1/me', undefined, cookie ? { cookie } : {})).status === 401,
  );
const cookieOf = (browser: Browser): [string, string] => [...browser.cookies][0] as [string, string];

describe('a sign-in link', () => {
  it('signs its member in once, and stores neither token nor session in plain text', async () => {
    const { browser, memberId, email, slug } = await signedIn(api, 'VIEWER');
    const { status, body } = await browser.ask('GET', '/console/v1/me');
    expect([status, body]).toEqual([
      200,
      {
        ...{ id: memberId, email, role: 'VIEWER', hasPassword: false },
        organization: { id: api.organizationId, slug, name: expect.any(String), sandbox: false },
        partner: null,
      },
    ]);
    const [name, secret] = cookieOf(browser);
    expect(name).toBe(`startline-${api.organizationId}`);
    const rows = JSON.stringify(await api.dataSource.getRepository(StaffSession).find());
    expect(rows).not.toContain(secret);
  });

  it('removes sessions and links of its member that have expired', async () => {
    const { organizationId, dataSource } = api;
    const { memberId, slug } = await signedIn(api, 'VIEWER');
    const key = { organizationId, id: memberId };
    await linkMember(dataSource.manager, key, ACTOR);
    await dataSource.query(
      "UPDATE staff_sessions SET created_at = now() - interval '31 days' WHERE member_id = $1",
      [memberId],
    );
    await dataSource.query(
      "UPDATE staff_links SET expires_at = now() - interval '1 hour' WHERE member_id = $1",
      [memberId],
    );
    const { token } = await linkMember(dataSource.manager, key, ACTOR);
    expect(await dataSource.getRepository(StaffLink).countBy({ memberId })).toBe(1);
    await new Browser(api).redeem(slug, token);
    expect(await dataSource.getRepository(StaffSession).countBy({ memberId })).toBe(1);
  });

  it('is rejected the second time, and for any other organization', async () => {
    const { slug } = await signedIn(api, 'VIEWER');
    const again = await new Browser(api).redeem(slug, 'A'.repeat(43));
    expect([again.status, again.headers.getSetCookie()]).toEqual([403, []]);
  });

  it('sets a cookie that scripts and other sites cannot use', async () => {
    const { slug } = await signedIn(api, 'VIEWER');
    const { browser: owner } = await signedIn(api, 'OWNER');
    const invited = await owner.ask('POST', '/console/v1/staff', {
      email: 'new@example.com',
      role: 'VIEWER',
    });
    const token = new URLSearchParams(invited.body.link.split('#')[1]).get('token') ?? '';
    const answer = await new Browser(api).redeem(slug, token);
    expect(answer.headers.getSetCookie()[0]).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/);
  });
});

describe('email and password', () => {
  it('sign in, and a new password ends other sessions', async () => {
    const { browser, email, slug } = await signedIn(api, 'MANAGER');
    expect((await browser.ask('PUT', '/console/v1/me/password', { password: PASSWORD })).status).toBe(200);
    const other = new Browser(api);
    const signIn = await other.ask('POST', '/console/v1/session', {
      organization: slug,
      email: ` ${email.toUpperCase()}`.trim(),
      password: PASSWORD,
    });
    expect([signIn.status, signIn.body.hasPassword]).toEqual([200, true]);
    other.organizationId = signIn.body.organization.id;
    const change = { currentPassword: PASSWORD, password: `${PASSWORD}!` };
    expect((await other.ask('PUT', '/console/v1/me/password', change)).status).toBe(200);
    await ends(browser);
    expect((await other.ask('GET', '/console/v1/me')).status).toBe(200);
    const { passwordHash } = await api.dataSource
      .getRepository(StaffMember)
      .findOneByOrFail({ organizationId: api.organizationId, emailNormalized: email });
    expect(passwordHash).toMatch(/^\$argon2id\$/);
  });

  it('are rejected with the same message for every reason', async () => {
    const { browser, email, slug } = await signedIn(api, 'MANAGER');
    await browser.ask('PUT', '/console/v1/me/password', { password: PASSWORD });
    const attempts = [
      { organization: slug, email, password: 'wrong' },
      { organization: slug, email: 'nobody@example.com', password: PASSWORD },
      { organization: 'nowhere', email, password: PASSWORD },
    ];
    const answers = await Promise.all(
      attempts.map((attempt) => new Browser(api).ask('POST', '/console/v1/session', attempt)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(403);
  });

  it('of someone who guesses do not keep the member out of a browser that they know, nor are guesses in it unlimited', async () => {
    const strict = await startApi({
      ...{ DATABASE_URL: api.databaseUrl, RATE_SIGN_IN: '3', TRUSTED_PROXIES: 'loopback' },
    });
    try {
      const { browser, email, slug } = await signedIn(api, 'MANAGER');
      await browser.ask('PUT', '/console/v1/me/password', { password: PASSWORD });
      let addresses = 0;
      /** From an address of its own, each. */
      const signIn = async (by: Browser, password: string, who = email) =>
        (
          await by.ask(
            'POST',
            '/console/v1/session',
            { organization: slug, email: who, password },
            { 'x-forwarded-for': `203.0.113.${++addresses}` },
          )
        ).status;
      const many = async (by: () => Browser, who = email) => {
        const statuses: number[] = [];
        for (let n = 0; n < 4; n++) statuses.push(await signIn(by(), 'wrong wrong wrong', who));
        return statuses;
      };
      const limited = [403, 403, 403, 429];
      expect(await many(() => new Browser(strict))).toEqual(limited);
      // A browser that is new to the member is kept out as well; the known one is not.
      expect(await signIn(new Browser(strict), PASSWORD)).toBe(429);
      const known = new Browser(strict);
      for (const [name, value] of browser.cookies) known.cookies.set(name, value);
      expect(await signIn(known, PASSWORD)).toBe(200);

      // A cookie is worth nothing for another member, in another browser's name, or for more guesses than anyone has.
      const { email: other } = await signedIn(api, 'VIEWER');
      expect(await many(() => known, other)).toEqual(limited);
      const forged = new Browser(strict);
      for (const [name, value] of known.cookies)
        forged.cookies.set(name, value.replace(/^[^.]+\./, `${'A'.repeat(22)}.`));
      expect(await signIn(forged, PASSWORD)).toBe(429);
      expect(await many(() => known)).toEqual(limited);
      expect(await signIn(known, PASSWORD)).toBe(429);
    } finally {
      await strict.close();
    }
  });

  it('are only replaced with the current one', async () => {
    const { browser, email, slug } = await signedIn(api, 'MANAGER');
    await browser.ask('PUT', '/console/v1/me/password', { password: PASSWORD });
    for (const currentPassword of [undefined, '', `${PASSWORD}?`]) {
      const { status, body } = await browser.ask('PUT', '/console/v1/me/password', {
        currentPassword,
        password: 'another battery staple',
      });
      expect([status, body.message]).toEqual([403, expect.stringContaining('current password')]);
    }
    const attempt = { organization: slug, email, password: PASSWORD };
    expect((await new Browser(api).ask('POST', '/console/v1/session', attempt)).status).toBe(200);
  });

  it('open no session, and are not set, while the member is reset', async () => {
    const { browser, email, slug, memberId } = await signedIn(api, 'MANAGER');
    await browser.ask('PUT', '/console/v1/me/password', { password: PASSWORD });
    const late = new Browser(api);
    let answers: Promise<Answer[]> = Promise.resolve([]);
    await api.dataSource.transaction(async (manager) => {
      await resetMember(manager, { organizationId: api.organizationId, id: memberId }, ACTOR);
      answers = Promise.all([
        late.ask('POST', '/console/v1/session', { organization: slug, email, password: PASSWORD }),
        browser.ask('PUT', '/console/v1/me/password', {
          currentPassword: PASSWORD,
          password: 'another battery staple',
        }),
      ]);
      // Both have checked the password, and wait for the reset.
      await eventually(async () => {
        const waiting = await api.dataSource.query(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
        return waiting.length === 2;
      });
    });
    expect((await answers).map(({ status }) => status)).toEqual([403, 403]);
    expect(late.cookies.size).toBe(0);
    const member = { organizationId: api.organizationId, id: memberId };
    const { passwordHash } = await api.dataSource.getRepository(StaffMember).findOneByOrFail(member);
    expect(passwordHash).toBeNull();
    expect(await api.dataSource.getRepository(StaffSession).countBy({ memberId })).toBe(0);
  });

  it('reject a short password', async () => {
    const { browser } = await signedIn(api, 'MANAGER');
    const { status, body } = await browser.ask('PUT', '/console/v1/me/password', { password: 'short' });
    expect([status, body.message]).toEqual([400, expect.stringContaining('password')]);
  });
});

describe('sign-in attempts', () => {
  it('are counted per email from all addresses', async () => {
    const tight = await startApi({ RATE_SIGN_IN: '3' });
    try {
      const statuses: number[] = [];
      for (let i = 0; i < 4; i++) {
        const attempt = { organization: 'city', email: 'ada@example.com', password: 'wrong password' };
        statuses.push((await new Browser(tight).ask('POST', '/console/v1/session', attempt)).status);
      }
      expect(statuses).toEqual([403, 403, 403, 429]);
    } finally {
      await tight.close();
    }
  });
});

describe('a session', () => {
  it('ends with sign-out, in this browser or in all', async () => {
    const { browser, slug, email } = await signedIn(api, 'VIEWER');
    await browser.ask('PUT', '/console/v1/me/password', { password: PASSWORD });
    const other = new Browser(api);
    const signIn = { organization: slug, email, password: PASSWORD };
    other.organizationId = (await other.ask('POST', '/console/v1/session', signIn)).body.organization.id;
    const cookie = cookieOf(browser).join('=');
    expect((await browser.ask('DELETE', '/console/v1/session')).status).toBe(200);
    expect([...browser.cookies.keys()]).toEqual([expect.stringMatching(/^startline-device-/)]);
    await ends(browser, cookie);
    expect((await other.ask('GET', '/console/v1/me')).status).toBe(200);
    const third = new Browser(api);
    third.organizationId = (await third.ask('POST', '/console/v1/session', signIn)).body.organization.id;
    expect((await third.ask('DELETE', '/console/v1/session?everywhere=false')).status).toBe(200);
    expect((await other.ask('GET', '/console/v1/me')).status).toBe(200);
    const kept = cookieOf(other).join('=');
    expect((await other.ask('DELETE', '/console/v1/session?everywhere=true')).status).toBe(200);
    await ends(other, kept);
  });

  it('is kept by use, also if its idle time is a minute', async () => {
    const brief = await startApi({ STAFF_IDLE_MINUTES: '1' });
    try {
      const { browser } = await signedIn(brief, 'VIEWER');
      await brief.dataSource.query("UPDATE staff_sessions SET last_seen_at = now() - interval '40 seconds'");
      expect((await browser.ask('GET', '/console/v1/me')).status).toBe(200);
      await eventually(async () => {
        const [{ seen }] = await brief.dataSource.query(
          "SELECT last_seen_at > now() - interval '35 seconds' AS seen FROM staff_sessions",
        );
        return seen;
      });
    } finally {
      await brief.close();
    }
  });

  it('ends after its idle time and after its maximum age', async () => {
    const changes = ["last_seen_at = now() - interval '13 hours'", "created_at = now() - interval '8 days'"];
    for (const change of changes) {
      const brief = await startApi();
      try {
        const { browser } = await signedIn(brief, 'VIEWER');
        // Before the first request with it, which is then remembered.
        await brief.dataSource.query(`UPDATE staff_sessions SET ${change}`);
        await ends(browser);
      } finally {
        await brief.close();
      }
    }
  });

  it('is rejected together with a key, from another site, and without the origin of the console', async () => {
    const { browser } = await signedIn(api, 'OWNER');
    const change = (headers: Record<string, string>) =>
      browser.ask('POST', '/console/v1/staff', { email: 'x@example.com', role: 'VIEWER' }, headers);
    expect(
      (await browser.ask('GET', '/console/v1/me', undefined, { authorization: `Bearer ${api.token}` }))
        .status,
    ).toBe(400);
    expect((await change({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await change({ 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await change({ 'sec-fetch-site': 'none' })).status).toBe(403);
  });

  it('is none whose organization is no id', async () => {
    const id = '-'.repeat(36);
    const answer = await api.send('GET', '/console/v1/me', undefined, null, {
      ...{ cookie: `startline-${id}=${'a'.repeat(43)}`, 'x-startline-organization': id },
    });
    expect(answer.status).toBe(401);
  });

  it('is limited to the organization that the request names', async () => {
    const { browser } = await signedIn(api, 'VIEWER');
    const { id: other } = await organization(api.dataSource);
    const [, secret] = cookieOf(browser);
    const named = (id: string, cookie?: string) =>
      browser.ask('GET', '/v0/participants', undefined, {
        'x-startline-organization': id,
        ...(cookie && { cookie }),
      });
    const { status, headers } = await named(api.organizationId);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect((await named(other)).status).toBe(403);
    expect((await named(other, `startline-${other}=${secret}`)).status).toBe(401);
    browser.organizationId = undefined;
    expect((await browser.ask('GET', '/v0/participants')).status).toBe(401);
  });
});
