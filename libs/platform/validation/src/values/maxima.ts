/**
 * The maxima of what can be created, for every array that a response embeds and every list that returns all items, and for what a
 * partner's key creates.
 * `docs/limits.md` lists them, and each request schema declares the ones that it enforces. More than that can be
 * stored from before, and stays readable.
 */
export const MAXIMA = {
  races: 80,
  waves: 200,
  wavesOfOccurrence: 2_000,
  tickets: 500,
  formsOfTicket: 20,
  fieldsOfForm: 250,
  fields: 1_000,
  options: 500,
  addOns: 200,
  variants: 50,
  referralPrograms: 20,
  groups: 2_000,
  ticketsOfGroup: 50,
  ticketsOfGroups: 5_000,
  locales: 50,
  eventTags: 50,
  images: 50,
  contacts: 100,
  marketings: 100,
  subPartners: 200,
  participants: 100,
  answers: 200,
  tags: 50,
  notes: 50,
  optIns: 50,
  raceDayFields: 200,
} as const;

/**
 * The maxima of records, in bytes of JSON as responses contain it (`jsonBytes`), so that a page of 500 records stays under
 * 24 MB. `test/contract/response-bounds.test.ts` adds up the rest of each record.
 */
export const MOST_BYTES = {
  /** A title, name or code of the catalogue. */
  title: 500,
  /** What an entry and its booking contain of their own: everything but ids, times and the catalogue. */
  entry: 29_500,
  partner: 40_000,
  /** An occurrence without its races, add-ons, referral programs and reserved entry groups. */
  occurrence: 62_000,
  /** The titles of the races of an occurrence together. */
  races: 21_500,
  address: 1_000,
  /** The external ids of a partner together. */
  externalIds: 2_500,
  /** The code of a reserved entry group, which its members enter. */
  code: 100,
  /** The link of a reserved entry group. */
  link: 1_000,
  /** The carrier, number and link of a shipment together: enough for the published lengths in any script, with a link in ASCII. */
  shipping: 4_200,
  ticket: 40_000,
  group: 10_000,
  field: 20_000,
  /** A record of the catalogue with everything in it, as `PUT /v0/catalogue` writes it. */
  record: 1_000_000,
  /** The records together that one request for the catalogue names or shows, as they are stored. */
  records: 10_000_000,
} as const;
