import { request } from 'node:http';
import { startApi, type TestApi } from '../harness';

const LIMIT = 3_000;
const body = (n: number) => ({
  credits: [
    {
      externalCreditId: `credit-${n}`,
      email: 'ada@example.com',
      amount: { value: 1, currencyCode: 'GBP' },
      reason: 'x'.repeat(900),
    },
  ],
});
const send = (api: TestApi, n: number) => api.send('POST', '/v0/credits/import', body(n));
const stored = async (api: TestApi): Promise<{ jobs: number; bytes: number }> => {
  const [row] = await api.dataSource.query(
    `SELECT (SELECT count(*) FROM import_jobs)::int AS jobs, (SELECT sum(bytes) FROM import_intake)::int AS bytes`,
  );
  return row;
};

describe('the import bytes of a day', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ IMPORT_BYTES_PER_DAY: String(LIMIT), RATE_IMPORT: '100000' });
  });
  afterAll(() => api.close());

  it('are exceeded by one body at most, also of many at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => send(api, n)));
    const accepted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    const length = JSON.stringify(body(10)).length;
    expect([accepted.length, refused.length]).toEqual([Math.ceil(LIMIT / length), 20 - accepted.length]);
    const { jobs, bytes } = await stored(api);
    expect(jobs).toBe(accepted.length);
    expect(bytes).toBeLessThan(LIMIT + length);
    for (const { headers, body: error } of refused) {
      expect(error.message).toContain('bytes of imports of the day');
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(86_400);
      expect(headers.get('x-ratelimit-limit')).toBe('100000');
      expect(headers.get('x-ratelimit-remaining')).toBe('0');
      expect(headers.get('x-ratelimit-reset')).toBe(String(seconds));
    }
  });

  it('are judged before the body is read, and only for imports', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${api.token}`,
        'content-type': 'application/json',
        'content-length': '1000000',
      };
      const sent = request(`${api.url}/v0/credits/import`, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode);
        sent.destroy();
      });
      sent.on('error', reject).flushHeaders();
    });
    expect(status).toBe(429);
    expect((await api.get('/v0/import-jobs')).status).toBe(200);
    const partner = {
      name: 'Hospice',
      contacts: [{ firstName: 'A', lastName: 'B', email: 'a@example.com' }],
    };
    expect((await api.send('POST', '/v0/partners', partner)).status).toBe(200);
  });

  it('begin again on the next day, and do not count what is refused', async () => {
    await api.dataSource.query('UPDATE import_intake SET day = day - 1');
    expect((await api.send('POST', '/v0/credits/import', { credits: [{}] })).status).toBe(400);
    expect((await send(api, 100)).status).toBe(200);
    expect((await stored(api)).bytes).toBe(JSON.stringify(body(100)).length);
  });
});

describe('a database that is nearly full', () => {
  it.each([
    ['by its size', { DATABASE_SIZE_LIMIT_MB: '1', DISK_RESERVE_MB: '0' }],
    ['by the disk', { DATABASE_DIRECTORY: __dirname, DISK_RESERVE_MB: '1000000000' }],
  ])('takes no imports, and everything else, %s', async (_, environment) => {
    const api = await startApi(environment);
    const answer = await send(api, 0);
    expect([answer.status, answer.body.message]).toEqual([503, expect.stringContaining('nearly full')]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await api.get('/v0/participants')).status).toBe(200);
    const partner = {
      name: 'Hospice',
      contacts: [{ firstName: 'A', lastName: 'B', email: 'a@example.com' }],
    };
    expect((await api.send('POST', '/v0/partners', partner)).status).toBe(200);
    await api.close();
  });

  it('takes imports if there is room', async () => {
    const api = await startApi({ DATABASE_DIRECTORY: __dirname, DISK_RESERVE_MB: '0' });
    expect((await send(api, 0)).status).toBe(200);
    await api.close();
  });
});
