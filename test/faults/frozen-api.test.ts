import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { freePort, key } from '#libs/testing';
import { Watermark } from '#platform/database';
import { eventually, startApi, startWorker, type TestApi, UNLIMITED } from '../harness';
import { type Item, Poller } from './poller';
import { expectCountsRight } from './recount';
import { Program } from './workers';

const IMPORTS = 30;
const CREDITS = 20;
/** A frozen process cannot end its transactions, so PostgreSQL does. */
const SILENT_MS = '1000';
/** Clients give up on a process that hangs, and ask another one. */
const PATIENCE_MS = 1_000;

let api: TestApi;
let worker: INestApplicationContext;
let frozen: Program;
let url: string;
beforeAll(async () => {
  api = await startApi(UNLIMITED);
  worker = await startWorker(api, UNLIMITED);
  const port = String(await freePort());
  url = `http://127.0.0.1:${port}`;
  frozen = await Program.start('api', {
    ...UNLIMITED,
    DATABASE_URL: api.databaseUrl,
    PORT: port,
    STARTLINE_TEST_SILENT_MS: SILENT_MS,
  });
});
afterAll(async () => {
  frozen?.signal('SIGCONT');
  await frozen?.kill();
  await worker?.close();
  await api?.close();
});

interface Reply {
  status: number;
  body: any;
}

async function send(to: string, idempotencyKey: string, credits: object[]): Promise<Reply> {
  const response = await fetch(`${to}/v0/credits/import`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${api.token}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({ credits }),
  });
  return { status: response.status, body: await response.json() };
}

const get = async (to: string, path: string, token = api.token, signal?: AbortSignal): Promise<Reply> => {
  const response = await fetch(to + path, { headers: { authorization: `Bearer ${token}` }, signal });
  return { status: response.status, body: await response.json() };
};

const write = async () => {
  const contacts = [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }];
  expect((await api.send('POST', '/v0/partners', { name: 'Harbour Hospice', contacts })).status).toBe(200);
};

it('an API frozen under load that comes back: nothing is doubled, and it knows what changed meanwhile', async () => {
  const { token, id } = await key(api.dataSource, { organizationId: api.organizationId });
  expect((await get(url, '/identity', token)).status).toBe(200);
  let turn = 0;
  const polling = new Poller('by cursor', '/v0/partners', (path) => {
    turn += 1;
    return turn % 2
      ? get(url, path, api.token, AbortSignal.timeout(PATIENCE_MS))
      : get(api.url, path, api.token);
  });
  for (let i = 0; i < 5; i++) await write();

  const imports = Array.from({ length: IMPORTS }, () => ({
    idempotencyKey: randomUUID(),
    credits: Array.from({ length: CREDITS }, () => ({
      externalCreditId: randomUUID(),
      email: 'ada@example.com',
      amount: { value: 500, currencyCode: 'GBP' },
    })),
  }));
  let answered = 0;
  const first = imports.map(({ idempotencyKey, credits }) =>
    send(url, idempotencyKey, credits).finally(() => {
      if (answered === 0) frozen.signal('SIGSTOP');
      answered += 1;
    }),
  );
  await eventually(async () => answered > 0);
  expect(answered).toBeLessThan(IMPORTS);

  // Clients repeat on the other API what has no answer, and an operator revokes a key.
  const second = await Promise.all(
    imports.map(({ idempotencyKey, credits }) =>
      eventually(async () => {
        const reply = await send(api.url, idempotencyKey, credits);
        return reply.status === 200 && reply;
      }),
    ),
  );
  await api.dataSource.query('UPDATE api_keys SET revoked_at = clock_timestamp() WHERE id = $1', [id]);
  for (let i = 0; i < 5; i++) await write();
  await eventually(async () => {
    const open = await api.dataSource.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'
         AND application_name = 'startline api'`,
    );
    return open.length === 0;
  });

  frozen.signal('SIGCONT');
  const replies = await Promise.all(first);
  for (const [i, { status, body }] of replies.entries()) {
    expect([200, 503]).toContain(status);
    if (status === 200) expect(body.jobId).toBe(second[i]?.body.jobId);
  }
  await eventually(async () => (await get(url, '/identity', token)).status === 401);
  expect((await get(url, '/identity')).status).toBe(200);
  await eventually(async () => (await get(url, '/health/ready', token)).status === 200);

  const jobs = () =>
    api.dataSource.query(
      `SELECT count(*)::int AS jobs, count(*) FILTER (WHERE status = 'COMPLETED')::int AS completed,
         (SELECT count(*)::int FROM credits WHERE organization_id = $1) AS credits FROM import_jobs WHERE organization_id = $1`,
      [api.organizationId],
    );
  await eventually(async () => (await jobs())[0].completed === IMPORTS);
  expect(await jobs()).toEqual([{ jobs: IMPORTS, completed: IMPORTS, credits: IMPORTS * CREDITS }]);
  await expectCountsRight(api.dataSource);

  for (let i = 0; i < 5; i++) await write();
  const partners: Item[] = await api.dataSource.query(
    `SELECT id, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "updatedAt" FROM partners
     WHERE organization_id = $1`,
    [api.organizationId],
  );
  const newest = partners.map(({ updatedAt }) => updatedAt).reduce((a, b) => (a > b ? a : b));
  await eventually(async () => api.app.get(Watermark).now() > newest);
  const last = async () =>
    (await get(url, '/v0/partners?sort%5BupdatedAt%5D=-1&page%5Bsize%5D=1')).body.data[0];
  await eventually(async () => (await last())?.updatedAt === newest);
  expect([await polling.missing(partners), polling.disordered]).toEqual([[], 0]);
});
