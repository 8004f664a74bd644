import { partner, withDatabase } from '#libs/testing';
import { newId } from '#platform/database';
import { type Browser, signedIn } from '../console/console';
import { type Answer, eventually, startApi, type TestApi } from '../harness';

let api: TestApi;
let browser: Browser;
beforeAll(async () => {
  api = await startApi({ STARTLINE_TEST_TURN_WAIT_MS: '300' });
  await partner(api.dataSource, { organizationId: api.organizationId });
  ({ browser } = await signedIn(api, 'OWNER'));
});
afterAll(() => api.close());

/** Runs `work` while a request waits for a lock of the table. @returns its response after that */
async function whileWaiting<T>(
  table: string,
  request: () => Promise<T>,
  work: () => Promise<void>,
): Promise<T> {
  return withDatabase(api.databaseUrl, async (client) => {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const first = request();
    await eventually(() =>
      withDatabase(api.databaseUrl, async (other) => {
        const { rows } = await other.query(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
        return rows.length > 0;
      }),
    );
    await work();
    await client.query('ROLLBACK');
    return first;
  });
}

const expectLate = ({ status, headers }: Answer) =>
  expect([status, headers.get('retry-after')]).toEqual([503, '2']);

/** Protects small pages from the memory of large ones. The client learns when to ask again. */
it('a large page waits for its turn, and gets 503 if that takes too long; smaller pages do not wait', async () => {
  const large = () => api.get('/v0/partners?page%5Bsize%5D=500');
  const first = await whileWaiting('partners', large, async () => {
    expectLate(await api.get('/v0/event-occurrences?page%5Bsize%5D=101'));
    expect((await api.get('/v0/event-occurrences?page%5Bsize%5D=100')).status).toBe(200);
  });
  expect(first.status).toBe(200);
  expect((await large()).status).toBe(200);
});

it('a large response waits for others of its kind, and pages do not wait for it', async () => {
  const keys = () => browser.ask('GET', '/console/v1/keys');
  const first = await whileWaiting('api_keys', keys, async () => {
    expectLate(await browser.ask('GET', `/console/v1/catalogue/event-occurrences/${newId()}`));
    expect((await browser.ask('GET', '/console/v1/discount-codes')).status).toBe(200);
  });
  expect(first.status).toBe(200);
});
