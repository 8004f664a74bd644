import { withDatabase } from '#libs/testing';
import { startApi, type TestApi } from '../harness';

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const ready = () => api.get('/health/ready', null);

describe('GET /health/live', () => {
  it('responds without a key', async () => {
    const { status, body } = await api.get('/health/live', null);
    expect(status).toBe(200);
    expect(body).toEqual({ live: true });
  });
});

describe('GET /health/ready', () => {
  it('returns 200 when every part is ready', async () => {
    const { status, body } = await ready();
    expect(status).toBe(200);
    expect(body).toEqual({
      ready: true,
      parts: { process: 'ok', database: 'ok', migrations: 'ok', queue: 'ok' },
      warnings: ['imports', 'race-day', 'persons', 'webhooks'].map(
        (queue) => `no worker takes the queue ${queue}`,
      ),
    });
  });

  it('names missing migrations', async () => {
    await api.dataSource.query(
      'DELETE FROM schema_migrations WHERE id = (SELECT max(id) FROM schema_migrations)',
    );
    const { status, body } = await ready();
    expect(status).toBe(503);
    expect(body).toMatchObject({ ready: false, parts: { database: 'ok', queue: 'ok' } });
    expect(body.parts.migrations).toContain('1 pending');
  });

  it('names a queue that is not set up', async () => {
    await api.dataSource.query('ALTER SCHEMA bullmq RENAME TO elsewhere');
    expect((await ready()).body).toMatchObject({
      ready: false,
      parts: { migrations: 'ok', queue: expect.stringContaining('missing') },
    });
  });

  it('names an unreachable database, without its error message', async () => {
    const name = new URL(api.databaseUrl).pathname.slice(1);
    const elsewhere = new URL(api.databaseUrl);
    elsewhere.pathname = '/postgres';
    await withDatabase(elsewhere.href, async (client) => {
      await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    });
    const { status, body } = await ready();
    expect(status).toBe(503);
    expect(body.ready).toBe(false);
    expect(body.parts.database).toMatch(/^does not respond/);
  });
});
