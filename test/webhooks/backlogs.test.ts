import { key, organization, partner } from '#libs/testing';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { Receiver, WEBHOOK_SECRETS_KEY } from './receiver';

/** The deliveries of an endpoint do not wait for those of another. */
const SETTINGS = {
  WEBHOOK_SECRETS_KEY,
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOK_SWEEP_MS: '20',
};

let api: TestApi;
let receiver: Receiver;
beforeAll(async () => {
  [api, receiver] = await Promise.all([startApi(SETTINGS), Receiver.start()]);
});
afterAll(async () => {
  await api.close();
  await receiver.stop();
});

/** An organization with an endpoint for created partners. */
async function owner(behaviour: string) {
  const { id: organizationId } = await organization(api.dataSource);
  const { token } = await key(api.dataSource, { organizationId });
  const endpoint = { url: `${receiver.url}/${behaviour}`, types: ['partner.created'] };
  const { body } = await api.send('POST', '/v0/webhook-endpoints', endpoint, token);
  const deliveries = async () => (await api.get('/v0/webhook-deliveries', token)).body.data;
  const happen = (count = 1) =>
    api.dataSource.query(
      `INSERT INTO partners (organization_id, id, name) SELECT $1, uuid_v7(), 'Partner ' || n FROM generate_series(1, $2::int) n`,
      [organizationId, count],
    );
  return { organizationId, endpointId: body.id as string, deliveries, happen };
}

it('a due retry is sent although events of another organization wait to become deliveries', async () => {
  const [slow, failing] = [await owner('ok'), await owner('retried')];
  await partner(api.dataSource, { organizationId: failing.organizationId });
  const worker = await startWorker(api, SETTINGS);
  const blocking = api.dataSource.createQueryRunner();
  try {
    await eventually(async () => (await failing.deliveries())[0]?.state === 'DELIVERED');
    // The delivery of an event refers to its endpoint, so creating it waits for this lock.
    await blocking.startTransaction();
    await blocking.query('SELECT FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [slow.endpointId]);
    await slow.happen();
    await eventually(async () => {
      const sql = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%webhook_deliveries%'`;
      return (await api.dataSource.query(sql)).length > 0;
    });
    await api.dataSource.query(
      `UPDATE webhook_deliveries SET state = 'PENDING', failures = 1, next_attempt_at = clock_timestamp() WHERE endpoint_id = $1`,
      [failing.endpointId],
    );
    expect(await receiver.got('retried', 2)).toHaveLength(2);
    expect(await slow.deliveries()).toEqual([]);
  } finally {
    await blocking.rollbackTransaction();
    await blocking.release();
    await worker.close();
  }
});

it('events become deliveries in turns of the organizations', async () => {
  const loud = await owner('ok');
  const quiet = await Promise.all(Array.from({ length: 6 }, () => owner('ok')));
  await loud.happen(6_001);
  for (const { happen } of quiet) await happen();
  const ids = async (endpointId: string): Promise<string[]> =>
    (
      await api.dataSource.query('SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY id', [
        endpointId,
      ])
    ).map(({ id }: { id: string }) => id);
  const worker = await startWorker(api, SETTINGS);
  try {
    await eventually(async () => (await ids(loud.endpointId)).length === 6_001);
    const last = (await ids(loud.endpointId)).at(-1) as string;
    for (const { endpointId } of quiet) {
      const [first = 'none'] = await ids(endpointId);
      expect(first < last).toBe(true);
    }
  } finally {
    await worker.close();
  }
});
