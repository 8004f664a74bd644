import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { booking, freePort, key, SIGNING_SECRETS } from '#libs/testing';
import { appUrlOf } from '#platform/database';
import { eventually, startApi, type TestApi } from '../harness';

const HOUR_MS = 3_600_000;
const RATE_IMPORT = '20';

let api: TestApi;
let ahead: string;
let behind: string;
const processes: ChildProcess[] = [];
beforeAll(async () => {
  api = await startApi({ RATE_IMPORT });
  [ahead, behind] = (await Promise.all([serving(2 * HOUR_MS), serving(-2 * HOUR_MS)])) as [string, string];
});
afterAll(async () => {
  for (const child of processes) {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  await api?.close();
});

/** An API on the same database with a wrong clock. */
async function serving(shiftMs: number): Promise<string> {
  const port = await freePort();
  const preloads = ['@swc-node/register', './test/faults/shifted-clock.ts'].flatMap((file) => ['-r', file]);
  const child = spawn(process.execPath, ['-C', 'source', ...preloads, 'apps/api/src/main.ts'], {
    env: {
      PATH: process.env.PATH,
      CLOCK_SHIFT_MS: String(shiftMs),
      DATABASE_URL: appUrlOf(api.databaseUrl),
      SIGNING_SECRETS: SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
      PORT: String(port),
      API_POOL_SIZE: '4',
      LOG_LEVEL: 'silent',
      RATE_IMPORT,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  processes.push(child);
  const url = `http://127.0.0.1:${port}`;
  await eventually(() =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return url;
}

async function ask(url: string, path: string, token = api.token, body?: object) {
  const response = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

const everywhere = <T>(work: (url: string) => Promise<T>) => Promise.all([api.url, ahead, behind].map(work));

describe('an API whose clock is two hours wrong', () => {
  it('accepts new keys at once', async () => {
    const { token } = await key(api.dataSource, { organizationId: api.organizationId });
    const answers = await everywhere((url) => ask(url, '/identity', token));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('shows pollers the same items as other processes, and its cursors are valid there', async () => {
    await booking(api.dataSource, { organizationId: api.organizationId, entries: 9 });
    const path = '/v0/participants?sort%5BupdatedAt%5D=1&page%5Bsize%5D=3';
    // Counted at once, shown when the watermark has passed them: each process reads the watermark separately.
    const all = '/v0/participants?sort%5BupdatedAt%5D=1';
    await eventually(async () => {
      const lists = await everywhere((url) => ask(url, all));
      return lists.every(({ body }) => body.page?.totalResults === 9 && body.data.length === 9);
    });
    const whole = await ask(api.url, all);
    const ids = whole.body.data.map(({ id }: { id: string }) => id);
    expect(ids).toHaveLength(9);
    for (const walk of [
      [ahead, behind, ahead],
      [behind, ahead, behind],
      [api.url, behind, ahead],
    ]) {
      const seen: string[] = [];
      let next = '';
      for (const url of walk) {
        const { status, body } = await ask(url, path + next);
        expect(status).toBe(200);
        expect(body.page.totalResults).toBe(9);
        seen.push(...body.data.map(({ id }: { id: string }) => id));
        next = `&page%5Bafter%5D=${encodeURIComponent(body.page.next)}`;
      }
      expect(seen).toEqual(ids);
    }
  });

  it('writes the time of the database', async () => {
    const contacts = [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }];
    for (const { status, body } of await everywhere((url) =>
      ask(url, '/v0/partners', api.token, { name: 'Harbour Hospice', contacts }),
    )) {
      expect(status).toBe(200);
      const { createdAt, updatedAt } = (await ask(api.url, `/v0/partners/${body.id}`)).body;
      for (const time of [createdAt, updatedAt])
        expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(HOUR_MS);
    }
  });

  it('counts rate limits in the same window as other processes', async () => {
    const { token } = await key(api.dataSource, { organizationId: api.organizationId });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        ask([api.url, ahead, behind][i % 3] as string, '/v0/credits/import', token, { credits: [] }),
      ),
    );
    // An empty import is rejected, but counted.
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(Number(RATE_IMPORT));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    for (const { headers } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    }
  });

  it('accepts timing messages with the current time', async () => {
    const { organizationId, dataSource } = api;
    const { token } = await key(dataSource, { organizationId, kind: 'TIMING' });
    const { entries } = await booking(dataSource, { organizationId });
    const message = {
      schemaVersion: '1.0',
      changedAt: new Date().toISOString(),
      data: { participantId: entries[0]?.participantId, bibNumber: '7' },
    };
    const answers = await everywhere((url) => ask(url, '/timing-inbound/v1', token, message));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
