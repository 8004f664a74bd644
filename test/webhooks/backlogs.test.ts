import { FanOut, Outbox, WebhookRunner } from '#domain/webhooks';
import { key, organization } from '#libs/testing';
import { Database } from '#platform/database';
import { Activity } from '#platform/queues';
import { Sweeper } from '../../apps/worker/src/sweeper/sweeper';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { Receiver, WEBHOOK_SECRETS_KEY } from './receiver';

/** The deliveries of an endpoint do not wait for those of another. */
const SETTINGS = {
  WEBHOOK_SECRETS_KEY,
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  STARTLINE_TEST_WEBHOOK_SWEEP_MS: '20',
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

/** An organization with endpoints for created partners. */
async function owner(behaviour: string, endpoints = 1, { url } = receiver) {
  const { id: organizationId } = await organization(api.dataSource);
  const { token } = await key(api.dataSource, { organizationId });
  const endpoint = { url: `${url}/${behaviour}`, types: ['partner.created'] };
  const { body } = await api.send('POST', '/v0/webhook-endpoints', endpoint, token);
  for (let more = 1; more < endpoints; more++)
    await api.send('POST', '/v0/webhook-endpoints', endpoint, token);
  const deliveries = async () => (await api.get('/v0/webhook-deliveries', token)).body.data;
  const happen = (count = 1) =>
    api.dataSource.query(
      `INSERT INTO partners (organization_id, id, name) SELECT $1, uuid_v7(), 'Partner ' || n FROM generate_series(1, $2::int) n`,
      [organizationId, count],
    );
  return { organizationId, endpointId: body.id as string, deliveries, happen };
}

const deliveriesOf = async ({ organizationId }: { organizationId: string }): Promise<number> =>
  (
    await api.dataSource.query(
      'SELECT count(*)::int AS n FROM webhook_deliveries WHERE organization_id = $1',
      [organizationId],
    )
  )[0].n;

it('a due retry is sent while events of another organization do not become deliveries', async () => {
  const [slow, failing] = [await owner('ok'), await owner('asked')];
  const worker = await startWorker(api, { ...SETTINGS, WEBHOOK_RETRY_SECONDS: '86400' });
  let end = () => {};
  try {
    receiver.answer(500);
    await failing.happen();
    await eventually(async () => (await failing.deliveries())[0]?.attempts.length === 1);
    const fanOut = new Promise<void>((resolve) => {
      end = resolve;
    });
    const run = jest.spyOn(worker.get(FanOut, { strict: false }), 'run').mockReturnValue(fanOut);
    await eventually(async () => run.mock.calls.length === 1);
    await slow.happen();
    receiver.answer(204);
    await api.dataSource.query(
      'UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp() WHERE endpoint_id = $1',
      [failing.endpointId],
    );
    await eventually(async () => (await failing.deliveries())[0]?.state === 'DELIVERED');
    expect(run).toHaveBeenCalledTimes(1);
    expect(await slow.deliveries()).toEqual([]);
  } finally {
    end();
    await worker.close();
  }
});

it('a worker that stops makes no further deliveries of events, which the next one makes', async () => {
  const busy = await owner('ok');
  const settings = { ...SETTINGS, STARTLINE_TEST_WEBHOOK_SWEEP_MS: '3600000' };
  const worker = await startWorker(api, settings);
  try {
    const begun = jest
      .spyOn(worker.get(WebhookRunner, { strict: false }), 'deliverNow')
      .mockImplementation(() => {});
    await busy.happen(2_500);
    const { sweeps } = worker.get(Sweeper, { strict: false });
    const made = async () => {
      const stopped = () => begun.mock.calls.some(([of]) => of.organizationId === busy.organizationId);
      await sweeps['webhook deliveries']?.run(stopped);
      return (await deliveriesOf(busy)) || undefined;
    };
    // A transaction makes a thousand.
    expect(await eventually(made)).toBe(1_000);
    await sweeps['webhook deliveries']?.run(() => false);
    expect(await deliveriesOf(busy)).toBe(2_500);
  } finally {
    await worker.close();
  }
  await api.dataSource.query('DELETE FROM webhook_deliveries WHERE organization_id = $1', [
    busy.organizationId,
  ]);
});

it('a worker that delivers without a job is at work', async () => {
  const hanging = await Receiver.start();
  const slow = await owner('hangs', 1, hanging);
  const settings = { STARTLINE_TEST_WEBHOOK_SWEEP_MS: '3600000', WEBHOOK_TIMEOUT_MS: '600000' };
  const worker = await startWorker(api, { ...SETTINGS, ...settings });
  try {
    await slow.happen();
    await eventually(async () => {
      await worker.get(Sweeper, { strict: false }).sweeps['webhook deliveries']?.run(() => false);
      return hanging.of('hangs').length === 1;
    });
    const { organizationId } = slow;
    expect(worker.get(Activity, { strict: false }).report().doing).toContainEqual(
      expect.objectContaining({ queue: 'webhooks', organizationId }),
    );
  } finally {
    await hanging.stop();
    await worker.close();
  }
});

it('a due delivery is sent while five organizations have more slow endpoints than a worker has slots', async () => {
  const hanging = await Receiver.start();
  const loud = await Promise.all(Array.from({ length: 5 }, () => owner('hangs', 4, hanging)));
  const quiet = await owner('ok');
  for (const { happen } of loud) await happen();
  const settings = { WEBHOOK_CONCURRENCY: '10', WEBHOOK_TIMEOUT_MS: '600000' };
  const worker = await startWorker(api, { ...SETTINGS, ...settings });
  const runner = worker.get(WebhookRunner, { strict: false });
  const stop = jest.spyOn(runner, 'beforeApplicationShutdown');
  const endpoints = (which: string): Promise<{ organizationId: string; endpointId: string }[]> =>
    api.dataSource.query(
      `SELECT organization_id AS "organizationId", id AS "endpointId" FROM webhook_endpoints w
       WHERE organization_id = ANY ($1) AND ${which}`,
      [loud.map(({ organizationId }) => organizationId)],
    );
  try {
    await eventually(async () => {
      const served = await endpoints('lease IS NOT NULL');
      return new Set(served.map(({ organizationId }) => organizationId)).size === 5;
    });
    await quiet.happen();
    await eventually(async () => (await quiet.deliveries())[0]?.state === 'DELIVERED');
    for (const { deliveries } of loud)
      expect((await deliveries()).map(({ state }: { state: string }) => state)).toEqual(
        Array(4).fill('PENDING'),
      );
    // Another job for an endpoint that waits does not wait, too.
    const begin = jest.fn();
    const [waiting] = (await endpoints('lease IS NULL')) as [{ organizationId: string; endpointId: string }];
    void runner.deliver(waiting, begin);
    await runner.deliver(waiting, begin);
    expect(begin).not.toHaveBeenCalled();
  } finally {
    const closed = worker.close();
    await eventually(async () => stop.mock.calls.length > 0);
    await hanging.stop();
    await closed;
  }
  // The jobs that waited did not begin when the worker stopped.
  const attempted = `EXISTS (SELECT FROM webhook_deliveries d WHERE d.endpoint_id = w.id AND d.failures > 0)`;
  expect((await endpoints(attempted)).length).toBeLessThan(10);
});

it('a sweep finds endpoints of organizations in turns, the longest due first', async () => {
  const [loud, quiet] = [await owner('ok'), await owner('ok')];
  const both = [loud.organizationId, quiet.organizationId];
  // More endpoints than a sweep finds. The one that was created last has been due for the longest time.
  await api.dataSource.query(
    `INSERT INTO webhook_endpoints (organization_id, id, url, types, secret)
     SELECT $1, uuid_v7(), 'https://example.com/', '{partner.created}', 'secret' FROM generate_series(1, 1200)`,
    [loud.organizationId],
  );
  await api.dataSource.query(
    `INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, type, next_attempt_at)
     SELECT organization_id, uuid_v7(), id, uuid_v7(), 'partner.created',
       clock_timestamp() - row_number() OVER (PARTITION BY organization_id ORDER BY id) * interval '1 minute'
     FROM webhook_endpoints WHERE organization_id = ANY ($1)`,
    [both],
  );
  const due = (await new Outbox(new Database(api.dataSource)).dueEndpoints()).filter(({ organizationId }) =>
    both.includes(organizationId),
  );
  expect(due.slice(0, 2).map(({ organizationId }) => organizationId)).toEqual(both);
  const found = due
    .filter(({ organizationId }) => organizationId === loud.organizationId)
    .map(({ endpointId }) => endpointId);
  expect(found.length).toBeGreaterThan(900);
  expect(found).toEqual([...found].sort().reverse());
  await api.dataSource.query('DELETE FROM webhook_deliveries WHERE organization_id = ANY ($1)', [both]);
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

it('events become deliveries although those of another organization fail', async () => {
  const owners = [await owner('ok'), await owner('ok')];
  for (const { happen } of owners) await happen();
  const database = new Database(api.dataSource);
  const of = database.of.bind(database);
  let failing: unknown;
  jest.spyOn(database, 'of').mockImplementation((whose) => {
    failing ??= whose;
    if (whose === failing) throw new Error('Its shards are moving');
    return of(whose);
  });
  const fanOut = new FanOut(database, { WEBHOOK_BACKLOG_LIMIT: 10_000, CHANGE_EVENT_DAYS: 30 });
  const failures: string[] = [];
  await eventually(async () => {
    await fanOut.run(() => {}).catch(({ message }: Error) => failures.push(message));
    const made = await Promise.all(owners.map(deliveriesOf));
    return owners.every(({ organizationId }, i) => organizationId === failing || made[i] === 1);
  });
  expect(failures).toContain('Its shards are moving');
});
