import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAXIMA, MOST_BYTES } from '#platform/validation';
import { ALL_OPERATIONS, DOCUMENT, type Schema } from './document';

const SCHEMAS: Record<string, Schema> = DOCUMENT.components.schemas;
const MOST_OF_PAGE = 24_000_000;

/** Bytes of a text of so many characters, each of which can be escaped. */
const characters = (count: number) => 6 * count + 2;
const FOREIGN_ID = characters(255);

/** The bytes of texts without a format, by property. Their writers limit them. */
const TEXTS: Record<string, number> = {
  ...{ first: 1_002, last: 1_002, prev: 1_002, next: 1_002 },
  ...{ surface: 40, kind: 40, eventType: 60, operation: 100, method: 10, route: 200, requestId: 202 },
  ...{ externalBookingId: FOREIGN_ID, externalParticipantId: FOREIGN_ID, externalLineItemId: FOREIGN_ID },
  ...{ externalAllocationId: FOREIGN_ID, externalCreditId: FOREIGN_ID, externalAssignmentId: FOREIGN_ID },
  ...{ externalId: FOREIGN_ID, code: FOREIGN_ID, group: FOREIGN_ID },
  ...{
    firstName: characters(255),
    lastName: characters(255),
    email: characters(320),
    phone: characters(255),
    gender: characters(50),
  },
  ...{
    bibNumber: 62,
    sentToBib: 62,
    seq: 22,
    source: 22,
    state: 22,
    shippingStatus: 12,
    status: 12,
    message: 2_000,
  },
  ...{ title: MOST_BYTES.title + 2, ticketTitle: MOST_BYTES.title + 2, raceTitle: MOST_BYTES.title + 2 },
  waveTitle: MOST_BYTES.title + 2,
  ...{ eventTitle: MOST_BYTES.title + 2, eventName: MOST_BYTES.title + 2, raceName: MOST_BYTES.title + 2 },
  ...{
    path: characters(200),
    ballotDraw: 40,
    teamName: characters(255),
    referrerName: characters(511),
    partnerName: characters(500),
    parentName: characters(500),
    timeZone: 60,
    name: characters(500),
    itemId: FOREIGN_ID,
    itemSelectionId: FOREIGN_ID,
    reason: characters(1_000),
  },
  ...{ generatedReferralCode: FOREIGN_ID, inviteUrl: characters(2_000), url: characters(2_000) },
  ...{
    description: characters(1_000),
    keyName: characters(255),
    sentBy: characters(255),
    savedBy: characters(254),
    fingerprint: 66,
    error: 2_000,
    response: 4_098,
  },
  ...{
    actorType: 20,
    actorId: 60,
    actorName: characters(255),
    origin: 100,
    action: 60,
    objectType: 60,
    objectId: 60,
  },
  ...{
    carrier: MOST_BYTES.shipping,
    trackingNumber: 2,
    trackingUrl: 2,
    changed: 60,
    differs: 62,
    id: FOREIGN_ID,
  },
  ...{
    eventOccurrenceIds: 38,
    disciplineLabel: 40,
    distanceId: 40,
    reservedEntryGroupCode: MOST_BYTES.code + 2,
    reservedEntryUrl: MOST_BYTES.link + 2,
  },
  ...{ reservedEntryGroupName: MOST_BYTES.title + 2, reservedEntryPartnerName: MOST_BYTES.title + 2 },
};
/** The bytes of values of other properties. */
const VALUES: Record<string, number> = {
  ...{
    answers: MOST_BYTES.entry,
    changes: 10_002,
    checkIn: 500,
    details: 30_000,
    sent: 15_000,
    // Three about participants of a booking. Rows of line items have longer ones, and neither participants nor differences.
    warnings: 1_300,
    customFields: 10_000 + characters(255),
  },
  ...{
    titleByLocale: MOST_BYTES.races,
    reservedEntryPartnerExternalIds: MOST_BYTES.externalIds,
    address: MOST_BYTES.address,
  },
};
/** The items of arrays, by property. */
const ITEMS: Record<string, number> = {
  ...{ participantIds: MAXIMA.participants, referralIds: MAXIMA.participants, differs: 201, changed: 60 },
  ...{ variants: MAXIMA.variants, referralCodeOwnerBookingIds: MAXIMA.participants },
  ...{ types: 100, eventOccurrenceIds: 100, attempts: 5, distances: 1, waves: 1, raceDayErrors: 1 },
  duplicateOf: 3,
};

/** The most bytes of a value with the schema. */
function bytesOf(schema: Schema, name: string, path: string): number {
  if (schema['x-mostJsonBytes'] !== undefined) return schema['x-mostJsonBytes'];
  if (name in VALUES) return VALUES[name] as number;
  if (schema.$ref) return bytesOf(SCHEMAS[schema.$ref.replace(/^.*\//, '')] as Schema, name, path);
  const branches: Schema[] | undefined = schema.oneOf ?? schema.anyOf;
  if (branches) return Math.max(...branches.map((branch) => bytesOf(branch, name, path)));
  if (schema.enum) return Math.max(...schema.enum.map((value: unknown) => JSON.stringify(value).length));
  if ('const' in schema) return JSON.stringify(schema.const).length;
  const types = [schema.type].flat();
  if (types.includes('object') && schema.properties) return sum(schema, path, () => true);
  if (types.includes('array')) {
    const most = schema.maxItems ?? ITEMS[name];
    if (most === undefined) throw new Error(`${path} has no maximum of items`);
    return 2 + most * (2 + bytesOf(schema.items, name, `${path}[]`));
  }
  const fixed: Record<string, number> = { uuid: 38, 'date-time': 29, date: 12, 'time-local': 10 };
  if (types.includes('string')) {
    const most = fixed[schema.format] ?? (schema.maxLength ? characters(schema.maxLength) : TEXTS[name]);
    if (most === undefined) throw new Error(`${path} has no maximum`);
    return most;
  }
  if (types.some((type) => ['integer', 'number', 'boolean', 'null'].includes(type))) return 24;
  throw new Error(`${path} has no maximum`);
}

const sum = ({ properties }: Schema, path: string, counts: (name: string) => boolean): number =>
  Object.entries(properties as Record<string, Schema>)
    .filter(([name]) => counts(name))
    .reduce((total, [name, each]) => total + name.length + 6 + bytesOf(each, name, `${path}.${name}`), 2);

/** The maximum of items of lists that return all of them. */
const ALL_ITEMS: Record<string, number> = {
  listEventTickets: MAXIMA.tickets,
  listEventReservedEntries: MAXIMA.groups,
  listEventOccurrenceRaces: MAXIMA.races,
  listTicketBookingForms: MAXIMA.formsOfTicket,
  listBookingFormFields: MAXIMA.fields,
  listFieldsOfBookingForm: MAXIMA.fieldsOfForm,
};

const LISTS = ALL_OPERATIONS.filter(({ isList }) => isList).map((of) => {
  const answer =
    DOCUMENT.paths[of.path][of.method.toLowerCase()].responses['200'].content['application/json'].schema;
  const { properties } = SCHEMAS[answer.$ref.replace(/^.*\//, '')] as Schema;
  const size = of.query.find(({ name }) => name === 'page[size]' || name === 'pageSize')?.schema;
  const returnsAll = size?.default === undefined;
  return {
    name: of.name,
    items: properties.data ?? properties.events,
    most: size?.maximum as number,
    returnsAll,
  };
});

describe('a page', () => {
  it.each(LISTS.map((each) => [each.name, each] as const))('of %s stays under 24 MB', (name, list) => {
    const item = bytesOf(list.items.items, '', name);
    const most = list.returnsAll ? ALL_ITEMS[name] : list.most;
    expect([name, most]).toEqual([name, expect.any(Number)]);
    expect((most as number) * (item + 2)).toBeLessThan(MOST_OF_PAGE);
  });
});

describe('a record', () => {
  /** What `MOST_BYTES.entry` limits together. */
  const OWN = [
    ...[
      'fields',
      'booker',
      'tags',
      'notes',
      'tracking',
      'metadata',
      'partnerMarketingOptIns',
      'charityOptIn',
      'ballotDraw',
    ],
    ...['externalBookingId', 'externalParticipantId', 'team', 'resultSubmission'],
  ];
  /** What the platform adds to metadata. */
  const PLATFORM = 1_000;
  const rest = {
    // The codes that a booking has used: its discount code is its own.
    bookingCodesUsed: 100 + MAXIMA.referralPrograms * 54 + MOST_BYTES.code + 2,
    // At most five changes, with reasons of the platform.
    statusDetails: 5 * 200,
    raceDayDetails: 200 + MOST_BYTES.shipping,
    course: 200 + MOST_BYTES.title,
    eventLocation: 200 + MOST_BYTES.address,
  };

  it('of the marketplace has room for its races', () => {
    const titles = ['title', 'titleByLocale'];
    const race = 40 + sum(SCHEMAS.RaceSummary as Schema, 'race', (name) => !titles.includes(name));
    const organizer = 3_000;
    const most = (SCHEMAS.MarketplaceEvent as Schema)['x-mostJsonBytes'];
    expect(MOST_BYTES.occurrence + MOST_BYTES.races + MAXIMA.races * race + organizer).toBeLessThanOrEqual(
      most,
    );
    expect(MOST_BYTES.occurrence + 1_000).toBeLessThanOrEqual(
      (SCHEMAS.OrganizerEventOccurrenceSummary as Schema)['x-mostJsonBytes'],
    );
  });

  it.each(['Participant', 'Application'])('as %s has at most the bytes that the reference states', (name) => {
    const schema = SCHEMAS[name] as Schema;
    const others = sum(schema, name, (property) => !OWN.includes(property) && !(property in rest));
    const listed = Object.values(rest).reduce((total, each) => total + each, 0);
    const names = [...OWN, ...Object.keys(rest)].reduce((total, each) => total + each.length + 6, 0);
    expect(MOST_BYTES.entry + PLATFORM + others + listed + names).toBeLessThanOrEqual(
      schema['x-mostJsonBytes'],
    );
  });
});

describe('the maxima', () => {
  it('are those of the documents', () => {
    const text = readFileSync(join(__dirname, '../../docs/limits.md'), 'utf8');
    const rows = text.matchAll(/^\| `(\w+)` \| .* \| ([\d,]+) \|$/gm);
    const documented = [...rows].map(([, name, most]) => [name, Number(most?.replaceAll(',', ''))]);
    expect(Object.fromEntries(documented)).toEqual(MAXIMA);
  });

  it('are those of requests', () => {
    const most = (schema: string, property: string) => SCHEMAS[schema]?.properties[property].maxItems;
    for (const row of ['ImportedParticipant', 'ParticipantCorrection', 'StartListParticipant']) {
      expect([row, most(row, 'tags'), most(row, 'fields')]).toEqual([row, MAXIMA.tags, MAXIMA.answers]);
    }
    expect(most('BookingImportRow', 'participants')).toBe(MAXIMA.participants);
    expect(most('AssignedParticipant', 'fields')).toBe(MAXIMA.answers);
    expect(most('StartListParticipant', 'participantNotes')).toBe(MAXIMA.notes);
    expect(most('StartListParticipant', 'partnerMarketingOptIns')).toBe(MAXIMA.optIns);
    expect(most('StartListParticipant', 'charityOptIn')).toBe(MAXIMA.optIns);
    for (const body of ['PartnerCreate', 'PartnerUpdate'])
      expect(most(body, 'specificMarketings')).toBe(MAXIMA.marketings);
    expect(most('PartnerCreate', 'contacts')).toBe(MAXIMA.contacts);
  });
});
