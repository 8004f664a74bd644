import type { Discount } from '#libs/database';

/** How the demo's catalogue is written down: what a person would decide; ids and dates follow from it. */
export interface DemoEvent {
  slug: string;
  title: string;
  /** Other locales than en-GB. */
  titles?: Record<string, string>;
  timeZone: string;
  currency: string;
  place: {
    city: string;
    countryCode: string;
    countryName: string;
    latitude: number;
    longitude: number;
    addressLine1?: string;
    addressLine2?: string;
    countyLine?: string;
    postCode?: string;
  };
  tags: string[];
  content: Record<string, string>;
  occurrences: DemoOccurrence[];
}

export interface DemoOccurrence {
  /** How cohorts, groups and codes call it. */
  key: string;
  /** Days from the day of loading to the Sunday it is held on or after; absent: not yet known. */
  inDays?: number;
  published?: false;
  discoverable?: false;
  races: DemoRace[];
}

export interface DemoRace {
  title: string;
  titles?: Record<string, string>;
  discipline: string;
  distance?: [value: number, unit: 'KM' | 'MI' | 'M' | 'YD' | 'MIN'];
  /** Local time. */
  startTime?: string;
  course?: string;
  form?: FormName;
  /** So many waves, so many minutes apart. */
  waves?: [count: number, minutes: number];
  tickets: DemoTicket[];
}

export interface DemoTicket {
  slug: string;
  title: string;
  titles?: Record<string, string>;
  description?: string;
  /** Minor units. */
  price: number;
  /** `open` until shortly before the start; `over` since long; `soon` to be; `any` time. */
  sale: 'open' | 'over' | 'soon' | 'any';
  /** Places beyond those that the demo's entries take: 0 is sold out; absent: no limit. */
  room?: number;
  approval?: 'BALLOT' | 'MANUAL';
  unitSize?: number;
  asksDonation?: true;
  deleted?: true;
}

export type FormName = 'running' | 'trail' | 'multisport' | 'cycling' | 'relay' | 'junior';

export interface DemoPartner {
  key: string;
  name: string;
  description?: string;
  type: 'CHARITY' | 'CORPORATE' | 'FRIENDS_AND_FAMILY' | 'MERCH_PARTNER' | 'SPONSOR';
  externalIds?: Record<string, string>;
  contacts: { firstName: string; lastName: string; email: string; phone?: string; role?: string }[];
  defaultMarketing?: { optInText: string; url?: string; logoUrl?: string };
  /** Event slug to the text shown there. */
  marketing?: Record<string, string>;
  canCreateSubPartners?: true;
}

export interface DemoGroup {
  key: string;
  partner?: string;
  occurrence: string;
  name: string;
  description?: string;
  code: string;
  /** Places beyond those taken: 0 is full. */
  room: number;
  type?: 'SINGLE_USE';
  canPartnerCancel?: true;
  ignoresCapacity?: true;
  reallocateOnCancel?: true;
  domainRestriction?: string;
  tickets: { slug: string; room?: number; discount?: Discount; opensInDays?: number }[];
}

export interface DemoCode {
  code: string;
  discount: Discount;
  appliesPer?: 'ENTRY';
  /** Uses beyond those made: 0 is used up; absent: no limit. */
  room?: number;
  perTransaction?: number;
  group?: string;
  occurrences?: string[];
  /** As `occurrence/ticket`. */
  tickets?: string[];
  partner?: string;
  /** Days from the day of loading. */
  from?: number;
  until?: number;
  deleted?: true;
}

export interface DemoAddOn {
  event: string;
  /** Where only one occurrence sells it. */
  occurrence?: string;
  title: string;
  price: number;
  variants?: string[];
}

/** Bookings that are alike. */
export interface DemoCohort {
  /** `occurrence/ticket`. */
  ticket: string;
  /** So many entries, whatever the size of the demo; or else a share of what those leave. */
  entries?: number;
  share?: number;
  /** Entries on one booking. */
  party?: number;
  source?: 'API' | 'DASHBOARD';
  approval?: 'PENDING' | 'REJECTED' | 'WITHDRAWN';
  cancelled?: string;
  refunded?: true;
  partner?: string;
  group?: string;
  code?: string;
  credit?: 'CREDIT' | 'GIFT_CARD';
  /** Shares the bookings' external ids with the cohort of that name, whose bookings gave them up. */
  externalIdsOf?: string;
  name?: string;
  /** Bookings that one checkout makes. */
  perCheckout?: number;
  /** Wears bibs; `again`: those that cancelled cohorts gave back; `taken`: claims some that others wear. */
  bibs?: true | 'again' | 'taken';
  shipped?: true;
  redacted?: true;
  /** Owns, or came by, a referral code. */
  referral?: 'owner' | 'referred';
  team?: 'relay' | 'club';
  ages?: [from: number, to: number];
  notes?: true;
  tags?: string[];
}

export interface DemoContent {
  slug: string;
  name: string;
  website: string;
  keys: { name: string; kind: 'ORGANIZER' | 'MARKETPLACE' | 'TIMING' }[];
  events: DemoEvent[];
  partners: DemoPartner[];
  groups: DemoGroup[];
  codes: DemoCode[];
  addOns: DemoAddOn[];
  cohorts: DemoCohort[];
}
