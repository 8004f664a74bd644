import { occurrence, organization } from '#libs/testing';
import { newId } from '#platform/database';
import { eventually, sharedApi, type TestApi } from '../harness';
import { type CommandLine, commandLine } from './startline';

let api: TestApi;
let cli: CommandLine;
let slug: string;
let organizationId: string;
let mine: string[];
let foreign: string;
beforeAll(async () => {
  api = await sharedApi();
  cli = await commandLine(api.databaseUrl);
  ({ slug, id: organizationId } = await organization(api.dataSource));
  const occurrences = [
    await occurrence(api.dataSource, { organizationId }),
    await occurrence(api.dataSource, { organizationId }),
  ];
  mine = occurrences.map(({ id }) => id).sort();
  const other = await organization(api.dataSource);
  foreign = (await occurrence(api.dataSource, { organizationId: other.id })).id;
});
afterAll(async () => {
  await cli.close();
  await api.close();
});

const create = (...words: string[]) =>
  cli.run('key', 'create', '--organization', slug, '--name', 'Key', ...words);

describe('key create', () => {
  it.each([[''], [' \t']])('refuses the name %j', async (name) => {
    const { code, answer } = await create('--name', name);
    expect([code, answer]).toEqual([1, { error: 'REFUSED', message: 'The name must not be empty.' }]);
  });

  it('prints a token that the API accepts at once, and stores only its last four characters', async () => {
    const { code, answer } = await create();
    expect(code).toBe(0);
    expect(answer).toMatchObject({
      kind: 'ORGANIZER',
      organizationId,
      eventOccurrenceIds: [],
      endpoints: [],
    });
    const { status, body } = await api.get('/identity', answer.token);
    expect([status, body.organiserId]).toEqual([200, organizationId]);
    const [row] = await cli.dataSource.query('SELECT * FROM api_keys WHERE id = $1', [answer.id]);
    expect(row.last4).toBe(answer.token.slice(-4));
    expect(JSON.stringify(row)).not.toContain(answer.token);
  });

  it('creates restricted keys', async () => {
    const [first = '', second = ''] = mine;
    const { answer } = await create('--occurrence', first, second, first, '--endpoint', 'registrationStatus');
    const { body } = await api.get('/identity', answer.token);
    expect(body).toEqual({
      organiserId: organizationId,
      eventOccurrenceIds: mine,
      endpoints: ['registrationStatus'],
      partnerId: null,
      permissions: [],
      restricted: true,
      test: false,
    });
  });

  it('accepts every kind of key, and only the restrictions of each kind', async () => {
    const [first = ''] = mine;
    const timing = await create('--kind', 'timing', '--occurrence', first);
    expect(timing.answer).toMatchObject({ kind: 'TIMING', eventOccurrenceIds: [first] });
    expect((await create('--kind', 'marketplace')).answer).toMatchObject({ kind: 'MARKETPLACE' });
    const refused = await Promise.all([
      create('--kind', 'marketplace', '--occurrence', first),
      create('--kind', 'marketplace', '--endpoint', 'registrationStatus'),
      create('--kind', 'timing', '--endpoint', 'registrationStatus'),
      create('--occurrence', foreign),
      create('--occurrence', newId()),
      create('--occurrence', 'not-an-id'),
      create('--endpoint', 'listPartners'),
    ]);
    expect(refused.map(({ code, answer }) => [code, answer.error])).toEqual(Array(7).fill([1, 'REFUSED']));
    expect(refused[3]?.answer.message).toBe(`The organization has no event occurrence ${foreign}.`);
    expect((await create('--kind', 'robot')).answer.error).toBe('INVALID_COMMAND');
  });
});

describe('keys that expire or are read-only', () => {
  it('are listed and enforced as such', async () => {
    const { answer } = await create('--read-only', '--expires', '90d');
    expect(answer.readOnly).toBe(true);
    const days = (new Date(answer.expiresAt).getTime() - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    expect((await api.get('/v0/partners', answer.token)).status).toBe(200);
    const refused = await api.send('POST', '/v0/partners', { name: 'A' }, answer.token);
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('read-only')]);
    const named = await create('--expires', '2099-01-31T12:00:00+02:00');
    expect(named.answer).toMatchObject({ readOnly: false, expiresAt: '2099-01-31T10:00:00.000Z' });
  });

  it('are rejected for kinds that do not support them', async () => {
    const past = await create('--expires', '2020-01-01');
    expect(past.answer).toEqual({ error: 'REFUSED', message: 'A key must expire in the future.' });
    expect((await create('--kind', 'timing', '--read-only')).answer.error).toBe('REFUSED');
    for (const when of ['soon', '1 day', '2099-01-31T12:00:00', '2099-13-01', '2099-06-31', '-1d']) {
      expect((await create(`--expires=${when}`)).answer.error).toBe('INVALID_COMMAND');
    }
  });
});

describe('timing keys with names', () => {
  it('are marked in the list and the audit log, and stay marked after rotation', async () => {
    const { answer } = await create('--kind', 'timing', '--reads', 'names');
    expect(answer).toMatchObject({ kind: 'TIMING', reads: ['names'] });
    const listed = (await cli.run('key', 'list', '--organization', slug)).answer;
    expect(listed.find(({ id }: { id: string }) => id === answer.id).reads).toEqual(['names']);
    const log = await cli.run('audit', 'list', '--organization', slug, '--object', answer.id);
    expect(log.answer).toEqual([
      expect.objectContaining({
        action: 'key.create',
        details: expect.objectContaining({ reads: ['names'] }),
      }),
    ]);
    expect((await cli.run('key', 'rotate', answer.id)).answer.reads).toEqual(['names']);
    expect((await create('--kind', 'timing')).answer.reads).toEqual([]);
  });

  it('are the only keys that can have names', async () => {
    for (const kind of ['organizer', 'marketplace']) {
      expect((await create('--kind', kind, '--reads', 'names')).answer.error).toBe('REFUSED');
    }
  });
});

describe('key rotate', () => {
  const rotate = (...words: string[]) => cli.run('key', 'rotate', ...words);

  it('creates a key with the same limits, and keeps the old key valid until the overlap ends', async () => {
    const [first = ''] = mine;
    const { answer: old } = await create('--occurrence', first, '--read-only');
    const before = Date.now();
    const { answer } = await rotate(old.id, '--overlap', '1h');
    const after = Date.now();
    const { id, token, replaced, ...limits } = answer;
    expect(limits).toMatchObject({
      eventOccurrenceIds: [first],
      readOnly: true,
      expiresAt: null,
      name: 'Key',
    });
    expect(replaced.id).toBe(old.id);
    const rotatedAt = Date.parse(replaced.expiresAt) - 3_600_000;
    expect(before <= rotatedAt && rotatedAt <= after).toBe(true);
    for (const each of [old.token, token]) expect((await api.get('/identity', each)).status).toBe(200);

    const { answer: third } = await rotate(id, '--overlap', '0m');
    await eventually(async () => (await api.get('/identity', token)).status === 401);
    for (const each of [old.token, third.token]) expect((await api.get('/identity', each)).status).toBe(200);
  });

  it('asks for the lifetime of the new key if the old key expires, and never extends the old key', async () => {
    const { answer: old } = await create('--expires', '2h');
    const unsaid = await rotate(old.id);
    expect(unsaid.answer).toMatchObject({
      error: 'REFUSED',
      message: expect.stringContaining('when the new'),
    });
    const { answer } = await rotate(old.id, '--overlap', '7d', '--expires', '30d');
    expect(answer.replaced.expiresAt).toBe(old.expiresAt);
    expect((await rotate(answer.id, '--never-expires')).answer.expiresAt).toBeNull();
  });

  it('rejects keys that are revoked, expired or unknown', async () => {
    const { answer: revoked } = await create();
    await cli.run('key', 'revoke', revoked.id);
    const { answer: expired } = await create();
    await rotate(expired.id, '--overlap', '0m');
    expect((await rotate(revoked.id)).answer).toMatchObject({
      error: 'REFUSED',
      message: 'The key is revoked.',
    });
    expect((await rotate(expired.id)).answer).toMatchObject({
      error: 'REFUSED',
      message: 'The key has expired.',
    });
    expect((await rotate(newId())).answer.error).toBe('NOT_FOUND');
    expect((await rotate(revoked.id, '--overlap', 'long')).answer.error).toBe('INVALID_COMMAND');
  });

  it('succeeds for only one of two concurrent rotations', async () => {
    const { answer: old } = await create();
    const outcomes = await Promise.all([rotate(old.id), rotate(old.id)]);
    expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1]);
  });
});

describe('key restrict', () => {
  it('changes the lists of a restricted key, and keeps its token', async () => {
    const [first = '', second = ''] = mine;
    const { answer } = await create('--occurrence', first);
    const scope = async () => {
      const { eventOccurrenceIds, endpoints } = (await api.get('/identity', answer.token)).body;
      return [...eventOccurrenceIds, ...endpoints].join();
    };
    expect(await scope()).toBe(first);
    await cli.run('key', 'restrict', answer.id, '--occurrence', second);
    await eventually(async () => (await scope()) === second);
    await cli.run('key', 'restrict', answer.id, '--endpoint', 'registrationStatus', '--any-occurrence');
    await eventually(async () => (await scope()) === 'registrationStatus');
  });

  it('narrows the permissions of a key whose events are gone', async () => {
    const { answer } = await create('--occurrence', mine[0] as string);
    await cli.dataSource.query('UPDATE api_keys SET event_occurrence_ids = $2 WHERE id = $1', [
      answer.id,
      [newId()],
    ]);
    const narrowed = await cli.run('key', 'restrict', answer.id, '--permission', 'participants:read');
    expect(narrowed.answer).toMatchObject({ id: answer.id, permissions: ['participants:read'] });
  });

  it('rejects empty lists, and keys that were created without restrictions', async () => {
    const [first = ''] = mine;
    const { answer: restricted } = await create('--occurrence', first);
    const emptied = await cli.run('key', 'restrict', restricted.id, '--any-occurrence');
    expect(emptied.answer).toEqual({
      error: 'REFUSED',
      message: 'A restricted key must keep at least one restriction.',
    });
    const { answer: whole } = await create();
    expect((await cli.run('key', 'restrict', whole.id, '--occurrence', first)).answer.error).toBe('REFUSED');
    expect((await cli.run('key', 'restrict', restricted.id, '--occurrence', foreign)).answer.error).toBe(
      'REFUSED',
    );
    expect((await cli.run('key', 'restrict', restricted.id)).answer.error).toBe('INVALID_COMMAND');
    expect((await cli.run('key', 'restrict', newId(), '--occurrence', first)).answer.error).toBe('NOT_FOUND');
    const [row] = await cli.dataSource.query('SELECT event_occurrence_ids FROM api_keys WHERE id = $1', [
      restricted.id,
    ]);
    expect(row.event_occurrence_ids).toEqual([first]);
  });
});

describe('key revoke, key list and key token', () => {
  it('revoke a key, list all keys without tokens, and sign the token of a valid key again', async () => {
    const { answer } = await cli.run('key', 'create', '--organization', slug, '--name', 'Again');
    const again = await cli.run('key', 'token', '--organization', slug, '--name', 'Again');
    expect(again.answer).toEqual({ token: answer.token });
    expect((await api.get('/identity', answer.token)).status).toBe(200);

    const revoked = await cli.run('key', 'revoke', answer.id);
    expect(revoked.answer.revokedAt).not.toBeNull();
    await eventually(async () => (await api.get('/identity', answer.token)).status === 401);
    expect((await cli.run('key', 'revoke', answer.id)).answer.revokedAt).toBe(revoked.answer.revokedAt);
    expect((await cli.run('key', 'token', '--organization', slug, '--name', 'Again')).answer.error).toBe(
      'NOT_FOUND',
    );

    const listed = await cli.run('key', 'list', '--organization', slug);
    expect(listed.answer).toContainEqual(
      expect.objectContaining({ id: answer.id, revokedAt: revoked.answer.revokedAt }),
    );
    expect(listed.stdout).not.toContain(answer.token);
  });
});

describe('key create and key token', () => {
  it('sign nothing if the database is configured but the signing secrets of its API are not', async () => {
    const unset = { SIGNING_SECRETS: '' };
    const { code, answer } = await cli.runWith(
      unset,
      ...['key', 'create', '--organization', slug, '--name', 'With the secret of the home'],
    );
    expect([code, answer.error]).toEqual([1, 'NO_SIGNING_SECRET']);
    expect(answer.message).toContain('DATABASE_URL is set but SIGNING_SECRETS is not');
    const { answer: keys } = await cli.run('key', 'list', '--organization', slug);
    expect(keys.map(({ name }: { name: string }) => name)).not.toContain('With the secret of the home');
  });
});

describe('key token', () => {
  it('signs the token of a valid key again', async () => {
    const { answer } = await cli.run('key', 'create', '--organization', slug, '--name', 'Told again');
    const again = await cli.run('key', 'token', '--organization', slug, '--name', 'Told again');
    expect(again.answer.token).toBe(answer.token);
    await cli.run('key', 'revoke', answer.id);
    const revoked = await cli.run('key', 'token', '--organization', slug, '--name', 'Told again');
    expect([revoked.code, revoked.answer.error]).toEqual([1, 'NOT_FOUND']);
  });
});
