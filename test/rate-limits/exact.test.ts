import { Redis } from 'ioredis';
import { describeWithRedis, key, organization, type TestRedis, testRedis } from '#libs/testing';
import { type Answer, startApi, type TestApi } from '../harness';
import { CounterModule, handled } from './counter.module';

const LIMIT = 60;
const parts = { groups: [CounterModule] };

/** Two apis on the same database, and optionally the same Redis. */
async function startFleet(environment: Record<string, string> = {}): Promise<TestApi[]> {
  const first = await startApi({ RATE_IMPORT: String(LIMIT), ...environment }, parts);
  const second = await startApi(
    { RATE_IMPORT: String(LIMIT), DATABASE_URL: first.databaseUrl, ...environment },
    parts,
  );
  return [first, second];
}

const stopFleet = async ([first, second]: TestApi[]): Promise<void> => {
  await second?.close();
  await first?.close();
};

const newToken = async ({ dataSource, organizationId }: TestApi): Promise<string> =>
  (await key(dataSource, { organizationId })).token;

/** Concurrent requests, distributed over the processes. */
const flood = (fleet: TestApi[], count: number, method: string, token: string): Promise<Answer[]> =>
  Promise.all(
    Array.from({ length: count }, (_, i) =>
      (fleet[i % fleet.length] as TestApi).send(
        method,
        '/counter',
        method === 'POST' ? {} : undefined,
        token,
      ),
    ),
  );

const passed = (answers: Answer[]): number => answers.filter(({ status }) => status === 200).length;
const refused = (answers: Answer[]): Answer[] => answers.filter(({ status }) => status === 429);

describe('rate limits counted in PostgreSQL', () => countExactly());
describeWithRedis()('rate limits counted in Redis', () => countExactly(testRedis));

function countExactly(startRedis?: () => Promise<TestRedis>): void {
  let redis: TestRedis | undefined;
  let fleet: TestApi[] = [];
  let one: TestApi;
  beforeAll(async () => {
    redis = await startRedis?.();
    fleet = await startFleet(redis && { REDIS_URL: redis.url });
    one = fleet[0] as TestApi;
  });
  afterAll(async () => {
    await stopFleet(fleet);
    await redis?.stop();
  });

  it('permit exactly the limit over all processes', async () => {
    const token = await newToken(one);
    const before = handled.createCounter;
    const answers = await flood(fleet, 200, 'POST', token);
    expect(passed(answers)).toBe(LIMIT);
    expect(refused(answers)).toHaveLength(200 - LIMIT);
    expect(handled.createCounter - before).toBe(LIMIT);
  });

  /** Protects clients that slow down by themselves: the headers are all that they know. */
  it('are in the headers of every response, and count down to zero', async () => {
    const token = await newToken(one);
    const answers = await flood(fleet, 70, 'POST', token);
    const places = answers
      .filter(({ status }) => status === 200)
      .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(places.sort((a, b) => a - b)).toEqual(Array.from({ length: LIMIT }, (_, i) => i));
    for (const { headers, status } of answers) {
      expect(headers.get('x-ratelimit-limit')).toBe(String(LIMIT));
      const reset = Number(headers.get('x-ratelimit-reset'));
      expect(reset).toBeGreaterThan(0);
      expect(reset).toBeLessThanOrEqual(60);
      expect(headers.get('retry-after')).toBe(status === 429 ? String(reset) : null);
    }
  });

  it('reject with the documented message', async () => {
    const token = await newToken(one);
    const [answer] = refused(await flood(fleet, LIMIT + 1, 'POST', token));
    expect(answer?.body).toEqual({
      statusCode: 429,
      error: 'Too Many Requests',
      message: expect.stringMatching(
        /^Too many requests\. Wait \d+ seconds?, then send the request again\.$/,
      ),
    });
  });

  it('are separate for POST and PUT of one path, and for each key', async () => {
    const token = await newToken(one);
    expect(passed(await flood(fleet, LIMIT + 5, 'POST', token))).toBe(LIMIT);
    expect(passed(await flood(fleet, LIMIT + 5, 'PUT', token))).toBe(LIMIT);
    expect(passed(await flood(fleet, LIMIT + 5, 'POST', await newToken(one)))).toBe(LIMIT);
  });

  it('are restored in the next window', async () => {
    const { token, id } = await key(one.dataSource, { organizationId: one.organizationId });
    expect(passed(await flood(fleet, LIMIT + 5, 'POST', token))).toBe(LIMIT);
    if (redis) {
      const client = new Redis(redis.url);
      expect(await client.del(`startline:rate:${id}:createCounter`)).toBe(1);
      client.disconnect();
    } else {
      const moved = await one.dataSource.query(
        `UPDATE rate_windows SET window_start = window_start - interval '1 minute' WHERE api_key_id = $1 RETURNING used`,
        [id],
      );
      expect(moved[1]).toBe(1);
    }
    // Processes that know the end of the old window keep it; a new process asks the store.
    const late = await startApi(
      {
        RATE_IMPORT: String(LIMIT),
        DATABASE_URL: one.databaseUrl,
        ...(redis && { REDIS_URL: redis.url }),
      },
      parts,
    );
    expect(passed(await flood([late], LIMIT + 5, 'POST', token))).toBe(LIMIT);
    await late.close();
  });

  it('are checked after the key, and before surface and body', async () => {
    const { id } = await organization(one.dataSource, { surfaces: [] });
    const { token } = await key(one.dataSource, { organizationId: id });
    const first = await one.send('POST', '/counter', {}, token);
    expect(first.status).toBe(403);
    expect(first.headers.get('x-ratelimit-remaining')).toBe(String(LIMIT - 1));
    await flood(fleet, LIMIT, 'POST', token);
    expect((await one.send('POST', '/counter', 'not JSON', token)).status).toBe(429);
    expect((await one.send('POST', '/counter', {}, 'not.a.token')).status).toBe(401);
    const { headers } = await one.send('POST', '/counter', {}, null);
    expect(headers.get('x-ratelimit-limit')).toBe(String(LIMIT));
  });

  /** Protects the process from bodies that it refuses anyway. */
  it('reject a large body without reading it, and the client receives the reason', async () => {
    const token = await newToken(one);
    await flood(fleet, LIMIT, 'POST', token);
    const answer = await one.send(
      'POST',
      '/counter',
      JSON.stringify({ rows: 'x'.repeat(15_000_000) }),
      token,
    );
    expect(answer.status).toBe(429);
  });
}
