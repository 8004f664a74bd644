import { copiesOf, key, organization } from '#libs/testing';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { ACCEPTED, Receiver, WEBHOOK_SECRETS_KEY } from './receiver';

/** What an organization can make us store and send stays within limits, and it loses nothing. */
const LIMIT = 10;
const SETTINGS = {
  WEBHOOK_SECRETS_KEY,
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  STARTLINE_TEST_WEBHOOK_BACKLOG_LIMIT: String(LIMIT),
  STARTLINE_TEST_WEBHOOK_SWEEP_MS: '20',
  WEBHOOK_RETRY_SECONDS: '86400',
  STARTLINE_TEST_MAINTENANCE_MS: '100',
};

let api: TestApi;
let receiver: Receiver;
let worker: Awaited<ReturnType<typeof startWorker>>;
beforeAll(async () => {
  [api, receiver] = await Promise.all([startApi(SETTINGS), Receiver.start()]);
  // The most pending deliveries that an endpoint ever had.
  await api.dataSource.query(`
    CREATE TABLE most_pending (endpoint_id uuid PRIMARY KEY, most int);
    CREATE FUNCTION note_pending() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      INSERT INTO most_pending SELECT endpoint_id, count(*) FROM webhook_deliveries
      WHERE state = 'PENDING' AND endpoint_id IN (SELECT endpoint_id FROM made) GROUP BY endpoint_id
      ON CONFLICT (endpoint_id) DO UPDATE SET most = greatest(most_pending.most, excluded.most);
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_pending AFTER INSERT ON webhook_deliveries REFERENCING NEW TABLE AS made
      FOR EACH STATEMENT EXECUTE FUNCTION note_pending()`);
  worker = await startWorker(api, SETTINGS);
});
afterAll(async () => {
  await worker.close();
  await api.close();
  await receiver.stop();
});

async function owner() {
  const { id: organizationId } = await organization(api.dataSource);
  const { token } = await key(api.dataSource, { organizationId });
  const send = <Method extends string, Path extends string>(method: Method, path: Path, body?: unknown) =>
    api.send(method, `/v0/${path}`, body, token);
  const endpoint = async (behaviour: string): Promise<string> =>
    (
      await send('POST', 'webhook-endpoints', {
        url: `${receiver.url}/${behaviour}`,
        types: ['partner.created'],
      })
    ).body.id;
  const happen = (count: number) =>
    api.dataSource.query(
      `INSERT INTO partners (organization_id, id, name) SELECT $1, uuid_v7(), 'Partner ' || n FROM generate_series(1, $2::int) n`,
      [organizationId, count],
    );
  const read = async (id: string) => (await send('GET', `webhook-endpoints/${id}`)).body;
  const count = async (id: string, state: string): Promise<number> =>
    (await send('GET', `webhook-deliveries?endpointId=${id}&state=${state}`)).body.page.totalResults;
  const retryAll = (id: string) =>
    api.dataSource.query(
      `UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp() WHERE endpoint_id = $1 AND state = 'PENDING'`,
      [id],
    );
  return { send, endpoint, happen, read, count, retryAll };
}

/** An endpoint at its limit, whose receiver refuses. */
async function crowded({ endpoint, happen, count, read }: Awaited<ReturnType<typeof owner>>) {
  receiver.answer(500);
  const id = await endpoint('asked');
  await happen(LIMIT);
  await eventually(async () => (await count(id, 'PENDING')) === LIMIT);
  await happen(1);
  await eventually(async () => (await read(id)).behindSince);
  return id;
}

const retriesOf = (id: string): Promise<{ failures: number }[]> =>
  api.dataSource.query('SELECT failures FROM webhook_deliveries WHERE endpoint_id = $1', [id]);

const mostPending = async (id: string): Promise<number> =>
  (await api.dataSource.query('SELECT most FROM most_pending WHERE endpoint_id = $1', [id]))[0].most;

it('an endpoint has a limited number of pending deliveries, and gets every event once when there is room', async () => {
  const organizer = await owner();
  const { endpoint, happen, read, count, retryAll } = organizer;
  const before = receiver.of('asked').length;
  const id = await crowded(organizer);
  const other = await endpoint('ok');
  await happen(4 * LIMIT);
  // The other endpoint does not wait for it.
  await eventually(async () => (await count(other, 'DELIVERED')) === 4 * LIMIT);
  expect(await count(id, 'PENDING')).toBe(LIMIT);
  receiver.answer(ACCEPTED);
  await retryAll(id);
  await eventually(async () => (await count(id, 'DELIVERED')) === 5 * LIMIT + 1);
  await eventually(async () => (await read(id)).behindSince === null);
  expect(await read(id)).toMatchObject({ enabled: true, missedUntil: null });
  const accepted = receiver
    .of('asked')
    .slice(before)
    .flatMap(({ status, headers }) => (status === ACCEPTED ? [headers['webhook-id']] : []));
  expect([accepted.length, new Set(accepted).size]).toEqual([5 * LIMIT + 1, 5 * LIMIT + 1]);
  expect([await mostPending(id), await mostPending(other)]).toEqual([LIMIT, LIMIT]);
  // Back at the position of the organization, it gets new events with the others.
  await happen(1);
  await eventually(async () => (await count(id, 'DELIVERED')) === 5 * LIMIT + 2);
});

it('an endpoint that was behind for longer than events are kept reports it', async () => {
  const organizer = await owner();
  const { read, retryAll } = organizer;
  const id = await crowded(organizer);
  await api.dataSource.query(
    `UPDATE webhook_endpoints SET behind_at = clock_timestamp() - interval '31 days' WHERE id = $1`,
    [id],
  );
  receiver.answer(ACCEPTED);
  await retryAll(id);
  const { missedUntil } = await eventually(async () => {
    const endpoint = await read(id);
    return endpoint.behindSince === null && endpoint;
  });
  const days = (Date.now() - Date.parse(missedUntil)) / 86_400_000;
  expect(Math.round(days)).toBe(30);
});

it('an endpoint at its limit refuses test events', async () => {
  const organizer = await owner();
  const id = await crowded(organizer);
  const { status, body } = await organizer.send('POST', `webhook-endpoints/${id}/ping`);
  expect([status, body.message]).toEqual([
    400,
    `The endpoint already has ${LIMIT} pending deliveries, the maximum.`,
  ]);
});

it('a delivery fails when it is due after its event was deleted', async () => {
  const { endpoint, happen, count, retryAll } = await owner();
  receiver.answer(500);
  const id = await endpoint('asked');
  await happen(2);
  await eventually(async () => (await count(id, 'PENDING')) === 2);
  await eventually(async () => (await retriesOf(id)).every(({ failures }) => failures === 1));
  await api.dataSource.query(
    'DELETE FROM change_events WHERE id = (SELECT event_id FROM webhook_deliveries WHERE endpoint_id = $1 LIMIT 1)',
    [id],
  );
  receiver.answer(ACCEPTED);
  await retryAll(id);
  await eventually(async () => (await count(id, 'DELIVERED')) === 1);
  await eventually(async () => (await count(id, 'FAILED')) === 1);
});

it('a retry of all failed deliveries goes past any number whose event was deleted', async () => {
  const { endpoint, happen, count, send, retryAll } = await owner();
  receiver.answer(ACCEPTED);
  const id = await endpoint('asked');
  await happen(1);
  await eventually(async () => (await count(id, 'DELIVERED')) === 1);
  await api.dataSource.query(`UPDATE webhook_deliveries SET state = 'FAILED' WHERE endpoint_id = $1`, [id]);
  await api.dataSource.query(
    `INSERT INTO webhook_deliveries ${copiesOf(
      'd',
      `jsonb_build_object('id', uuid_v7(), 'event_id', uuid_v7(), 'created_at', d.created_at - interval '1 hour')`,
      'FROM webhook_deliveries d, generate_series(1, 1000) WHERE d.endpoint_id = $1',
    )}`,
    [id],
  );
  const since = new Date(0).toISOString();
  expect((await send('POST', 'webhook-deliveries/retry', { since })).body.deliveries).toBe(1);
  await retryAll(id);
  await eventually(async () => (await count(id, 'DELIVERED')) === 1);
});

it('a deleted endpoint has no pending deliveries, and its others are not sent again', async () => {
  const organizer = await owner();
  const { send, count } = organizer;
  const id = await crowded(organizer);
  const [{ id: failed }] = (
    await api.dataSource.query(
      `UPDATE webhook_deliveries SET state = 'FAILED' WHERE id = (
         SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 LIMIT 1) RETURNING id`,
      [id],
    )
  )[0];
  await send('DELETE', `webhook-endpoints/${id}`);
  expect(await send('POST', `webhook-deliveries/${failed}/retry`)).toMatchObject({
    status: 400,
    body: { message: 'The webhook endpoint of the delivery was deleted.' },
  });
  const since = new Date(0).toISOString();
  expect((await send('POST', 'webhook-deliveries/retry', { since })).body.deliveries).toBe(0);
  const left = (table: string, column: string) =>
    api.dataSource.query(`SELECT FROM ${table} WHERE ${column} = $1`, [id]);
  await eventually(async () => (await left('webhook_endpoints', 'id')).length === 0);
  expect(await left('webhook_deliveries', 'endpoint_id')).toHaveLength(1);
  expect([await count(id, 'PENDING'), await count(id, 'FAILED')]).toEqual([0, 1]);
  const orphans = await api.dataSource.query(
    `SELECT FROM webhook_attempts a WHERE NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.id = a.delivery_id)`,
  );
  expect(orphans).toEqual([]);
  expect(await send('POST', `webhook-deliveries/${failed}/retry`)).toMatchObject({ status: 400 });
});
