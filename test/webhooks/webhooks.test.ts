import { key, occurrence, organization, partner } from '#libs/testing';
import { listAudit } from '#platform/access';
import { ApiKey, newId, WebhookEndpoint } from '#platform/database';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { Receiver, WEBHOOK_SECRETS_KEY } from './receiver';

const SETTINGS = {
  WEBHOOK_SECRETS_KEY,
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOK_ENDPOINTS_LIMIT: '3',
  RATE_WEBHOOK: '100000',
};
const WORKER = {
  ...SETTINGS,
  STARTLINE_TEST_WEBHOOK_SWEEP_MS: '20',
  WEBHOOK_TIMEOUT_MS: '1500',
  WEBHOOK_RETRY_SECONDS: '0,0,0',
};
const TRIES = 4;

let api: TestApi;
let worker: Awaited<ReturnType<typeof startWorker>>;
let receiver: Receiver;
beforeAll(async () => {
  [api, receiver] = await Promise.all([startApi(SETTINGS), Receiver.start()]);
  worker = await startWorker(api, WORKER);
});
afterAll(async () => {
  await worker.close();
  await api.close();
  await receiver.stop();
});

let serial = 0;

/** An organization, and requests with its key. */
async function owner() {
  const { id: organizationId } = await organization(api.dataSource);
  const { token } = await key(api.dataSource, { organizationId });
  const send = <Method extends string, Path extends string>(method: Method, path: Path, body?: unknown) =>
    api.send(method, `/v0/${path}`, body, token);
  /** An endpoint at a unique path of the receiver. */
  const endpoint = async (behaviour: string, fields: object = {}) => {
    const { status, body, text } = await send('POST', 'webhook-endpoints', {
      url: `${receiver.url}/${behaviour}`,
      types: ['partner.created'],
      ...fields,
    });
    if (status !== 200) throw new Error(text);
    return body;
  };
  const deliveries = async (query = '') => (await send('GET', `webhook-deliveries?${query}`)).body.data;
  const settled = (id: string, state: string) =>
    eventually(async () => {
      const [delivery] = await deliveries(`endpointId=${id}`);
      return delivery?.state === state && delivery;
    });
  const happen = () => partner(api.dataSource, { organizationId });
  return { organizationId, token, send, endpoint, deliveries, settled, happen };
}

/** A unique path of the receiver. */
const own = (behaviour: string) => `${behaviour}?n=${++serial}`;

/** Protects receivers, which trust a message by its signature and know a repeated one by its id. */
describe('a change is delivered', () => {
  it('once, signed according to Standard Webhooks, with the bytes that the list shows', async () => {
    const { send, endpoint, settled, happen } = await owner();
    const { id, secret } = await endpoint('first');
    await send('PATCH', `webhook-endpoints/${id}`, {
      url: `${receiver.url}/first?secret=${encodeURIComponent(secret)}`,
    });
    await happen();
    const [message] = await receiver.got('first');
    // The watermark of the API can follow that of the worker.
    const events = await eventually(async () => {
      const list = await send('GET', 'change-events?type=partner.created');
      return list.body.data.length > 0 && list;
    });
    expect(message?.verified).toBe(true);
    expect(events.text).toContain(message?.body as string);
    expect(message?.headers).not.toHaveProperty('startline-test');
    expect(message?.headers).toMatchObject({
      'webhook-id': events.body.data[0].id,
      'content-type': 'application/json',
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    });
    const delivery = await settled(id, 'DELIVERED');
    expect(delivery.attempts).toEqual([
      expect.objectContaining({ status: 204, error: null, response: null }),
    ]);
    expect(receiver.of('first')).toHaveLength(1);
  });

  it('marked as that of a sandbox', async () => {
    const { organizationId, endpoint, happen } = await owner();
    await api.home.query('UPDATE organizations SET sandbox = true WHERE id = $1', [organizationId]);
    await endpoint('sandbox');
    await happen();
    const [message] = await receiver.got('sandbox');
    expect(message?.headers).toMatchObject({ 'startline-test': 'true' });
  });

  it('to endpoints that subscribe to its type and occurrence, from their creation on', async () => {
    const { organizationId, send, endpoint, deliveries } = await owner();
    const { id: before } = await occurrence(api.dataSource, { organizationId });
    const all = await endpoint('ok', { types: ['event_occurrence.created', 'event_occurrence.updated'] });
    const one = await endpoint('ok', { types: ['event_occurrence.updated'], eventOccurrenceIds: [before] });
    await endpoint('ok', { types: ['booking.created'] });
    const { id: after } = await occurrence(api.dataSource, { organizationId });
    for (const id of [before, after])
      await api.dataSource.query('UPDATE event_occurrences SET title = title || $2 WHERE id = $1', [id, '!']);
    await eventually(async () => (await deliveries('state=DELIVERED')).length === 4);
    const counts = await Promise.all(
      [all, one].map(async ({ id }) =>
        (await deliveries(`endpointId=${id}`)).map(({ type }: { type: string }) => type),
      ),
    );
    expect(counts.map((types) => types.sort())).toEqual([
      ['event_occurrence.created', 'event_occurrence.updated', 'event_occurrence.updated'],
      ['event_occurrence.updated'],
    ]);
    expect((await send('GET', 'webhook-deliveries')).body.page.totalResults).toBe(4);
  });

  it('with signatures of the old and the new secret after a rotation', async () => {
    const { send, endpoint, happen } = await owner();
    const { id, secret: old, updatedAt } = await endpoint('ok');
    const { body } = await send('POST', `webhook-endpoints/${id}/rotate-secret`);
    expect(body.updatedAt > updatedAt).toBe(true);
    expect(body.secret).toMatch(/^whsec_/);
    expect(body.secret).not.toBe(old);
    const path = own('rotated').split('?')[0] as string;
    for (const secret of [old, body.secret]) {
      const url = `${receiver.url}/${path}?secret=${encodeURIComponent(secret)}`;
      await send('PATCH', `webhook-endpoints/${id}`, { url });
      const count = receiver.of(path).length;
      await happen();
      const messages = await receiver.got(path, count + 1);
      expect(messages.at(-1)?.verified).toBe(true);
      expect(messages.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    }
  });

  it('over keep-alive connections', async () => {
    const { organizationId, endpoint, deliveries } = await owner();
    await endpoint('kept');
    for (let i = 0; i < 30; i++) await partner(api.dataSource, { organizationId });
    await receiver.got('kept', 30);
    expect(new Set(receiver.of('kept').map(({ port }) => port)).size).toBeLessThan(30);
    await eventually(async () => (await deliveries('state=DELIVERED')).length === 30);
  });
});

describe('a delivery that fails', () => {
  it('is retried with the same id and bytes, then given up, and sent again on request', async () => {
    const { send, endpoint, settled, happen } = await owner();
    receiver.answer(500);
    const { id } = await endpoint('asked');
    const since = new Date().toISOString();
    await happen();
    const failed = await settled(id, 'FAILED');
    expect(failed.attempts.map(({ status, response }: any) => [status, response])).toEqual(
      Array.from({ length: TRIES }, () => [500, '500']),
    );
    const messages = receiver.of('asked');
    expect(new Set(messages.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
    expect((await send('GET', `webhook-endpoints/${id}`)).body).toMatchObject({
      enabled: true,
      failingSince: expect.any(String),
    });

    receiver.answer(200);
    const again = await send('POST', 'webhook-deliveries/retry', { since });
    expect(again.body).toMatchObject({ deliveries: 1 });
    const done = await settled(id, 'DELIVERED');
    expect(done.attempts).toHaveLength(TRIES + 1);
    await api.dataSource.query(
      `INSERT INTO webhook_attempts (organization_id, delivery_id, id, attempted_at, duration_ms, status)
       SELECT organization_id, delivery_id, uuid_v7(), now(), 1, 200
       FROM (SELECT * FROM webhook_attempts WHERE delivery_id = $1 LIMIT 1) one, generate_series(1, 30)`,
      [done.id],
    );
    const { body: retried } = await send('GET', `webhook-deliveries/${done.id}`);
    expect([retried.attemptCount, retried.attempts.length]).toEqual([TRIES + 31, 5]);
    expect((await send('GET', `webhook-endpoints/${id}`)).body.failingSince).toBeNull();
    expect((await send('POST', `webhook-deliveries/${done.id}/retry`)).body.state).toBe('PENDING');
    await receiver.got('asked', TRIES + 2);
  });

  it('begins anew if it is asked for while its last attempt is under way', async () => {
    const { send, endpoint, deliveries, happen } = await owner();
    const { id } = await endpoint('hangs');
    await happen();
    await receiver.got('hangs', TRIES);
    const [{ id: delivery }] = await deliveries(`endpointId=${id}`);
    expect((await send('POST', `webhook-deliveries/${delivery}/retry`)).body.state).toBe('PENDING');
    await receiver.got('hangs', TRIES + 1);
    await send('DELETE', `webhook-endpoints/${id}`);
  });

  describe('records that its receiver', () => {
    const FAILURES: [string, object][] = [
      ['redirects', { status: 302, error: null }],
      ['hangs', { status: null, error: 'TIMEOUT' }],
      ['closes', { status: null, error: expect.stringMatching(/SOCKET|RESET/) }],
      ['closes-in-body', { status: 500, response: 'only this' }],
      ['byte-by-byte', { status: 500, response: expect.stringMatching(/^\.+$/) }],
    ];
    const failing = new Map<string, () => Promise<any>>();
    // All begin at once: each attempt at a slow receiver lasts as long as the timeout.
    beforeAll(async () => {
      for (const [behaviour] of FAILURES) {
        const { endpoint, settled, happen } = await owner();
        const { id } = await endpoint(own(behaviour));
        await happen();
        failing.set(behaviour, () => settled(id, 'FAILED'));
      }
    });

    it.each(FAILURES)('%s', async (behaviour, attempt) => {
      const delivery = await failing.get(behaviour)?.();
      expect(delivery.attempts[0]).toMatchObject(attempt);
      expect(delivery.attempts).toHaveLength(TRIES);
    });
  });

  it('waits as long as its receiver requests', async () => {
    const { endpoint, happen, deliveries } = await owner();
    await endpoint('busy');
    await happen();
    const delivery = await eventually(async () => {
      const [one] = await deliveries();
      return one?.attempts.length === 1 && one;
    });
    const wait = Date.parse(delivery.nextAttemptAt) - Date.parse(delivery.attempts[0].attemptedAt);
    expect(Math.round(wait / 60_000)).toBe(60);
  });

  it('does not delay deliveries to other endpoints', async () => {
    const { organizationId, endpoint, deliveries } = await owner();
    const slow = await endpoint(own('hangs'));
    const quick = await endpoint('quick');
    for (let i = 0; i < 40; i++) await partner(api.dataSource, { organizationId });
    await receiver.got('quick', 40);
    const waiting = await deliveries(`endpointId=${slow.id}&state=PENDING&page%5Bsize%5D=100`);
    expect(waiting.length).toBeGreaterThan(20);
    expect((await deliveries(`endpointId=${quick.id}&state=FAILED`)).length).toBe(0);
  });
});

describe('a webhook endpoint', () => {
  it('is disabled after a 410, reports it, and continues when it is enabled', async () => {
    const { send, endpoint, happen, deliveries } = await owner();
    const { id } = await endpoint('gone');
    await happen();
    const disabled = await eventually(async () => {
      const { body } = await send('GET', `webhook-endpoints/${id}`);
      return !body.enabled && body;
    });
    expect(disabled).toMatchObject({ disabledReason: 'GONE', disabledAt: expect.any(String) });
    const body = await eventually(async () => {
      const answer = await send('GET', 'change-events?type=webhook_endpoint.disabled');
      return answer.body.data.length > 0 && answer.body;
    });
    expect(body.data.map(({ data }: any) => data)).toEqual([{ webhookEndpointId: id, reason: 'GONE' }]);
    await happen();
    await send('PATCH', `webhook-endpoints/${id}`, { enabled: true, url: `${receiver.url}/back` });
    await happen();
    await eventually(async () => (await deliveries('state=DELIVERED')).length === 2);
    expect((await deliveries()).length).toBe(2);
  });

  it('is disabled after five days of failures only', async () => {
    const { send, endpoint, happen } = await owner();
    const { id } = await endpoint(own('redirects'));
    await api.dataSource.query(
      `UPDATE webhook_endpoints SET failing_since = now() - interval '119 hours 59 minutes' WHERE id = $1`,
      [id],
    );
    await happen();
    await eventually(
      async () => (await send('GET', 'webhook-deliveries?state=FAILED')).body.data.length === 1,
    );
    expect((await send('GET', `webhook-endpoints/${id}`)).body.enabled).toBe(true);
    await api.dataSource.query(
      `UPDATE webhook_endpoints SET failing_since = now() - interval '121 hours' WHERE id = $1`,
      [id],
    );
    await happen();
    const { disabledReason } = await eventually(async () => {
      const { body } = await send('GET', `webhook-endpoints/${id}`);
      return !body.enabled && body;
    });
    expect(disabledReason).toBe('FAILING');
  });

  it('gets no past events, also if it is made or enabled while the watermark is unknown', async () => {
    const { send, endpoint, deliveries, settled, happen } = await owner();
    const past = async () => (await send('GET', 'change-events?type=partner.created')).body.data;
    await past();
    await happen();
    await eventually(async () => (await past()).length === 1);
    const fields = { url: `${receiver.url}/ok`, types: ['partner.created'] };
    const { id: disabled } = await endpoint('ok', { enabled: false });
    const [{ source }] = await api.home.query(
      `SELECT pg_get_functiondef('horizon()'::regprocedure) AS source`,
    );
    await api.home.query(
      'CREATE OR REPLACE FUNCTION horizon() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    );
    try {
      expect((await send('POST', 'webhook-endpoints', fields)).status).toBe(503);
      const enabling = send('PATCH', `webhook-endpoints/${disabled}`, { enabled: true });
      expect((await enabling).status).toBe(503);
    } finally {
      await api.home.query(source);
    }
    const { id } = await endpoint('ok');
    await happen();
    await settled(id, 'DELIVERED');
    expect(await deliveries()).toHaveLength(1);
  });

  it('gets a ping, which is not a change event', async () => {
    const { send, endpoint, settled } = await owner();
    const { id } = await endpoint('pinged');
    const other = await endpoint('unpinged', { types: ['webhook_endpoint.ping'] });
    const { body } = await send('POST', `webhook-endpoints/${id}/ping`);
    const delivery = await settled(id, 'DELIVERED');
    expect(delivery).toMatchObject({ id: body.deliveryId, type: 'webhook_endpoint.ping' });
    expect((await send('GET', `webhook-deliveries?endpointId=${other.id}`)).body.data).toEqual([]);
  });

  it('stores 4 KB of the response of its receiver', async () => {
    const { endpoint, settled, happen } = await owner();
    const { id } = await endpoint('says');
    await happen();
    const { attempts } = await settled(id, 'DELIVERED');
    expect(attempts[0].response).toBe('x'.repeat(4_096));
  });

  it('shows its secret once, and stores it encrypted', async () => {
    const { send, endpoint } = await owner();
    const { id, secret } = await endpoint('ok');
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    const answers = await Promise.all([
      send('GET', `webhook-endpoints/${id}`),
      send('GET', 'webhook-endpoints'),
      send('PATCH', `webhook-endpoints/${id}`, { description: 'Changed' }),
    ]);
    for (const { text } of answers) expect(text).not.toContain('whsec_');
    const row = await api.dataSource.getRepository(WebhookEndpoint).findOneByOrFail({ id });
    expect(JSON.stringify(row)).not.toContain(secret.slice(10, 30));
  });

  it.each([
    ['ftp://example.com/', 'url must begin with https://'],
    ['example', 'url must be an absolute URL'],
    ['https://user:word@example.com/', 'url must not contain a user name or password'],
    ['https://example.com/#part', 'url must not contain a fragment'],
    ['https://169.254.169.254/latest', 'url must have a public address'],
    ['https://[::ffff:10.0.0.1]/', 'url must have a public address'],
    ['https://0xa000001/', 'url must have a public address'],
    ['https://example.com/a b', 'url must not contain spaces, control characters or backslashes'],
    ['https://example.com/a\r\nb', 'url must not contain spaces, control characters or backslashes'],
    ['https://example.com\\@10.0.0.1/', 'url must not contain spaces, control characters or backslashes'],
    ['https://example.com:0/', 'url must not have port 0'],
    [`https://example.com/${'x'.repeat(2_000)}`, 'url must'],
  ])('rejects %s', async (url, message) => {
    const { send } = await owner();
    const { status, body } = await send('POST', 'webhook-endpoints', { url, types: ['partner.created'] });
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
    expect(body.problems).toEqual([expect.objectContaining({ path: 'url' })]);
  });

  it('is rejected beyond the limit, for unknown types and for occurrences of other organizations', async () => {
    const { send, endpoint } = await owner();
    const { id: foreign } = await occurrence(api.dataSource, { organizationId: api.organizationId });
    const create = async (fields: object) =>
      (
        await send('POST', 'webhook-endpoints', {
          url: `${receiver.url}/ok`,
          types: ['partner.created'],
          ...fields,
        })
      ).status;
    expect(await create({ types: ['partner.*'] })).toBe(400);
    expect(await create({ types: [] })).toBe(400);
    expect(await create({ eventOccurrenceIds: [foreign] })).toBe(400);
    const [first] = [await endpoint('ok'), await endpoint('ok'), await endpoint('ok')];
    for (const eventOccurrenceIds of [[foreign], [newId()]])
      expect((await send('PATCH', `webhook-endpoints/${first.id}`, { eventOccurrenceIds })).status).toBe(400);
    expect(await create({})).toBe(400);
    expect((await send('DELETE', `webhook-endpoints/${first.id}`)).status).toBe(200);
    expect((await send('GET', `webhook-endpoints/${first.id}`)).status).toBe(404);
    expect(await create({})).toBe(200);
  });

  it('records each change in the audit log, without secrets of the URL', async () => {
    const { organizationId, send, endpoint } = await owner();
    const { id } = await endpoint('ok?secret=word', { description: 'Ada Lovelace' });
    await send('PATCH', `webhook-endpoints/${id}`, { enabled: false, description: 'Grace Hopper' });
    await send('POST', `webhook-endpoints/${id}/rotate-secret`);
    // Neither empty or rejected requests nor reads change anything.
    const { updatedAt } = (await send('GET', `webhook-endpoints/${id}`)).body;
    expect(await send('PATCH', `webhook-endpoints/${id}`, {})).toMatchObject({
      status: 200,
      body: { updatedAt },
    });
    await send('PATCH', `webhook-endpoints/${id}`, { url: 'ftp://example.com/' });
    await send('GET', `webhook-endpoints/${id}`);
    await send('DELETE', `webhook-endpoints/${id}`);
    await send('DELETE', `webhook-endpoints/${id}`);
    const records = await listAudit(api.dataSource.manager, { organizationId, limit: 10 });
    const keyId = (await api.dataSource.getRepository(ApiKey).findOneByOrFail({ organizationId })).id;
    for (const record of records) {
      expect(record).toMatchObject({ actorType: 'KEY', actorId: keyId, objectId: id });
      expect(record.origin).toMatch(/127\.0\.0\.1$/);
    }
    expect(records.map(({ action, details }) => [action, details]).reverse()).toEqual([
      [
        'webhook_endpoint.create',
        {
          changed: ['url', 'types', 'description'],
          origin: receiver.url,
          types: ['partner.created'],
        },
      ],
      ['webhook_endpoint.update', { changed: ['enabled', 'description'], enabled: false }],
      ['webhook_endpoint.rotate_secret', {}],
      ['webhook_endpoint.delete', {}],
    ]);
  });
});
