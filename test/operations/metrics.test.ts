import { eventually, startApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_WIDE: '5' });
});
afterAll(() => api.close());

const metrics = async (): Promise<string> => (await api.get('/metrics', null)).text;

describe('GET /metrics', () => {
  it('counts requests and refusals by operation and status', async () => {
    for (let i = 0; i < 7; i++) await api.get('/identity');
    const text = await eventually(async () => {
      const now = await metrics();
      return now.includes('startline_rate_limit_refusals_total{operation="getIdentity"} 2') && now;
    });
    expect(text).toContain('startline_request_seconds_count{operation="getIdentity",status="200"} 5');
    expect(text).toContain('startline_request_seconds_count{operation="getIdentity",status="429"} 2');
  });

  it('tells of the pool, the horizon and the process', async () => {
    const text = await metrics();
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    expect(figure('startline_pool_connections')).toBeGreaterThan(0);
    expect(figure('startline_pool_idle')).toBeGreaterThanOrEqual(0);
    expect(figure('startline_pool_waiting')).toBe(0);
    expect(figure('startline_horizon_lag_seconds')).toBeLessThan(60);
    expect(figure('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect(text).toContain('nodejs_eventloop_lag_seconds');
  });

  it('lets nobody make new series: paths without a route are one', async () => {
    for (const path of ['/nope', '/nope/2']) await api.get(path);
    await eventually(async () =>
      (await metrics()).includes('startline_request_seconds_count{operation="none",status="404"} 2'),
    );
    expect(await metrics()).not.toContain('nope');
  });
});

describe('with METRICS_PORT', () => {
  it('metrics and health are served there, and metrics nowhere else', async () => {
    const port = 20_000 + Math.floor(Math.random() * 20_000);
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
