import { key } from '#libs/testing';
import { EventOccurrencesModule } from '../../apps/api/src/event-occurrences/event-occurrences.module';
import { ParticipantsModule } from '../../apps/api/src/participants/participants.module';
import { startApi, type TestApi } from '../harness';
import { CounterModule } from './counter.module';

const LIMIT = 400;
const CREDIT = LIMIT / 100;

let fleet: TestApi[] = [];
let one: TestApi;
beforeAll(async () => {
  const parts = { groups: [CounterModule, EventOccurrencesModule, ParticipantsModule] };
  one = await startApi({ RATE_WIDE: String(LIMIT) }, parts);
  fleet = [one, await startApi({ RATE_WIDE: String(LIMIT), DATABASE_URL: one.databaseUrl }, parts)];
});
afterAll(async () => {
  await fleet[1]?.close();
  await one.close();
});

const newKey = () => key(one.dataSource, { organizationId: one.organizationId });
const counted = async (keyId: string): Promise<number[]> =>
  (await one.dataSource.query('SELECT used FROM rate_windows WHERE api_key_id = $1', [keyId])).map(
    ({ used }: { used: number }) => used,
  );

describe('wide rate limits', () => {
  it('need neither a write nor a round trip for a read', async () => {
    const { token, id } = await newKey();
    const { headers } = await one.get('/counter', token);
    expect(headers.get('x-ratelimit-limit')).toBe(String(LIMIT));
    expect(headers.get('x-ratelimit-remaining')).toBe(String(LIMIT - 1));
    expect(headers.get('x-ratelimit-reset')).toBe('60');
    expect(await counted(id)).toEqual([]);
  });

  it.each([
    ['', 1],
    ['?page%5Bsize%5D=100', 1],
    ['?page%5Bsize%5D=101', 2],
    ['?page%5Bsize%5D=500', 5],
    ['?page%5Bsize%5D=501', 5],
    ['?page%5Bsize%5D=many', 1],
  ])('count a page of participants with %j as %s', async (query, uses) => {
    const { token } = await newKey();
    for (const times of [1, 2]) {
      const { headers } = await one.get(`/v0/participants${query}`, token);
      expect(headers.get('x-ratelimit-remaining')).toBe(String(LIMIT - times * uses));
    }
  });

  it('count large pages of the event occurrences by their alias too', async () => {
    const { token } = await newKey();
    const { headers } = await one.get('/v0/event-occurrences?pageSize=200', token);
    expect(headers.get('x-ratelimit-remaining')).toBe(String(LIMIT - 2));
  });

  it('refuse large pages too when they are used up', async () => {
    const { token } = await newKey();
    const answers = await Promise.all(
      Array.from({ length: LIMIT / 5 + 10 }, () => one.get('/v0/participants?page%5Bsize%5D=500', token)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT / 5);
    expect((await one.get('/v0/participants', token)).status).toBe(429);
  });

  it('are exact for a single process', async () => {
    const { token } = await newKey();
    const answers = await Promise.all(Array.from({ length: LIMIT + 50 }, () => one.get('/counter', token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
  });

  it('are shared: each process permits at most one hundredth more', async () => {
    const { token, id } = await newKey();
    const answers = await Promise.all(
      Array.from({ length: LIMIT * 2 }, (_, i) => (fleet[i % 2] as TestApi).get('/counter', token)),
    );
    const passed = answers.filter(({ status }) => status === 200).length;
    expect(passed).toBeGreaterThanOrEqual(LIMIT);
    expect(passed).toBeLessThanOrEqual(LIMIT + CREDIT * fleet.length);
    expect((await counted(id))[0]).toBeGreaterThanOrEqual(LIMIT - CREDIT * fleet.length);
  });
});
