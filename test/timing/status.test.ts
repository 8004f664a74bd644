import { Client } from 'pg';
import { FORGET_WAITING, TIMING_STATUS } from '#domain/race-day';
import { booking, key, organization, ticket } from '#libs/testing';
import { Database, newId, ORGANIZATION } from '#platform/database';
import { signedIn } from '../console/console';
import { startApi, startWorker, type TestApi } from '../harness';
import { at, message, RaceDay, shipping } from '../race-day/race-day';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_TIMING: '100000', RATE_SIGN_IN: '1000' });
});
afterAll(() => api?.close());

const withWorker = async (raceDay: RaceDay) => {
  const worker = await startWorker(api);
  try {
    await raceDay.settled();
  } finally {
    await worker.close();
  }
};

/** A new organization, with a timing key for all of its occurrences. */
async function startRaceDay() {
  const { id: organizationId } = await organization(api.dataSource);
  const raceDay = await RaceDay.of({ ...api, organizationId } as TestApi);
  const read = async <Path extends string>(path: Path, token = raceDay.timingToken) => {
    const { status, body } = await api.get(path, token);
    expect(status).toBe(200);
    return body;
  };
  return { organizationId, raceDay, read };
}
const STATUS = '/timing-inbound/v1/status';
const UNIDENTIFIED_PATH = '/timing-inbound/v1/unidentified';

describe('GET /timing-inbound/v1/status', () => {
  it('says what was accepted, applied and waits for whom, and how far processing is behind', async () => {
    const { organizationId, raceDay, read } = await startRaceDay();
    const nothing = { accepted: 0, applied: 0, pending: 0, lagSeconds: 0, waiting: 0, waitingFor: [] };
    expect(await read(STATUS)).toMatchObject(nothing);
    const participantId = await raceDay.participant();
    const unknown = newId();
    const { statusUrl } = (
      await raceDay.send([
        message({ participantId, bibNumber: '1' }),
        message({ participantId: unknown, bibNumber: '2' }),
        message({ bibNumber: '4711', shipping: shipping() }, at(10)),
        message({ bibNumber: '4711', shipping: shipping() }, at(11)),
      ])
    ).body;
    const before = await read(statusUrl);
    expect(before).toMatchObject({ accepted: 4, applied: 0, pending: 4, waiting: 0 });
    expect(before.lagSeconds).toBeGreaterThan(0);
    await withWorker(raceDay);
    const after = await read(statusUrl);
    expect(after).toMatchObject({
      ...{ accepted: 4, applied: 1, pending: 0, lagSeconds: 0, waiting: 3 },
      waitingFor: [
        { bibNumber: '4711', participantId: null, messages: 2 },
        { bibNumber: null, participantId: unknown, messages: 1 },
      ],
    });
    expect((await read(after.unidentifiedUrl)).page.totalResults).toBe(3);
    // The bib appears: its messages apply.
    await raceDay.accepted(message({ participantId, bibNumber: '4711' }, at(12)));
    await withWorker(raceDay);
    expect(await read(STATUS)).toMatchObject({ accepted: 5, applied: 4, waiting: 1 });
    expect((await read(UNIDENTIFIED_PATH)).page.totalResults).toBe(1);
    // Forgotten messages are not accepted any more; superseded ones that are deleted are.
    await api.dataSource.query("UPDATE race_day_log SET applied_at = applied_at - interval '31 days'");
    await FORGET_WAITING.one(api.dataSource, [organizationId, 30 * 86_400, 100]);
    expect(await read(STATUS)).toMatchObject({ accepted: 4, applied: 4, waiting: 0, waitingFor: [] });
    await api.dataSource.query(
      'DELETE FROM race_day_log WHERE organization_id = $1 AND NOT sets_bib AND applied_at IS NOT NULL',
      [raceDay.organizationId],
    );
    expect(await read(STATUS)).toMatchObject({ accepted: 4, applied: 4 });
  });

  it('keeps a message that lost its participant for 30 days from then on', async () => {
    const { organizationId, raceDay, read } = await startRaceDay();
    const [first, second] = [await raceDay.participant(), await raceDay.participant()];
    await raceDay.accepted([
      message({ participantId: first, bibNumber: 'LATE' }, at(9)),
      message({ bibNumber: 'LATE', shipping: shipping() }, at(12)),
    ]);
    await withWorker(raceDay);
    await api.dataSource.query(
      "UPDATE race_day_log SET applied_at = applied_at - interval '31 days' WHERE organization_id = $1",
      [organizationId],
    );
    // Two races have the bib now.
    await raceDay.accepted(message({ participantId: second, bibNumber: 'LATE' }, at(10)));
    await withWorker(raceDay);
    await FORGET_WAITING.one(api.dataSource, [organizationId, 30 * 86_400, 100]);
    expect(await read(STATUS)).toMatchObject({ accepted: 3, waiting: 1 });
  });

  it('counts every message once while workers and senders race', async () => {
    const { raceDay, read } = await startRaceDay();
    const ids = await raceDay.participants(5);
    const worker = await startWorker(api);
    try {
      await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          raceDay.accepted(
            ids.flatMap((participantId) => [
              message({ participantId, shipping: shipping() }, at(1, n)),
              message({ bibNumber: `R-${n % 3}`, shipping: shipping() }, at(2, n)),
            ]),
          ),
        ),
      );
      await raceDay.settled();
    } finally {
      await worker.close();
    }
    expect(await read(STATUS)).toMatchObject({ accepted: 200, applied: 100, pending: 0, waiting: 100 });
  });

  it('shows a key that is restricted to occurrences its own messages only', async () => {
    const { raceDay, read, organizationId } = await startRaceDay();
    const { eventOccurrenceId } = await raceDay.booking(1);
    const scoped = () =>
      key(api.dataSource, { organizationId, kind: 'TIMING', eventOccurrenceIds: [eventOccurrenceId] });
    const [one, two] = [await scoped(), await scoped()];
    await raceDay.accepted(message({ bibNumber: 'ALL', shipping: shipping() }));
    await raceDay.send(message({ bibNumber: 'ONE', shipping: shipping() }), one.token);
    await withWorker(raceDay);
    const bibs = async (token?: string) => [
      (await read(STATUS, token)).waitingFor.map(({ bibNumber }: any) => bibNumber).sort(),
      (await read(UNIDENTIFIED_PATH, token)).data.map(({ bibNumber }: any) => bibNumber),
      (await read(STATUS, token)).accepted,
      (await read(UNIDENTIFIED_PATH, token)).page.totalResults,
    ];
    expect(await bibs()).toEqual([['ALL', 'ONE'], ['ONE', 'ALL'], 2, 2]);
    expect(await bibs(one.token)).toEqual([['ONE'], ['ONE'], 1, 1]);
    expect(await bibs(two.token)).toEqual([[], [], 0, 0]);
    const other = await startRaceDay();
    expect(await other.read(STATUS)).toMatchObject({ accepted: 0, waiting: 0 });
    expect((await other.read(UNIDENTIFIED_PATH)).data).toEqual([]);
  });
});

describe('GET /timing-inbound/v1/unidentified', () => {
  it('says why each message names nobody', async () => {
    const { raceDay, read, organizationId } = await startRaceDay();
    const pending = await booking(api.dataSource, {
      organizationId,
      entries: [{ approvalStatus: 'PENDING', applicationResolutionType: 'MANUAL' }],
    });
    const [a, b] = [await raceDay.participant(), await raceDay.participant()];
    await raceDay.accepted([
      message({ participantId: a, bibNumber: 'BOTH' }),
      message({ participantId: b, bibNumber: 'BOTH' }),
    ]);
    await withWorker(raceDay);
    const unknown = newId();
    const applicant = pending.entries[0]?.participantId;
    const { eventOccurrenceId } = await raceDay.booking(1);
    const elsewhere = await key(api.dataSource, {
      ...{ organizationId, kind: 'TIMING', eventOccurrenceIds: [eventOccurrenceId] },
    });
    await raceDay.accepted([
      message({ bibNumber: 'NOBODY', shipping: shipping() }, at(12)),
      message({ bibNumber: 'BOTH', shipping: shipping() }, at(12)),
      message({ participantId: unknown, bibNumber: '7' }, at(12)),
      message({ participantId: applicant, shipping: shipping() }, at(12)),
    ]);
    await raceDay.send(message({ participantId: a, bibNumber: 'X' }, at(13)), elsewhere.token);
    await withWorker(raceDay);
    const { data } = await read(UNIDENTIFIED_PATH);
    const what = ({ participantId, bibNumber, reason }: any) => [participantId, bibNumber, reason];
    expect(data.map(what)).toEqual([
      [a, 'X', 'PARTICIPANT_UNKNOWN'],
      [applicant, null, 'PARTICIPANT_NOT_APPROVED'],
      [unknown, '7', 'PARTICIPANT_UNKNOWN'],
      [null, 'BOTH', 'BIB_IN_SEVERAL_RACES'],
      [null, 'NOBODY', 'BIB_UNKNOWN'],
    ]);
    const found = async (query: string) =>
      (await read(`${UNIDENTIFIED_PATH}?${query}`)).data.map(({ reason }: any) => reason);
    expect(await found('bibNumber=BOTH')).toEqual(['BIB_IN_SEVERAL_RACES']);
    expect(await found(`participantId=${unknown}`)).toEqual(['PARTICIPANT_UNKNOWN']);
    // The console shows the same beside its feed.
    const { browser } = await signedIn(api, 'RACE_DAY', undefined, organizationId);
    expect((await browser.ask('GET', '/console/v1/race-day/unidentified')).body.data).toEqual(data);
    const { timing } = (await browser.ask('GET', '/console/v1/race-day/feed')).body;
    expect(timing).toMatchObject({ accepted: 7, applied: 2, waiting: 5 });
  });

  it('is paged by cursor, while messages come and go', async () => {
    const { raceDay, read } = await startRaceDay();
    const send = (from: number, count: number) =>
      raceDay.accepted(
        Array.from({ length: count }, (_, i) =>
          message({ bibNumber: `N-${from + i}`, shipping: shipping() }),
        ),
      );
    await send(0, 25);
    await withWorker(raceDay);
    const seen: string[] = [];
    for (let after = '', page = 0; page < 4; page++) {
      const { data, page: at } = await read(
        `${UNIDENTIFIED_PATH}?page%5Bsize%5D=7${after && `&page%5Bafter%5D=${encodeURIComponent(after)}`}`,
      );
      seen.push(...data.map(({ bibNumber }: any) => bibNumber));
      after = at.next;
      if (page === 1) {
        await send(25, 3);
        await withWorker(raceDay);
      }
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => `N-${24 - i}`));
  });
});

describe('with two hundred thousand messages', () => {
  it('reads few of them: status, list and feed are answered by indexes and counters', async () => {
    const { organizationId, raceDay, read } = await startRaceDay();
    const { eventOccurrenceId } = await raceDay.booking(1);
    const scoped = await key(api.dataSource, {
      ...{ organizationId, kind: 'TIMING', eventOccurrenceIds: [eventOccurrenceId] },
    });
    const { id: ticketId } = await ticket(api.dataSource, { organizationId });
    const [participantId] = await raceDay.participants(1, ticketId);
    const fill = (count: number, applied: string, waitingFor: string) =>
      api.dataSource.query(
        `INSERT INTO race_day_log (organization_id, source, changed_at, participant_id, api_key_id, shipping_status,
           named_by_bib, bib_number, applied_at, waiting_for)
         SELECT $1, 'TIMING', now(), $2, $3, 'SHIPPED', ${waitingFor} IS NOT NULL, 'B-' || n % 1000, ${applied}, ${waitingFor}
         FROM generate_series(1, $4::int) n`,
        [organizationId, participantId, newId(), count],
      );
    await fill(160_000, 'now()', 'NULL::text');
    await fill(20_000, 'now()', "'bib:B-' || n % 1000");
    await fill(20_000, 'NULL', 'NULL::text');
    await api.dataSource.query('ANALYZE race_day_log');
    expect(await read(STATUS)).toMatchObject({
      ...{ accepted: 200_000, applied: 160_000, pending: 20_000, waiting: 20_000 },
    });
    expect(await read(STATUS, scoped.token)).toMatchObject({
      accepted: 0,
      pending: 0,
      waiting: 0,
      waitingFor: [],
    });

    const client = new Client({ connectionString: api.databaseUrl });
    await client.connect();
    try {
      await client.query('SET ROLE startline_app');
      await client.query(`SELECT set_config('${ORGANIZATION}', $1, false)`, [organizationId]);
      const literal = (value: unknown) => (value === null ? 'NULL' : `'${value}'`);
      /** The tables that a statement scans, and the pages that it touches. */
      const costOf = async (text: string, values: readonly unknown[], mode: string) => {
        await client.query(`SET plan_cache_mode = ${mode}`);
        await client.query(`PREPARE asked AS ${text}`);
        const { rows } = await client.query(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE asked (${values.map(literal).join(', ')})`,
        );
        await client.query('DEALLOCATE asked');
        const { Plan: plan } = rows[0]['QUERY PLAN'][0];
        return {
          scans: JSON.stringify(plan).includes(
            '"Node Type":"Seq Scan","Parallel Aware":false,"Async Capable":false,"Relation Name":"race_day_log"',
          ),
          pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
        };
      };
      const lists = jest.spyOn(Object.getPrototypeOf(Database.prototype) as Database, 'each');
      for (const token of [raceDay.timingToken, scoped.token]) {
        const { page } = await read(UNIDENTIFIED_PATH, token);
        if (page.next)
          await read(`${UNIDENTIFIED_PATH}?page%5Bafter%5D=${encodeURIComponent(page.next)}`, token);
      }
      const pages = lists.mock.calls.map(([text, values]) => [text, values ?? []] as const);
      lists.mockRestore();
      expect(pages).toHaveLength(3);
      for (const [text, values] of pages) {
        const { scans, pages } = await costOf(text, values, 'force_generic_plan');
        expect(scans).toBe(false);
        expect(pages).toBeLessThan(400);
      }
      // Sent without a name, so that it is planned for its values.
      for (const keyId of [null, scoped.id]) {
        const { scans, pages } = await costOf(
          TIMING_STATUS.text,
          [organizationId, keyId],
          'force_custom_plan',
        );
        expect(scans).toBe(false);
        // At most 10,000 pending and 10,000 waiting messages, of 200,000 on some 2,800 pages.
        expect(pages).toBeLessThan(1_200);
      }
    } finally {
      await client.end();
    }
  });
});
