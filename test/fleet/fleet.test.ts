import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import {
  booking,
  describeWithOwnRedis,
  freePort,
  key,
  type OwnRedis,
  organization,
  ownRedis,
  SIGNING_SECRETS,
} from '#libs/testing';
import { appUrlOf, createDataSource } from '#platform/database';
import { Image } from '../docker/image';
import { eventually, pace } from '../harness';
import { Balancer } from './balancer';
import { type FleetPostgres, fleetPostgres, hasDebianPostgres } from './debian-postgres';
import { Running } from './running';

const hasRedis = describeWithOwnRedis() === describe;
const APIS = 2;
const WORKERS = 3;
const CHECKS_A_MINUTE = 20;
const CREDITS = 40;
const postgresName = hasDebianPostgres
  ? 'PostgreSQL 15 of Debian'
  : 'the PostgreSQL of npm, since Debian’s postgresql-15 is not installed here';
const redisName = hasRedis ? 'Redis' : 'PostgreSQL’s queues, since redis-server is not installed here';

let image: Image;
let postgres: FleetPostgres;
let redis: OwnRedis | undefined;
let dataSource: DataSource;
let organizationId: string;
let token: string;
const places: { app: 'api' | 'worker'; port: number; running: Running }[] = [];

const order = (name: string, command: string[], environment: Record<string, string> = {}) => ({
  name,
  command,
  folder: image.folder,
  environment: {
    ...image.environment,
    HOST: '127.0.0.1',
    DATABASE_OWNER_URL: postgres.url,
    DATABASE_URL: appUrlOf(postgres.url),
    ...(redis && { REDIS_URL: redis.url }),
    SIGNING_SECRETS: SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
    RATE_REGISTRATION_STATUS: String(CHECKS_A_MINUTE),
    RATE_IMPORT: '100000',
    DRAIN_MS: '2000',
    ...environment,
  },
});

const startAt = (
  app: 'api' | 'worker',
  port: number,
  environment: Record<string, string> = {},
): Promise<Running> =>
  new Running(
    order(app, ['node', `dist/apps/${app}/src/main.js`], {
      [app === 'api' ? 'PORT' : 'METRICS_PORT']: String(port),
      ...environment,
    }),
  ).ready(port);

async function command(...words: string[]): Promise<void> {
  const running = new Running(order('cli', ['node', 'dist/apps/cli/src/main.js', ...words]));
  if ((await running.ended) !== 0) throw new Error(running.words);
}

beforeAll(async () => {
  image = Image.build();
  [postgres, redis] = await Promise.all([fleetPostgres(), hasRedis ? ownRedis() : undefined]);
  await command('migrate');
  dataSource = await createDataSource({ url: postgres.url, applicationName: 'test' }).initialize();
  organizationId = (await organization(dataSource)).id;
  token = (await key(dataSource, { organizationId })).token;
  const apps = [...Array<'api'>(APIS).fill('api'), ...Array<'worker'>(WORKERS).fill('worker')];
  const started = apps.map(async (app) => {
    const port = await freePort();
    return { app, port, running: await startAt(app, port) };
  });
  places.push(...(await Promise.all(started)));
});
afterAll(async () => {
  await Promise.all(places.map(({ running }) => running.end('SIGKILL')));
  await dataSource?.destroy();
  await redis?.stop();
  await postgres?.remove();
  image?.remove();
});

const ports = () => places.flatMap(({ app, port }) => (app === 'api' ? [port] : []));

describe(`two APIs and three workers, on ${postgresName} and ${redisName}`, () => {
  it('share rate limits', async () => {
    const { eventOccurrenceId } = await booking(dataSource, { organizationId });
    const checks = await Promise.all(
      Array.from({ length: CHECKS_A_MINUTE + 10 }, (_, i) =>
        fetch(
          `http://127.0.0.1:${ports()[i % APIS]}/v0/event-occurrences/${eventOccurrenceId}/registration-status`,
          {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ email: 'ada@example.com' }),
          },
        ),
      ),
    );
    const statuses = checks.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(CHECKS_A_MINUTE);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  it('all reject a revoked key', async () => {
    const revoked = await key(dataSource, { organizationId });
    const statuses = () =>
      Promise.all(
        ports().map(async (port) => {
          const headers = { authorization: `Bearer ${revoked.token}` };
          return (await fetch(`http://127.0.0.1:${port}/identity`, { headers })).status;
        }),
      );
    expect(await statuses()).toEqual([200, 200]);
    await command('key', 'revoke', revoked.id);
    await eventually(async () => (await statuses()).every((status) => status === 401));
  });

  it('report that they are not ready before they refuse connections', async () => {
    const port = await freePort();
    const api = await startAt('api', port, { DRAIN_MS: '30000' });
    const ended = api.end();
    const unready = await eventually(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`);
      return answer.status === 503 && answer.json();
    });
    expect(unready).toMatchObject({ ready: false, parts: { process: 'shutting down' } });
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`http://127.0.0.1:${port}/identity`, { headers });
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    await api.end('SIGKILL');
    await ended;
  });

  it('are replaced one by one, and no request fails and no job is lost', async () => {
    const balancer = new Balancer(ports());
    const wrong: string[] = [];
    const jobIds: string[] = [];
    let answered = 0;
    let loading = true;
    const ask = async (method: string, path: string, body?: unknown) => {
      try {
        const reply = await balancer.ask(method, path, token, body);
        answered += 1;
        if (reply.status !== 200) wrong.push(`${method} ${path}: ${reply.status} ${reply.body}`);
        return reply;
      } catch (error) {
        wrong.push(`${method} ${path}: ${error}`);
        return undefined;
      }
    };
    const client = async (request: () => Promise<void>, pauseMs: number) => {
      while (loading) {
        await request();
        await pace(pauseMs);
      }
    };
    const importCredits = async () => {
      const credits = Array.from({ length: CREDITS }, () => ({
        externalCreditId: randomUUID(),
        email: 'ada@example.com',
        amount: { value: 500, currencyCode: 'GBP' },
      }));
      const reply = await ask('POST', '/v0/credits/import', { credits });
      if (reply?.status === 200) jobIds.push(JSON.parse(reply.body).jobId);
    };
    const read = async () => void (await ask('GET', '/v0/import-jobs?page%5Bsize%5D=20'));
    const write = async () =>
      void (await ask('POST', '/v0/partners', {
        name: 'Harbour Hospice',
        contacts: [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }],
      }));
    const more = async (count: number) => {
      const before = answered;
      await eventually(async () => answered >= before + count);
    };

    await eventually(async () => balancer.able.size === APIS);
    const clients = [
      client(importCredits, 100),
      client(importCredits, 100),
      client(read, 20),
      client(read, 20),
      client(write, 50),
    ];
    const codes: (number | null)[] = [];
    // Workers first: a new worker processes the work of an old API.
    for (const place of [...places].reverse()) {
      await more(20);
      codes.push(await place.running.end());
      await more(10);
      place.running = await startAt(place.app, place.port);
      if (place.app === 'api') await eventually(async () => balancer.able.size === APIS);
    }
    await more(20);
    loading = false;
    await Promise.all(clients);
    await balancer.stop();

    expect(wrong).toEqual([]);
    expect(codes).toEqual(places.map(() => 0));
    expect(jobIds.length).toBeGreaterThan(APIS + WORKERS);
    await eventually(async () => {
      const open = await dataSource.query('SELECT FROM import_jobs WHERE finished_at IS NULL');
      return open.length === 0;
    });
    const [jobs] = await dataSource.query(
      `SELECT count(*)::int AS jobs, count(*) FILTER (WHERE status = 'COMPLETED')::int AS completed,
         sum(succeeded_rows)::int AS rows, (SELECT count(*)::int FROM credits) AS credits,
         (SELECT count(DISTINCT external_credit_id)::int FROM credits) AS distinct_credits,
         (SELECT count(*)::int FROM import_rows WHERE outcome = 'IMPORTED') AS imported
       FROM import_jobs WHERE id = ANY ($1)`,
      [jobIds],
    );
    const all = jobIds.length * CREDITS;
    expect(jobs).toEqual({
      jobs: jobIds.length,
      completed: jobIds.length,
      rows: all,
      credits: all,
      distinct_credits: all,
      imported: all,
    });
  });
});
