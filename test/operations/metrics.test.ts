import { readFileSync } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { Registry } from 'prom-client';
import { describeWithOwnRedis, freePort, key, ownRedis, withDatabase } from '#libs/testing';
import { Database } from '#platform/database';
import { eventually, startApi, startWorker, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_WIDE: '5' });
});
afterAll(() => api.close());

const metrics = async (): Promise<string> => (await api.get('/metrics', null)).text;

describe('GET /metrics', () => {
  it('counts requests and rejections by operation and status', async () => {
    for (let i = 0; i < 7; i++) await api.get('/identity');
    // A request is counted after its response was sent.
    const counts = [
      'startline_rate_limit_refusals_total{operation="getIdentity"} 2',
      'startline_request_seconds_count{operation="getIdentity",status="200"} 5',
      'startline_request_seconds_count{operation="getIdentity",status="429"} 2',
    ];
    await eventually(async () => {
      const now = await metrics();
      return counts.every((count) => now.includes(count));
    });
  });

  it('reports the pool, the watermark and the process', async () => {
    // The other test's requests may have waited when they were last written.
    const text = await eventually(async () => {
      const now = await metrics();
      return now.includes('\nstartline_pool_waiting 0\n') && now;
    });
    const sample = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    expect(sample('startline_pool_connections')).toBeGreaterThan(0);
    expect(sample('startline_pool_idle')).toBeGreaterThanOrEqual(0);
    expect(sample('startline_pool_waiting')).toBe(0);
    expect(sample('startline_watermark_lag_seconds')).toBeLessThan(60);
    expect(sample('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect(text).toContain('nodejs_eventloop_lag_seconds');
  });

  it('do not count a caller as waiting that gets an idle connection', async () => {
    const database = api.app.get(Database);
    const three = () => [1, 2, 3].map(() => database.pool.query('SELECT 1'));
    await Promise.all(three());
    // pg-pool queues them until the next tick.
    const asked = three();
    expect(database.pool.waitingCount).toBeGreaterThan(0);
    expect(database.waiting).toBe(0);
    await Promise.all(asked);
  });

  it('writes them at most once a second', async () => {
    const now = performance.now();
    const write = jest.spyOn(Registry.prototype, 'metrics');
    const clock = jest.spyOn(performance, 'now');
    try {
      for (const [seconds, times] of [
        [10, 1],
        [10.9, 1],
        [11.1, 2],
      ] as const) {
        clock.mockReturnValue(now + seconds * 1_000);
        await Promise.all(Array.from({ length: 20 }, metrics));
        expect(write).toHaveBeenCalledTimes(times);
      }
    } finally {
      clock.mockRestore();
      write.mockRestore();
    }
  });

  it('counts all paths without a route in one series', async () => {
    for (const path of ['/nope', '/nope/2']) await api.get(path);
    await eventually(async () =>
      (await metrics()).includes('startline_request_seconds_count{operation="none",status="404"} 2'),
    );
    expect(await metrics()).not.toContain('nope');
  });
});

/** The value of a series; undefined if it does not exist. */
const sampleOf = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};

const credit = (externalCreditId: string) => ({
  externalCreditId,
  email: 'somebody@example.org',
  amount: { value: 500, currencyCode: 'GBP' },
});

const timingMessage = (bibNumber: string) => ({
  schemaVersion: '1.0',
  changedAt: '2026-05-04T09:30:00Z',
  data: { participantId: '01900000-0000-7000-8000-000000000000', bibNumber },
});

/** An API, and a worker that starts on request. */
async function startBoth(environment: Record<string, string> = {}) {
  const both = await startApi(environment);
  const port = await freePort();
  let worker: INestApplicationContext | undefined;
  const { token: timing } = await key(both.dataSource, {
    organizationId: both.organizationId,
    kind: 'TIMING',
  });
  return {
    api: both,
    timing,
    startWorker: async () => {
      worker = await startWorker(both, { METRICS_PORT: String(port), ...environment });
    },
    fromApi: async () => (await both.get('/metrics', null)).text,
    fromWorker: async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
    close: async () => {
      await worker?.close();
      await both.close();
    },
  };
}
type Both = Awaited<ReturnType<typeof startBoth>>;

/** The metrics of API and worker about work, from its arrival to its end. */
async function followWork({ api, timing, startWorker, fromApi, fromWorker }: Both): Promise<void> {
  const waits = (text: string) =>
    (sampleOf(text, 'startline_imports_oldest_seconds{status="QUEUED"}') ?? 0) > 0 &&
    (sampleOf(text, 'startline_queue_oldest_seconds{queue="imports"}') ?? 0) > 0 &&
    (sampleOf(text, 'startline_race_day_lag_seconds') ?? 0) > 0;
  expect(waits(await fromApi())).toBe(false);
  expect(sampleOf(await fromApi(), 'startline_maintenance_success_timestamp_seconds')).toBeUndefined();
  await api.send('POST', '/v0/credits/import', { credits: [credit('a'), credit('b')] });
  await api.send('POST', '/timing-inbound/v1', [timingMessage('7'), timingMessage('8')], timing);
  const waiting = await eventually(async () => {
    const text = await fromApi();
    return waits(text) && text;
  });
  expect(sampleOf(waiting, 'startline_imports_accepted_total{surface="creditsImport"}')).toBe(1);
  expect(sampleOf(waiting, 'startline_imports_open{status="QUEUED"}')).toBe(1);
  expect(sampleOf(waiting, 'startline_queue_jobs{queue="imports",state="waiting"}')).toBe(1);
  expect(sampleOf(waiting, 'startline_race_day_received_total{source="TIMING"}')).toBe(2);
  expect(sampleOf(waiting, 'startline_race_day_pending')).toBe(2);

  await startWorker();
  await eventually(async () => {
    const text = await fromWorker();
    const ended = [
      sampleOf(text, 'startline_imports_finished_total{surface="creditsImport",status="COMPLETED"}') === 1,
      sampleOf(text, 'startline_race_day_applied_total') === 2,
      sampleOf(text, 'startline_race_day_unidentified') === 2,
      sampleOf(text, 'startline_imports_open{status="QUEUED"}') === 0,
      (sampleOf(text, 'startline_maintenance_success_timestamp_seconds') ?? 0) > 0,
      sampleOf(text, 'startline_import_rows_total{surface="creditsImport",outcome="IMPORTED"}') === 2,
      sampleOf(text, 'startline_import_seconds_count{surface="creditsImport"}') === 1,
      (sampleOf(text, 'startline_queue_job_seconds_count{queue="imports",outcome="done"}') ?? 0) > 0,
      sampleOf(text, 'startline_queue_jobs{queue="imports",state="waiting"}') === 0,
      sampleOf(text, 'startline_race_day_lag_seconds') === 0,
    ];
    return ended.every(Boolean);
  });
  expect(sampleOf(await fromWorker(), 'startline_watermark_lag_seconds')).toBeUndefined();
}

describe('work metrics', () => {
  let both: Both;
  beforeAll(async () => {
    both = await startBoth();
  });
  afterAll(() => both?.close());

  it('follow work from its arrival to its end, from every process', async () => {
    await followWork(both);
  });

  it('no series contains an organization, a key or a person', async () => {
    for (const text of [await both.fromApi(), await both.fromWorker()]) {
      expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
      expect(text).not.toContain('example.org');
    }
  });

  it('every metric of the dashboard and the alerts exists, and each alert has a section in the runbook', async () => {
    const told = new Set<string>();
    for (const text of [await both.fromApi(), await both.fromWorker()])
      for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
        told.add(name);
        const parts = { histogram: ['_bucket', '_sum', '_count'], summary: ['_sum', '_count'] }[
          type as string
        ];
        for (const part of parts ?? []) told.add(name + part);
      }
    const alerts = readFileSync('docker/observability/alerts.yml', 'utf8');
    const dashboard = JSON.parse(readFileSync('docker/observability/dashboard.json', 'utf8'));
    const asked: string[] = dashboard.panels.flatMap(({ targets = [] }: any) =>
      targets.map(({ expr }: any) => expr),
    );
    expect(asked.length).toBeGreaterThan(30);
    const names = [alerts, ...asked].flatMap((text) => text.match(/\b(startline|nodejs|process)_\w+/g) ?? []);
    expect(names.length).toBeGreaterThan(60);
    expect(names.filter((name) => !told.has(name))).toEqual([]);

    const headings = [...readFileSync('docs/observability.md', 'utf8').matchAll(/^#+ (.+)$/gm)];
    const anchors = headings.map(([, heading = '']) => heading.toLowerCase().replace(/[^\w]+/g, '-'));
    const named = [...alerts.matchAll(/- alert: (\w+)$/gm)].map(([, name]) => name);
    const runbooks = [...alerts.matchAll(/runbook_url: docs\/observability\.md#(\S+)$/gm)];
    expect(named.length).toBeGreaterThan(10);
    expect(runbooks.map(([, anchor]) => anchor)).toEqual(named.map((name) => name?.toLowerCase()));
    expect(runbooks.filter(([, anchor = '']) => !anchors.includes(anchor))).toEqual([]);
  });
});

describeWithOwnRedis()('work metrics with the queue in Redis', () => {
  it('follow work from its arrival to its end, from every process', async () => {
    const redis = await ownRedis();
    const both = await startBoth({ REDIS_URL: redis.url });
    try {
      await followWork(both);
    } finally {
      await both.close();
      await redis.stop();
    }
  });
});

describe('a scrape while the database does not answer', () => {
  it('says that the parts of the process are not ready', async () => {
    const { pool } = api.app.get(Database);
    const all = await Promise.all(Array.from({ length: pool.options.max ?? 0 }, () => pool.connect()));
    try {
      const text = await eventually(async () => {
        const now = await metrics();
        return sampleOf(now, 'startline_ready{part="database"}') !== 1 && now;
      });
      for (const part of ['database', 'migrations', 'queue'])
        expect(sampleOf(text, `startline_ready{part="${part}"}`)).toBe(0);
    } finally {
      for (const client of all) client.release();
    }
  });

  it('contains the metrics of the process, and counts failed queries', async () => {
    const other = await startApi();
    await withDatabase(other.databaseUrl, async (client) => {
      await client.query('BEGIN; LOCK TABLE import_jobs IN ACCESS EXCLUSIVE MODE');
      await eventually(async () => {
        const { status, text } = await other.get('/metrics', null);
        expect(status).toBe(200);
        expect(text).toContain('startline_pool_connections');
        expect(sampleOf(text, 'startline_imports_open{status="QUEUED"}')).toBeUndefined();
        return sampleOf(text, 'startline_race_day_pending') === 0;
      });
      await client.query('ROLLBACK');
    });
    const failed = 'startline_scrape_questions_failed_total{about="imports"}';
    const after = await eventually(async () => {
      const { text } = await other.get('/metrics', null);
      return sampleOf(text, 'startline_imports_open{status="QUEUED"}') === 0 && text;
    });
    expect(sampleOf(after, failed)).toBeGreaterThan(0);

    await other.dataSource.query('ALTER TABLE race_day_log RENAME TO elsewhere');
    await eventually(async () => {
      const { status, text } = await other.get('/metrics', null);
      expect(status).toBe(200);
      return sampleOf(text, 'startline_race_day_pending') === undefined;
    });
    await other.close();
  });
});

describe('with METRICS_PORT', () => {
  it('metrics and health are served there, and metrics nowhere else', async () => {
    const port = await freePort();
    const other = await startApi({ METRICS_PORT: String(port) });
    const there = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    expect(await there('/metrics')).toBe(200);
    expect(await there('/health/live')).toBe(200);
    expect(await there('/health/ready')).toBe(200);
    expect(await there('/identity')).toBe(404);
    expect((await other.get('/metrics', null)).status).toBe(404);
    expect((await other.get('/health/ready', null)).status).toBe(200);
    await other.close();
  });
});
