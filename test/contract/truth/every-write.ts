import { eventually } from '../../harness';
import type { Organization } from '../walk/organization';
import { gbp, next } from '../walk/rows';
import { Writes } from './writes';

type Body = Record<string, any>;
const booker = { email: 'ada@writes.example', firstName: 'Ada', lastName: 'King', phone: '+44 1' };
const marketing = {
  optInText: 'Hear from us',
  url: 'https://w.example/',
  logoUrl: 'https://w.example/l.svg',
};

/** Every write, in every documented spelling. */
export async function everyWrite(walk: Organization): Promise<Writes> {
  const writes = await Writes.of(walk);
  await partners(writes);
  const sold = await bookings(writes);
  await participants(writes, sold);
  await raceDay(writes, sold);
  await money(writes, sold);
  await codesAndCredits(writes);
  await reservedEntries(writes);
  await webhooks(writes);
  await staff(writes);
  await console_(writes);
  return writes;
}

/** Answers of every type: those that are named by id, and the others by key. */
const answers = ({ ids }: Writes, byId: boolean, values: unknown[]) =>
  ['writtenSize', 'writtenClub', 'writtenAge', 'writtenFirst', 'writtenMeals'].map((key, i) => ({
    ...(byId ? { id: ids[key], key: null } : { id: null, key }),
    value: values[i],
  }));
const FIRST = ['MEAT', 'Harriers', 7, true, ['MEAT', 'FISH']];
const SECOND = ['FISH', 'Striders', 0, false, ['FISH']];
const NONE = [null, null, null, null, null];

async function partners(writes: Writes): Promise<void> {
  const { ids } = writes;
  const contact = { firstName: 'Bo', lastName: 'Ek', email: 'bo@w.example', phone: '+46', role: 'Sales' };
  const whole = {
    ...{ name: 'W partner', description: 'Shoes', type: 'CORPORATE', canCreateSubPartners: true },
    ...{
      externalIds: { ENTHUSE: 'w' },
      parentPartnerId: null,
      contacts: [contact, { ...contact, phone: null, role: null }],
    },
    ...{ defaultMarketing: marketing, specificMarketings: [{ eventId: ids.event, ...marketing }] },
  };
  const { id } = await writes.write('createPartner', whole, (answer) => answer);
  const bare = { optInText: 'Less', url: null, logoUrl: null };
  const empty = {
    ...{
      name: 'W sub-partner',
      description: null,
      type: null,
      parentPartnerId: id,
      canCreateSubPartners: false,
    },
    ...{ contacts: [contact], defaultMarketing: bare, specificMarketings: [{ eventId: ids.event, ...bare }] },
  };
  await writes.write('createPartner', empty, (answer) => answer);
  for (const type of ['CHARITY', 'FRIENDS_AND_FAMILY', 'MERCH_PARTNER', 'SPONSOR'])
    await writes.write(
      'createPartner',
      { name: type, type, contacts: [contact], defaultMarketing: null },
      (answer) => answer,
    );
  const path = `/v0/partners/${id}`;
  const updates: Body[] = [
    {
      ...{ name: 'W 2', description: 'Boots', canCreateSubPartners: false },
      externalIds: { SALESFORCE: 'w' },
      defaultMarketing: { ...marketing, optInText: 'New' },
      specificMarketings: [{ eventId: ids.event, ...marketing, optInText: 'Own' }],
    },
    {
      ...{ description: null, defaultMarketing: bare },
      specificMarketings: [{ eventId: ids.event, ...bare }],
      externalIds: { ENTHUSE: null },
    },
    { defaultMarketing: null },
  ];
  for (const update of updates) {
    const shown = async () => {
      const partner = await writes.walk.ask('GET', path);
      const kept = Object.keys(update.externalIds ?? {}).map((type) => [
        type,
        partner.externalIds[type] ?? null,
      ]);
      return { ...partner, externalIds: Object.fromEntries(kept) };
    };
    await writes.change('updatePartner', [path], () =>
      writes.write('updatePartner', update, shown, { partners: id }),
    );
    await writes.repeat('updatePartner', [path], () =>
      writes.send('updatePartner', update, { partners: id }),
    );
  }
}

interface Sold {
  full: Body;
  bookingId: string;
  one: string;
  two: string;
}

async function bookings(writes: Writes): Promise<Sold> {
  const { ids, walk } = writes;
  const price = gbp(4000);
  await walk.import('discount-codes/import', 'discountCodes', [
    { code: 'WRITTEN', discount: { type: 'FLAT_RATE', price: gbp(100) } },
  ]);
  const person = (more: object = {}) => ({
    ticketId: ids.written,
    firstName: 'Ada',
    lastName: 'King',
    ...more,
  });
  const full = {
    ...{ externalBookingId: next('written'), eventOccurrenceId: ids.occurrence, booker },
    participants: [
      person({
        ...{
          email: 'ada@w.example',
          dateOfBirth: '1990-04-12',
          gender: 'FEMALE',
          externalParticipantId: 'w-1',
        },
        ...{
          bibNumber: 'W1',
          waveId: ids.wave,
          fields: answers(writes, true, FIRST),
          price,
          originalPrice: gbp(4200),
        },
        ...{ tags: ['club', 'vip'], team: { name: 'W team', role: 'CAPTAIN' } },
      }),
      person({
        ...{
          email: null,
          dateOfBirth: null,
          gender: null,
          externalParticipantId: null,
          bibNumber: null,
          waveId: null,
          firstName: null,
        },
        ...{ fields: answers(writes, false, NONE), team: null },
      }),
    ],
    ...{ bookedAt: '2026-02-03T04:05:06Z', bookerType: 'PARTNER', partnerId: ids.partner },
    ...{ discountCode: 'WRITTEN', discountAlreadyApplied: true, tracking: { source: 'poster' } },
    ...{ sourcePlatform: 'Box office', metadata: { shop: 'Strand', raceDayErrors: ['mine'] } },
  };
  const empty = {
    ...{ externalBookingId: next('written'), eventOccurrenceId: ids.occurrence },
    booker: { ...booker, phone: null, firstName: null },
    participants: [person({ fields: answers(writes, false, SECOND), team: { name: 'W team', role: null } })],
    ...{
      bookedAt: null,
      bookerType: 'CONSUMER',
      partnerId: null,
      discountCode: null,
      discountAlreadyApplied: null,
    },
    ...{ tracking: {}, metadata: {}, sourcePlatform: null },
  };
  const oneName = {
    ...{ externalBookingId: next('written'), eventOccurrenceId: ids.occurrence },
    ...{ booker: { ...booker, lastName: null }, participants: [person({ lastName: null })] },
  };
  const shown = (row: Body) => withName(writes, row);
  const [{ bookingId, participantIds }] = (await writes.import(
    'importBookings',
    'bookings',
    [full, empty, oneName],
    shown,
  )) as [Body];
  const sold = { full, bookingId, one: participantIds[0], two: participantIds[1] };
  const paths = [
    `/v0/bookings/${bookingId}?extendMetadata=true`,
    ...participantIds.map((id: string) => `/v0/participants/${id}?extendMetadata=true`),
  ];

  const corrected: Body = {
    ...full,
    booker: { email: 'eve@w.example', firstName: 'Eve', lastName: 'Moss', phone: '+46 2' },
    participants: [
      {
        ...full.participants[0],
        ...{
          firstName: 'Eva',
          lastName: 'Moos',
          email: 'eva@w.example',
          dateOfBirth: '1991-05-13',
          gender: 'MALE',
        },
        ...{
          bibNumber: 'W2',
          waveId: ids.otherWave,
          fields: answers(writes, false, SECOND),
          tags: ['other'],
        },
        team: { name: 'W other team', role: 'DRIVER' },
      },
      { ...full.participants[1], externalParticipantId: 'w-2', fields: answers(writes, true, FIRST) },
    ],
    ...{
      bookedAt: '2026-02-04T04:05:06Z',
      tracking: { source: 'web' },
      sourcePlatform: 'Web',
      metadata: { shop: 'Web' },
    },
  };
  const nulls: Body = {
    ...corrected,
    booker: { ...corrected.booker, phone: null, firstName: null },
    participants: [
      {
        ...corrected.participants[0],
        lastName: null,
        ...{ email: null, dateOfBirth: null, gender: null, bibNumber: null, waveId: null },
        ...{ fields: answers(writes, true, NONE), tags: [], team: { name: 'W other team', role: null } },
      },
      {
        ...corrected.participants[1],
        externalParticipantId: null,
        fields: answers(writes, false, NONE),
        team: null,
      },
    ],
    ...{
      bookedAt: null,
      bookerType: 'CONSUMER',
      partnerId: null,
      sourcePlatform: null,
      tracking: {},
      metadata: {},
    },
    discountAlreadyApplied: null,
  };
  const withoutTeam = {
    ...nulls,
    booker: { ...corrected.booker, lastName: null },
    participants: nulls.participants.map((each: Body, i: number) => ({
      ...each,
      ...(i === 0 && { firstName: null, lastName: 'Moos' }),
      team: null,
    })),
  };
  for (const row of [corrected, nulls, withoutTeam, full]) {
    const before = await withName(writes, row);
    // As the result of a row that already exists says.
    const [{ differs }] = await created(writes, row);
    writes.compareDiffers('POST of the booking', row, before, differs);
    await writes.change('correctBookings', paths, async () => {
      const [result] = await writes.import('correctBookings', 'bookings', [row], shown);
      writes.compareDiffers('PUT of the booking', row, before, result?.differs);
    });
    await writes.repeat('correctBookings', paths, async () => {
      const [{ outcome }] = (await writes.import('correctBookings', 'bookings', [row], shown)) as [Body];
      if (outcome !== 'UNCHANGED') writes.problems.push(`correctBookings, repeated: ${outcome}`);
    });
  }
  await refuses(writes, { ...full, discountCode: null }, 'discountCode');
  return sold;
}

const created = async (writes: Writes, row: Body): Promise<any[]> =>
  (await writes.walk.import('bookings/import', 'bookings', [row])).results;

/** Without a platform, the source is the name of the key. */
async function withName(writes: Writes, row: Body): Promise<Body> {
  const shown = await writes.booking(row);
  return {
    ...shown,
    sourcePlatform: shown.sourcePlatform === 'A organizer key' ? null : shown.sourcePlatform,
  };
}

async function refuses(writes: Writes, row: Body, path: string): Promise<void> {
  const { jobId } = await writes.walk.ask('PUT', '/v0/bookings/import', { bookings: [row] });
  const { errors } = await writes.walk.finished('bookings/import', jobId);
  if (errors[0]?.path !== path && !errors[0]?.message?.startsWith(path))
    writes.problems.push(`correctBookings ${path} was neither stored nor refused: ${JSON.stringify(errors)}`);
  writes.compare('correctBookings', { bookings: [row] }, { bookings: [row] });
}

async function participants(writes: Writes, { one }: Sold): Promise<void> {
  const { ids } = writes;
  const path = `/v0/participants/${one}?extendMetadata=true`;
  const shown = (sent: Body) => async () => writes.participantShown(sent, one);
  const corrections: Body[] = [
    {
      ...{
        firstName: 'Noel',
        lastName: 'Nil',
        email: 'noel@w.example',
        dateOfBirth: '1980-01-01',
        gender: 'OTHER',
      },
      ...{ bibNumber: 'W9', waveId: ids.otherWave, fields: answers(writes, true, SECOND), tags: ['patched'] },
      ...{ notes: ['Guide'], team: { name: 'W patched', role: 'PILOT' }, metadata: { raceDayErrors: 1 } },
    },
    {
      ...{ firstName: null, email: null, dateOfBirth: null, gender: null, bibNumber: null, waveId: null },
      ...{ tags: [], notes: [] },
      ...{ fields: answers(writes, false, NONE), team: { name: 'W patched', role: null }, metadata: {} },
    },
    { firstName: 'Noel', lastName: null, fields: answers(writes, false, FIRST), team: null },
  ];
  for (const correction of corrections) {
    await writes.change('correctParticipant', [path], () =>
      writes.write('correctParticipant', correction, shown(correction), { participants: one }),
    );
    await writes.repeat('correctParticipant', [path], () =>
      writes.send('correctParticipant', correction, { participants: one }),
    );
  }
  for (const move of [
    { ticketId: ids['written-other'], waveId: ids.wave },
    { ticketId: ids.written, waveId: null },
  ])
    await writes.change('moveParticipant', [path], () =>
      writes.write('moveParticipant', move, shown(move), { participants: one }),
    );
  const grace = {
    firstName: 'Grace',
    lastName: 'Hopper',
    email: 'grace@w.example',
    dateOfBirth: '1906-12-09',
    gender: 'FEMALE',
  };
  for (const transfer of [
    { ...grace, fields: answers(writes, true, FIRST) },
    { ...grace, firstName: null, dateOfBirth: null, gender: null, fields: answers(writes, false, NONE) },
    { ...grace, lastName: null, email: null },
  ])
    await writes.change('transferParticipant', [path], () =>
      writes.write('transferParticipant', transfer, shown(transfer), { participants: one }),
    );

  const added = (participant: Body): Body => ({
    ...{ requestId: next('added'), eventOccurrenceId: ids.occurrence, beyondCapacity: true },
    participant: {
      ticketId: ids.written,
      firstName: 'New',
      lastName: 'Comer',
      email: 'new@w.example',
      ...participant,
    },
  });
  await writes.refuse('addParticipant', added({ email: null }), 'participant.email');
  for (const body of [
    added({
      ...{
        dateOfBirth: '1990-04-12',
        gender: 'FEMALE',
        externalParticipantId: next('added'),
        bibNumber: 'W77',
      },
      ...{ waveId: ids.wave, fields: answers(writes, true, FIRST), price: gbp(1), originalPrice: gbp(2) },
      ...{ tags: ['desk'], team: { name: 'W desk', role: 'CAPTAIN' } },
    }),
    added({
      ...{ firstName: null, dateOfBirth: null, gender: null, externalParticipantId: null, bibNumber: null },
      ...{ waveId: null, fields: answers(writes, false, NONE), team: null },
    }),
    added({ lastName: null, team: { name: 'W desk', role: null } }),
  ])
    await writes.write('addParticipant', body, async (answer) => ({
      eventOccurrenceId: (await writes.participant(answer.participantId)).eventOccurrenceId,
      participant: await writes.participantShown(body.participant, answer.participantId),
    }));
}

async function raceDay(writes: Writes, { one, two }: Sold): Promise<void> {
  const path = `/v0/participants/${two}?extendMetadata=true`;
  const shown = (sent: Body, id: string) =>
    eventually(async () => {
      const { bibNumber, raceDayDetails } = await writes.walk.ask('GET', `/v0/participants/${id}`);
      const customFields = sent.customFields?.map(({ id: of }: Body) =>
        raceDayDetails.customFields.find((field: Body) => field.id === of),
      );
      const state = { bibNumber, customFields, shipping: raceDayDetails.shipping, participantId: id };
      const isApplied = sent.bibNumber === undefined || bibNumber === sent.bibNumber;
      return isApplied && (!sent.customFields || customFields.every(Boolean)) && state;
    });
  const at = () => ({ changedAt: new Date().toISOString() });
  const fields = (value: unknown) => [{ id: 'kit', value }];
  for (const body of [
    { bibNumber: 'W21', customFields: fields('collected'), ...at() },
    { bibNumber: null, customFields: fields(null), ...at() },
  ]) {
    await writes.change('updateRaceDay', [path], () =>
      writes.write('updateRaceDay', body, () => shown(body, two), { participants: two }),
    );
  }
  for (const status of ['SHIPPED', 'DELIVERED', 'RETURNED']) {
    const body = {
      bibNumber: `W-${status}`,
      customFields: fields([status]),
      ...at(),
      shipping: { status, carrier: status, trackingNumber: status },
    };
    await writes.write('setRaceDay', body, () => shown(body, two), { participants: two });
  }
  const cleared = { bibNumber: null };
  await writes.write('setRaceDay', cleared, () => shown(cleared, two), { participants: two });
  for (const status of ['SHIPPED', 'DELIVERED', 'RETURNED']) {
    const shipping = {
      status,
      shippedAt: '2026-05-04T01:00:00Z',
      carrier: `T ${status}`,
      trackingNumber: status,
      trackingUrl: `https://t.example/${status}`,
    };
    const message = {
      schemaVersion: '1.0',
      changedAt: at().changedAt,
      data: { participantId: one, bibNumber: `T-${status}`, shipping },
    };
    await writes.write('ingestTiming', [message], async () => [{ data: await shown(message.data, one) }]);
  }
  const message = {
    schemaVersion: '1.0',
    changedAt: at().changedAt,
    data: { participantId: one, bibNumber: 'T1' },
  };
  await writes.write('ingestTiming', message, async () => ({ data: await shown(message.data, one) }));
}

async function money(writes: Writes, { full, bookingId, one, two }: Sold): Promise<void> {
  const { ids, walk } = writes;
  const { externalBookingId } = full;
  const items = () => walk.items(`/v0/bookings/${bookingId}/line-items?page[size]=500`);
  const shownItem = async ({ externalLineItemId, ...row }: Body) => ({
    ...(await items()).find((each) => each.externalLineItemId === externalLineItemId),
    // One of them names the booking.
    bookingId: row.bookingId && bookingId,
    externalBookingId: row.externalBookingId && externalBookingId,
  });
  const item = (itemType: string, value: number, more: object = {}) => ({
    ...{ externalLineItemId: next('written'), bookingId, participantId: one, itemType, itemId: 'thing' },
    ...{ itemSelectionId: 'red', name: itemType, amount: gbp(value), ...more },
  });
  const types = ['TICKET', 'ADD_ON', 'DONATION', 'BOOKING_FEE'].map((type) => item(type, 5));
  const minus = ['DISCOUNT', 'REFUND'].map((type) => item(type, -5));
  const none = { bookingId: null, participantId: null, itemId: null, itemSelectionId: null };
  const [credit] = (
    await walk.import('credits/import', 'credits', [
      { externalCreditId: next('c'), email: 'a@b.example', amount: gbp(900) },
    ])
  ).results;
  const rows: Body[] = [
    ...types,
    ...minus,
    item('CREDIT', -5, { itemId: credit.creditId }),
    item('DONATION', 6, { ...none, externalBookingId }),
  ];
  rows[0] = { ...rows[0], externalBookingId: null };
  await writes.import('importLineItems', 'lineItems', rows, shownItem);
  const replaced: Body[] = rows.map((row, i) => ({
    ...row,
    name: `New ${row.name}`,
    amount: gbp(row.amount.value * 2),
    ...(i === 1 && { participantId: two, itemId: 'other', itemSelectionId: 'blue' }),
  }));
  const emptied = replaced.map((row) => ({
    ...row,
    ...(row.itemType !== 'CREDIT' && none),
    bookingId: null,
    externalBookingId,
  }));
  const paths = [`/v0/bookings/${bookingId}`];
  for (const each of [replaced, emptied]) {
    await writes.import('replaceLineItems', 'lineItems', each, shownItem);
    await writes.repeat('replaceLineItems', paths, () =>
      writes.import('replaceLineItems', 'lineItems', each, shownItem),
    );
  }
  const back = { ...rows[1], externalBookingId: null };
  await writes.import('replaceLineItems', 'lineItems', [back], shownItem);

  const allocations = () => walk.items(`/v0/bookings/${bookingId}/add-on-allocations`);
  const shownAddOn = async ({ externalAllocationId }: Body) => {
    const found = (await allocations()).find(
      (each) => each.externalAllocationId === externalAllocationId,
    ) as Body;
    const { externalParticipantId } = await writes.participant(found.participantId);
    const charged = (await items()).find(({ id }) => id === found.purchaseLineItemId) as Body;
    const unitPrice = { ...charged.amount, value: charged.amount.value / found.quantity };
    return {
      ...found,
      ...{
        addOnId: found.addOn.id,
        variantId: found.variant?.id,
        unitPrice,
        externalBookingId,
        externalParticipantId,
      },
    };
  };
  const addOn = (operationalStatus: string, financialStatus: string, more: object = {}) => ({
    ...{
      externalAllocationId: next('written'),
      participantId: two,
      externalBookingId: null,
      externalParticipantId: null,
    },
    ...{
      addOnId: ids.addOn,
      variantId: ids.red,
      quantity: 2,
      unitPrice: gbp(100),
      operationalStatus,
      financialStatus,
      ...more,
    },
  });
  await walk.ask('PATCH', `/v0/participants/${two}`, { tags: ['add-on'] });
  const [{ externalParticipantId }] = [await writes.participant(one)];
  const named = externalParticipantId && { participantId: null, externalBookingId, externalParticipantId };
  const sold = [
    addOn('ALLOCATED', 'PAID'),
    addOn('FULFILLED', 'UNPAID', { variantId: null }),
    addOn('CANCELLED', 'REFUNDED', named),
  ];
  const readable = (each: Body) =>
    Object.fromEntries(
      Object.entries(each).filter(([name, value]) => value !== null || name === 'variantId'),
    );
  const ofNames = async (row: Body) => ({
    ...(await shownAddOn(row)),
    ...Object.fromEntries(
      Object.entries(row).filter(([name, value]) => value === null && name !== 'variantId'),
    ),
  });
  await writes.import('importAddOns', 'addOns', sold, ofNames);
  const changed = sold.map((each, i) => ({
    ...each,
    quantity: 3,
    unitPrice: gbp(200),
    variantId: [null, ids.blue, ids.red][i],
    operationalStatus: ['FULFILLED', 'CANCELLED', 'ALLOCATED'][i],
    financialStatus: ['UNPAID', 'REFUNDED', 'PAID'][i],
  }));
  await writes.import('replaceAddOns', 'addOns', changed, ofNames);
  await writes.repeat('replaceAddOns', paths, () =>
    writes.import('replaceAddOns', 'addOns', changed.map(readable), ofNames),
  );
}

async function codesAndCredits(writes: Writes): Promise<void> {
  const { ids, walk } = writes;
  const codes: Body[] = [
    {
      ...{
        code: 'W-FLAT',
        discount: { type: 'FLAT_RATE', price: gbp(500) },
        appliesPer: 'ENTRY',
        limitUsage: 9,
      },
      ...{
        limitUsagePerTransaction: 3,
        group: 'Spring',
        eventOccurrenceIds: [ids.occurrence],
        ticketIds: [ids.written],
      },
      ...{
        partnerId: ids.partner,
        startDateTime: '2026-01-01T00:00:00Z',
        endDateTime: '2089-01-01T00:00:00Z',
      },
    },
    {
      ...{ code: 'W-PART', discount: { type: 'PERCENTAGE', amount: 12.5, isAppliedToBookingFee: true } },
      ...{ appliesPer: 'TRANSACTION', limitUsage: null, limitUsagePerTransaction: null, group: null },
      ...{
        eventOccurrenceIds: null,
        ticketIds: null,
        partnerId: null,
        startDateTime: null,
        endDateTime: null,
      },
    },
  ];
  const read = (id: string) => walk.ask('GET', `/v0/discount-codes/${id}`);
  const [first] = await writes.import(
    'importDiscountCodes',
    'discountCodes',
    codes,
    (_, { discountCodeId }) => read(discountCodeId),
  );
  const id = first?.discountCodeId as string;
  for (const group of ['Summer', null])
    await writes.write('updateDiscountCode', { group }, (answer) => answer, { 'discount-codes': id });
  for (const change of [
    { limitUsage: 12, endDateTime: '2089-01-01T00:00:00.000Z' },
    { limitUsage: null, endDateTime: null },
  ])
    await writes.write('updateStaffDiscountCode', change, () => read(id), { 'discount-codes': id });
  const credit = (more: object) => ({
    externalCreditId: next('written'),
    email: 'ada@w.example',
    amount: gbp(500),
    ...more,
  });
  await writes.import(
    'importCredits',
    'credits',
    [
      credit({ reason: 'Refund', expiresAt: '2089-01-01T00:00:00Z', eventId: ids.event }),
      credit({ reason: null, expiresAt: null, eventId: null }),
    ],
    (_, { creditId }) => walk.ask('GET', `/v0/credits/${creditId}`),
  );

  const sale = () => ({
    externalBookingId: next('referred'),
    eventOccurrenceId: ids.occurrence,
    booker,
    participants: [{ ticketId: ids.written, firstName: 'A', lastName: 'B' }],
  });
  const sales = [sale(), sale(), sale(), sale()].map((each, i) => ({
    ...each,
    booker: { ...booker, email: `r${i}@w.example` },
  }));
  const { results } = await walk.import('bookings/import', 'bookings', sales);
  const list = `/v0/referral-programs/${ids.program}/referrers`;
  const owner = results[0].bookingId;
  const { generatedReferralCode } = await eventually(async () =>
    (await walk.items(`${list}?page[size]=500`)).find((each) =>
      each.referralCodeOwnerBookingIds.includes(owner),
    ),
  );
  const referred = ['ELIGIBLE', 'CANCELLED', 'REDEEMED'].map((status, i) => ({
    ...{ referralProgramId: ids.program, generatedReferralCode, status },
    ...(i === 1
      ? { referredBookingId: null, referredExternalBookingId: sales[i + 1]?.externalBookingId }
      : { referredBookingId: results[i + 1].bookingId, referredExternalBookingId: i ? null : undefined }),
  }));
  await writes.import('importReferrals', 'referrals', referred, async (row, { referralId }) => {
    const referral = (await walk.items(`${list}/${owner}/referrals`)).find(
      (each) => each.referralId === referralId,
    ) as Body;
    const { externalBookingId } = await walk.ask('GET', `/v0/bookings/${referral.referredBookingId}`);
    const names = {
      referredBookingId: referral.referredBookingId,
      referredExternalBookingId: externalBookingId,
    };
    const absent = Object.entries(row).filter(([, value]) => value === null);
    return {
      ...{ referralProgramId: ids.program, generatedReferralCode, status: referral.status },
      ...names,
      ...Object.fromEntries(absent),
    };
  });
}

async function reservedEntries(writes: Writes): Promise<void> {
  const { ids } = writes;
  const person = { firstName: 'Jean', lastName: 'Bartik', email: 'jean@w.example' };
  const place = (participant: object) => ({
    ...{ externalAssignmentId: next('written'), reservedEntryGroupId: ids.group, ticketSlug: 'written' },
    participant: { ...person, ...participant },
  });
  await writes.import(
    'importReservedEntries',
    'assignments',
    [
      place({ dateOfBirth: '1924-12-27', gender: 'FEMALE', fields: answers(writes, true, FIRST) }),
      place({ firstName: null, dateOfBirth: null, gender: null, fields: answers(writes, false, NONE) }),
      place({ lastName: null }),
    ],
    async (row, { participantId }) => {
      const found = await writes.participant(participantId);
      return {
        externalAssignmentId: found.metadata.startline.externalAssignmentId,
        reservedEntryGroupId:
          found.reservedEntryGroupCode === 'WRITTEN' ? ids.group : found.reservedEntryGroupCode,
        ticketSlug: found.ticketId === ids.written ? 'written' : found.ticketId,
        participant: await writes.participantShown(row.participant, participantId),
      };
    },
  );
}

async function webhooks(writes: Writes): Promise<void> {
  const { ids } = writes;
  const read = ({ id }: Body) => writes.walk.ask('GET', `/v0/webhook-endpoints/${id}`);
  const whole = {
    url: 'https://example.com/w',
    types: ['partner.created'],
    eventOccurrenceIds: [ids.occurrence],
    description: 'W',
    enabled: false,
  };
  const { id } = await writes.write('createWebhookEndpoint', whole, read);
  await writes.write(
    'createWebhookEndpoint',
    { ...whole, eventOccurrenceIds: null, description: null, enabled: true },
    read,
  );
  const path = `/v0/webhook-endpoints/${id}`;
  for (const update of [
    {
      url: 'https://example.com/w2',
      types: ['booking.created', 'partner.updated'],
      eventOccurrenceIds: null,
      description: null,
      enabled: true,
    },
    { eventOccurrenceIds: [ids.occurrence], description: 'W 2', enabled: false },
  ]) {
    await writes.change('updateWebhookEndpoint', [path], () =>
      writes.write('updateWebhookEndpoint', update, read, { 'webhook-endpoints': id }),
    );
    await writes.repeat('updateWebhookEndpoint', [path], () =>
      writes.send('updateWebhookEndpoint', update, { 'webhook-endpoints': id }),
    );
  }
}

async function staff(writes: Writes): Promise<void> {
  const { ids, browser } = writes;
  const members = async (path = '/console/v1/staff') => (await browser.ask('GET', path)).body.data as Body[];
  const roles = ['OWNER', 'MANAGER', 'VIEWER', 'RACE_DAY'];
  for (const [i, role] of roles.entries()) {
    const email = `${next('staff')}@w.example`;
    const shown = async () => (await members()).find((each) => each.email === email);
    const { member } = await writes.write('inviteStaff', { email, role }, shown);
    await writes.write('changeStaffRole', { role: roles[(i + 1) % 4] }, shown, { staff: member.id });
  }
  const email = `${next('staff')}@w.example`;
  await writes.write(
    'invitePartnerMember',
    { email },
    async () =>
      (await members(`/console/v1/partners/${ids.partner}/members`)).find((each) => each.email === email),
    { partners: ids.partner as string },
  );

  const key = async (id: string) =>
    (await browser.ask('GET', '/console/v1/keys')).body.data.find((each: Body) => each.id === id);
  const shown = ({ key: { id } }: any) => key(id);
  const limited = {
    name: 'W',
    kind: 'ORGANIZER',
    eventOccurrenceIds: [ids.occurrence, ids.occurrence],
    endpoints: ['registrationStatus'],
    partnerId: null,
    readOnly: false,
    reads: null,
    permissions: null,
    expiresAt: '2089-01-01T00:00:00Z',
  };
  const { key: made } = await writes.write(
    'createKey',
    { ...limited, eventOccurrenceIds: [ids.occurrence] },
    shown,
  );
  await writes.write(
    'createKey',
    { name: 'W 2', kind: 'MARKETPLACE', eventOccurrenceIds: null, endpoints: null, expiresAt: null },
    shown,
  );
  const { key: timing } = await writes.write(
    'createKey',
    { name: 'W 3', kind: 'TIMING', reads: ['names', 'gender'] },
    shown,
  );
  const { key: partner } = await writes.write(
    'createKey',
    {
      name: 'W 4',
      kind: 'ORGANIZER',
      partnerId: ids.partner,
      permissions: ['participants:read', 'partners:read'],
    },
    shown,
  );
  for (const [id, restriction] of [
    [made.id, { eventOccurrenceIds: null }],
    [made.id, { eventOccurrenceIds: [ids.occurrence], endpoints: null }],
    [made.id, { endpoints: ['registrationStatus'] }],
    [timing.id, { reads: ['names'] }],
    [partner.id, { permissions: ['partners:read'] }],
  ])
    await writes.write('restrictKey', restriction, () => key(id), { keys: id });
}

async function console_(writes: Writes): Promise<void> {
  const { ids, walk, browser } = writes;
  for (const surface of [
    'bookingsImport',
    'lineItemsImport',
    'addOnsImport',
    'creditsImport',
    'discountCodesImport',
    'referralsImport',
    'reservedEntriesImport',
  ])
    await writes.write(
      'saveFileMapping',
      { surface, name: 'W', mapping: { columns: { Name: null } } },
      async ({ id }) => (await browser.ask('GET', `/console/v1/file-mappings/${id}`)).body,
    );

  const pending = (ticketId: unknown) => ({
    ticketId,
    firstName: 'A',
    lastName: 'B',
    approvalStatus: 'PENDING',
  });
  const row = (ticket: unknown, count: number) => ({
    ...{ externalBookingId: next('pending'), eventOccurrenceId: ids.occurrence, booker, source: 'WEBSITE' },
    participants: Array.from({ length: count }, () => pending(ticket)),
  });
  const rows = [row(ids['written-manual'], 8), row(ids['written-ballot'], 2)];
  await walk.load('start-list', rows);
  const idsOf = async ({ externalBookingId }: Body) => {
    const [{ id }] = await walk.items(`/v0/bookings/external/${externalBookingId}`);
    return (await walk.ask('GET', `/v0/bookings/${id}`)).applicationIds as string[];
  };
  const applications = await idsOf(rows[0] as Body);
  const state = async (id: string) => {
    const { status, reason } = (await walk.ask('GET', `/v0/applications/${id}`)).statusDetails.at(-1) ?? {};
    return { decision: status, reason, applicationIds: [id] };
  };
  const decisions = {
    ...{ APPROVE: 'APPROVED', REJECT: 'REJECTED', WITHDRAW: 'WITHDRAWN' },
    NOT_DUPLICATE: 'NOT_DUPLICATE',
  };
  for (const [i, [decision, status]] of Object.entries(decisions).entries())
    for (const reason of ['Full', null]) {
      const id = applications[2 * i + (reason ? 0 : 1)] as string;
      await writes.write('decideApplications', { decision, reason, applicationIds: [id] }, async () => {
        const shown = await state(id);
        return { ...shown, decision: shown.decision === status ? decision : shown.decision };
      });
    }
  const draw = { number: 1, seed: 'w', places: 1, keepsPending: true };
  await writes.write(
    'drawBallot',
    draw,
    async () => (await browser.ask('GET', `/console/v1/ballots/${ids['written-ballot']}`)).body.draws[0],
    { ballots: ids['written-ballot'] as string },
  );

  const sold = await walk.import('bookings/import', 'bookings', [
    {
      externalBookingId: next('changed'),
      eventOccurrenceId: ids.occurrence,
      booker,
      participants: [{ ticketId: ids.written, firstName: 'A', lastName: 'B' }],
    },
  ]);
  const [participantId] = sold.results[0].participantIds;
  const chosen = { participantIds: [participantId] };
  const shown = async (change: Body, { jobId }: Body) => {
    await eventually(
      async () => (await walk.ask('GET', `/v0/participant-changes/${jobId}`)).finishedAt !== null,
    );
    const { tags, waves } = await writes.participant(participantId);
    const isTagged = tags.includes(change.tag);
    return {
      change: { tag: isTagged === (change.type === 'TAG') ? change.tag : tags, waveId: waves[0]?.id },
    };
  };
  for (const change of [
    { type: 'TAG', tag: 'w' },
    { type: 'UNTAG', tag: 'w' },
    { type: 'WAVE', waveId: ids.wave },
    { type: 'WAVE', waveId: null },
    { type: 'CANCEL' },
  ])
    await writes.write('changeParticipants', { change, ...chosen }, (answer) => shown(change, answer));
}
