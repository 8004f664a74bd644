import { newId } from '#libs/database';
import { eventually } from '../harness';
import { OPERATIONS, pathOf, subjectOf } from './document';
import type { Ids } from './walk/catalogue';
import { Organization } from './walk/organization';

/**
 * Every field of the contract can be filled by public means: commands, files and the API. Nothing is written to the database
 * here. A property that stays without a value, or a state that never shows, is in the list that this test expects to be
 * empty.
 */

/** What only ever has one value, and why. */
const CONSTANTS = [
  // Deleted tickets are in no list; TicketDetails shows them.
  'Ticket.isDeleted: never true',
  // The contract's word for an answer that is not an error.
  'RaceDayReceipt.success: never false',
  'TimingReceipt.success: never false',
  'WebhookDone.success: never false',
  // All deliveries must fail for WEBHOOK_DISABLE_HOURS, an hour at least: test/faults/webhooks has it.
  'WebhookEndpoint.disabledReason: never FAILING',
  'WebhookEndpointWithSecret.disabledReason: never FAILING',
];

/** Comes with start list files. */
const NOT_YET: string[] = [
  'Application.applicationResolutionType: never BALLOT, MANUAL',
  'Application.approvalStatus: never PENDING, REJECTED, WITHDRAWN',
  'Application.ballotDraw: no value',
  'Application.notes: no value',
  'Application.partnerMarketingOptIns: no value',
  'Booking.source: never WEBSITE, DASHBOARD',
  'BookingSummary.source: never WEBSITE, DASHBOARD',
  'Participant.bookingSource: never PLATFORM',
  'Participant.charityOptIn: no value',
  'Participant.notes: no value',
  'Participant.partnerMarketingOptIns: no value',
  'Participant.resultSubmission: no value',
  'PartnerMarketingOptIn.optedIn: no value',
  'PartnerMarketingOptIn.partnerId: no value',
  'ResultSubmission.submittedAt: no value',
  'ResultSubmission.url: no value',
];

let walk: Organization;
let ids: Ids;
beforeAll(async () => {
  walk = await Organization.found();
  ({ ids } = walk);
}, 120_000);
afterAll(() => walk?.close());

let serial = 0;
const next = (name: string) => `${name}-${++serial}`;
const gbp = (value: number) => ({ value, currencyCode: 'GBP' });
const booker = {
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '+44 20 7946 0018',
};
const person = (ticketId: string, more: object = {}) => ({
  ticketId,
  firstName: 'Ada',
  lastName: 'L.',
  ...more,
});
const bookingOf = (participants: object[], more: object = {}) => ({
  externalBookingId: next('order'),
  eventOccurrenceId: ids.occurrence,
  booker,
  participants,
  ...more,
});

const IMPORTS: [path: string, collection: string, bad: () => object][] = [
  ['bookings/import', 'bookings', () => bookingOf([person(newId())])],
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

/** Jobs of every kind end before a worker sees them, and are tried again; each row fails. */
async function failedJobs() {
  const jobs: [path: string, jobId: string][] = [];
  for (const [path, collection, bad] of IMPORTS) {
    const { jobId } = await walk.ask('POST', `/v0/${path}`, { [collection]: [bad(), bad()] });
    await walk.items('/v0/import-jobs');
    await walk.ask('POST', `/v0/${path}/${jobId}/cancel`);
    await walk.items('/v0/import-jobs');
    await walk.ask('GET', `/v0/${path}/${jobId}`);
    await walk.ask('POST', `/v0/${path}/${jobId}/retry`);
    jobs.push([path, jobId]);
  }
  await walk.startWorker();
  for (const [path, jobId] of jobs) {
    await walk.finished(path, jobId);
    await walk.ask('GET', `/v0/${path}/${jobId}/rows`);
  }
  const credits = Array.from({ length: 5_000 }, () => ({
    ...{ externalCreditId: next('credit'), email: 'grace@example.com', amount: gbp(100 + serial) },
    ...{ reason: 'Cancelled swim', expiresAt: '2090-01-01T00:00:00Z', eventId: ids.event },
  }));
  await walk.import('credits/import', 'credits', credits);
}

async function partners() {
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

interface Sale {
  bookingId: string;
  participantIds: string[];
  externalBookingId: string;
}

async function sales(partnerId: string): Promise<Record<string, Sale>> {
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
    rich: bookingOf([rich, person(ids.ticket, { waveId: ids.lateWave })], extra),
    partner: bookingOf([person(ids.ticket)], { bookerType: 'PARTNER', partnerId, discountCode: 'EACH' }),
    relay: bookingOf([person(ids.relay), person(ids.relay)]),
    soldOut: bookingOf([person(ids.soldOut)]),
    friend: bookingOf([person(ids.mileTicket)]),
    other: bookingOf([person(ids.mileTicket)]),
    cancelled: bookingOf([person(ids.mileTicket, { bibNumber: '9' })]),
    redacted: bookingOf([person(ids.mileTicket)]),
    euro: bookingOf([person(ids.draftTicket)], { eventOccurrenceId: ids.draft }),
  };
  const { results } = await walk.import('bookings/import', 'bookings', Object.values(rows));
  await walk.import('bookings/import', 'bookings', Object.values(rows).slice(0, 3));
  for (const { discountCodeId } of codes) await walk.ask('GET', `/v0/discount-codes/${discountCodeId}`);
  await walk.ask('PATCH', `/v0/discount-codes/${codes[0].discountCodeId}`, { group: 'Summer' });
  return Object.fromEntries(Object.keys(rows).map((name, at) => [name, results[at]]));
}

async function money({ bookingId, participantIds: [participantId] }: Sale) {
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

async function places() {
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

async function referrals({ rich, friend, other, cancelled }: Record<string, Sale>) {
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
  await walk.ask('DELETE', `/v0/bookings/${cancelled?.bookingId}`);
  await walk.items(`${path}/${owner}/referrals`);
}

async function raceDay({ rich, relay, cancelled }: Record<string, Sale>) {
  const [one, two] = (rich as Sale).participantIds as [string, string];
  const [runner] = (relay as Sale).participantIds as [string];
  const [gone] = (cancelled as Sale).participantIds as [string];
  const at = (hour: number) => `2026-05-04T${String(hour).padStart(2, '0')}:00:00Z`;
  const message = (hour: number, data: object) => ({ schemaVersion: '1.0', changedAt: at(hour), data });
  const shipping = (status: string) => ({
    ...{ status, shippedAt: at(1), carrier: 'Royal Mail', trackingNumber: 'RM1' },
    trackingUrl: 'https://track.example/RM1',
  });
  const send = (...messages: object[]) => walk.ask('POST', '/timing-inbound/v1', messages, 'timing');
  const applied = (id: string, bibNumber: string) =>
    eventually(async () => (await walk.ask('GET', `/v0/participants/${id}`)).bibNumber === bibNumber);
  await walk.ask('PATCH', `/v0/participants/${one}/race-day`, {
    ...{ bibNumber: '1', customFields: [{ id: 'kit', value: 'collected' }] },
  });
  await walk.ask('PATCH', `/v0/participants/${two}/race-day`, { bibNumber: '1' });
  await send(
    message(3, { participantId: runner, bibNumber: '7', shipping: shipping('SHIPPED') }),
    message(3, { participantId: one, shipping: shipping('DELIVERED') }),
    message(3, { participantId: two, shipping: shipping('RETURNED') }),
  );
  await applied(runner, '7');
  await send(
    message(2, { participantId: runner, bibNumber: '8', shipping: shipping('SHIPPED') }),
    message(9, { participantId: gone, bibNumber: '10' }),
    message(9, { participantId: newId(), bibNumber: '11' }),
    message(10, { participantId: (relay as Sale).participantIds[1], bibNumber: '7' }),
  );
  await eventually(async () => (await walk.ask('GET', `/v0/participants/${two}`)).raceDayErrors.length > 0);
}

async function webhooks() {
  await walk.items('/v0/change-events');
  const endpoint = (path: string, more: object = {}) =>
    walk.ask('POST', '/v0/webhook-endpoints', {
      ...{ url: `${walk.receiver.url}/${path}`, types: ['partner.created'], description: path, ...more },
    });
  const [{ id: bad }, { id: closed }, { id: ended }] = [
    await endpoint('asked'),
    await endpoint('closes'),
    await endpoint('gone'),
  ];
  await endpoint('off', { enabled: false, eventOccurrenceIds: [ids.occurrence] });
  await endpoint('says');
  await walk.ask('POST', '/v0/partners', {
    name: 'Sponsor',
    contacts: [{ firstName: 'A', lastName: 'B', email: 'a@b.example' }],
  });
  const ended_ = () => walk.ask('GET', `/v0/webhook-endpoints/${ended}`);
  await eventually(async () => (await ended_()).disabledReason === 'GONE');
  const failed = (id: string) =>
    eventually(async () => {
      const [delivery] = await walk.items(`/v0/webhook-deliveries?endpointId=${id}`);
      return delivery?.state === 'FAILED' && delivery.id;
    });
  const delivery = await failed(bad);
  await walk.ask('GET', `/v0/webhook-deliveries/${delivery}`);
  await failed(closed);
  for (const id of [bad, ended]) await walk.ask('POST', `/v0/webhook-endpoints/${id}/rotate-secret`);
  await walk.ask('POST', `/v0/webhook-deliveries/${delivery}/retry`);
  for (const since of ['2026-01-01T00:00:00Z', new Date().toISOString()])
    await walk.ask('POST', '/v0/webhook-deliveries/retry', { endpointId: closed, since });
  await walk.ask('POST', `/v0/webhook-endpoints/${bad}/ping`);
  await walk.ask('PATCH', `/v0/webhook-endpoints/${bad}`, { enabled: false });
  await walk.ask('POST', `/v0/webhook-endpoints/${bad}/rotate-secret`);
  await walk.ask('DELETE', `/v0/webhook-endpoints/${closed}`);
}

async function keys() {
  const scoped = ['--occurrence', ids.occurrence, '--endpoint', 'registrationStatus'];
  const { id, token } = await walk.key('organizer', ...scoped);
  await walk.ask('GET', '/identity', undefined, token);
  const path = `/v0/event-occurrences/${ids.occurrence}/registration-status`;
  for (const email of ['ada@example.com', 'nobody@example.com'])
    await walk.ask('POST', path, { email }, token);
  await walk.command('key', 'revoke', id);
}

/** Every GET there is, with all that can be asked of it. */
async function readEverything(sold: Record<string, Sale>) {
  const rich = sold.rich as Sale;
  const [application] = (await walk.ask('GET', `/v0/bookings/${rich.bookingId}`)).applicationIds;
  const paths: Record<string, string[]> = {
    events: [ids.event],
    'event-occurrences': [ids.occurrence, ids.draft],
    races: [ids.race, ids.mile],
    tickets: [ids.ticket, ids.ballot, ids.manual, ids.soldOut, ids.closed, ids.early, ids.deleted, ids.relay],
    'booking-forms': [ids.form],
    'booking-form-fields': [ids.shirt, ids.club],
    bookings: Object.values(sold).map(({ bookingId }) => bookingId),
    'bookings/external': Object.values(sold).map(({ externalBookingId }) => externalBookingId),
    applications: [application],
    participants: [...rich.participantIds, ...(sold.redacted as Sale).participantIds],
    partners: [ids.charity],
    'referral-programs': [ids.program],
    referrers: [rich.bookingId],
  };
  for (const operation of OPERATIONS.filter(({ method }) => method === 'GET')) {
    const subjects = operation.pathParameters.map((parameter) => subjectOf(operation, parameter));
    if (subjects.some((subject) => !paths[subject])) continue;
    const known = ['extendMetadata', 'features'].filter((name) =>
      operation.query.some((each) => each.name === name),
    );
    const shows = Object.fromEntries(
      known.map((name) => [name, name === 'features' ? 'waves,teams,tags' : 'true']),
    );
    const token = (operation.access.keys[0] as string).toLowerCase() as 'organizer';
    const most = Math.max(1, ...subjects.map((subject) => paths[subject]?.length ?? 0));
    for (let at = 0; at < most; at++) {
      const named = Object.fromEntries(
        subjects.map((subject) => [subject, paths[subject]?.[at] ?? paths[subject]?.[0] ?? '']),
      );
      const path = pathOf(operation, named, {}, shows);
      const { page } = await walk.ask('GET', path, undefined, token);
      if (!page || !operation.query.some(({ name }) => name === 'page[size]')) continue;
      const paged = `${path}${path.includes('?') ? '&' : '?'}page[size]=1`;
      const first = await walk.ask('GET', paged, undefined, token);
      if (first.page.next)
        await walk.ask(
          'GET',
          `${paged}&page[after]=${encodeURIComponent(first.page.next)}`,
          undefined,
          token,
        );
    }
  }
  await walk.ask('GET', '/marketplace/v1/events/search?query=walk', undefined, 'marketplace');
  await walk.ask('GET', '/marketplace/v1/events/search?query=zzzzzz', undefined, 'marketplace');
  await walk.ask('GET', '/marketplace/v1/events/?startDate[gte]=2095-01-01', undefined, 'marketplace');
}

it('fills every field of every answer', async () => {
  await walk.items('/v0/change-events');
  await failedJobs();
  const partnerId = await partners();
  const sold = await sales(partnerId);
  await money(sold.rich as Sale);
  await places();
  await referrals(sold);
  await raceDay(sold);
  await webhooks();
  await keys();
  await walk.command('participant', 'redact', (sold.redacted as Sale).participantIds[0] as string);
  await readEverything(sold);
  expect(walk.seen.missing().filter((each) => !CONSTANTS.includes(each))).toEqual(NOT_YET);
}, 240_000);
