import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { key, organization, SIGNING_SECRETS } from '#libs/testing';
import { KEY_KINDS, Tokens } from '#platform/access';
import { ApiKey, newId } from '#platform/database';
import { commandLine } from '../cli/startline';
import { eventually, startApi, type TestApi } from '../harness';

let api: TestApi;
/** A second process on the same database. */
let other: TestApi;
beforeAll(async () => {
  api = await startApi();
  other = await startApi({ DATABASE_URL: api.databaseUrl });
});
afterAll(async () => {
  await other.close();
  await api.close();
});

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const secret = SIGNING_SECRETS[0]?.secret ?? '';
const newer = secret.split('').reverse().join('');

/** A token with any header and claims, signed as requested. */
function forged(header: object, claims: object, sign: (text: string) => string): string {
  const text = `${base64(header)}.${base64(claims)}`;
  return `${text}.${sign(text)}`;
}
const hs256 = (with_: string) => (text: string) =>
  createHmac('sha256', with_).update(text).digest('base64url');

/** Protects the data of organizations from made-up keys, and keys that are in use from a new release. */
describe('tokens', () => {
  it('are rejected with 401, without data, if any part of them is wrong', async () => {
    const { id, token } = await key(api.dataSource, { organizationId: api.organizationId });
    const claims = { sub: api.organizationId, jti: id, kind: 'ORGANIZER', iat: 1_700_000_000 };
    const [head, body, signature] = token.split('.');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const wrong: Record<string, string> = {
      'no scheme': token,
      'empty token': 'Bearer ',
      'wrong scheme': `Basic ${token}`,
      'not a token': 'Bearer nonsense',
      'three empty parts': 'Bearer ..',
      'alg none': `Bearer ${forged({ alg: 'none', kid: 'test' }, claims, () => '')}`,
      'alg none with a signature': `Bearer ${forged({ alg: 'none', kid: 'test' }, claims, hs256(secret))}`,
      'another HMAC': `Bearer ${forged({ alg: 'HS512', kid: 'test' }, claims, (text) =>
        createHmac('sha512', secret).update(text).digest('base64url'),
      )}`,
      'an RSA signature': `Bearer ${forged({ alg: 'RS256', kid: 'test' }, claims, (text) =>
        createSign('sha256').update(text).sign(privateKey, 'base64url'),
      )}`,
      'a foreign kid': `Bearer ${forged({ alg: 'HS256', kid: 'stranger' }, claims, hs256(secret))}`,
      'a kid that is a path': `Bearer ${forged({ alg: 'HS256', kid: '__proto__' }, claims, hs256(secret))}`,
      'no kid': `Bearer ${forged({ alg: 'HS256' }, claims, hs256(secret))}`,
      'a retired secret': `Bearer ${forged({ alg: 'HS256', kid: 'test' }, claims, hs256('another-secret-of-32-bytes-or-more!!'))}`,
      'a changed payload': `Bearer ${head}.${base64({ ...claims, sub: newId() })}.${signature}`,
      'a changed kind': `Bearer ${forged({ alg: 'HS256', kid: 'test' }, { ...claims, kind: 'TIMING' }, hs256(secret))}`,
      'an unknown key': `Bearer ${forged({ alg: 'HS256', kid: 'test' }, { ...claims, jti: newId() }, hs256(secret))}`,
      "another organization's name": `Bearer ${forged({ alg: 'HS256', kid: 'test' }, { ...claims, sub: newId() }, hs256(secret))}`,
      'claims that are no ids': `Bearer ${forged({ alg: 'HS256', kid: 'test' }, { ...claims, sub: "' OR 1=1" }, hs256(secret))}`,
      'a cut signature': `Bearer ${head}.${body}.${signature?.slice(0, -2)}`,
      'a very long token': `Bearer ${head}.${'a'.repeat(8_000)}.${signature}`,
    };
    for (const [what, authorization] of Object.entries(wrong)) {
      const response = await fetch(`${api.url}/identity`, { headers: { authorization } });
      const text = await response.text();
      expect({ what, status: response.status }).toEqual({ what, status: 401 });
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(JSON.parse(text)).toEqual({
        statusCode: 401,
        error: 'Unauthorized',
        message: expect.any(String),
      });
      expect(text).not.toContain(api.organizationId);
    }
    expect((await api.get('/identity', token)).status).toBe(200);
  });

  it('start with a prefix that secret scanners recognize', async () => {
    const documented = /^`(eyJ.+)`$/m.exec(readFileSync('docs/security.md', 'utf8'))?.[1] ?? 'nothing';
    const pattern = new RegExp(documented, 'g');
    const found: string[] = [];
    const signed: string[] = [];
    for (const kind of KEY_KINDS) {
      for (const kid of ['a', 'test', 'x'.repeat(32)]) {
        const claims = { sub: newId(), jti: newId(), kind, iat: Math.floor(Date.now() / 1000) };
        const token = new Tokens([{ kid, secret }]).sign(claims);
        signed.push(token);
        found.push(...(`curl -H "Authorization: Bearer ${token}", then`.match(pattern) ?? []));
      }
    }
    expect(found).toEqual(signed);
    expect(new Set(signed.map((token) => token.slice(0, 36))).size).toBe(1);
    expect(pattern.test(forged({ alg: 'HS256', typ: 'JWT', kid: 'test' }, {}, hs256(secret)))).toBe(false);
  });

  it('are accepted if they were signed with the header of an earlier version', async () => {
    const { id } = await key(api.dataSource, { organizationId: api.organizationId });
    const claims = { sub: api.organizationId, jti: id, kind: 'ORGANIZER', iat: 1_700_000_000 };
    const earlier = forged({ alg: 'HS256', typ: 'JWT', kid: 'test' }, claims, hs256(secret));
    expect((await api.get('/identity', earlier)).status).toBe(200);
  });

  it('are accepted if any configured secret signed them, and are signed with the first', async () => {
    const rotated = await startApi({
      DATABASE_URL: api.databaseUrl,
      SIGNING_SECRETS: `new:${newer},test:${secret}`,
    });
    try {
      const { id, token } = await key(api.dataSource, { organizationId: api.organizationId });
      const fresh = new Tokens([{ kid: 'new', secret: newer }]);
      const signed = fresh.sign({ sub: api.organizationId, jti: id, kind: 'ORGANIZER', iat: 1 });
      expect((await rotated.get('/identity', token)).status).toBe(200);
      expect((await rotated.get('/identity', signed)).status).toBe(200);
      expect((await api.get('/identity', signed)).status).toBe(401);
    } finally {
      await rotated.close();
    }
  });
});

/** How much later it is from now on for caches. */
function shiftClock(ms: number): jest.SpyInstance {
  const then = performance.now() + ms;
  return jest.spyOn(performance, 'now').mockImplementation(() => then);
}

describe('changes of a key apply in every process before its cache entry expires', () => {
  // The clock stands still, so no entry expires.
  let clock: jest.SpyInstance;
  beforeAll(() => {
    clock = shiftClock(0);
  });
  afterAll(() => clock.mockRestore());

  const everywhere = async (token: string, status: number) => {
    for (const process of [api, other]) {
      await eventually(async () => (await process.get('/identity', token)).status === status);
    }
  };

  it('revocation', async () => {
    const { id, token } = await key(api.dataSource, { organizationId: api.organizationId });
    await everywhere(token, 200);
    await api.dataSource.getRepository(ApiKey).update({ id }, { revokedAt: new Date() });
    await everywhere(token, 401);
  });

  it('expiry and read-only access', async () => {
    const { id, token } = await key(api.dataSource, { organizationId: api.organizationId });
    await everywhere(token, 200);
    const keys = api.dataSource.getRepository(ApiKey);
    await keys.update({ id }, { readOnly: true });
    for (const process of [api, other]) {
      await eventually(async () => {
        const { status } = await process.send('POST', '/v0/partners', { name: 'A' }, token);
        return status === 403;
      });
    }
    await keys.update({ id }, { expiresAt: new Date() });
    await everywhere(token, 401);
  });

  it('restrictions', async () => {
    const [first, second] = [newId(), newId()];
    const { id, token } = await key(api.dataSource, {
      organizationId: api.organizationId,
      eventOccurrenceIds: [first],
    });
    const seen = async (process: TestApi) => (await process.get('/identity', token)).body.eventOccurrenceIds;
    expect([await seen(api), await seen(other)]).toEqual([[first], [first]]);
    await api.dataSource.getRepository(ApiKey).update({ id }, { eventOccurrenceIds: [second] });
    for (const process of [api, other]) {
      await eventually(async () => JSON.stringify(await seen(process)) === JSON.stringify([second]));
    }
  });

  it('closing and reopening of its organization', async () => {
    const { id: organizationId, slug } = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId });
    const cli = await commandLine(api.databaseUrl);
    await everywhere(token, 200);
    expect(await cli.run('organization', 'close', slug)).toMatchObject({
      code: 0,
      answer: { id: organizationId, deletedAt: expect.any(String) },
    });
    await everywhere(token, 401);
    expect((await cli.run('organization', 'close', slug)).answer).toMatchObject({ error: 'NOT_FOUND' });
    expect(await cli.run('organization', 'reopen', slug)).toMatchObject({
      code: 0,
      answer: { deletedAt: null },
    });
    await everywhere(token, 200);
    expect((await cli.run('organization', 'reopen', slug)).answer).toMatchObject({ error: 'NOT_FOUND' });
    await cli.close();
    const recorded = await api.dataSource.query(
      'SELECT action FROM audit_log WHERE organization_id = $1 ORDER BY at, id',
      [organizationId],
    );
    expect(recorded).toEqual([{ action: 'organization.close' }, { action: 'organization.reopen' }]);
  });

  it('apply after the connection that announces them was lost', async () => {
    const { id, token } = await key(api.dataSource, { organizationId: api.organizationId });
    await everywhere(token, 200);
    await api.dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'startline access changes'`,
    );
    await api.dataSource.getRepository(ApiKey).update({ id }, { revokedAt: new Date() });
    await eventually(async () => (await api.get('/identity', token)).status === 401);
    await eventually(async () => (await other.get('/identity', token)).status === 401);
  });
});

describe('a key with an expiry time', () => {
  it('is rejected after that time, although it is cached and no change is announced', async () => {
    const token = await eventually(async () => {
      // Sooner than its cache entry expires.
      const expiresAt = new Date(Date.now() + 29_000);
      const { token } = await key(api.dataSource, { organizationId: api.organizationId, expiresAt });
      const answers = [await api.get('/identity', token), await other.get('/identity', token)];
      return answers.every(({ status }) => status === 200) && token;
    });
    const clock = shiftClock(29_000);
    for (const process of [api, other]) expect((await process.get('/identity', token)).status).toBe(401);
    clock.mockRestore();
  });
});

describe('lastUsedAt', () => {
  it('is updated once a minute at most', async () => {
    const { id, token } = await key(api.dataSource, { organizationId: api.organizationId });
    const lastUsed = async () =>
      (await api.dataSource.getRepository(ApiKey).findOneByOrFail({ id })).lastUsedAt;
    await api.get('/identity', token);
    const first = await eventually(async () => (await lastUsed()) ?? undefined);
    await api.get('/identity', token);
    await other.get('/identity', token);
    expect(await lastUsed()).toEqual(first);
  });
});
