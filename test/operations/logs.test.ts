import { Controller, Get, Module } from '@nestjs/common';
import { SIGNING_SECRETS } from '#libs/testing';
import { loadSettings } from '#platform/config';
import { Database } from '#platform/database';
import { Operation } from '#platform/http';
import { Logs } from '#platform/process';
import { eventually, startApi, type TestApi } from '../harness';

const EMAIL = 'ada.lovelace@example.org';

class Nothing {}

@Controller('broken/:id')
class BrokenController {
  constructor(private readonly database: Database) {}

  @Get()
  @Operation({
    name: 'readBroken',
    permission: 'bookings:read',
    group: 'Imports',
    summary: 'Fail',
    keys: ['ORGANIZER'],
    rate: 'wide',
    answers: Nothing,
    foreignIds: ['id'],
  })
  async read() {
    const { pool } = this.database;
    await pool.query('CREATE TEMP TABLE people (email text UNIQUE, born date)');
    // PostgreSQL's detail contains the value; the second error quotes it in its message.
    await pool.query('INSERT INTO people (email) VALUES ($1), ($1)', [EMAIL]).catch((error) => {
      new Logs(
        loadSettings({ ...process.env, SIGNING_SECRETS: `a:${SIGNING_SECRETS[0]?.secret}` }),
        'api',
        sink,
      ).error(error);
    });
    await pool.query(`SELECT $1::date`, [EMAIL]);
  }
}

@Module({ controllers: [BrokenController] })
class BrokenModule {}

const written: string[] = [];
const sink = { write: (line: string) => void written.push(line) };
const lines = (): Record<string, any>[] => written.map((line) => JSON.parse(line));
const requestLine = (requestId: string) =>
  eventually(async () => lines().find((line) => line.msg === 'request' && line.requestId === requestId));

let api: TestApi;
beforeAll(async () => {
  const logs = new Logs({ LOG_LEVEL: 'info' }, 'api', sink);
  api = await startApi({ LOG_LEVEL: 'info' }, { logs, groups: [BrokenModule] });
});
afterAll(() => api.close());

describe('the log of a request', () => {
  it('is one line with operation, route, status and key, without the URL', async () => {
    const { headers } = await api.get(
      `/broken/${encodeURIComponent(EMAIL)}?tag=${encodeURIComponent(EMAIL)}`,
    );
    const id = headers.get('x-request-id') as string;
    const line = await requestLine(id);
    expect(line).toMatchObject({
      level: 'info',
      process: 'api',
      operation: 'readBroken',
      method: 'GET',
      route: '/broken/:id',
      status: 400,
      organizationId: api.organizationId,
      keyId: expect.any(String),
      ms: expect.any(Number),
    });
    expect(lines().filter(({ msg, requestId }) => msg === 'request' && requestId === id)).toHaveLength(1);
  });

  /** Protects the log from lines that a caller writes, and lets a caller find its own. */
  it('uses the request id of the caller if it is valid', async () => {
    const send = (id: string) => api.send('GET', '/broken/x', undefined, null, { 'x-request-id': id });
    expect((await send('trace-7f.3:a')).headers.get('x-request-id')).toBe('trace-7f.3:a');
    expect(await requestLine('trace-7f.3:a')).toMatchObject({ status: 401 });
    for (const id of ['x'.repeat(65), '{"level":"fatal"}', EMAIL]) {
      expect((await send(id)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe('the log of an error', () => {
  it('has the stack, without the values that PostgreSQL adds', async () => {
    const { status, headers } = await api.get('/broken/x');
    expect(status).toBe(500);
    const requestId = headers.get('x-request-id');
    const failure = await eventually(async () =>
      lines().find((line) => line.level === 'error' && line.requestId === requestId),
    );
    expect(failure).toMatchObject({
      operation: 'readBroken',
      err: { type: 'error', code: '22007', message: 'invalid input syntax for type date: "…"' },
    });
    expect(failure.err.stack).toContain('BrokenController');
    expect(lines().find(({ err }) => err?.code === '23505')).toMatchObject({
      err: { constraint: 'people_email_key' },
    });
  });
});

describe('all logs together', () => {
  it('contain no token, no email and no query string', () => {
    const all = written.join('');
    expect(written.length).toBeGreaterThan(5);
    for (const secret of [api.token, api.token.split('.')[2] as string, EMAIL, 'lovelace', 'tag=']) {
      expect(all).not.toContain(secret);
    }
  });

  it('mask values that are logged by mistake', () => {
    const before = written.length;
    const logs = new Logs({ LOG_LEVEL: 'info' }, 'api', sink);
    logs.log(`${EMAIL} sent ${api.token} to postgres://startline:hunter2@db.internal/startline`, 'somebody');
    logs.log('at node_modules/@nestjs/core/router.js', 'somebody');
    const [masked, path] = lines().slice(before);
    expect(masked?.msg).toBe('[masked] sent [masked] to postgres://startline:[masked]/startline');
    expect(path?.msg).toBe('at node_modules/@nestjs/core/router.js');
  });
});
