import { IMPORT_DEFINITIONS, importOperations } from '#domain/imports';
import { openApiDocument, type WholeOrganization } from '#libs/testing';

type Body = Record<string, unknown>;

/** The example of an operation's body in the reference. */
const exampleOf = (name: string): Body =>
  Object.values(openApiDocument().paths as Record<string, Record<string, any>>)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === name)?.requestBody.content['application/json'].example;

let serial = 0;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const CALENDAR = 'Event;Date;City;Race;Ticket;Price EUR\nHarbour Run;2090-05-02;Hamburg;10K;Early;45,00\n';
const price = { value: 1500, currencyCode: 'GBP' };

/** A valid body for each operation, about the organization's data; unique on each call. */
export const BODIES: Record<string, (whole: WholeOrganization) => Body> = {
  registrationStatus: ({ email }) => ({ email }),
  correctParticipant: () => ({ firstName: `Ada ${++serial}` }),
  moveParticipant: ({ ids, waveId }) => ({ ticketId: ids.tickets, waveId: serial++ % 2 ? waveId : null }),
  transferParticipant: ({ mark }) => ({
    ...{ firstName: 'Ada', lastName: `Byron ${++serial}`, email: `ada-${serial}@${mark}.example.com` },
  }),
  planBibs: ({ ids, waveId }) => ({
    ranges: [{ from: 1, to: 9, ticketIds: [ids.tickets], waveIds: [waveId], tags: ['elite'] }],
    dryRun: true,
  }),
  updateRaceDay: () => ({ customFields: [{ id: 'kit', value: ++serial }] }),
  createPartner: ({ ids }) => ({
    name: `Partner ${++serial}`,
    contacts: [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }],
    specificMarketings: [{ eventId: ids.events, optInText: 'Write to me' }],
  }),
  updatePartner: ({ ids }) => ({
    specificMarketings: [{ eventId: ids.events, optInText: `Write to me ${++serial}` }],
  }),
  createWebhookEndpoint: ({ ids }) => ({
    url: `https://example.com/${++serial}`,
    types: ['participant.created'],
    eventOccurrenceIds: [ids['event-occurrences']],
  }),
  updateWebhookEndpoint: ({ ids }) => ({
    description: `Endpoint ${++serial}`,
    eventOccurrenceIds: [ids['event-occurrences']],
  }),
  retryFailedWebhookDeliveries: ({ ids }) => ({
    since: '2026-01-01T00:00:00Z',
    endpointId: ids['webhook-endpoints'],
  }),
  writeCatalogue: () => ({ records: [{ record: 'event', slug: `event-${++serial}`, title: 'Run' }] }),
  updateDiscountCode: () => ({ group: `Group ${++serial}` }),
  importBookings: ({ ids, waveId, mark }) => ({
    bookings: [
      {
        externalBookingId: `order-${++serial}`,
        eventOccurrenceId: ids['event-occurrences'],
        booker: { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
        bookerType: 'PARTNER',
        partnerId: ids.partners,
        discountCode: mark,
        participants: [
          {
            ticketId: ids.tickets,
            firstName: 'Ada',
            lastName: 'Lovelace',
            waveId,
            fields: [{ id: ids['booking-form-fields'], value: 'M' }],
          },
        ],
      },
    ],
  }),
  importLineItems: ({ ids }) => ({
    lineItems: [
      {
        externalLineItemId: `line-${++serial}`,
        bookingId: ids.bookings,
        participantId: ids.participants,
        itemType: 'DONATION',
        name: 'Donation',
        amount: price,
      },
    ],
  }),
  importAddOns: ({ ids, addOnId, variantId }) => ({
    addOns: [
      {
        externalAllocationId: `shirt-${++serial}`,
        participantId: ids.participants,
        addOnId,
        variantId,
        quantity: 1,
        unitPrice: price,
      },
    ],
  }),
  importCredits: ({ ids }) => ({
    credits: [
      {
        externalCreditId: `credit-${++serial}`,
        email: 'ada@example.com',
        amount: price,
        eventId: ids.events,
      },
    ],
  }),
  importDiscountCodes: ({ ids }) => ({
    discountCodes: [
      {
        code: `CODE-${++serial}-NEW`,
        discount: { type: 'FLAT_RATE', price },
        eventOccurrenceIds: [ids['event-occurrences']],
        ticketIds: [ids.tickets],
        partnerId: ids.partners,
      },
    ],
  }),
  importReferrals: ({ ids, mark }) => ({
    referrals: [
      {
        referralProgramId: ids['referral-programs'],
        generatedReferralCode: mark,
        referredBookingId: ids.bookings,
      },
    ],
  }),
  importReservedEntries: ({ ids, reservedEntryGroupId, mark }) => ({
    assignments: [
      {
        externalAssignmentId: `place-${++serial}`,
        reservedEntryGroupId,
        ticketSlug: mark,
        participant: {
          firstName: 'Ada',
          lastName: 'Lovelace',
          email: `ada@${mark}.example.com`,
          fields: [{ id: ids['booking-form-fields'], value: 'M' }],
        },
      },
    ],
  }),
  ingestTiming: ({ ids }) => ({
    schemaVersion: '1.0',
    data: { participantId: ids.participants, bibNumber: `${++serial}` },
    changedAt: '2026-05-04T09:30:00Z',
  }),
};
/** Of operations for staff only. */
Object.assign(BODIES, {
  redeemStaffLink: ({ mark }) => ({ organization: mark, token: `token-${++serial}` }),
  signIn: ({ mark, email }) => ({ organization: mark, email, password: 'correct horse battery staple' }),
  mailSignInLink: ({ mark, email }) => ({ organization: mark, email }),
  setPassword: () => ({ password: `correct horse battery ${++serial}` }),
  inviteStaff: () => ({ email: `new-${++serial}@example.com`, role: 'VIEWER' }),
  changeStaffRole: () => ({ role: 'MANAGER' }),
  invitePartnerMember: () => ({ email: `new-${++serial}@example.com` }),
  createKey: ({ ids }) => ({
    ...{ name: `Key ${++serial}`, kind: 'ORGANIZER', endpoints: ['registrationStatus'] },
    eventOccurrenceIds: [ids['event-occurrences']],
  }),
  restrictKey: ({ ids }) => ({ eventOccurrenceIds: [ids['event-occurrences']] }),
  rotateKey: () => ({ overlapHours: 1 }),
  saveFileMapping: () => ({
    ...{ surface: 'bookingsImport', name: `shop ${++serial}` },
    mapping: { columns: { Vorname: 'participants[0].firstName' } },
  }),
  addParticipant: ({ ids, mark, waveId }) => ({
    ...{
      requestId: `request-${++serial}`,
      eventOccurrenceId: ids['event-occurrences'],
      beyondCapacity: true,
    },
    participant: {
      ...{ ticketId: ids.tickets, waveId, firstName: 'Ada', lastName: 'Lovelace' },
      ...{ email: `ada@${mark}.example.com`, fields: [{ id: ids['booking-form-fields'], value: 'M' }] },
    },
  }),
  countApplicationsByTicket: () => ({}),
  exportChosenParticipants: ({ ids }) => ({ participantIds: [ids.participants] }),
  setRaceDay: () => ({ bibNumber: `B${++serial}`, customFields: [{ id: 'kit', value: true }] }),
  changeParticipants: ({ ids }) => ({
    ...{ change: { type: 'TAG', tag: `tag ${++serial}` }, participantIds: [ids.participants] },
  }),
  exportPerson: ({ email }) => ({ email }),
  erasePerson: () => ({ email: `nobody-${++serial}@example.com` }),
  readCatalogueFile: () => ({ name: 'calendar.csv', content: base64(CALENDAR) }),
  decideApplications: ({ ids }) => ({ decision: 'REJECT', applicationIds: [ids.applications] }),
  drawBallot: () => ({ number: 1, seed: '4-8-15', places: 1 }),
  updateStaffDiscountCode: () => ({ limitUsage: 1_000 + ++serial }),
} satisfies typeof BODIES);
BODIES.writeCatalogueAsStaff = BODIES.writeCatalogue as (typeof BODIES)[string];
BODIES.undoImport = () => ({ includeChanged: true });
BODIES.correctBookings = BODIES.importBookings as (typeof BODIES)[string];
BODIES.replaceLineItems = BODIES.importLineItems as (typeof BODIES)[string];
BODIES.replaceAddOns = BODIES.importAddOns as (typeof BODIES)[string];

// For other imports, the example of the reference with a unique id.
for (const { surface, collection, externalId } of IMPORT_DEFINITIONS) {
  const { create } = importOperations(surface);
  BODIES[create] ??= () => {
    const [row] = structuredClone(exampleOf(create)[collection]) as Body[];
    return { [collection]: [{ ...row, ...(externalId && { [externalId]: `${surface}-${++serial}` }) }] };
  };
}
