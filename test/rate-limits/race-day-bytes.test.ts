import { key, organization } from '#libs/testing';
import { startApi, type TestApi } from '../harness';
import { message, RaceDay, shipping } from '../race-day/race-day';

const LIMIT = 100_000;

let api: TestApi;
let raceDay: RaceDay;
beforeAll(async () => {
  api = await startApi({ RACE_DAY_BYTES_PER_DAY: String(LIMIT), RATE_TIMING: '100000' });
  raceDay = await RaceDay.of(api);
});
afterAll(() => api.close());

const logged = async (): Promise<number> =>
  Number((await api.dataSource.query('SELECT count(*) FROM race_day_log'))[0].count);

/** The log keeps messages for weeks, of unknown participants too: without a limit, one key could fill the disk. */
describe('the race-day bytes of a day', () => {
  it('end with 429 after half for each key, and for the organization, until the day is over', async () => {
    const participantId = await raceDay.participant();
    const batch = Array.from({ length: 100 }, (_, n) =>
      message({ participantId, shipping: shipping({ trackingNumber: `RM${n}` }) }),
    );
    const bytes = JSON.stringify(batch).length;
    let accepted = 0;
    const sentBy = async (token?: string) => {
      const before = accepted;
      let answer = await raceDay.send(batch, token);
      for (; answer.status === 200; answer = await raceDay.send(batch, token)) accepted += bytes;
      return { ...answer, bytes: accepted - before };
    };

    const first = await sentBy();
    expect(first.status).toBe(429);
    expect(first.body.message).toContain(`Your key has sent its ${LIMIT / 2} bytes of timing messages`);
    // A body counts in whole kilobytes, and the last one may exceed the limit.
    expect(first.bytes).toBeGreaterThan(0.9 * (LIMIT / 2));
    expect(first.bytes).toBeLessThan(LIMIT / 2 + bytes);
    const seconds = Number(first.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(86_000);
    expect(seconds).toBeLessThanOrEqual(86_400);
    expect(first.headers.get('x-ratelimit-reset')).toBe(String(seconds));
    // The desk goes on.
    expect((await raceDay.update(participantId, { bibNumber: '7' })).status).toBe(200);

    const another = () => key(api.dataSource, { organizationId: api.organizationId, kind: 'TIMING' });
    const [second, third] = [await sentBy((await another()).token), await sentBy((await another()).token)];
    expect([second.status, third.status]).toEqual([429, 429]);
    expect(third.body.message).toContain(`Your organization has sent its ${LIMIT} bytes of timing messages`);
    expect(accepted).toBeGreaterThan(0.9 * LIMIT);
    expect(accepted).toBeLessThan(LIMIT + 2 * bytes);
    expect((await raceDay.update(participantId, { bibNumber: '8' })).status).toBe(429);
    expect(await logged()).toBe((accepted / bytes) * 100 + 1);
  });

  it('are not used up by invalid bodies', async () => {
    const { id: organizationId } = await organization(api.home);
    const { token } = await key(api.home, { organizationId, kind: 'TIMING' });
    const one = message({ bibNumber: '7', shipping: shipping() });
    const invalid = Array.from({ length: 500 }, () => ({ ...one, schemaVersion: '2.0' }));
    for (let sent = 0; sent <= 2 * LIMIT; sent += JSON.stringify(invalid).length)
      expect((await raceDay.send(invalid, token)).status).toBe(400);
    expect((await raceDay.send(one, token)).status).toBe(200);
  });

  it('are counted for each organization', async () => {
    const { id: organizationId } = await organization(api.home);
    const { token } = await key(api.home, { organizationId, kind: 'TIMING' });
    const { status } = await raceDay.send(message({ bibNumber: '7', shipping: shipping() }), token);
    expect(status).toBe(200);
  });

  it('are used up by batches that another thread reads', async () => {
    const { id: organizationId } = await organization(api.home);
    const { token } = await key(api.home, { organizationId, kind: 'TIMING' });
    const one = message({ bibNumber: '7', shipping: shipping({ trackingNumber: 'RM'.padEnd(60, '7') }) });
    const batch = Array.from({ length: 500 }, () => one);
    expect(JSON.stringify(batch).length).toBeGreaterThan(70_000);
    expect((await raceDay.send(batch, token)).status).toBe(200);
    expect((await raceDay.send(one, token)).status).toBe(429);
  });

  it('leave imports and other requests alone', async () => {
    expect((await api.get('/v0/participants')).status).toBe(200);
    const { status } = await api.send('POST', '/v0/credits/import', {
      credits: [
        { externalCreditId: '1', email: 'ada@example.com', amount: { value: 1, currencyCode: 'GBP' } },
      ],
    });
    expect(status).toBe(200);
  });
});
