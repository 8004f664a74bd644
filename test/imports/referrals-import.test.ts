import { booking, organization, referralProgram, referrer } from '#libs/testing';
import { newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';
import { errorsOf, importRows } from './import';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

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
  return { row, referrals, referralProgramId, generatedReferralCode, ownerBookingIds };
}
const booked = (given: object = {}) =>
  booking(api.dataSource, { organizationId: api.organizationId, ...given });

describe('POST /v0/referrals/import', () => {
  it('creates a referral for each entry of the bookings, by id or external id', async () => {
    const { row, referrals, generatedReferralCode } = await campaign();
    const [one, other] = [await booked({ entries: 3 }), await booked()];
    const job = await post([
      row({ referredBookingId: one.id }),
      row({ referredExternalBookingId: other.externalBookingId, status: 'REDEEMED' }),
    ]);
    expect(job).toMatchObject({ surface: 'referralsImport', succeededRows: 2 });
    const [first, second] = job.results;
    expect(first).toEqual({
      row: 0,
      outcome: 'IMPORTED',
      alreadyImported: false,
      referralId: first.referralIds[0],
      referralIds: [0, 1, 2].map(() => expect.any(String)),
    });
    const { eventId, eventOccurrenceId } = one;
    const shown = await referrals();
    expect(shown).toHaveLength(4);
    for (const [i, { id }] of one.entries.entries()) {
      expect(shown).toContainEqual({
        referralId: first.referralIds[i],
        referredBookingId: one.id,
        startListEntryId: id,
        eventId,
        eventOccurrenceId,
        status: 'ELIGIBLE',
      });
      const { body } = await api.get(`/v0/applications/${id}`);
      expect(body.bookingCodesUsed.referralCodes).toEqual([generatedReferralCode]);
    }
    expect(shown).toContainEqual(
      expect.objectContaining({
        referralId: second.referralId,
        referredBookingId: other.id,
        status: 'REDEEMED',
      }),
    );
  });

  it('shows CANCELLED when the booking is cancelled', async () => {
    const { row, referrals } = await campaign();
    const [eligible, redeemed] = [await booked(), await booked()];
    await post([
      row({ referredBookingId: eligible.id }),
      row({ referredBookingId: redeemed.id, status: 'REDEEMED' }),
    ]);
    for (const { id } of [eligible, redeemed]) await api.send('DELETE', `/v0/bookings/${id}`, undefined);
    expect((await referrals()).map(({ status }: { status: string }) => status)).toEqual([
      'CANCELLED',
      'CANCELLED',
    ]);
  });

  it('matches codes in any case', async () => {
    const { row, referrals, generatedReferralCode } = await campaign();
    const of = await booked();
    const job = await post([
      row({ referredBookingId: of.id, generatedReferralCode: generatedReferralCode.toLowerCase() }),
    ]);
    expect(job.succeededRows).toBe(1);
    expect(await referrals()).toHaveLength(1);
    const { body } = await api.get(`/v0/applications/${of.entries[0]?.id}`);
    expect(body.bookingCodesUsed.referralCodes).toEqual([generatedReferralCode]);
  });

  it('attributes a booking to one code per program, the first', async () => {
    const { row, referrals, referralProgramId } = await campaign();
    const { generatedReferralCode } = await referrer(api.dataSource, {
      organizationId: api.organizationId,
      referralProgramId,
    });
    const [one, other] = [await booked(), await booked()];
    const job = await post([
      row({ referredBookingId: one.id }),
      row({ referredBookingId: one.id, generatedReferralCode }),
      row({ referredBookingId: other.id }),
    ]);
    expect(errorsOf(job)).toEqual([[1, 'REFERRAL_ALREADY_ATTRIBUTED']]);
    const again = await post([row({ referredBookingId: other.id, generatedReferralCode })]);
    expect(errorsOf(again)).toEqual([[0, 'REFERRAL_ALREADY_ATTRIBUTED']]);
    expect(await referrals()).toHaveLength(2);
    const elsewhere = await campaign();
    expect((await post([elsewhere.row({ referredBookingId: one.id })])).succeededRows).toBe(1);
  });

  it('keeps the codes of all programs that a batch attributes a booking to', async () => {
    const [one, other] = [await campaign(), await campaign()];
    const of = await booked();
    const rows = [one, other].map(({ row }) => row({ referredBookingId: of.id }));
    expect((await post(rows)).succeededRows).toBe(2);
    const { body } = await api.get(`/v0/applications/${of.entries[0]?.id}`);
    const codes = [one, other].map(({ generatedReferralCode }) => generatedReferralCode);
    expect(body.bookingCodesUsed.referralCodes.sort()).toEqual(codes.sort());
  });

  it('rejects bookings of the owner of the code', async () => {
    const { row, ownerBookingIds } = await campaign();
    const job = await post([row({ referredBookingId: ownerBookingIds[0] })]);
    expect(errorsOf(job)).toEqual([[0, 'OWN_BOOKING']]);
  });

  it('reports an existing referral, by id or external id of its booking', async () => {
    const { row, referrals } = await campaign();
    const of = await booked();
    const job = await post([
      row({ referredBookingId: of.id }),
      row({ referredExternalBookingId: of.externalBookingId }),
    ]);
    const [{ referralId }] = job.results;
    expect(job.results[1]).toMatchObject({ outcome: 'ALREADY_IMPORTED', alreadyImported: true, referralId });
    const again = await post([row({ referredBookingId: of.id, status: 'ELIGIBLE' })]);
    expect(again.results).toMatchObject([{ outcome: 'ALREADY_IMPORTED', referralId }]);
    expect(await referrals()).toMatchObject([{ referralId, status: 'ELIGIBLE' }]);
  });

  describe('with another status', () => {
    const statuses = ['ELIGIBLE', 'REDEEMED', 'CANCELLED'];
    const permitted = ['ELIGIBLE to REDEEMED', 'ELIGIBLE to CANCELLED', 'REDEEMED to CANCELLED'];
    const moves = statuses.flatMap((from) =>
      statuses.filter((to) => to !== from).map((to) => [from, to] as const),
    );

    it.each(moves)('from %s to %s', async (from, to) => {
      const { row, referrals } = await campaign();
      const of = await booked({ entries: 2 });
      const [{ referralIds }] = (await post([row({ referredBookingId: of.id, status: from })])).results;
      const job = await post([row({ referredBookingId: of.id, status: to })]);
      const moved = permitted.includes(`${from} to ${to}`);
      if (moved) expect(job.results).toMatchObject([{ outcome: 'UPDATED', referralIds }]);
      else expect(errorsOf(job)).toEqual([[0, 'INVALID_TRANSITION']]);
      const shown = moved ? to : from;
      expect(await referrals()).toMatchObject([{ status: shown }, { status: shown }]);
    });

    it('moves what an earlier row of the batch created, and nothing without a status', async () => {
      const { row, referrals } = await campaign();
      const of = await booked();
      const [byId, byExternalId] = [
        { referredBookingId: of.id },
        { referredExternalBookingId: of.externalBookingId },
      ];
      const job = await post([row(byId), row({ ...byExternalId, status: 'REDEEMED' })]);
      expect(job.results).toMatchObject([{ outcome: 'IMPORTED' }, { outcome: 'UPDATED' }]);
      expect((await post([row(byId)])).results).toMatchObject([{ outcome: 'ALREADY_IMPORTED' }]);
      expect(await referrals()).toMatchObject([{ status: 'REDEEMED' }]);
    });

    it('leaves the referral of a cancelled entry, and fails for a cancelled booking', async () => {
      const { row, referrals } = await campaign();
      const [some, none] = [await booked({ entries: [{ cancelledAt: new Date() }, {}] }), await booked()];
      await post([row({ referredBookingId: some.id }), row({ referredBookingId: none.id })]);
      await api.send('DELETE', `/v0/bookings/${none.id}`, undefined);
      const job = await post(
        [some, none].map(({ id }) => row({ referredBookingId: id, status: 'REDEEMED' })),
      );
      expect(errorsOf(job)).toEqual([[1, 'INVALID_TRANSITION']]);
      expect((await referrals()).map(({ status }: { status: string }) => status).sort()).toEqual([
        'CANCELLED',
        'CANCELLED',
        'REDEEMED',
      ]);
    });
  });

  it('creates one referral from two concurrent jobs for the same booking', async () => {
    const { row, referrals } = await campaign();
    const of = await booked();
    const jobs = await Promise.all([1, 2, 3, 4].map(() => post([row({ referredBookingId: of.id })])));
    expect(jobs.reduce((sum, { succeededRows }) => sum + succeededRows, 0)).toBe(1);
    expect(await referrals()).toHaveLength(1);
  });

  it('fails an invalid row alone, with its code', async () => {
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

  it('rejects a malformed batch, naming row and field', async () => {
    const { row } = await campaign();
    const referredBookingId = newId();
    const good = row({ referredBookingId });
    const wrong: [object[], string][] = [
      [[good, row({})], 'referrals[1] must have referredBookingId or referredExternalBookingId'],
      [
        [row({ referredBookingId, referredExternalBookingId: 'x' })],
        'referrals[0] must have referredBookingId',
      ],
      [[row({ referredBookingId: 'x' })], 'referrals[0].referredBookingId must be a UUID'],
      [[row({ referredBookingId, status: 'PENDING' })], 'referrals[0].status must be one of'],
      [[good, good], 'referrals[1] is the same as in referrals[0]'],
    ];
    for (const [referrals, message] of wrong) {
      const { status, body } = await api.send('POST', `/v0/${PATH}`, { referrals });
      expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
    }
  });
});
