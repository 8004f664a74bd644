import { IMPORT_DEFINITIONS, importOperations } from '#domain/imports';
import { openApiDocument, type WholeOrganization } from '#libs/testing';

type Body = Record<string, unknown>;

/** The example of an operation's body in the reference. */
const exampleOf = (name: string): Body =>
  Object.values(openApiDocument().paths as Record<string, Record<string, any>>)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === name)?.requestBody.content['application/json'].example;

let serial = 0;
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
