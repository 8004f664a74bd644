import type { DemoContent } from './shapes';

/** A second organization, whose names contain "rival", so that a leak to other organizations is visible. */
export const rival: DemoContent = {
  slug: 'rival',
  name: 'Rival Races',
  website: 'https://rival-races.example',
  keys: [{ name: 'rival', kind: 'ORGANIZER' }],
  events: [
    {
      slug: 'rival-city-run',
      title: 'Rival City Run',
      timeZone: 'Europe/London',
      currency: 'GBP',
      place: {
        city: 'Bristol',
        countryCode: 'GB',
        countryName: 'United Kingdom',
        latitude: 51.4545,
        longitude: -2.5879,
      },
      tags: ['rival', 'city'],
      content: { excerpt: '<p>The other race in town.</p>' },
      occurrences: [
        {
          key: 'rival-run',
          inDays: 35,
          races: [
            {
              title: 'Rival 10K',
              discipline: 'RUNNING',
              distance: [10, 'KM'],
              startTime: '10:00:00',
              form: 'running',
              waves: [2, 10],
              tickets: [
                { slug: 'rival-10k', title: 'Rival entry', price: 3000, sale: 'open', room: 5_000 },
                {
                  slug: 'rival-ballot',
                  title: 'Rival ballot',
                  price: 3000,
                  sale: 'open',
                  approval: 'BALLOT',
                },
              ],
            },
          ],
        },
      ],
    },
    {
      slug: 'rival-triathlon',
      title: 'Rival Triathlon',
      timeZone: 'Europe/Berlin',
      currency: 'EUR',
      place: {
        city: 'Potsdam',
        countryCode: 'DE',
        countryName: 'Germany',
        latitude: 52.3906,
        longitude: 13.0645,
      },
      tags: ['rival', 'triathlon'],
      content: {},
      occurrences: [
        {
          key: 'rival-tri',
          inDays: 120,
          races: [
            {
              title: 'Rival Sprint',
              discipline: 'TRIATHLON',
              distance: [25.75, 'KM'],
              startTime: '09:00:00',
              tickets: [
                { slug: 'rival-sprint', title: 'Rival sprint', price: 6000, sale: 'open', room: 300 },
              ],
            },
          ],
        },
      ],
    },
  ],
  partners: [
    {
      key: 'rival-charity',
      name: 'Rival Charity',
      type: 'CHARITY',
      // The same external id as a partner of demo: external ids are unique only within an organization.
      externalIds: { JUSTGIVING: 'harbour-lifeboats' },
      contacts: [{ firstName: 'Rita', lastName: 'Rival', email: 'rita@rival-charity.example' }],
      defaultMarketing: { optInText: 'Rival Charity may email me.' },
    },
  ],
  groups: [
    {
      key: 'rival-group',
      partner: 'rival-charity',
      occurrence: 'rival-run',
      name: 'Rival group',
      code: 'RIVALGROUP',
      room: 40,
      tickets: [{ slug: 'rival-10k' }],
    },
  ],
  codes: [
    {
      code: 'RIVAL10',
      discount: { type: 'PERCENTAGE', amount: 10, isAppliedToBookingFee: false },
      room: 100,
    },
    {
      code: 'SPRING10',
      discount: { type: 'PERCENTAGE', amount: 5, isAppliedToBookingFee: false },
      group: 'Rival spring',
    },
  ],
  addOns: [{ event: 'rival-city-run', title: 'Rival shirt', price: 1500, variants: ['S', 'M', 'L'] }],
  cohorts: [
    { ticket: 'rival-run/rival-10k', entries: 150, bibs: true },
    { ticket: 'rival-run/rival-10k', entries: 40, party: 2, source: 'API' },
    { ticket: 'rival-run/rival-10k', entries: 20, code: 'RIVAL10' },
    { ticket: 'rival-run/rival-10k', entries: 10, group: 'rival-group' },
    { ticket: 'rival-run/rival-10k', entries: 6, perCheckout: 2, referral: 'owner' },
    { ticket: 'rival-run/rival-10k', entries: 8, referral: 'referred' },
    { ticket: 'rival-run/rival-ballot', entries: 12, approval: 'PENDING' },
    { ticket: 'rival-tri/rival-sprint', entries: 50 },
    { ticket: 'rival-tri/rival-sprint', entries: 4, cancelled: 'Changed plans', refunded: true },
  ],
};
