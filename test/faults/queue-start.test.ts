import { Pool } from 'pg';
import { booking } from '#libs/testing';
import { eventually, startApi, startWorker } from '../harness';

afterEach(() => jest.restoreAllMocks());

it('a worker that starts without PostgreSQL recovers when it is available, and does not block meanwhile', async () => {
  const api = await startApi();
  const connect = Pool.prototype.connect;
  let refusals = 0;
  let away = true;
  jest.spyOn(Pool.prototype, 'connect').mockImplementation(function (this: Pool, ...given: unknown[]) {
    const isOfQueues =
      (this.options as { application_name?: string }).application_name === 'startline queues';
    if (!away || !isOfQueues) return connect.apply(this, given as never) as never;
    refusals++;
    return Promise.reject(new Error('timeout exceeded when trying to connect')) as never;
  } as never);
  const worker = await startWorker(api);
  // Only a pause between two attempts allows this question.
  await eventually(async () => refusals > 4);
  away = false;
  const { entries } = await booking(api.dataSource, { organizationId: api.organizationId });
  const { participantId } = entries[0] as { participantId: string };
  const path = `/v0/participants/${participantId}`;
  expect((await api.send('PATCH', `${path}/race-day`, { bibNumber: '7' })).status).toBe(200);
  await eventually(async () => (await api.get(path)).body.bibNumber === '7');
  await worker.close();
  await api.close();
});
