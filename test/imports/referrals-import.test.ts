import type { INestApplicationContext } from '@nestjs/common';
import { newId } from '#libs/database';
import { booking, key, organization, referralProgram, referrer } from '#libs/testing';
import { startApi, startWorker, type TestApi } from '../harness';
import { errorsOf, importRows } from './import';

let api: TestApi;
let worker: INestApplicationContext;
beforeAll(async () => {
  api = await startApi();
  worker = await startWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

const PATH = 'referrals/import';
const post = (referrals: object[]) => importRows(api, PATH, { referrals });

/** A program with one referrer, and rows that refer a booking to its code. */
async function campaign(organizationId = api.organizationId) {
  const { id: referralProgramId } = await referralProgram(api.dataSource, { organizationId });
  const { generatedReferralCode, ownerBookingIds } = await referrer(api.dataSource, {
    organizationId,
    referralProgramId,
  });
  const row = (given: object) => ({ referralProgramId, generatedReferralCode, ...given });
  const referrals = async () =>
    (await api.get(`/v0/referral-programs/${referralProgramId}/referrers/${ownerBookingIds[0]}/referrals`))
      .body.data;
  return { row, referrals, referralProgramId, generatedReferralCode };
}
const booked = (given: object = {}) =>
  booking(api.dataSource, { organizationId: api.organizationId, ...given });

describe('POST /v0/referrals/import', () => {
  it('attributes bookings to the code, by either name', async () => {
    const { row, referrals, generatedReferralCode } = await campaign();
    const [one, other] = [await booked({ entries: 2 }), await booked()];
    const job = await post([
      row({ referredBookingId: one.id }),
      row({ referredExternalBookingId: other.externalBookingId, status: 'PENDING' }),
    ]);
    expect(job).toMatchObject({ surface: 'referralsImport', succeededRows: 2 });
    expect(job.results).toEqual(
      [0, 1].map((i) => ({
        row: i,
        outcome: 'IMPORTED',
        alreadyImported: false,
        referralId: expect.any(String),
      })),
    );
    const { eventId, eventOccurrenceId } = one;
    const shown = await referrals();
    expect(shown).toHaveLength(2);
    expect(shown).toContainEqual({
      referralId: job.results[0].referralId,
      referredBookingId: one.id,
      startListEntryId: one.entries[0]?.id,
      eventId,
      eventOccurrenceId,
      status: 'ELIGIBLE',
    });
    expect(shown).toContainEqual(expect.objectContaining({ referredBookingId: other.id, status: 'PENDING' }));
    for (const { id } of one.entries) {
      const { body } = await api.get(`/v0/applications/${id}`);
      expect(body.bookingCodesUsed.referralCodes).toEqual([generatedReferralCode]);
    }
  });

  it('reports a referral that is there already, under either name of its booking', async () => {
    const { row, referrals } = await campaign();
    const of = await booked();
    const job = await post([
      row({ referredBookingId: of.id }),
      row({ referredExternalBookingId: of.externalBookingId }),
    ]);
    const [{ referralId }] = job.results;
    expect(job.results[1]).toMatchObject({ outcome: 'ALREADY_IMPORTED', alreadyImported: true, referralId });
    const again = await post([row({ referredBookingId: of.id, status: 'PENDING' })]);
    expect(again.results).toMatchObject([{ outcome: 'ALREADY_IMPORTED', referralId }]);
    expect(await referrals()).toMatchObject([{ referralId, status: 'ELIGIBLE' }]);
  });

  it('makes one of two jobs that refer the same booking at once', async () => {
    const { row, referrals } = await campaign();
    const of = await booked();
    const jobs = await Promise.all([1, 2, 3, 4].map(() => post([row({ referredBookingId: of.id })])));
    expect(jobs.reduce((sum, { succeededRows }) => sum + succeededRows, 0)).toBe(1);
    expect(await referrals()).toHaveLength(1);
  });

  it('fails a row alone, with the code that says why', async () => {
    const { row } = await campaign();
    const other = await campaign();
    const { id: strangers } = await organization(api.dataSource);
    const foreign = await campaign(strangers);
    const foreignBooking = await booking(api.dataSource, { organizationId: strangers });
    const gone = await booked();
    await api.send('DELETE', `/v0/bookings/${gone.id}`, undefined);
    const { id: referredBookingId } = await booked();
    const spoilt: [string, object][] = [
      ['REFERRAL_PROGRAM_NOT_FOUND', row({ referredBookingId, referralProgramId: newId() })],
      ['REFERRAL_PROGRAM_NOT_FOUND', foreign.row({ referredBookingId })],
      ['REFERRER_NOT_FOUND', row({ referredBookingId, generatedReferralCode: 'nobody' })],
      ['REFERRER_NOT_FOUND', row({ referredBookingId, generatedReferralCode: other.generatedReferralCode })],
      ['BOOKING_NOT_FOUND', row({ referredBookingId: newId() })],
      ['BOOKING_NOT_FOUND', row({ referredExternalBookingId: 'nobody' })],
      ['BOOKING_NOT_FOUND', row({ referredBookingId: foreignBooking.id })],
      ['BOOKING_CANCELLED', row({ referredBookingId: gone.id })],
    ];
    const job = await post([...spoilt.map(([, bad]) => bad), row({ referredBookingId })]);
    expect(errorsOf(job)).toEqual(spoilt.map(([code], i) => [i, code]));
    expect(job.succeededRows).toBe(1);
  });

  it('refuses a batch of wrong shape, naming row and field', async () => {
    const { row } = await campaign();
    const referredBookingId = newId();
    const good = row({ referredBookingId });
    const wrong: [object[], string][] = [
      [[good, row({})], 'referrals[1] must have referredBookingId or referredExternalBookingId'],
      [
        [row({ referredBookingId, referredExternalBookingId: 'x' })],
        'referrals[0] must have referredBookingId',
      ],
      [[row({ referredBookingId: 'x' })], 'referrals[0].referredBookingId must be an id of ours'],
      [[good, good], 'referrals[1] is the same as that of referrals[0]'],
    ];
    for (const [referrals, message] of wrong) {
      const { status, body } = await api.send('POST', `/v0/${PATH}`, { referrals });
      expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
    }
  });

  it('refuses strangers', async () => {
    const { id: organizationId } = await organization(api.dataSource, { surfaces: ['referrals'] });
    const { token } = await key(api.dataSource, { organizationId });
    const { status, body } = await api.send('POST', `/v0/${PATH}`, '{', token);
    expect([status, body.message]).toEqual([403, expect.stringContaining('referralsImport')]);
  });
});
