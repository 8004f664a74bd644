import { key, organization } from '#libs/testing';
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
  const happen = (count = 1) =>
    api.dataSource.query(
      `INSERT INTO partners (organization_id, id, name) SELECT $1, uuid_v7(), 'Partner ' || n FROM generate_series(1, $2::int) n`,
      [organizationId, count],
    );
  return { endpointId: body.id as string, happen };
}

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
