import type { Discount } from '#platform/database';

/** The declaration of the demo's catalogue. Ids and dates are derived from it. */
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
  /** The name in cohorts, groups and codes. */
  key: string;
  /** Days from the day of loading; the event is on the next Sunday. Absent: not known yet. */
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
  /** The number of waves, and the minutes between them. */
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
  /** The sale: `open` until shortly before the start, `over`, `soon`, or at `any` time. */
  sale: 'open' | 'over' | 'soon' | 'any';
  /** Free places in addition to the demo's entries: 0 is sold out; absent: no limit. */
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
  /** Free places: 0 is full. */
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
  /** Remaining uses: 0 is used up; absent: no limit. */
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
  /** The occurrence, if only one sells it. */
  occurrence?: string;
  title: string;
  price: number;
  variants?: string[];
}

/** Bookings with the same properties. */
export interface DemoCohort {
  /** `occurrence/ticket`. */
  ticket: string;
  /** A fixed number of entries, or a share of the remaining entries. */
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
  /** The bookings reuse the external ids of this cohort, whose bookings are cancelled. */
  externalIdsOf?: string;
  name?: string;
  /** Bookings per checkout. */
  perCheckout?: number;
  /** Has bibs; `again`: bibs of cancelled cohorts; `taken`: claims bibs that other entries have. */
  bibs?: true | 'again' | 'taken';
  shipped?: true;
  redacted?: true;
  /** Owns, or used, a referral code. */
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
