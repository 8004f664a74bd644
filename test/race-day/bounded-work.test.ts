import type { EntityManager } from 'typeorm';
import {
  APPEND_TIMING,
  hasRaceDayWork,
  raceDayRound,
  readTimingMessages,
  timingValues,
} from '#domain/race-day';
import { ticket } from '#libs/testing';
import { newId, StartListEntry } from '#platform/database';
import { eventually, startApi, type TestApi } from '../harness';
import { at, message, RaceDay, shipping } from './race-day';

/** Without a worker: the test runs its rounds, and counts what they read. */
let api: TestApi;
let raceDay: RaceDay;
beforeAll(async () => {
  api = await startApi({ RATE_TIMING: '100000' });
  raceDay = await RaceDay.of(api);
});
afterAll(() => api?.close());

const READ = `
  SELECT sum(pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid))::int AS read
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i')`;

const readBy = async (manager: EntityManager): Promise<number> => (await manager.query(READ))[0].read;

/** Runs all remaining work, and returns the number of rows that it read. */
async function settle(): Promise<number> {
  let read = 0;
  do {
    await raceDayRound(
      (step) =>
        api.dataSource.transaction(async (manager) => {
          const before = await readBy(manager);
          const done = await step(manager);
          read += (await readBy(manager)) - before;
          return done;
        }),
      raceDay.organizationId,
      1_000,
    );
  } while (await hasRaceDayWork(api.dataSource.manager, raceDay.organizationId));
  return read;
}

/** The number of pages that PostgreSQL reads to store messages and identify participants. */
async function pagesOf(messages: object[]): Promise<number> {
  const caller = { organizationId: raceDay.organizationId, keyId: newId(), eventOccurrenceIds: null };
  const runner = api.dataSource.createQueryRunner();
  await runner.startTransaction();
  try {
    const [row] = await runner.query(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${APPEND_TIMING.text}`,
      timingValues(caller, readTimingMessages(messages)),
    );
    const [{ Plan: plan }] = row['QUERY PLAN'];
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

/** The tables that a message is compared with. */
const COMPARED = ['race_day_log', 'bib_claims', 'start_list_entries'];

/**
 * The state after autovacuum. A snapshot older than the changes, such as that of an ANALYZE by autovacuum, makes VACUUM keep dead
 * rows, which the next scans would read.
 */
async function vacuumed(): Promise<void> {
  await eventually(async () => {
    await api.dataSource.query('VACUUM (ANALYZE)');
    const [{ dead }] = await api.dataSource.query(
      'SELECT sum(n_dead_tup)::int AS dead FROM pg_stat_user_tables WHERE relname = ANY ($1)',
      [COMPARED],
    );
    return dead === 0;
  });
}

/** Many participants of one race. */
async function crowd(count: number): Promise<string[]> {
  const { id: ticketId } = await ticket(api.dataSource, { organizationId: raceDay.organizationId });
  const [like] = (await raceDay.booking(1, ticketId)).entries as [StartListEntry];
  const { createdAt: _, updatedAt: __, ...row } = like;
  const ids = Array.from({ length: count }, () => ({ id: newId(), participantId: newId() }));
  for (let from = 0; from < count; from += 500) {
    const rows = ids.slice(from, from + 500).map((own) => ({ ...row, ...own }));
    await api.dataSource.getRepository(StartListEntry).insert(rows as never);
  }
  await settle();
  return ids.map(({ participantId }) => participantId);
}

async function claimed(participantIds: string[], bibNumber: string | null, from: number): Promise<void> {
  for (let start = 0; start < participantIds.length; start += 500) {
    await raceDay.accepted(
      participantIds
        .slice(start, start + 500)
        .map((participantId, n) =>
          message({ participantId, bibNumber }, new Date(from + (start + n) * 1_000).toISOString()),
        ),
    );
  }
  await settle();
}

const NINE = Date.parse(at(9));
const TIMES_A_FREE_ONE = 1.5;

const parcels = (bibNumber: string, when: string) =>
  Array.from({ length: 100 }, () => message({ bibNumber, shipping: shipping() }, when));

describe('a bib that 1,000 participants claimed', () => {
  let everyone: string[];
  let holder: string;
  beforeAll(async () => {
    everyone = await crowd(1_000);
    await claimed(everyone, 'CROWDED', NINE);
    holder = await raceDay.participant();
    await claimed([holder], 'FREE', NINE);
  });

  it.each([
    ['before the claims', at(8)],
    ['after them', at(12)],
  ])('is looked up as fast as a free one, %s', async (_, when) => {
    const free = await pagesOf(parcels('FREE', when));
    expect(await pagesOf(parcels('CROWDED', when))).toBeLessThan(free * TIMES_A_FREE_ONE);
  });

  it('accepts one more claim as fast as a free one', async () => {
    const [one = '', other = ''] = [await raceDay.participant(), ...(await crowd(1))];
    await raceDay.accepted(message({ participantId: one, bibNumber: 'FREE' }, at(12)));
    const free = await settle();
    await raceDay.accepted(message({ participantId: other, bibNumber: 'CROWDED' }, at(12)));
    expect(await settle()).toBeLessThan(free * TIMES_A_FREE_ONE + 50);
  });

  it('is looked up and passed on as fast when each of them has held it', async () => {
    const free = await pagesOf(parcels('FREE', at(23)));
    // One after the other gives up the bib.
    await claimed(everyone.slice(0, 800), null, Date.parse(at(13)));
    expect(await raceDay.bibs(everyone.slice(799, 802))).toEqual([null, 'CROWDED', null]);
    // Both bibs are measured with the same statistics, because those decide the plans.
    await vacuumed();
    for (const when of [at(8), at(12), at(13, 20), at(23)]) {
      expect(await pagesOf(parcels('CROWDED', when))).toBeLessThan(free * 3);
    }
    await raceDay.accepted(message({ participantId: holder, bibNumber: null }, at(14)));
    const freed = await settle();
    await raceDay.accepted(message({ participantId: everyone[800], bibNumber: null }, at(14)));
    expect(await settle()).toBeLessThan(freed * TIMES_A_FREE_ONE + 50);
    expect(await raceDay.bibs(everyone.slice(800, 802))).toEqual([null, 'CROWDED']);
  });
});

it('continues at the last of many holders whose claims have the same time', async () => {
  /** The rows that one more claim reads, of a bib that this many participants claimed at once and held one after the other. */
  const readAfter = async (holders: number, bibNumber: string): Promise<number> => {
    const [last, ...many] = (await crowd(holders + 1)).sort();
    await raceDay.accepted(many.map((participantId) => message({ participantId, bibNumber }, at(9))));
    await settle();
    await claimed(many.slice(0, -1), null, Date.parse(at(13)));
    await vacuumed();
    await raceDay.accepted(message({ participantId: last, bibNumber }, at(15)));
    const read = await settle();
    expect(await raceDay.bibs(many.slice(-1))).toEqual([bibNumber]);
    return read;
  };
  const few = await readAfter(2, 'FEW');
  expect(await readAfter(300, 'MANY')).toBeLessThan(few * TIMES_A_FREE_ONE + 50);
});

it('costs the same for the 200th update of a participant as for the first', async () => {
  const id = await raceDay.participant();
  await settle();
  const reads: number[] = [];
  for (let n = 0; n < 200; n++) {
    const { status } = await raceDay.update(id, {
      bibNumber: `B${n}`,
      customFields: [{ id: `field-${n % 10}`, value: n }],
    });
    expect(status).toBe(200);
    // Those between the compared ones are applied together.
    if (n < 30 || n >= 179) reads.push(await settle());
  }
  const sum = (of: number[]) => of.reduce((total, read) => total + read, 0);
  expect(sum(reads.slice(-20))).toBeLessThan(sum(reads.slice(10, 30)) * 1.2);
});

it('identifies messages again in steps, for any number of messages with a bib that changes holders', async () => {
  const [p, q] = await raceDay.participants(2);
  await raceDay.accepted(message({ participantId: p, bibNumber: 'BUSY' }, at(9)));
  for (let batch = 0; batch < 5; batch++) {
    await raceDay.accepted(
      Array.from({ length: 500 }, (_, n) =>
        message({ bibNumber: 'BUSY', shipping: shipping({ carrier: `${batch}/${n}` }) }, at(10)),
      ),
    );
  }
  await settle();
  expect((await raceDay.shown(String(p))).shipping.carrier).toBe('4/499');
  await raceDay.accepted(message({ participantId: q, bibNumber: 'BUSY' }, at(8)));
  let steps = 0;
  do {
    steps++;
    await raceDayRound((step) => api.dataSource.transaction(step), raceDay.organizationId, 1_000);
  } while (await hasRaceDayWork(api.dataSource.manager, raceDay.organizationId));
  expect(steps).toBeGreaterThanOrEqual(3);
  expect((await raceDay.shown(String(p))).shipping).toBeNull();
  expect((await raceDay.shown(String(q))).shipping.carrier).toBe('4/499');
});

it('links claims correctly with any batch size', async () => {
  const { organizationId } = raceDay;
  const id = await raceDay.participant();
  await raceDay.accepted(message({ participantId: id, bibNumber: 'step-b' }, at(9)));
  await settle();
  // In the format of an import; claims are linked in the order of their bibs.
  await api.dataSource.query(
    `INSERT INTO race_day_log (organization_id, source, changed_at, participant_id, sets_bib, bib_number, applied_at)
     SELECT $1, 'IMPORT', given.changed_at, $2, true, given.bib_number, now()
     FROM (VALUES ($3::timestamptz, 'step-z'), ($4, 'step-a')) given (changed_at, bib_number)`,
    [organizationId, id, at(10), at(11)],
  );
  do await raceDayRound((step) => api.dataSource.transaction(step), organizationId, 1);
  while (await hasRaceDayWork(api.dataSource.manager, organizationId));
  const periods = await api.dataSource.query(
    `SELECT bib_number AS bib, held_from AS since, nullif(held_until, 'infinity') AS until FROM bib_claims
     WHERE organization_id = $1 AND participant_id = $2 ORDER BY changed_at`,
    [organizationId, id],
  );
  expect(periods).toEqual([
    { bib: 'step-b', since: new Date(at(9)), until: new Date(at(10)) },
    { bib: 'step-z', since: new Date(at(10)), until: new Date(at(11)) },
    { bib: 'step-a', since: new Date(at(11)), until: null },
  ]);
});
