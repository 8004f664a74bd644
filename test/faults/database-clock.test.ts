import type { INestApplicationContext } from '@nestjs/common';
import { Watermark } from '#platform/database';
import { eventually, startApi, startWorker, type TestApi, UNLIMITED } from '../harness';
import { canShiftClock, ShiftedPostgres } from './database-clock';
import { Load } from './load';
import { type Item, Poller } from './poller';

const MINUTE_S = 60;

const title = canShiftClock
  ? 'the clock of PostgreSQL'
  : 'the clock of PostgreSQL (skipped: Debian’s package libfaketime is not installed)';

(canShiftClock ? describe : describe.skip)(title, () => {
  let postgres: ShiftedPostgres;
  let api: TestApi;
  let worker: INestApplicationContext;
  beforeAll(async () => {
    postgres = await ShiftedPostgres.start();
    api = await startApi({ ...UNLIMITED, DATABASE_URL: postgres.own.url });
    worker = await startWorker(api, UNLIMITED);
  });
  afterAll(async () => {
    await worker?.close();
    await api?.close();
    await postgres?.own.remove();
  });

  const partners = (): Promise<Item[]> =>
    api.dataSource.query(
      `SELECT id, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "updatedAt" FROM partners
       WHERE organization_id = $1`,
      [api.organizationId],
    );
  const poller = () => new Poller('by cursor', '/v0/partners', (path) => api.get(path));

  it('set back by a minute under load: all work goes on, lists by updatedAt stand still, and a new walk shows all', async () => {
    const load = await Load.on(api);
    const polling = poller();
    await load.answered(200, 100);
    await eventually(async () => polling.seen.size > 0);
    await postgres.setBack(MINUTE_S);
    const before = api.app.get(Watermark).now();
    await load.answered(200, 200);
    await load.stop();
    expect([...load.wrong]).toEqual([]);
    await load.expectKept();
    // No page ends later than before, so what was written meanwhile is not shown out of order.
    expect(api.app.get(Watermark).now() <= before || polling.disordered === 0).toBe(true);

    // The clock has caught up.
    postgres.setClock(MINUTE_S);
    const all = await partners();
    const newest = all.map(({ updatedAt }) => updatedAt).reduce((a, b) => (a > b ? a : b));
    await eventually(async () => api.app.get(Watermark).now() > newest);
    expect(await poller().missing(all)).toEqual([]);
    // What docs/operating.md says: a poller that goes on from its position does not see these changes.
    const unseen = await polling.missing(all);
    const [{ back }] = await api.dataSource.query(
      `SELECT count(*)::int AS back FROM partners WHERE organization_id = $1 AND updated_at < $2`,
      [api.organizationId, polling.highest],
    );
    expect(back).toBeGreaterThan(0);
    expect(unseen.length).toBeLessThan(all.length);
  });
});
