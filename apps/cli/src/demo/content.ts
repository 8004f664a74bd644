import type { StartListRow } from '#domain/bookings';
import type { DiscountCodeImportRow } from '#domain/discounts';
import type { StartListParticipant } from '#domain/participants';
import type { KeyKind } from '#platform/access';
import demoCatalogue from './demo.json';
import rivalCatalogue from './rival.json';

/** Bookings that have the same properties. */
export interface Cohort {
  /** `occurrence/ticket`, by their slugs in the catalogue file. */
  ticket: string;
  /** The number of entries; of a crowd, its weight. */
  entries: number;
  /** Entries on one booking; 1 by default. */
  party?: number;
  /** Days of the sale, from the day of loading, or of the event if that is earlier. */
  sold?: [from: number, to: number];
  ages?: [from: number, to: number];
  source?: StartListRow['source'];
  approval?: StartListParticipant['approvalStatus'];
  /** The name of the partner that booked. */
  partner?: string;
  /** The code of a reserved entry group, in which the entries are places. */
  group?: string;
  discount?: string;
  tags?: string[];
  team?: true;
  bibs?: true;
  notes?: true;
  /** Bookings of one checkout. */
  checkout?: number;
  /** Whether its bookings are referred by a booking of the cohort before. */
  referred?: true;
  /** What happened afterwards. */
  later?: ('credit' | 'shipped' | 'results' | 'checkedIn' | 'bibTaken' | 'refunded' | 'redacted')[];
  /** The reason of the cancellation. */
  cancelled?: string;
}

/** A row of the import of discount codes, with names instead of ids, and days from the day of loading. */
export interface DemoCode
  extends Omit<DiscountCodeImportRow, 'eventOccurrenceIds' | 'ticketIds' | 'partnerId'> {
  occurrences?: string[];
  tickets?: string[];
  partner?: string;
  valid?: [from: number, to: number];
}

export interface DemoContent {
  slug: string;
  name: string;
  website: string;
  keys: { name: string; kind: KeyKind }[];
  /** Records of a catalogue file (docs/catalogue-files.md), as of `FILE_DAY`. */
  catalogue: object[];
  codes: DemoCode[];
  cohorts: Cohort[];
  /** These share the entries that are left. */
  crowds: Cohort[];
}

const percent = (amount: number, isAppliedToBookingFee = false) => ({
  type: 'PERCENTAGE' as const,
  amount,
  isAppliedToBookingFee,
});
const off = (value: number) => ({
  type: 'FLAT_RATE' as const,
  price: { value, currencyCode: 'GBP' as const },
});

const harbour = 'harbour-city-marathon-2027';
const lastHarbour = 'harbour-city-marathon-2026';
const loire = 'semi-de-la-loire-2027';
const wicklow = 'wicklow-skyline-2027';
const bigSky = 'big-sky-backyard-2027';
const costa = 'costa-blanca-gravel-2027';
const mud = 'mud-and-glory-2027';

export const demo: DemoContent = {
  slug: 'demo',
  name: 'Startline Demo Events',
  website: 'https://demo.startline.example',
  keys: [
    { name: 'test-demo', kind: 'ORGANIZER' },
    { name: 'test-demo-marketplace', kind: 'MARKETPLACE' },
    { name: 'test-demo-timing', kind: 'TIMING' },
  ],
  catalogue: demoCatalogue,
  codes: [
    { code: 'SPRING10', discount: percent(10), limitUsage: 2_000, group: 'Spring launch', valid: [-150, 90] },
    {
      ...{ code: 'CLUB5', discount: off(500), appliesPer: 'ENTRY', limitUsagePerTransaction: 12 },
      ...{ limitUsage: 500, group: 'Clubs', occurrences: [harbour, mud] },
    },
    {
      ...{ code: 'Crew-100', discount: percent(100, true), appliesPer: 'ENTRY', limitUsage: 15 },
      ...{ group: 'Crew', tickets: [`${harbour}/marathon`, `${harbour}/half`] },
    },
    {
      ...{ code: 'LIFEBOAT20', discount: off(2_000), limitUsage: 80 },
      ...{ partner: 'Harbour Lifeboats', occurrences: [harbour] },
    },
    { code: 'GRAVEL15', discount: percent(15), partner: 'Velocity Bank', occurrences: [costa] },
    { code: 'WINTER25', discount: percent(25), limitUsage: 60, group: 'Winter sale', valid: [-120, -30] },
    { code: 'OPENING-DAY', discount: percent(20), limitUsage: 500, valid: [30, 33] },
  ],
  crowds: [
    { ticket: `${harbour}/marathon`, entries: 8, bibs: true },
    { ticket: `${lastHarbour}/marathon`, entries: 4, bibs: true },
    { ticket: `${harbour}/marathon`, entries: 3, party: 2, bibs: true },
    { ticket: `${loire}/semi`, entries: 3 },
    { ticket: `${mud}/gauntlet`, entries: 3, party: 4, bibs: true },
    { ticket: `${harbour}/marathon`, entries: 1, source: 'API', bibs: true },
    { ticket: 'mumbai-monsoon-10k-2027/10k', entries: 2, party: 2 },
    { ticket: 'havel-triathlon-2027/olympic', entries: 2 },
    { ticket: 'city-park-5k-2027-01-10/free', entries: 1, party: 3 },
  ],
  cohorts: [
    { ticket: `${harbour}/half`, entries: 60, party: 3, bibs: true },
    { ticket: `${harbour}/half-club`, entries: 24, party: 12, discount: 'CLUB5', team: true },
    { ticket: `${harbour}/marathon-early`, entries: 40, sold: [-190, -60], bibs: true, later: ['shipped'] },
    {
      ticket: `${harbour}/marathon-charity`,
      entries: 30,
      partner: '1st Avon Children’s Hospice',
      bibs: true,
    },
    { ticket: `${harbour}/marathon-charity`, entries: 20 },
    { ticket: `${harbour}/marathon-ballot`, entries: 45, approval: 'PENDING' },
    { ticket: `${harbour}/marathon-ballot`, entries: 10 },
    { ticket: `${harbour}/marathon-ballot`, entries: 15, approval: 'REJECTED' },
    { ticket: `${harbour}/marathon-ballot`, entries: 5, approval: 'WITHDRAWN' },
    { ticket: `${harbour}/marathon`, entries: 20, sold: [-140, -1], discount: 'SPRING10', bibs: true },
    { ticket: `${harbour}/marathon`, entries: 15, discount: 'Crew-100', tags: ['crew'] },
    { ticket: `${harbour}/marathon`, entries: 10, party: 2, discount: 'LIFEBOAT20' },
    { ticket: `${harbour}/marathon`, entries: 12, later: ['credit'] },
    { ticket: `${harbour}/marathon`, entries: 12, checkout: 2, bibs: true },
    { ticket: `${harbour}/marathon`, entries: 16, party: 2, referred: true },
    { ticket: `${harbour}/marathon`, entries: 12, source: 'DASHBOARD', bibs: true, tags: ['late-entry'] },
    { ticket: `${harbour}/marathon`, entries: 12, bibs: true, cancelled: 'Injured', later: ['refunded'] },
    { ticket: `${harbour}/marathon`, entries: 6, party: 2, cancelled: 'Moved abroad' },
    { ticket: `${harbour}/kids-mile`, entries: 12, party: 2, ages: [6, 14] },
    { ticket: `${harbour}/marathon`, entries: 30, group: 'LIFEBOAT' },
    { ticket: `${harbour}/half-club`, entries: 10, group: 'LIFEBOAT' },
    { ticket: `${harbour}/marathon`, entries: 25, group: 'TREES' },
    { ticket: `${harbour}/half`, entries: 10, group: 'HARBOURFRIENDS' },
    {
      ticket: `${lastHarbour}/marathon`,
      entries: 40,
      bibs: true,
      later: ['shipped', 'results', 'checkedIn'],
    },
    { ticket: `${lastHarbour}/marathon-club`, entries: 24, party: 12, source: 'DASHBOARD', team: true },
    { ticket: `${lastHarbour}/half`, entries: 30, later: ['results'] },
    { ticket: `${lastHarbour}/marathon`, entries: 3, source: 'DASHBOARD', later: ['bibTaken'] },
    { ticket: `${lastHarbour}/marathon`, entries: 4, later: ['redacted'] },
    { ticket: `${loire}/ekiden`, entries: 24, party: 6, team: true },
    { ticket: `${loire}/semi-elite`, entries: 10, tags: ['elite'] },
    { ticket: `${loire}/semi-elite`, entries: 4, approval: 'PENDING', tags: ['elite'], notes: true },
    { ticket: `${loire}/semi-elite`, entries: 2, approval: 'WITHDRAWN', tags: ['elite'] },
    { ticket: `${loire}/semi`, entries: 6, source: 'API', cancelled: 'Imported by mistake' },
    { ticket: 'mumbai-monsoon-10k-2027/10k-cause', entries: 20, party: 2, partner: 'Kitaab Library Trust' },
    { ticket: 'city-park-5k-2026-12-06/free', entries: 15 },
    { ticket: `${wicklow}/ultra`, entries: 30 },
    { ticket: `${wicklow}/ultra-qualifier`, entries: 8, notes: true },
    { ticket: `${wicklow}/ultra-qualifier`, entries: 6, approval: 'PENDING', notes: true },
    { ticket: `${wicklow}/ultra-qualifier`, entries: 4, approval: 'REJECTED', notes: true },
    { ticket: `${wicklow}/trail`, entries: 20 },
    { ticket: 'wicklow-skyline-2026/ultra', entries: 20, bibs: true, later: ['results'] },
    { ticket: `${bigSky}/backyard`, entries: 20 },
    { ticket: `${bigSky}/backyard`, entries: 15, approval: 'PENDING' },
    { ticket: `${bigSky}/backyard`, entries: 8, approval: 'REJECTED' },
    { ticket: `${bigSky}/six-hours`, entries: 12 },
    { ticket: 'havel-triathlon-2027/olympic-licensed', entries: 15 },
    { ticket: 'havel-triathlon-2027/relay', entries: 12, party: 3, team: true },
    { ticket: 'havel-triathlon-2027/aquabike', entries: 12, sold: [-190, -60] },
    { ticket: 'oresund-swimrun-2027/pairs', entries: 16, party: 2, team: true },
    { ticket: 'oresund-swimrun-2027/solo', entries: 10 },
    { ticket: 'bondi-bluewater-2026/swim-2200', entries: 20, bibs: true, later: ['results'] },
    { ticket: 'bondi-bluewater-2027/swim-2200', entries: 24 },
    { ticket: `${costa}/gravel-120-early`, entries: 20, sold: [-115, -60], discount: 'WINTER25' },
    { ticket: `${costa}/gravel-120`, entries: 10, discount: 'GRAVEL15' },
    { ticket: `${costa}/ruta-60`, entries: 16, party: 2 },
    { ticket: `${costa}/gravel-120`, entries: 5, group: 'PRENSA' },
    { ticket: `${costa}/ruta-60`, entries: 12, group: 'VELOCITY' },
    { ticket: `${mud}/gauntlet-squad`, entries: 24, party: 4, team: true, bibs: true },
    { ticket: `${mud}/splash`, entries: 30, party: 3 },
    {
      ticket: `${mud}/gauntlet`,
      entries: 6,
      discount: 'CLUB5',
      cancelled: 'Double booking',
      later: ['refunded'],
    },
    { ticket: 'northwind-staff-relay-2027/staff', entries: 20, group: 'NORTHWIND' },
  ],
};

/** A second organization, whose names contain "rival", so that a leak to other organizations is visible. */
export const rival: DemoContent = {
  slug: 'rival',
  name: 'Rival Races',
  website: 'https://rival-races.example',
  keys: [{ name: 'test-rival', kind: 'ORGANIZER' }],
  catalogue: rivalCatalogue,
  codes: [
    { code: 'RIVAL10', discount: percent(10), limitUsage: 100 },
    { code: 'SPRING10', discount: percent(5), group: 'Rival spring' },
  ],
  crowds: [{ ticket: 'rival-city-run-2027/rival-10k', entries: 1, bibs: true }],
  cohorts: [
    { ticket: 'rival-city-run-2027/rival-10k', entries: 20, discount: 'RIVAL10' },
    { ticket: 'rival-city-run-2027/rival-10k', entries: 40, party: 2, source: 'API' },
    { ticket: 'rival-city-run-2027/rival-10k', entries: 6, checkout: 2 },
    { ticket: 'rival-city-run-2027/rival-10k', entries: 8, referred: true },
    { ticket: 'rival-city-run-2027/rival-10k', entries: 10, group: 'RIVALGROUP' },
    { ticket: 'rival-city-run-2027/rival-ballot', entries: 12, approval: 'PENDING' },
    { ticket: 'rival-triathlon-2027/rival-sprint', entries: 50 },
    {
      ticket: 'rival-triathlon-2027/rival-sprint',
      entries: 4,
      cancelled: 'Changed plans',
      later: ['refunded'],
    },
  ],
};
