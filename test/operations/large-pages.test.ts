import { partner, withDatabase } from '#libs/testing';
import { newId } from '#platform/database';
import { signedIn } from '../console/console';
import { eventually, startApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ LARGE_PAGES_AT_ONCE: '1', LARGE_PAGE_WAIT_MS: '300' });
  await partner(api.dataSource, { organizationId: api.organizationId });
});
afterAll(() => api.close());

/** Protects small pages from the memory of large ones. The client learns when to ask again. */
it('a large page or response waits for its turn, and gets 503 if that takes too long; others do not wait', async () => {
  const { browser } = await signedIn(api, 'OWNER');
  await withDatabase(api.databaseUrl, async (client) => {
    await client.query('BEGIN; LOCK TABLE partners IN ACCESS EXCLUSIVE MODE');
    const first = api.get('/v0/partners?page%5Bsize%5D=500');
    await eventually(() =>
      withDatabase(api.databaseUrl, async (other) => {
        const { rows } = await other.query(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
        return rows.length > 0;
      }),
    );
    const late = await api.get('/v0/event-occurrences?page%5Bsize%5D=101');
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '2']);
    const large = `/console/v1/catalogue/event-occurrences/${newId()}`;
    expect((await browser.ask('GET', large)).status).toBe(503);
    expect((await api.get('/v0/event-occurrences?page%5Bsize%5D=100')).status).toBe(200);
    await client.query('ROLLBACK');
    expect((await first).status).toBe(200);
  });
  expect((await api.get('/v0/partners?page%5Bsize%5D=500')).status).toBe(200);
});
