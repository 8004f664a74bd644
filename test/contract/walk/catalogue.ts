const gbp = (value: number) => ({ value, currencyCode: 'GBP' });
const address = {
  city: 'London',
  formatted: 'The Mall, London',
  countryCode: 'GB',
  countryName: 'United Kingdom',
  addressLine1: 'The Mall',
  addressLine2: 'By the park',
  countyLine: 'Greater London',
  postCode: 'SW1A 1AA',
};
const ticket = (ticketSlug: string, more: object = {}) => ({
  ticketSlug,
  title: ticketSlug,
  description: 'Includes a medal',
  price: gbp(4500),
  bookingForms: ['Runner'],
  ...more,
});

/** An organizer's catalogue, with every property of a catalogue file. */
export const CATALOGUE = [
  {
    ...{ record: 'bookingFormField', key: 'shirt', label: 'Shirt', type: 'SELECT' },
    options: [
      { value: 'S', label: 'Small' },
      { value: 'L', label: 'Large' },
    ],
    required: true,
    helpText: 'For the finisher shirt',
  },
  { record: 'bookingFormField', key: 'club', label: 'Club', type: 'TEXT' },
  { record: 'bookingForm', title: 'Runner', fields: ['firstName', 'shirt', 'club'] },
  { record: 'event', slug: 'walk', title: 'Walk Marathon' },
  {
    ...{
      record: 'partner',

      name: 'River Trust',
      type: 'CHARITY',
      canCreateSubPartners: true,
    },
    contacts: [{ firstName: 'Ada', lastName: 'Wells', email: 'ada@river.example' }],
    externalIds: { JUSTGIVING: 'river-trust' },
  },
  {
    ...{ record: 'occurrence', event: 'walk', slug: 'walk-2090', title: 'Walk Marathon' },
    titleByLocale: { 'fr-FR': 'Marathon' },
    tags: ['road'],
    content: { excerpt: 'a', courseDetails: 'b', racedayLogistics: 'c', travel: 'd', spectators: 'e' },
    startDate: '2090-05-02',
    timeZone: 'Europe/London',
    location: { coordinates: { latitude: 51.5, longitude: -0.12 }, address },
    images: {
      hero: 'https://images.example/hero.jpg',
      logo: 'https://images.example/logo.svg',
      all: ['https://images.example/1.jpg'],
    },
    ...{ published: true, discoverable: true },
    races: [
      {
        ...{ title: 'Marathon', titleByLocale: { 'fr-FR': 'Marathon' }, discipline: 'RUNNING' },
        distance: { value: 42.195, unit: 'KM' },
        ...{
          startDate: '2090-05-02',
          startTime: '09:30:00',
          maxCapacity: 500,
          course: { title: 'City loop' },
        },
        waves: [
          { title: 'A', startDateTime: '2090-05-02T08:30:00Z', capacity: 100 },
          { title: 'B', startDateTime: '2090-05-02T08:40:00Z', capacity: 200 },
        ],
        tickets: [
          ticket('standard', {
            ...{ titleByLocale: { 'fr-FR': 'Normal' }, maxCapacity: 400, asksDonation: true },
            ...{ saleStart: '2020-01-01T00:00:00Z', saleEnd: '2090-01-01T00:00:00Z' },
          }),
          ticket('ballot', { approval: 'BALLOT' }),
          ticket('manual', { approval: 'MANUAL' }),
          ticket('sold-out', { maxCapacity: 1 }),
          ticket('closed', { saleEnd: '2021-01-01T00:00:00Z' }),
          ticket('early', { saleStart: '2089-01-01T00:00:00Z' }),
          ticket('deleted', { isDeleted: true }),
        ],
      },
      {
        ...{ title: 'Mile relay', discipline: 'OTHER', distance: { value: 1, unit: 'MI' } },
        ...{ startDate: '2090-05-01', startTime: '18:00:00', maxCapacity: 50, course: { title: 'The Mall' } },
        tickets: [
          ticket('relay', { price: gbp(9000), competitorSize: 2 }),
          ticket('mile', { price: gbp(500) }),
        ],
      },
    ],
    addOns: [
      {
        ...{ title: 'Shirt', price: gbp(1500) },
        variants: [{ title: 'Large' }],
      },
      { title: 'Engraving', price: gbp(900) },
    ],
    referralPrograms: [{ title: 'Bring a friend' }],
    reservedEntryGroups: [
      {
        ...{ code: 'RIVER', name: 'River Trust runners', description: 'Fundraisers' },
        ...{ url: 'https://book.example/river', maxCapacity: 20, partner: 'River Trust' },
        settings: {
          ...{ canPartnerCancel: true, reserveCapacity: 'IGNORE_CAPACITY', reallocateOnCancel: true },
          ...{ domainRestriction: 'river.example', deadline: '2040-01-01T00:00:00Z' },
        },
        tickets: [
          {
            ...{ ticketSlug: 'standard', maxCapacity: 10, startDateTime: '2026-01-01T00:00:00Z' },
            discount: { type: 'PERCENTAGE', amount: 50, isAppliedToBookingFee: false },
          },
          {
            ...{ ticketSlug: 'ballot', maxCapacity: 5 },
            discount: { type: 'PERCENTAGE', amount: 20, isAppliedToBookingFee: true },
          },
        ],
      },
      {
        ...{ code: 'PRESS', name: 'Press', type: 'SINGLE_USE', maxCapacity: 3 },
        tickets: [{ ticketSlug: 'mile', discount: { type: 'FLAT_RATE', price: gbp(500) } }],
      },
    ],
  },
  {
    ...{ record: 'occurrence', event: 'walk', slug: 'walk-2091', title: 'Walk Marathon' },
    ...{ startDate: '2091-05-02', timeZone: 'Europe/London', published: false },
    location: {
      coordinates: { latitude: 48.8, longitude: 2.35 },
      address: { city: 'Paris', countryCode: 'FR' },
    },
    races: [
      {
        title: 'Run',
        tickets: [{ ticketSlug: 'run', title: 'Run', price: { value: 2000, currencyCode: 'EUR' } }],
      },
    ],
  },
  ...['POSTPONED', 'CANCELLED'].map((status) => ({
    ...{ record: 'occurrence', event: 'walk', slug: `walk-${status.toLowerCase()}`, title: 'Walk Marathon' },
    ...{ startDate: '2092-05-02', timeZone: 'Europe/London', status },
  })),
];

/** The common properties of exported records. */
interface Exported {
  id: string;
  [property: string]: any;
}

/** The ids of the records that the tests use, from the exported catalogue. */
export function idsOf(records: Exported[]) {
  const named = (of: Exported[] | undefined, property: string, name: string): Exported => {
    const found = of?.find((each) => each[property] === name);
    if (!found) throw new Error(`The catalogue has no ${property} ${name}`);
    return found;
  };
  const occurrence = named(records, 'slug', 'walk-2090');
  const [race, mile] = occurrence.races as [Exported, Exported];
  const ticketId = (slug: string) => named([...race.tickets, ...mile.tickets], 'ticketSlug', slug).id;
  const [addOn] = occurrence.addOns as [Exported];
  return {
    event: named(records, 'slug', 'walk').id,
    occurrence: occurrence.id,
    draft: named(records, 'slug', 'walk-2091').id,
    postponed: named(records, 'slug', 'walk-postponed').id,
    cancelled: named(records, 'slug', 'walk-cancelled').id,
    draftTicket: named(records, 'slug', 'walk-2091').races[0].tickets[0].id as string,
    race: race.id,
    mile: mile.id,
    wave: named(race.waves, 'title', 'A').id,
    lateWave: named(race.waves, 'title', 'B').id,
    ticket: ticketId('standard'),
    ballot: ticketId('ballot'),
    manual: ticketId('manual'),
    soldOut: ticketId('sold-out'),
    closed: ticketId('closed'),
    early: ticketId('early'),
    deleted: ticketId('deleted'),
    relay: ticketId('relay'),
    mileTicket: ticketId('mile'),
    form: named(records, 'title', 'Runner').id,
    shirt: named(records, 'key', 'shirt').id,
    club: named(records, 'key', 'club').id,
    charity: named(records, 'name', 'River Trust').id,
    group: named(occurrence.reservedEntryGroups, 'code', 'RIVER').id,
    once: named(occurrence.reservedEntryGroups, 'code', 'PRESS').id,
    addOn: addOn.id,
    variant: addOn.variants[0].id as string,
    program: occurrence.referralPrograms[0].id as string,
  };
}

export type Ids = ReturnType<typeof idsOf>;
