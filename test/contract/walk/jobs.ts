import { newId } from '#platform/database';
import type { Organization } from './organization';
import { booker, bookingOf, gbp, next, person } from './rows';

type Import = [path: string, collection: string, bad: () => object];

/** Each import, with a failing row. */
const imports = ({ ids }: Organization): Import[] => [
  ['bookings/import', 'bookings', () => bookingOf(ids, [person(newId())])],
  [
    'bookings/line-items/import',
    'lineItems',
    () => ({
      externalLineItemId: next('item'),
      bookingId: newId(),
      itemType: 'REFUND',
      name: 'x',
      amount: gbp(-1),
    }),
  ],
  [
    'add-ons/import',
    'addOns',
    () => ({
      ...{ externalAllocationId: next('add-on'), participantId: newId(), addOnId: ids.addOn, quantity: 1 },
      unitPrice: gbp(1),
    }),
  ],
  [
    'credits/import',
    'credits',
    () => ({ externalCreditId: next('credit'), email: booker.email, amount: gbp(1), eventId: newId() }),
  ],
  [
    'discount-codes/import',
    'discountCodes',
    () => ({ code: next('CODE'), discount: { type: 'FLAT_RATE', price: gbp(1) }, partnerId: newId() }),
  ],
  [
    'referrals/import',
    'referrals',
    () => ({ referralProgramId: newId(), generatedReferralCode: 'X', referredBookingId: newId() }),
  ],
  [
    'reserved-entries/participants/import',
    'assignments',
    () => ({
      ...{ externalAssignmentId: next('place'), reservedEntryGroupId: newId(), ticketSlug: 'standard' },
      participant: { firstName: 'Ada', lastName: 'L.', email: booker.email },
    }),
  ],
];

/** Jobs of every kind end before a worker sees them, and are retried; each row fails. */
export async function failedJobs(walk: Organization) {
  const { ids } = walk;
  const jobs: [path: string, jobId: string][] = [];
  for (const [path, collection, bad] of imports(walk)) {
    const { jobId } = await walk.ask('POST', `/v0/${path}`, { [collection]: [bad(), bad()] });
    await walk.items('/v0/import-jobs');
    await walk.ask('POST', `/v0/import-jobs/${jobId}/cancel`);
    await walk.items('/v0/import-jobs');
    await walk.ask('GET', `/v0/${path}/${jobId}`);
    await walk.ask('POST', `/v0/import-jobs/${jobId}/retry`);
    jobs.push([path, jobId]);
  }
  await walk.startWorker();
  for (const [path, jobId] of jobs) {
    await walk.finished(path, jobId);
    await walk.ask('GET', `/v0/import-jobs/${jobId}/rows`);
  }
  for (const [path, collection, bad] of imports(walk)) {
    const dryRun = await walk.ask('POST', `/v0/${path}?dryRun=true`, { [collection]: [bad()] });
    await walk.finished(path, dryRun.jobId);
    const applied = await walk.ask('POST', `/v0/import-jobs/${dryRun.jobId}/apply`);
    await walk.finished(path, applied.jobId);
    await walk.ask('GET', `/v0/${path}/${dryRun.jobId}`);
  }
  await walk.items('/v0/import-jobs');
  const credits = Array.from({ length: 3_000 }, (_, n) => ({
    ...{ externalCreditId: next('credit'), email: 'grace@example.com', amount: gbp(100 + (n % 7)) },
    ...{ reason: 'Cancelled swim', expiresAt: '2090-01-01T00:00:00Z', eventId: ids.event },
  }));
  await walk.import('credits/import', 'credits', credits);
}
