import type { INestApplicationContext } from '@nestjs/common';
import { Client } from 'pg';
import { booking, copiesOf, referralProgram, ticket } from '#libs/testing';
import { Booking, newId, ReferralProgram } from '#platform/database';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { importRows } from '../imports/import';

/**
 * Every booking of an occurrence with a referral program owns a code of it, whether booking or program was created
 * first.
 */

let api: TestApi;
let worker: INestApplicationContext;
beforeAll(async () => {
  api = await startApi({ CHECKOUT_URL: 'https://book.example.com/{countryCode}/{organizationSlug}/{slug}' });
  worker = await startWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

interface Referrer {
  generatedReferralCode: string;
  referralCodeOwnerBookingIds: string[];
  inviteUrl: string;
}
let serial = 0;
const sale = async () => ticket(api.dataSource, { organizationId: api.organizationId });
type Sale = Awaited<ReturnType<typeof sale>>;
const programOf = ({ organizationId, eventId, eventOccurrenceId }: Sale) =>
  referralProgram(api.dataSource, { organizationId, eventId, eventOccurrenceId });
const book = async ({ eventOccurrenceId, id: ticketId }: Sale, howMany = 1): Promise<string[]> => {
  const bookings = Array.from({ length: howMany }, () => ({
    externalBookingId: `owner-${++serial}`,
    eventOccurrenceId,
    booker: { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
    participants: [{ ticketId, firstName: 'Ada', lastName: 'Lovelace' }],
  }));
  const { errors, results } = await importRows(api, 'bookings/import', { bookings });
  expect(errors).toEqual([]);
  return results.map(({ bookingId }: { bookingId: string }) => bookingId);
};
const referrers = async (programId: string): Promise<Referrer[]> =>
  (await api.get(`/v0/referral-programs/${programId}/referrers?page[size]=500`)).body.data;
const ownersOf = (all: Referrer[]) => all.flatMap((each) => each.referralCodeOwnerBookingIds).sort();
/** Every booking has one code, and they are different. */
const expectOneEach = (all: Referrer[], bookingIds: string[]) => {
  expect(ownersOf(all)).toEqual([...bookingIds].sort());
  expect(new Set(all.map(({ generatedReferralCode }) => generatedReferralCode)).size).toBe(all.length);
};
const complete = (programId: string) =>
  eventually(async () => {
    const { codesComplete } = await api.dataSource
      .getRepository(ReferralProgram)
      .findOneByOrFail({ id: programId });
    return codesComplete;
  });

describe('a booking of an occurrence with a referral program', () => {
  it('has a code when it is imported, with its invite link', async () => {
    const sold = await sale();
    const { id } = await programOf(sold);
    await book(await sale());
    const bookingIds = await book(sold, 3);
    const all = await referrers(id);
    expectOneEach(all, bookingIds);
    const [{ slug, organization: seller }] = await api.dataSource.query(
      `SELECT o.slug, s.slug AS organization FROM event_occurrences o JOIN organizations s ON s.id = o.organization_id
       WHERE o.id = $1`,
      [sold.eventOccurrenceId],
    );
    for (const { generatedReferralCode: code, inviteUrl } of all) {
      expect(code).toMatch(/^[0-9A-F]{12}$/);
      expect(inviteUrl).toBe(`https://book.example.com/gb/${seller}/${slug}?referral=${code}`);
    }
    await complete(id);
    await book(sold);
    expect((await referrers(id)).slice(0, 3)).toEqual(all);
  });

  it('is a referrer in the referral import and in the list of referrals', async () => {
    const sold = await sale();
    const { id: referralProgramId } = await programOf(sold);
    const [owner, friend] = await book(sold, 2);
    const all = await referrers(referralProgramId);
    const of = all.find(({ referralCodeOwnerBookingIds: [id] }) => id === owner) as Referrer;
    const row = (referredBookingId?: string) => ({
      referralProgramId,
      generatedReferralCode: of.generatedReferralCode.toLowerCase(),
      referredBookingId,
    });
    const job = await importRows(api, 'referrals/import', { referrals: [row(friend), row(owner)] });
    expect(job.errors).toEqual([expect.objectContaining({ row: 1, code: 'OWN_BOOKING' })]);
    const { body } = await api.get(`/v0/referral-programs/${referralProgramId}/referrers/${owner}/referrals`);
    expect(body.data).toEqual([expect.objectContaining({ referredBookingId: friend, status: 'ELIGIBLE' })]);
  });

  it('shares its code with the other bookings of its checkout', async () => {
    const sold = await sale();
    const transactionId = newId();
    const { organizationId } = api;
    const of = { organizationId, ticketId: sold.id, transactionId };
    const [first, second] = [await booking(api.dataSource, of), await booking(api.dataSource, of)];
    const { id } = await programOf(sold);
    await complete(id);
    const all = await referrers(id);
    expect(all).toHaveLength(1);
    expectOneEach(all, [first.id, second.id]);
  });

  it('has a code if it was imported before the program was created, and keeps it', async () => {
    const sold = await sale();
    const earlier = await book(sold, 3);
    const { id } = await programOf(sold);
    await complete(id);
    const all = await referrers(id);
    expectOneEach(all, earlier);
    // A second pass changes nothing.
    await api.dataSource
      .getRepository(ReferralProgram)
      .update({ id }, { codesFrom: null, codesAfter: null, codesComplete: false });
    await complete(id);
    expect(await referrers(id)).toEqual(all);
  });

  it('has a code in each of two programs', async () => {
    const sold = await sale();
    const earlier = await book(sold);
    const programs = [await programOf(sold), await programOf(sold)];
    const later = await book(sold);
    for (const { id } of programs) {
      await complete(id);
      expectOneEach(await referrers(id), [...earlier, ...later]);
    }
  });

  it('has a code, with more bookings than one step processes', async () => {
    const sold = await sale();
    const { organizationId } = api;
    const { id: pattern } = await booking(api.dataSource, { organizationId, ticketId: sold.id });
    await api.dataSource.query(
      `INSERT INTO bookings ${copiesOf(
        'b',
        `jsonb_build_object(
          'id', uuid_v7(), 'transaction_id', uuid_v7(), 'external_booking_id', 'many-' || n)`,
        'FROM bookings b, generate_series(1, 1200) n WHERE b.organization_id = $1 AND b.id = $2',
      )}`,
      [organizationId, pattern],
    );
    const { id } = await programOf(sold);
    await complete(id);
    const { body } = await api.get(`/v0/referral-programs/${id}/referrers?page[size]=1`);
    expect(body.page.totalResults).toBe(1201);
  });

  it('has a code if it is written while the program is created', async () => {
    const sold = await sale();
    const { organizationId } = api;
    const { id: pattern } = await booking(api.dataSource, { organizationId, ticketId: sold.id });
    const client = new Client({ connectionString: api.databaseUrl });
    await client.connect();
    const late = newId();
    await client.query('BEGIN');
    // Like an import that did not see the program: it commits after the program exists.
    await client.query(
      `INSERT INTO bookings ${copiesOf(
        'b',
        `jsonb_build_object(
          'id', $3::text, 'transaction_id', uuid_v7(), 'external_booking_id', $3::text)`,
        'FROM bookings b WHERE b.organization_id = $1 AND b.id = $2',
      )}`,
      [organizationId, pattern, late],
    );
    const { id } = await programOf(sold);
    const isBegun = async () =>
      (await api.dataSource.getRepository(ReferralProgram).findOneByOrFail({ id })).codesFrom !== null;
    await eventually(isBegun);
    expect(await referrers(id)).toEqual([]);
    await client.query('COMMIT');
    await client.end();
    await complete(id);
    expectOneEach(await referrers(id), [pattern, late]);
    expect(
      await api.dataSource.getRepository(Booking).countBy({ eventOccurrenceId: sold.eventOccurrenceId }),
    ).toBe(2);
  });
});
