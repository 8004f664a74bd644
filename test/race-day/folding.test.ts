import { foldLog, hasRaceDayWork, historyOf, raceDayRound, tellHistory } from '#domain/race-day';
import { StartListEntry } from '#platform/database';
import { startApi, type TestApi } from '../harness';
import { at, message, RaceDay, shipping } from './race-day';

/** Without a worker: the test runs its rounds. Each test counts messages of its own log. */
let api: TestApi;
let raceDay: RaceDay;
beforeEach(async () => {
  api = await startApi({ RATE_TIMING: '100000' });
  raceDay = await RaceDay.of(api);
});
afterEach(() => api?.close());

const DAYS = 90;
const STEP = 50;

const settle = async () => {
  do await raceDayRound((step) => api.dataSource.transaction(step), raceDay.organizationId, 1_000);
  while (await hasRaceDayWork(api.dataSource.manager, raceDay.organizationId));
};

/** Backdates all applied messages by that many days. */
const age = (days: number) =>
  api.dataSource.query(
    `UPDATE race_day_log SET applied_at = clock_timestamp() - make_interval(days => $2)
     WHERE organization_id = $1 AND applied_at IS NOT NULL`,
    [raceDay.organizationId, days],
  );

/** Folds to the end, and returns the number of messages that each step read. */
async function fold(): Promise<number[]> {
  const passed: number[] = [];
  do {
    passed.push(
      await api.dataSource.transaction((manager) => foldLog(manager, raceDay.organizationId, DAYS, STEP)),
    );
  } while (passed.at(-1) === STEP);
  return passed;
}

const logged = async (condition = 'true'): Promise<number> =>
  (
    await api.dataSource.query(
      `SELECT count(*)::int AS count FROM race_day_log WHERE organization_id = $1 AND ${condition}`,
      [raceDay.organizationId],
    )
  )[0].count;

const claims = () =>
  api.dataSource.query(
    `SELECT participant_id, bib_number, changed_at, until, held_from, held_until, holds_last FROM bib_claims
     WHERE organization_id = $1 ORDER BY seq`,
    [raceDay.organizationId],
  );

const rows = () =>
  api.dataSource
    .getRepository(StartListEntry)
    .find({ where: { organizationId: raceDay.organizationId }, order: { id: 'ASC' } });

/** 100 parcels, ten of them identified by a bib, and four bibs, of two participants. */
async function busyDay(): Promise<[string, string]> {
  const [one, other] = (await raceDay.participants(2)) as [string, string];
  await raceDay.accepted([
    message({ participantId: one, bibNumber: '1' }, at(7)),
    message({ participantId: other, bibNumber: '2' }, at(7)),
    message({ participantId: one, bibNumber: '11' }, at(9)),
    message({ participantId: other, bibNumber: '1' }, at(10)),
  ]);
  await settle();
  await raceDay.accepted(
    Array.from({ length: 100 }, (_, n) =>
      message(
        {
          ...(n % 10 ? { participantId: n % 2 ? one : other } : { bibNumber: '2' }),
          shipping: shipping({ trackingNumber: `T${n}`, ...(n < 30 && { carrier: `C${n}` }) }),
        },
        at(8, n % 60),
      ),
    ),
  );
  await settle();
  return [one, other];
}

it('keeps the state of participants and every bib claim, in bounded steps', async () => {
  const [one, other] = await busyDay();
  const [shownBefore, claimsBefore, bibs] = [await rows(), await claims(), await logged('sets_bib')];
  await age(DAYS + 1);
  const passed = await fold();
  expect(passed).toEqual([50, 50, 4]);
  expect(bibs).toBe(4);
  expect(await logged('sets_bib')).toBe(bibs);
  // At most one message per participant for each value of a parcel that shows.
  expect(await logged('NOT sets_bib')).toBeLessThanOrEqual(8);
  expect(await rows()).toEqual(shownBefore);
  expect(await claims()).toEqual(claimsBefore);

  // A new projection of the remaining log gives the same result.
  await raceDay.accepted(
    [one, other].map((participantId) => message({ participantId, bibNumber: null }, at(6))),
  );
  await settle();
  const told = (entries: StartListEntry[]) =>
    entries.map(({ bibNumber, shippingCarrier, trackingNumber, shippingChangedAt }) => [
      bibNumber,
      shippingCarrier,
      trackingNumber,
      shippingChangedAt,
    ]);
  expect(told(await rows())).toEqual(told(shownBefore));
});

it('identifies the holder at the time of a message by bib', async () => {
  const [one, other] = await busyDay();
  await age(DAYS + 1);
  await fold();
  await raceDay.accepted([
    message({ bibNumber: '1', shipping: shipping({ trackingUrl: 'https://example.com/one' }) }, at(8, 30)),
    message({ bibNumber: '1', shipping: shipping({ trackingUrl: 'https://example.com/other' }) }, at(11)),
  ]);
  await settle();
  const urls = await Promise.all(
    [one, other].map(async (id) => (await raceDay.shown(id)).shipping.trackingUrl),
  );
  expect(urls).toEqual(['https://example.com/one', 'https://example.com/other']);
});

it('does not fold recent messages, pending ones, or messages after those', async () => {
  const [one] = await busyDay();
  await age(DAYS - 1);
  expect(await fold()).toEqual([0]);
  await age(DAYS + 1);
  await raceDay.accepted(message({ participantId: one, shipping: shipping({ carrier: 'Late' }) }, at(12)));
  const before = await logged();
  expect((await fold()).reduce((sum, step) => sum + step)).toBe(104);
  expect(await logged('applied_at IS NULL')).toBe(1);
  expect(await logged()).toBeLessThan(before);
  expect(await fold()).toEqual([0]);
});

it('is reported by `participant log`', async () => {
  const [one] = await busyDay();
  const before = await historyOf(api.dataSource.manager, one);
  await age(DAYS + 1);
  await fold();
  const after = await historyOf(api.dataSource.manager, one);
  const gone = (before?.messages.length ?? 0) - (after?.messages.length ?? 0);
  expect(gone).toBeGreaterThan(30);
  expect(after).toMatchObject({ foldedMessages: gone, entry: before?.entry });
  expect(tellHistory(after as NonNullable<typeof after>)).toContain(
    `${gone} older messages were superseded and have been deleted (RACE_DAY_LOG_DAYS). Bib claims are kept.`,
  );
});
