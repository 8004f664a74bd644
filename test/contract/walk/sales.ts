import { operation } from '../document';
import type { Organization } from './organization';
import { bookingOf, gbp, next, person, type Sale } from './rows';

export async function partners(walk: Organization) {
  const { ids } = walk;
  const marketing = {
    optInText: 'Hear from us',
    url: 'https://p.example',
    logoUrl: 'https://p.example/l.svg',
  };
  const { id } = await walk.ask('POST', '/v0/partners', {
    ...{ name: 'Acme', description: 'Shoes', type: 'CORPORATE', externalIds: { ENTHUSE: 'acme' } },
    contacts: [{ firstName: 'Bo', lastName: 'Ek', email: 'bo@acme.example', phone: '+46', role: 'Sales' }],
    defaultMarketing: marketing,
    specificMarketings: [{ eventId: ids.event, ...marketing }],
  });
  await walk.ask('PATCH', `/v0/partners/${id}`, { canCreateSubPartners: true });
  return id as string;
}

export async function sales(walk: Organization, partnerId: string): Promise<Record<string, Sale>> {
  const { ids } = walk;
  const limits = {
    limitUsage: 50,
    group: 'Spring',
    startDateTime: '2020-01-01T00:00:00Z',
    endDateTime: '2089-01-01T00:00:00Z',
  };
  const fits = { eventOccurrenceIds: [ids.occurrence], ticketIds: [ids.ticket], partnerId };
  const code = (name: string, discount: object, more: object = {}) => ({
    code: name,
    discount,
    ...limits,
    ...fits,
    ...more,
  });
  const percent = (amount: number, isAppliedToBookingFee: boolean) => ({
    type: 'PERCENTAGE',
    amount,
    isAppliedToBookingFee,
  });
  const entry = { appliesPer: 'ENTRY', limitUsagePerTransaction: 4 };
  const { results: codes } = await walk.import('discount-codes/import', 'discountCodes', [
    code('SPRING', percent(10, false)),
    code('EACH', percent(20, true), entry),
    code(
      'FLAT',
      { type: 'FLAT_RATE', price: gbp(500) },
      { ...entry, limitUsage: 60, limitUsagePerTransaction: 5 },
    ),
  ]);
  const rich = person(ids.ticket, {
    ...{
      email: 'ada@example.com',
      dateOfBirth: '1990-12-10',
      gender: 'FEMALE',
      waveId: ids.wave,
      bibNumber: '1',
    },
    ...{ externalParticipantId: 'runner-1', tags: ['vip'], team: { name: 'Engines', role: 'CAPTAIN' } },
    fields: [
      { id: ids.shirt, value: 'S' },
      { id: ids.club, value: 'Harriers' },
    ],
  });
  const extra = {
    ...{
      bookedAt: '2026-01-01T00:00:00Z',
      tracking: { source: 'newsletter' },
      metadata: { shop: 'Covent Garden' },
    },
    ...{ sourcePlatform: 'Box office', discountCode: 'SPRING' },
  };
  const rows = {
    rich: bookingOf(ids, [rich, person(ids.ticket, { waveId: ids.lateWave })], extra),
    partner: bookingOf(ids, [person(ids.ticket)], { bookerType: 'PARTNER', partnerId, discountCode: 'EACH' }),
    relay: bookingOf(ids, [person(ids.relay), person(ids.relay)]),
    soldOut: bookingOf(ids, [person(ids.soldOut)]),
    friend: bookingOf(ids, [person(ids.mileTicket)]),
    other: bookingOf(ids, [person(ids.mileTicket, { email: 'ada@example.com', dateOfBirth: '1990-12-10' })]),
    cancelled: bookingOf(ids, [person(ids.mileTicket, { bibNumber: '9' })]),
    redacted: bookingOf(ids, [person(ids.mileTicket)]),
    euro: bookingOf(ids, [person(ids.draftTicket)], { eventOccurrenceId: ids.draft }),
  };
  const { results } = await walk.import('bookings/import', 'bookings', Object.values(rows));
  await walk.import('bookings/import', 'bookings', Object.values(rows).slice(0, 3));
  for (const { discountCodeId } of codes) await walk.ask('GET', `/v0/discount-codes/${discountCodeId}`);
  await walk.ask('PATCH', `/v0/discount-codes/${codes[0].discountCodeId}`, { group: 'Summer' });
  return Object.fromEntries(Object.keys(rows).map((name, at) => [name, results[at]]));
}

export async function money(walk: Organization, { bookingId, participantIds: [participantId] }: Sale) {
  const { ids } = walk;
  const [{ id: creditId }] = await walk.items('/v0/credits?page[size]=1');
  const item = (itemType: string, value: number, more: object = {}) => ({
    ...{ externalLineItemId: next('item'), bookingId, itemType, name: itemType, amount: gbp(value), ...more },
  });
  const fee = item('BOOKING_FEE', 100);
  await walk.import('bookings/line-items/import', 'lineItems', [
    fee,
    item('DONATION', 1000, { participantId, itemId: ids.charity, itemSelectionId: 'gift-aid' }),
    item('CREDIT', -50, { itemId: creditId }),
  ]);
  await walk.import('bookings/line-items/import', 'lineItems', [{ ...fee, amount: gbp(200) }], 'PUT');
  await walk.ask('GET', `/v0/credits/${creditId}`);
  const addOn = (quantity: number, operationalStatus: string, financialStatus: string) => ({
    ...{ externalAllocationId: next('add-on'), participantId, addOnId: ids.addOn, variantId: ids.variant },
    ...{ quantity, unitPrice: gbp(1500), operationalStatus, financialStatus },
  });
  const shirt = addOn(1, 'ALLOCATED', 'PAID');
  const rest = [addOn(2, 'FULFILLED', 'UNPAID'), addOn(1, 'CANCELLED', 'REFUNDED')];
  await walk.import('add-ons/import', 'addOns', [shirt, ...rest]);
  await walk.import('add-ons/import', 'addOns', [shirt], 'PUT');
}

export async function places(walk: Organization) {
  const { ids } = walk;
  const assignment = (reservedEntryGroupId: string, ticketSlug: string, email: string) => ({
    ...{ externalAssignmentId: next('place'), reservedEntryGroupId, ticketSlug },
    participant: { firstName: 'Grace', lastName: 'Hopper', email },
  });
  await walk.import('reserved-entries/participants/import', 'assignments', [
    assignment(ids.group, 'standard', 'grace@river.example'),
    assignment(ids.group, 'standard', 'jean@river.example'),
    assignment(ids.once, 'mile', 'press@example.com'),
  ]);
}

export async function referrals(
  walk: Organization,
  { rich, friend, other, cancelled }: Record<string, Sale>,
) {
  const { ids } = walk;
  const path = `/v0/referral-programs/${ids.program}/referrers`;
  const owner = (rich as Sale).bookingId;
  const referrers = await walk.items(path);
  const { generatedReferralCode } = referrers.find(({ referralCodeOwnerBookingIds }) =>
    referralCodeOwnerBookingIds.includes(owner),
  );
  const row = (sale: Sale | undefined, status: string) => ({
    ...{ referralProgramId: ids.program, generatedReferralCode, referredBookingId: sale?.bookingId, status },
  });
  await walk.import('referrals/import', 'referrals', [
    row(friend, 'ELIGIBLE'),
    row(other, 'REDEEMED'),
    row(cancelled, 'ELIGIBLE'),
  ]);
  const leaving = `/v0/participants/${cancelled?.participantIds[0]}`;
  // Who has another place.
  const { ticketId: _, ...ada } = person('', { email: 'ada@example.com', dateOfBirth: '1990-12-10' });
  await walk.ask('POST', `${leaving}/transfer`, ada);
  await walk.ask('DELETE', `/v0/bookings/${cancelled?.bookingId}`);
  await walk.ask('DELETE', leaving);
  await walk.items(`${path}/${owner}/referrals`);
  if (!operation('importBookings').query.some(({ name }) => name === 'cancelled')) return;
  const { externalBookingId } = cancelled as Sale;
  const again = bookingOf(ids, [person(ids.mileTicket)], { externalBookingId });
  const job = await walk.ask('POST', '/v0/bookings/import?cancelled=skip', { bookings: [again] });
  await walk.finished('bookings/import', job.jobId);
}
