import { newId } from '#platform/database';
import { signedIn, workDone } from '../../console/console';
import { eventually } from '../../harness';
import type { Organization } from '../walk/organization';
import { bookingOf, gbp, next, person, type Sale } from '../walk/rows';
import { Observer, type Watched } from './observer';

const entryPaths = (participantIds: string[], applicationIds: string[]): Watched[] => [
  ...participantIds.map((id) => ({
    name: 'Participant' as const,
    path: `/v0/participants/${id}?extendMetadata=true`,
  })),
  ...participantIds.map((path) => ({ name: 'TimingParticipant' as const, path })),
  ...applicationIds.map((id) => ({
    name: 'Application' as const,
    path: `/v0/applications/${id}?extendMetadata=true`,
  })),
];

/** Every way to change a booking, its entries, or a partner, one after the other. */
export async function everyWay(walk: Organization): Promise<Observer> {
  const { ids } = walk;
  await walk.items('/v0/change-events');
  const { organiserId: organizationId } = await walk.ask('GET', '/identity');
  const marketing = { optInText: 'Hear from us' };
  const acme = (
    await walk.ask('POST', '/v0/partners', {
      ...{ name: 'Acme', description: 'Shoes', externalIds: { ENTHUSE: 'acme' } },
      contacts: [{ firstName: 'Bo', lastName: 'Ek', email: 'bo@acme.example' }],
      ...{ defaultMarketing: marketing, specificMarketings: [{ eventId: ids.event, ...marketing }] },
    })
  ).id as string;
  const own = (email: string) => ({ email, firstName: 'Own', lastName: 'Person' });
  const rows = {
    main: bookingOf(
      ids,
      [
        person(ids.ticket, {
          waveId: ids.wave,
          bibNumber: '1',
          externalParticipantId: 'one',
          gender: 'FEMALE',
        }),
        person(ids.ticket),
      ],
      {
        tracking: { source: 'newsletter' },
        metadata: { shop: 'Covent Garden' },
        bookedAt: '2026-01-01T00:00:00Z',
      },
    ),
    friend: bookingOf(ids, [person(ids.mileTicket)], { booker: own('friend@example.com') }),
    team: bookingOf(ids, [
      person(ids.mileTicket, { firstName: 'Zebedee', team: { name: 'Zebedee and friends' } }),
      person(ids.mileTicket, { team: { name: 'Zebedee and friends' } }),
    ]),
    erased: bookingOf(
      ids,
      [
        person(ids.mileTicket, { email: 'gone@example.com' }),
        person(ids.mileTicket, { email: 'stays@example.com' }),
      ],
      {
        externalBookingId: 'order/gone@example.com',
        booker: own('gone@example.com'),
        tracking: { source: 'gone' },
        metadata: { by: 'gone@example.com' },
      },
    ),
    cancelled: bookingOf(ids, [person(ids.mileTicket, { bibNumber: '9' })]),
    byStaff: bookingOf(ids, [person(ids.mileTicket)]),
    byCommand: bookingOf(ids, [person(ids.mileTicket)]),
    redactedByStaff: bookingOf(ids, [
      person(ids.mileTicket, { dateOfBirth: '1980-02-29', fields: [{ key: 'shirt', value: 'S' }] }),
    ]),
    undated: bookingOf(ids, [person(ids.draftTicket, { dateOfBirth: '1990-06-01' })], {
      eventOccurrenceId: ids.draft,
    }),
  };
  const { results } = await walk.import('bookings/import', 'bookings', Object.values(rows));
  const sold = Object.fromEntries(Object.keys(rows).map((name, at) => [name, results[at]])) as Record<
    keyof typeof rows,
    Sale
  >;
  const undone = await walk.import('bookings/import', 'bookings', [bookingOf(ids, [person(ids.mileTicket)])]);
  const reserved = await walk.import('reserved-entries/participants/import', 'assignments', [
    {
      ...{ externalAssignmentId: next('place'), reservedEntryGroupId: ids.group, ticketSlug: 'standard' },
      participant: { firstName: 'Grace', lastName: 'Hopper', email: 'grace@river.example' },
    },
  ]);
  const pending = (ticketId: string, more: object = {}) =>
    person(ticketId, { approvalStatus: 'PENDING', charityOptIn: ['River Trust'], ...more });
  const applied = {
    ...bookingOf(ids, [pending(ids.manual), pending(ids.manual), pending(ids.ballot), pending(ids.ballot)]),
    source: 'WEBSITE',
  };
  await walk.load('start-list', [applied]);
  const [found] = await walk.items(`/v0/bookings/external/${applied.externalBookingId}`);
  const bookings = await Promise.all(
    [...results, undone.results[0], reserved.results[0], { bookingId: found.id }].map(({ bookingId }) =>
      walk.ask('GET', `/v0/bookings/${bookingId}`),
    ),
  );
  const application = bookings.at(-1).applicationIds as string[];
  const watched: Watched[] = [
    ...bookings.flatMap(({ participantIds, applicationIds }) => entryPaths(participantIds, applicationIds)),
    ...bookings.map(({ id }) => ({
      name: 'Booking' as const,
      path: `/v0/bookings/${id}?extendMetadata=true`,
    })),
    ...[acme, ids.charity].map((id) => ({ name: 'Partner' as const, path: `/v0/partners/${id}` })),
  ];
  const observer = await Observer.of(walk, watched);
  const main = sold.main;
  const [one] = main.participantIds as [string];
  const { browser } = await signedIn(walk.api, 'OWNER', undefined, organizationId);
  const participant = () => walk.ask('GET', `/v0/participants/${one}`);

  await observer.watch('PUT /v0/bookings/import', () =>
    walk.import(
      'bookings/import',
      'bookings',
      [
        {
          ...rows.main,
          booker: { email: 'eve@example.com', firstName: 'Eve', lastName: 'Moss', phone: '+46 1' },
          ...{ bookerType: 'PARTNER', partnerId: acme, bookedAt: '2026-01-02T00:00:00Z' },
          ...{ tracking: { source: 'poster' }, metadata: { shop: 'Strand' } },
          participants: [
            person(ids.ticket, {
              ...{ firstName: 'Eva', gender: 'MALE', waveId: ids.lateWave, bibNumber: '2', tags: ['vip'] },
              ...{ externalParticipantId: 'one', team: { name: 'Engines', role: 'CAPTAIN' } },
              fields: [{ id: ids.shirt, value: 'L' }],
            }),
            person(ids.ticket, { externalParticipantId: 'two' }),
          ],
        },
      ],
      'PUT',
    ),
  );
  await observer.watch('start-list load', () =>
    walk.load('start-list', [
      {
        ...rows.main,
        ...{
          source: 'WEBSITE',
          transactionId: newId(),
          bookerType: 'CONSUMER',
          tracking: { source: 'file' },
        },
        ...{ metadata: { shop: 'file' }, bookedAt: '2026-01-03T00:00:00Z' },
        booker: { email: 'ada@file.example', firstName: 'Augusta', lastName: 'King', phone: '+44 2' },
        participants: [
          person(ids.ticket, {
            ...{
              firstName: 'Byron',
              externalParticipantId: 'one',
              waveId: ids.wave,
              tags: ['file'],
              bibNumber: '3',
            },
            ...{
              team: { name: 'Files', role: 'DRIVER' },
              participantNotes: ['Guide'],
              applicationNotes: 'Later',
            },
            ...{ resolution: 'MANUAL', ballotDraw: 'Draw 9' },
            partnerMarketingOptIns: [{ partnerId: ids.charity, optedIn: true }],
            resultSubmission: { url: 'https://results.example/1', submittedAt: '2026-05-05T10:00:00Z' },
          }),
          person(ids.ticket, { externalParticipantId: 'two' }),
        ],
      },
    ]),
  );
  await observer.watch('PATCH /v0/participants/{id}', () =>
    walk.ask('PATCH', `/v0/participants/${one}`, {
      ...{
        firstName: 'Noel',
        waveId: ids.lateWave,
        tags: ['patched'],
        bibNumber: '4',
        team: { name: 'Patched', role: 'PILOT' },
      },
      fields: [{ id: ids.club, value: 'Harriers' }],
    }),
  );
  await observer.watch('POST /v0/referrals/import', async () => {
    const referrers = await walk.items(`/v0/referral-programs/${ids.program}/referrers`);
    const { generatedReferralCode } = referrers.find(({ referralCodeOwnerBookingIds }) =>
      referralCodeOwnerBookingIds.includes(main.bookingId),
    );
    const row = {
      referralProgramId: ids.program,
      generatedReferralCode,
      referredBookingId: sold.friend.bookingId,
    };
    await walk.import('referrals/import', 'referrals', [row]);
  });

  const item = (itemType: string, value: number, externalLineItemId: string) => ({
    ...{
      externalLineItemId,
      bookingId: main.bookingId,
      participantId: one,
      itemType,
      name: itemType,
      amount: gbp(value),
    },
  });
  const lineItems = (method: string, ...given: object[]) =>
    walk.import('bookings/line-items/import', 'lineItems', given, method);
  await observer.watch('POST /v0/bookings/line-items/import', () =>
    lineItems('POST', item('DONATION', 100, 'gift'), item('BOOKING_FEE', 10, 'fee')),
  );
  await observer.watch('PUT /v0/bookings/line-items/import', () =>
    lineItems('PUT', item('BOOKING_FEE', 300, 'gift')),
  );
  const addOn = {
    externalAllocationId: next('add-on'),
    participantId: one,
    addOnId: ids.addOn,
    variantId: ids.variant,
  };
  const addOns = (method: string, more: object) =>
    walk.import(
      'add-ons/import',
      'addOns',
      [{ ...addOn, quantity: 1, unitPrice: gbp(1500), ...more }],
      method,
    );
  await observer.watch('POST /v0/add-ons/import', () => addOns('POST', {}));
  await observer.watch('PUT /v0/add-ons/import', () => addOns('PUT', { quantity: 2 }));

  await observer.watch('PATCH /v0/participants/{id}/race-day', async () => {
    await walk.ask('PATCH', `/v0/participants/${one}/race-day`, {
      ...{ bibNumber: '5', customFields: [{ id: 'kit', value: 'collected' }] },
    });
    await eventually(async () => (await participant()).bibNumber === '5');
  });
  await observer.watch('POST /timing-inbound/v1', async () => {
    const shipping = {
      ...{
        status: 'SHIPPED',
        shippedAt: '2026-05-04T01:00:00Z',
        carrier: 'Royal Mail',
        trackingNumber: 'RM1',
      },
      trackingUrl: 'https://track.example/RM1',
    };
    const changedAt = new Date().toISOString();
    const message = (data: object) => ({ schemaVersion: '1.0', changedAt, data });
    await walk.ask(
      'POST',
      '/timing-inbound/v1',
      [
        message({ participantId: one, bibNumber: '6', shipping }),
        // Its holder claimed it earlier.
        message({ participantId: main.participantIds[1], bibNumber: '6' }),
      ],
      'timing',
    );
    await eventually(async () => (await participant()).bibNumber === '6');
  });

  await observer.watch('PATCH /v0/partners/{id}', () =>
    walk.ask('PATCH', `/v0/partners/${acme}`, {
      ...{
        name: 'Acme 2',
        description: 'Boots',
        externalIds: { ENTHUSE: null, SALESFORCE: 'acme' },
        canCreateSubPartners: true,
      },
      defaultMarketing: {
        optInText: 'New',
        url: 'https://acme.example',
        logoUrl: 'https://acme.example/l.svg',
      },
      specificMarketings: [
        {
          eventId: ids.event,
          optInText: 'Own',
          url: 'https://acme.example',
          logoUrl: 'https://acme.example/l.svg',
        },
      ],
    }),
  );
  await observer.watch('PATCH /v0/partners/{id}, of a reserved entry group', () =>
    walk.ask('PATCH', `/v0/partners/${ids.charity}`, {
      name: 'River Fund',
      externalIds: { JUSTGIVING: 'river-fund' },
    }),
  );
  await catalogue(walk, observer, acme);

  await observer.watch('application approve', () =>
    walk.command('application', 'approve', application[0] as string),
  );
  await observer.watch('application reject', () =>
    walk.command('application', 'reject', application[1] as string),
  );
  await observer.watch('ballot draw', () =>
    walk.command('ballot', 'draw', ids.ballot, '--seed', 'truth', '--places', '1'),
  );

  const [leaving] = sold.cancelled.participantIds as [string];
  await observer.watch('POST /v0/participants/{id}/transfer', () =>
    walk.ask('POST', `/v0/participants/${leaving}/transfer`, {
      ...{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' },
    }),
  );
  await observer.watch('DELETE /v0/bookings/{id}', () =>
    walk.ask('DELETE', `/v0/bookings/${sold.cancelled.bookingId}`),
  );
  await observer.watch('booking cancel', () => walk.command('booking', 'cancel', sold.byCommand.bookingId));
  await observer.watch('console: cancel a booking', async () =>
    expect((await browser.ask('DELETE', `/v0/bookings/${sold.byStaff.bookingId}`)).status).toBe(200),
  );
  await observer.watch('import undo', () => walk.command('import', 'undo', undone.jobId, '--follow'));
  await observer.watch('participant redact', () =>
    walk.command('participant', 'redact', sold.team.participantIds[0] as string),
  );
  await observer.watch('console: redact a participant', async () => {
    const [id] = sold.redactedByStaff.participantIds;
    const { status, body } = await browser.ask('POST', `/console/v1/participants/${id}/redact`, {});
    expect(status).toBe(200);
    await workDone(browser, body);
  });
  await observer.watch('person erase', () =>
    walk.command('person', 'erase', '--organization', walk.slug, '--email', 'gone@example.com', '--yes'),
  );
  await observer.watch('person erase, of a contact', () =>
    walk.command('person', 'erase', '--organization', walk.slug, '--email', 'bo@acme.example', '--yes'),
  );
  return observer;
}

/** Loads the exported catalogue with every property of the records that entries show changed. */
async function catalogue(walk: Organization, observer: Observer, partnerId: string): Promise<void> {
  const exported: any[] = await walk.command('catalogue', 'export', '--organization', walk.slug);
  const named = (record: string) => exported.find((each) => each.record === record);
  const load = (...records: object[]) => walk.load('catalogue', records);
  const occurrence = exported.find(({ slug }) => slug === 'walk-2090');
  const [race, mile] = occurrence.races;
  const [wave, late] = race.waves;

  await observer.watch('catalogue load: event', () => load({ ...named('event'), title: 'City Marathon' }));
  await observer.watch('catalogue load: occurrence', () =>
    load({
      ...occurrence,
      timeZone: 'Europe/Paris',
      location: {
        coordinates: { latitude: 1.5, longitude: 2.5 },
        address: changedTexts(occurrence.location.address),
      },
    }),
  );
  occurrence.timeZone = 'Europe/Paris';
  const undated = exported.find(({ slug }) => slug === 'walk-2091');
  await observer.watch('catalogue load: date of an occurrence', () =>
    load({ ...undated, startDate: '2091-07-02' }),
  );
  // Without a start time, participants show no other start of the race.
  await observer.watch('catalogue load: date of a race', () =>
    load({
      ...undated,
      startDate: '2091-07-02',
      races: undated.races.map((each: any) => ({ ...each, startDate: '2092-07-02' })),
    }),
  );
  occurrence.races = [
    {
      ...race,
      ...{
        title: 'Half',
        titleByLocale: undefined,
        discipline: 'HIKING',
        distance: { value: 21, unit: 'MI' },
        startTime: '10:30:00',
      },
      course: { id: newId(), title: 'River loop' },
    },
    mile,
  ];
  await observer.watch('catalogue load: race', () => load(occurrence));
  occurrence.races[0].waves = [
    wave,
    { ...late, title: 'Late', startDateTime: '2090-05-02T09:00:00Z', capacity: 90 },
  ];
  await observer.watch('catalogue load: wave', () => load(occurrence));
  for (const each of occurrence.races)
    each.tickets = each.tickets.map((ticket: any) => ({
      ...ticket,
      ...{ title: `New ${ticket.title}`, titleByLocale: undefined, asksDonation: !ticket.asksDonation },
    }));
  await observer.watch('catalogue load: ticket', () => load(occurrence));
  const [group, ...groups] = occurrence.reservedEntryGroups;
  const renamed = { ...group, name: 'Friends', code: 'FRIENDS', url: 'https://book.example/friends' };
  occurrence.reservedEntryGroups = [renamed, ...groups];
  await observer.watch('catalogue load: reserved entry group', () => load(occurrence));
  const partner = exported.find(({ record, id }) => record === 'partner' && id === walk.ids.charity);
  await observer.watch('catalogue load: partner', () =>
    load({
      ...partner,
      ...{ name: 'River Foundation', description: 'Rivers', canCreateSubPartners: false },
      ...{
        externalIds: { JUSTGIVING: 'river-3', ENTHUSE: 'river' },
        defaultMarketing: { optInText: 'Rivers' },
      },
      contacts: [{ firstName: 'Io', lastName: 'Bay', email: 'io@river.example', phone: '+1', role: 'Head' }],
      specificMarketings: [{ event: 'walk', optInText: 'Run for rivers' }],
    }),
  );
  await observer.watch('catalogue load: type of a partner', () =>
    load({ ...partner, name: 'River Foundation', type: 'CORPORATE' }),
  );
  const acme = exported.find(({ id }) => id === partnerId);
  occurrence.reservedEntryGroups = [{ ...renamed, partner: acme.name }, ...groups];
  await observer.watch('catalogue load: partner of a group', () => load(occurrence));
}

const changedTexts = (texts: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, name === 'countryCode' ? 'FR' : `New ${text}`]),
  );
