import { partner } from '#libs/testing';
import { Watermark } from '#platform/database';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { WEBHOOK_SECRETS_KEY } from '../webhooks/receiver';

/**
 * A transaction that commits later can have written at the time of the watermark itself. So nothing of that time is shown or
 * sent yet: a poller that continues after it would miss the rest, and a webhook would be sent twice.
 */

const WEBHOOKS = {
  WEBHOOK_SECRETS_KEY,
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  STARTLINE_TEST_WEBHOOK_SWEEP_MS: '20',
};

let api: TestApi;
/** The times of two changes, one after the other, and a time after both. */
let times: { partners: [string, string, string]; events: [string, string, string] };
beforeEach(async () => {
  api = await startApi(WEBHOOKS);
  const { organizationId, dataSource } = api;
  const endpoint = { url: 'http://127.0.0.1:9/', types: ['partner.created'] };
  expect((await api.send('POST', '/v0/webhook-endpoints', endpoint)).status).toBe(200);
  await setWatermark(null);
  for (let i = 0; i < 2; i++) await partner(dataSource, { organizationId });
  const timesOf = async (column: string, from: string) => {
    const rows: { at: string }[] = await dataSource.query(
      `SELECT to_char((${column} + later) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at
       FROM ${from}, unnest('{0, 1 hour}'::interval[]) later ORDER BY 1 LIMIT 3`,
    );
    return rows.map(({ at }) => at) as [string, string, string];
  };
  times = {
    partners: await timesOf('updated_at', 'partners'),
    events: await timesOf('occurred_at', "(SELECT * FROM change_events WHERE type = 'partner.created') e"),
  };
});
afterEach(() => api.close());

/** From now on; `null`: unknown, so that it stays where it was. */
const setWatermark = (at: string | null) =>
  api.dataSource.query(
    `CREATE OR REPLACE FUNCTION horizon() RETURNS text LANGUAGE plpgsql AS
     $$ BEGIN RETURN ${at ? `'${at}'` : 'NULL'}; END $$`,
  );

it.each([
  ['partners', '/v0/partners?sort%5BupdatedAt%5D=1'],
  ['events', '/v0/change-events?type=partner.created'],
] as const)(
  'a list of %s ends before the watermark, and continues when it has moved on',
  async (kind, path) => {
    const [, second, later] = times[kind];
    const readAt = async (watermark: string): Promise<number> => {
      await setWatermark(watermark);
      await eventually(async () => api.app.get(Watermark).now() === watermark);
      return (await api.get(path)).body.data.length;
    };
    expect(await readAt(second)).toBe(1);
    expect(await readAt(later)).toBe(2);
  },
);

it('an event at the watermark is delivered once, when the watermark has moved on', async () => {
  const [, second, later] = times.events;
  const delivered = async (): Promise<number> => (await api.get('/v0/webhook-deliveries')).body.data.length;
  await setWatermark(second);
  const worker = await startWorker(api, WEBHOOKS);
  await eventually(async () => (await delivered()) > 0);
  expect(await delivered()).toBe(1);
  await setWatermark(later);
  await eventually(async () => (await delivered()) > 1);
  expect(await delivered()).toBe(2);
  await worker.close();
});
