import type { DataSource } from 'typeorm';
import {
  addOnAllocation,
  booking,
  lineItem,
  organization,
  referral,
  referralProgram,
  referrer,
  type TestDatabase,
  testDatabase,
  ticket,
} from '#libs/testing';
import { createDataSource, newId } from '#platform/database';
import { externalIds } from '../../apps/cli/src/doctor/database';

/** Data that earlier releases stored, and how migrations change it. Migrations can be repeated, so they run again. */

let database: TestDatabase;
let dataSource: DataSource;
let organizationId: string;
beforeAll(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url, applicationName: 'test' }).initialize();
  ({ id: organizationId } = await organization(dataSource));
});
afterAll(async () => {
  await dataSource?.destroy();
  await database?.drop();
});

async function again(name: string): Promise<void> {
  const migration = dataSource.migrations.find((each) => each.constructor.name.startsWith(name));
  const queryRunner = dataSource.createQueryRunner();
  await migration?.up(queryRunner).finally(() => queryRunner.release());
}

it('adds the missing referrals of entries of a referred booking', async () => {
  const { id: referralProgramId } = await referralProgram(dataSource, { organizationId });
  const { id: referrerId } = await referrer(dataSource, { organizationId, referralProgramId });
  const of = await booking(dataSource, { organizationId, entries: 3 });
  await referral(dataSource, { organizationId, referrerId, of, status: 'REDEEMED' });
  await again('ReferralsOfEntries');
  await again('ReferralsOfEntries');
  const rows = await dataSource.query(
    'SELECT start_list_entry_id AS entry, status FROM referrals WHERE referrer_id = $1 ORDER BY 1',
    [referrerId],
  );
  expect(rows).toEqual(of.entries.map(({ id }) => ({ entry: id, status: 'REDEEMED' })));
});

it('counts units of team tickets, and ignores donations and unpaid amounts', async () => {
  const { id: ticketId } = await ticket(dataSource, { organizationId, unitSize: 2, asksDonation: true });
  const of = await booking(dataSource, {
    organizationId,
    ticketId,
    totalValue: '6000',
    entries: [{ hasDonated: true }, { hasDonated: true }, {}],
  });
  const [giver] = of.entries;
  const paid = { organizationId, bookingId: of.id };
  await lineItem(dataSource, { ...paid, itemType: 'DONATION', participantId: giver?.participantId });
  const shirt = await lineItem(dataSource, { ...paid, itemType: 'ADD_ON', amountValue: '1500' });
  await addOnAllocation(dataSource, { of, purchaseLineItemId: shirt.id, financialStatus: 'UNPAID' });
  await again('StoredMoney');
  const entries = await dataSource.query(
    `SELECT starts_unit, has_donated FROM start_list_entries WHERE booking_id = $1 ORDER BY participant_index`,
    [of.id],
  );
  expect(entries).toEqual([
    { starts_unit: true, has_donated: true },
    { starts_unit: false, has_donated: false },
    { starts_unit: true, has_donated: null },
  ]);
  const [{ places, total }] = await dataSource.query(
    `SELECT tally($1, 'ticketPlaces', $2)::int AS places, total_value::int AS total FROM bookings WHERE id = $3`,
    [organizationId, ticketId, of.id],
  );
  expect([places, total]).toEqual([2, 4500]);
});

it('trims external ids, and doctor names those that conflict with another record', async () => {
  const named = (externalBookingId: string) => booking(dataSource, { organizationId, externalBookingId });
  const [alone, , twin] = [await named(' alone\u00a0'), await named('twin'), await named('twin\t')];
  await named('\u2003two');
  await named('two ');
  await again('TrimmedIds');
  const idOf = async ({ id }: { id: string }) =>
    (await dataSource.query('SELECT external_booking_id AS name FROM bookings WHERE id = $1', [id]))[0].name;
  expect([await idOf(alone), await idOf(twin)]).toEqual(['alone', 'twin\t']);
  const { ok, message } = await externalIds(dataSource);
  expect([ok, message]).toEqual([false, expect.stringContaining('2 of bookings.external_booking_id')]);
});

it('counts the tags of participants that nothing counted before', async () => {
  await booking(dataSource, {
    organizationId,
    entries: [{ tags: ['vip', 'vip'] }, { tags: ['vip', 'press'] }],
  });
  const counted = async () =>
    dataSource.query(
      `SELECT tally($1, 'taggedParticipants', md5('vip')::uuid)::int AS vip, tally($1, 'taggedParticipants', md5('press')::uuid)::int AS press`,
      [organizationId],
    );
  await dataSource.query(`DELETE FROM tallies WHERE kind = 'taggedParticipants'`);
  await booking(dataSource, { organizationId, entries: [{ tags: ['vip'] }] });
  expect(await counted()).toEqual([{ vip: 1, press: 0 }]);
  await again('FillTaggedParticipants');
  expect(await counted()).toEqual([{ vip: 3, press: 1 }]);
  await again('FillTaggedParticipants');
  expect(await counted()).toEqual([{ vip: 3, press: 1 }]);
});

it('counts the timing messages that nothing counted before', async () => {
  const apiKeyId = newId();
  const log = (count: number, appliedAt: string | null, waitingFor: string | null) =>
    dataSource.query(
      `INSERT INTO race_day_log (organization_id, source, api_key_id, changed_at, participant_id, applied_at, waiting_for)
       SELECT $1, 'TIMING', $2, now(), uuid_v7(), $4, $5 FROM generate_series(1, $3::int)`,
      [organizationId, apiKeyId, count, appliedAt, waitingFor],
    );
  const counted = async () => {
    const [row] = await dataSource.query(
      `SELECT tally($1, 'timingPending', $2)::int AS pending, tally($1, 'timingWaiting', $2)::int AS waiting,
         tally($1, 'timingApplied', $2)::int AS applied, tally($1, 'timingApplied', $1)::int AS all`,
      [organizationId, apiKeyId],
    );
    return row;
  };
  await log(3, null, null);
  await log(2, '2026-01-01', 'bib:1');
  await log(4, '2026-01-01', null);
  const whole = { pending: 3, waiting: 2, applied: 4, all: 4 };
  expect(await counted()).toEqual(whole);
  await dataSource.query("DELETE FROM tallies WHERE kind LIKE 'timing%'");
  await log(1, null, null);
  expect(await counted()).toEqual({ pending: 1, waiting: 0, applied: 0, all: 0 });
  await again('FillTimingCounters');
  expect(await counted()).toEqual({ ...whole, pending: 4 });
  await again('FillTimingCounters');
  expect(await counted()).toEqual({ ...whole, pending: 4 });
});
