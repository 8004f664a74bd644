import { Outbox } from '#domain/webhooks';
import { importJob, key, occurrence, organization, partner } from '#libs/testing';
import { restrictKey, revokeKey } from '#platform/access';
import { Database, WebhookDelivery } from '#platform/database';
import { type CommandLine, commandLine } from '../cli/startline';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { Receiver, WEBHOOK_SECRETS_KEY } from '../webhooks/receiver';

const SETTINGS = {
  WEBHOOK_SECRETS_KEY,
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  RATE_WEBHOOK: '100000',
};

let api: TestApi;
let cli: CommandLine;
let worker: Awaited<ReturnType<typeof startWorker>>;
let receiver: Receiver;
beforeAll(async () => {
  [api, receiver] = await Promise.all([startApi(SETTINGS), Receiver.start()]);
  worker = await startWorker(api, {
    ...SETTINGS,
    STARTLINE_TEST_WEBHOOK_SWEEP_MS: '20',
    WEBHOOK_RETRY_SECONDS: '0,0,0',
  });
  cli = await commandLine(api.databaseUrl);
});
afterAll(async () => {
  await worker.close();
  await cli.close();
  await api.close();
  await receiver.stop();
});

const actor = { type: 'COMMAND_LINE', id: null, origin: null } as const;
const manager = () => api.dataSource.manager;

describe('key create --permission', () => {
  let slug: string;
  beforeAll(async () => {
    ({ slug } = await organization(api.dataSource));
  });
  const create = (...words: string[]) =>
    cli.run('key', 'create', '--organization', slug, '--name', 'Key', ...words);

  it('creates a key that may do nothing else, as list, identity and audit log show', async () => {
    const asked = ['participants:read', 'bookings:import'];
    const { answer } = await create('--permission', ...asked);
    expect(answer.permissions).toEqual(asked);
    expect((await api.get('/identity', answer.token)).body).toMatchObject({
      permissions: asked,
      restricted: true,
    });
    const said = await cli.say('key', 'list', '--organization', slug);
    expect(said.stdout).toContain('participants:read, bookings:import');
    const log = await cli.run('audit', 'list', '--organization', slug, '--object', answer.id);
    expect(log.answer[0].details.permissions).toEqual(asked);
    expect((await api.get('/v0/participants', answer.token)).status).toBe(200);
    const refused = await api.get('/v0/applications', answer.token);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'This key does not have the permission applications:read, which this endpoint requires.',
    ]);
  });

  it('refuses permissions that the kind of key cannot have', async () => {
    const refused = await Promise.all([
      create('--permission', 'everything'),
      create('--permission', 'timing:write'),
      create('--permission', 'identity:read'),
      create('--kind', 'timing', '--permission', 'participants:read'),
      create('--read-only', '--permission', 'bookings:write'),
    ]);
    expect(refused.map(({ answer }) => answer.error)).toEqual(Array(5).fill('REFUSED'));
    expect(refused[0]?.answer.message).toContain(
      '"everything" is not a permission of a key of kind ORGANIZER',
    );
  });

  it('shows the permissions of read-only keys, which are the short form of all that read', async () => {
    const { answer } = await create('--read-only');
    const { body } = await api.get('/identity', answer.token);
    expect(body.restricted).toBe(true);
    expect(body.permissions).toContain('partners:read');
    expect(body.permissions.every((each) => each.endsWith(':read'))).toBe(true);
  });
});

describe('key restrict --permission', () => {
  let slug: string;
  beforeAll(async () => {
    ({ slug } = await organization(api.dataSource));
  });
  const permissionsOf = async (token: string) => (await api.get('/identity', token)).body.permissions;

  it('narrows a key while it is in use, also one that was made without permissions, and never widens', async () => {
    const { answer } = await cli.run('key', 'create', '--organization', slug, '--name', 'Wide');
    expect((await api.get('/v0/partners', answer.token)).status).toBe(200);
    const restrict = (...permissions: string[]) =>
      cli.run('key', 'restrict', answer.id, '--permission', ...permissions);
    await restrict('participants:read', 'bookings:read');
    await eventually(async () => (await api.get('/v0/partners', answer.token)).status === 403);
    await restrict('participants:read');
    await eventually(async () => (await permissionsOf(answer.token)).join() === 'participants:read');
    const wider = await restrict('participants:read', 'bookings:read');
    expect(wider.answer).toMatchObject({
      error: 'REFUSED',
      message: expect.stringContaining('"bookings:read" is not a permission of this key'),
    });
    const rotated = await cli.run('key', 'rotate', answer.id);
    expect(rotated.answer.permissions).toEqual(['participants:read']);
    const log = await cli.run('audit', 'list', '--organization', slug, '--object', answer.id);
    expect(log.answer.map(({ details }: any) => details.to?.permissions).filter(Boolean)).toEqual([
      ['participants:read'],
      ['participants:read', 'bookings:read'],
    ]);
  });
});

/** An organization with change events of several types. */
async function busy() {
  const { id: organizationId } = await organization(api.dataSource);
  const { token: wide } = await key(api.dataSource, { organizationId });
  const narrow = async (...permissions: string[]) => key(api.dataSource, { organizationId, permissions });
  const events = async (token: string) => (await api.get('/v0/change-events?page%5Bsize%5D=500', token)).body;
  const types = async (token: string) => {
    const body = await events(token);
    return body.data.map(({ type }) => type).sort();
  };
  await types(wide);
  const { id: spare } = await key(api.dataSource, { organizationId });
  await revokeKey(manager(), { organizationId, id: spare }, actor);
  await partner(api.dataSource, { organizationId });
  await occurrence(api.dataSource, { organizationId });
  const all = await eventually(async () => {
    const found = await types(wide);
    return found.length === 3 && found;
  });
  expect(all).toEqual(['event_occurrence.created', 'key.revoked', 'partner.created']);
  return { organizationId, wide, narrow, types, events };
}

describe('a key with permissions is shown', () => {
  it('the change events of what it can read, and counts of no others', async () => {
    const { narrow, types, events } = await busy();
    const partners = await narrow('changeEvents:read', 'partners:read');
    expect(await types(partners.token)).toEqual(['partner.created']);
    expect((await events(partners.token)).page.totalResults).toBe(1);
    const nothing = await narrow('changeEvents:read', 'bookings:read');
    expect(await types(nothing.token)).toEqual([]);
    expect((await events(nothing.token)).page.totalResults).toBe(0);
  });

  it('the import jobs that it can follow', async () => {
    const { wide, organizationId, narrow } = await busy();
    for (const surface of ['creditsImport', 'discountCodesImport'])
      await manager().query('INSERT INTO organization_surfaces VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        organizationId,
        surface,
      ]);
    const row = {
      externalCreditId: 'c',
      email: 'ada@example.com',
      amount: { value: 1, currencyCode: 'EUR' },
    };
    const { body: job } = await api.send('POST', '/v0/credits/import', { credits: [row] }, wide);
    const jobs = async (...permissions: string[]) =>
      (await api.get('/v0/import-jobs', (await narrow(...permissions)).token)).body.data.map(
        ({ jobId }) => jobId,
      );
    expect(await jobs('imports:read', 'credits:import')).toEqual([job.jobId]);
    expect(await jobs('imports:read', 'credits:read', 'discountCodes:import')).toEqual([]);
    const other = await narrow('imports:read', 'discountCodes:import');
    expect((await api.get(job.jobUrl, other.token)).status).toBe(403);
    expect((await api.get(`/v0/import-jobs/${job.jobId}/rows`, other.token)).status).toBe(404);
  });

  it('changes of several participants, if it may make them', async () => {
    const { organizationId, narrow, events } = await busy();
    const change = { organizationId, surface: 'bookingsImport', mode: 'CHANGE' } as const;
    const { id } = await importJob(api.dataSource, { ...change, status: 'RUNNING' });
    await manager().query(`UPDATE import_jobs SET status = 'COMPLETED' WHERE id = $1`, [id]);
    const reads = ['imports:read', 'changeEvents:read'];
    const [imports, changes] = [
      await narrow(...reads, 'bookings:import'),
      await narrow(...reads, 'participants:write'),
    ];
    const { token: readOnly } = await key(api.dataSource, { organizationId, readOnly: true });
    const lists = async (token: string) =>
      (await api.get('/v0/import-jobs', token)).body.data.map(({ jobId }) => jobId);
    expect([await lists(changes.token), await lists(imports.token), await lists(readOnly)]).toEqual([
      ...[[id], [], []],
    ]);
    for (const token of [imports.token, readOnly])
      expect((await api.get(`/v0/bookings/import/${id}`, token)).status).toBe(404);
    expect((await api.get(`/v0/participant-changes/${id}`, changes.token)).status).toBe(200);
    const announced = async (token: string) => (await events(token)).data.map(({ type }) => type);
    await eventually(async () => (await announced(changes.token)).join() === 'import.finished');
    expect(await announced(imports.token)).toEqual([]);
  });

  it('its own webhook endpoints and their deliveries', async () => {
    const { wide, narrow } = await busy();
    const fields = { url: `${receiver.url}/secret-of-another`, types: ['partner.created', 'key.revoked'] };
    const { body: theirs } = await api.send('POST', '/v0/webhook-endpoints', fields, wide);
    await eventually(async () => (await api.get('/v0/webhook-deliveries', wide)).status === 200);
    const { body: ping } = await api.send('POST', `/v0/webhook-endpoints/${theirs.id}/ping`, undefined, wide);
    const { token } = await narrow('webhooks:read', 'webhooks:write', 'partners:read');
    const endpoint = `/v0/webhook-endpoints/${theirs.id}`;
    const delivery = `/v0/webhook-deliveries/${ping.deliveryId}`;
    for (const [method, path, body] of [
      ['GET', endpoint],
      ['PATCH', endpoint, { url: 'https://attacker.example.com/' }],
      ['DELETE', endpoint],
      ['POST', `${endpoint}/rotate-secret`],
      ['POST', `${endpoint}/ping`],
      ['GET', delivery],
      ['POST', `${delivery}/retry`],
    ] as const)
      expect([method, path, (await api.send(method, path, body, token)).status]).toEqual([method, path, 404]);
    for (const list of ['webhook-endpoints', 'webhook-deliveries'])
      expect((await api.get(`/v0/${list}`, token)).body.data).toEqual([]);
    const since = '2020-01-01T00:00:00Z';
    await manager().update(WebhookDelivery, { id: ping.deliveryId }, { state: 'FAILED' });
    const retried = await api.send('POST', '/v0/webhook-deliveries/retry', { since }, token);
    expect(retried.body.deliveries).toBe(0);
    expect((await api.get(endpoint, wide)).body.url).toBe(fields.url);
  });
});

describe('the webhook endpoint of a key with permissions', () => {
  const PARTNERS = ['webhooks:read', 'webhooks:write', 'partners:read', 'catalogue:read'];
  const endpoint = (token: string, path: string, types: string[]) =>
    api.send('POST', '/v0/webhook-endpoints', { url: `${receiver.url}/${path}`, types }, token);
  const typesGot = (path: string) => receiver.of(path).map(({ body }) => JSON.parse(body).type);

  it('can only get types that the key can read', async () => {
    const { narrow } = await busy();
    const { token } = await narrow(...PARTNERS);
    const refused = await endpoint(token, 'x', ['partner.created', 'booking.created']);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'This key cannot receive booking.created, which requires the permission bookings:read.',
    ]);
    expect((await endpoint(token, 'x', ['import.finished'])).status).toBe(403);
    const changes = await narrow('webhooks:write', 'participants:write');
    expect((await endpoint(changes.token, 'x', ['import.finished'])).status).toBe(200);
    expect((await endpoint(token, 'x', ['key.revoked'])).body.message).toContain('a key without permissions');
    const { body } = await endpoint(token, 'x', ['partner.created']);
    const wider = { types: ['booking.created'] };
    expect((await api.send('PATCH', `/v0/webhook-endpoints/${body.id}`, wider, token)).status).toBe(403);
  });

  it('gets no more than the key can read when it is narrowed, not even what was waiting, and ends with it', async () => {
    const { organizationId, narrow, wide } = await busy();
    const { id, token } = await narrow(...PARTNERS);
    const types = ['partner.created', 'event_occurrence.created'];
    const { body: made } = await endpoint(token, 'narrowed', types);
    await endpoint(wide, 'wide', types);
    await partner(api.dataSource, { organizationId });
    await receiver.got('narrowed');
    const enable = (enabled: boolean) =>
      api.send('PATCH', `/v0/webhook-endpoints/${made.id}`, { enabled }, wide);
    // A delivery that waits.
    await enable(false);
    await manager().query(
      `INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, type, next_attempt_at)
       SELECT organization_id, uuid_v7(), $2, id, type, clock_timestamp() FROM change_events
       WHERE organization_id = $1 AND type = 'event_occurrence.created'`,
      [organizationId, made.id],
    );
    const name = { organizationId, id };
    await api.dataSource.transaction((transaction) =>
      restrictKey(transaction, name, { permissions: PARTNERS.slice(0, 3) }, actor),
    );
    await enable(true);
    await eventually(
      async () =>
        (await api.get(`/v0/webhook-deliveries?endpointId=${made.id}&state=FAILED`, wide)).body.data
          .length === 1,
    );
    await occurrence(api.dataSource, { organizationId });
    await partner(api.dataSource, { organizationId });
    await receiver.got('wide', 3);
    await receiver.got('narrowed', 2);
    expect(typesGot('narrowed')).toEqual(['partner.created', 'partner.created']);
    await revokeKey(manager(), name, actor);
    await partner(api.dataSource, { organizationId });
    await receiver.got('wide', 4);
    const rows = await manager().query('SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1', [made.id]);
    expect(rows).toHaveLength(3);
  });

  it('goes on with what was waiting when the key is rotated without an overlap while it is sent to', async () => {
    const { organizationId, narrow, wide } = await busy();
    const { id, token } = await narrow(...PARTNERS);
    const { body: made } = await endpoint(token, 'rotated', ['partner.created']);
    await manager().query(
      `INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, type, next_attempt_at)
       SELECT organization_id, uuid_v7(), $2, id, type, clock_timestamp() + interval '1 hour' FROM change_events
       WHERE organization_id = $1 AND type = 'partner.created'`,
      [organizationId, made.id],
    );
    const outbox = new Outbox(new Database(api.dataSource));
    const lease = await eventually(() => outbox.lease({ organizationId, endpointId: made.id }, 600_000));
    expect(lease.apiKeyId).toBe(id);
    await cli.run('key', 'rotate', id, '--overlap', '0m');
    await outbox.due(lease, [], 10);
    const { body } = await api.get(`/v0/webhook-deliveries?endpointId=${made.id}`, wide);
    expect(body.data.map(({ state }) => state)).toEqual(['PENDING']);
  });

  it('is each that it made, also before it had permissions; one of a key without them outlives it', async () => {
    const { organizationId, wide } = await busy();
    const later = await key(api.dataSource, { organizationId });
    const never = await key(api.dataSource, { organizationId });
    const types = ['partner.created', 'event_occurrence.created', 'key.revoked'];
    const { body: made } = await endpoint(later.token, 'later', types);
    await endpoint(never.token, 'never', types);
    await endpoint(wide, 'witness', types);
    const own = async () =>
      (await api.get('/v0/webhook-endpoints', later.token)).body.data.map(({ id }) => id);
    expect(await own()).toHaveLength(3);
    // As if a run were sending to it.
    await manager().query(
      `UPDATE webhook_endpoints SET lease = uuid_v7(), leased_until = clock_timestamp() + interval '1 hour' WHERE id = $1`,
      [made.id],
    );
    await occurrence(api.dataSource, { organizationId });
    await receiver.got('witness');
    await eventually(
      async () =>
        (await api.get(`/v0/webhook-deliveries?endpointId=${made.id}`, wide)).body.data.length === 1,
    );
    const permissions = PARTNERS.slice(0, 3);
    await api.dataSource.transaction((transaction) =>
      restrictKey(transaction, { organizationId, id: later.id }, { permissions }, actor),
    );
    await eventually(async () => (await own()).join() === made.id);
    await revokeKey(manager(), { organizationId, id: never.id }, actor);
    await partner(api.dataSource, { organizationId });
    await receiver.got('later');
    expect(typesGot('later')).toEqual(['partner.created']);
    await receiver.got('never', 3);
    await revokeKey(manager(), { organizationId, id: later.id }, actor);
    await receiver.got('never', 4);
    expect(typesGot('later')).toEqual(['partner.created']);
  });
});
