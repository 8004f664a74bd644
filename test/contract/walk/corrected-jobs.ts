import { newId } from '#platform/database';
import type { Organization } from './organization';
import { bookingOf, gbp, next, person } from './rows';

/** An import with a name, whose failed row another one corrects; imports of each surface that are undone; and a participant who moves. */
export async function correctedJobs(walk: Organization) {
  const { ids } = walk;
  const credit = (more: object = {}) => ({
    ...{ externalCreditId: next('credit'), email: 'grace@example.com', amount: gbp(100) },
    ...more,
  });
  const first = await walk.ask('POST', '/v0/credits/import?name=autumn.csv', {
    credits: [credit(), credit({ eventId: newId() })],
  });
  await walk.finished('credits/import', first.jobId);
  const second = await walk.ask('POST', '/v0/credits/import?name=autumn-again.csv', {
    credits: [credit()],
    corrects: { jobId: first.jobId, rows: [1] },
  });
  await walk.finished('credits/import', second.jobId);
  for (const { jobId } of [first, second]) await walk.ask('GET', `/v0/credits/import/${jobId}`);
  await walk.items('/v0/import-jobs');
  const sold = await walk.import('bookings/import', 'bookings', [
    bookingOf(ids, [person(ids.mileTicket)]),
    bookingOf(ids, [person(ids.mileTicket)]),
  ]);
  const [{ participantIds }] = sold.results;
  await walk.ask('POST', `/v0/participants/${participantIds[0]}/move`, { ticketId: ids.ticket });
  const [, { bookingId, participantIds: others }] = sold.results;
  const fees = await walk.import('bookings/line-items/import', 'lineItems', [
    {
      ...{ externalLineItemId: next('item'), bookingId, itemType: 'BOOKING_FEE', name: 'Fee' },
      amount: gbp(100),
    },
  ]);
  const shirts = await walk.import('add-ons/import', 'addOns', [
    {
      ...{ externalAllocationId: next('add-on'), participantId: others[0], addOnId: ids.addOn, quantity: 1 },
      unitPrice: gbp(100),
    },
  ]);
  const referrers = await walk.items(`/v0/referral-programs/${ids.program}/referrers`);
  const { generatedReferralCode } = referrers.find(
    ({ referralCodeOwnerBookingIds: owners }) => owners.length > 0 && !owners.includes(bookingId),
  );
  const referrals = await walk.import('referrals/import', 'referrals', [
    { referralProgramId: ids.program, generatedReferralCode, referredBookingId: bookingId },
  ]);
  const codes = await walk.import('discount-codes/import', 'discountCodes', [
    { code: next('CODE'), discount: { type: 'FLAT_RATE', price: gbp(1) } },
  ]);
  const places = await walk.import('reserved-entries/participants/import', 'assignments', [
    {
      ...{ externalAssignmentId: next('place'), reservedEntryGroupId: ids.group, ticketSlug: 'standard' },
      participant: { firstName: 'Ada', lastName: 'L.', email: 'ida@river.example' },
    },
  ]);
  for (const [path, { jobId }] of [
    ['credits/import', first],
    ['referrals/import', referrals],
    ['add-ons/import', shirts],
    ['bookings/line-items/import', fees],
    ['bookings/import', sold],
    ['discount-codes/import', codes],
    ['reserved-entries/participants/import', places],
  ] as const) {
    await walk.ask('GET', `/v0/import-jobs/${jobId}/undo`);
    const undo = await walk.ask('POST', `/v0/import-jobs/${jobId}/undo`, { includeChanged: true });
    await walk.finished(path, undo.jobId);
    await walk.ask('GET', `/v0/import-jobs/${jobId}/undo`);
    await walk.ask('GET', `/v0/${path}/${jobId}`);
  }
  await walk.items('/v0/import-jobs');
}
