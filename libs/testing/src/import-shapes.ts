import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { ImportSurface } from '#domain/imports';
import type { WholeOrganization } from './whole-organization';

/** Rows of an import that PostgreSQL needs much space for. */
export interface ImportRows {
  surface: ImportSurface;
  what: string;
  /** Participants of a row, and tags of each. */
  participants: number;
  tags: number;
  row(place: number): object;
}

/** The bytes of all tables with their indexes, when GIN indexes have sorted in what they keep pending: autovacuum does so at any time. */
export async function storedBytes(dataSource: DataSource): Promise<number> {
  await dataSource.query(
    `SELECT gin_clean_pending_list(c.oid) FROM pg_class c JOIN pg_am am ON am.oid = c.relam
     WHERE am.amname = 'gin' AND c.relkind = 'i'`,
  );
  const [{ bytes }] = await dataSource.query(
    `SELECT sum(pg_relation_size(oid))::float8 AS bytes FROM pg_class
     WHERE relkind IN ('r', 'i', 't') AND oid >= 16384`,
  );
  return bytes;
}

/** Text that can't be compressed. */
const text = (characters: number): string =>
  randomBytes(characters).toString('base64url').slice(0, characters);
const email = (domain = 'example.com'): string =>
  `${randomBytes(128)
    .toString('hex')
    .slice(0, 253 - domain.length)}@${domain}`;
/** JSON of this many characters. */
const json = (characters: number) => ({ text: text(characters - '{"text":""}'.length) });
const TAGS = 9;

const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/**
 * Ordinary rows of each surface, and rows with every text at its maximum.
 *
 * @param bookingIds bookings without a referral, one for each row
 */
export function importRowsOf(whole: WholeOrganization, bookingIds: readonly string[]): ImportRows[] {
  const { ids, mark } = whole;
  const amount = { value: 1_500, currencyCode: 'GBP' };
  const participant = { ticketId: ids.tickets, firstName: 'Ada', lastName: 'Lovelace' };
  const longest = () => ({
    ticketId: ids.tickets,
    firstName: text(255),
    lastName: text(255),
    email: email(),
    externalParticipantId: text(255),
  });
  const booking = {
    eventOccurrenceId: ids['event-occurrences'],
    booker: { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
  };
  const bookings = (
    what: string,
    participants: number,
    more: (place: number) => object = () => ({}),
    tags = 0,
  ): ImportRows => ({
    surface: 'bookingsImport',
    what,
    participants,
    tags,
    row: (place) => ({
      ...booking,
      externalBookingId: `${what}-${place}`,
      participants: many(participants, () => participant),
      ...more(place),
    }),
  });
  const rows = (surface: ImportSurface, what: string, row: ImportRows['row']): ImportRows => ({
    surface,
    what,
    participants: 0,
    tags: 0,
    row,
  });
  return [
    bookings('one participant', 1),
    bookings('100 participants', 100),
    bookings('100 participants, longest metadata and tracking', 100, () => ({
      metadata: json(10_000),
      tracking: json(10_000),
    })),
    // Together at the maximum of an entry.
    bookings('longest answers, metadata and tracking', 1, () => ({
      metadata: json(9_000),
      tracking: json(9_000),
      participants: [{ ...longest(), fields: [{ id: ids['booking-form-fields'], value: text(8_500) }] }],
    })),
    bookings(
      '50 participants, longest names and tags',
      50,
      () => ({
        booker: { email: email(), firstName: text(255), lastName: text(255) },
        participants: many(50, () => ({ ...longest(), tags: many(TAGS, () => text(255)) })),
      }),
      TAGS,
    ),
    rows('lineItemsImport', 'ordinary', (place) => ({
      externalLineItemId: `line-${place}`,
      bookingId: ids.bookings,
      itemType: 'DONATION',
      name: 'Donation',
      amount,
    })),
    rows('lineItemsImport', 'longest texts', () => ({
      externalLineItemId: text(255),
      bookingId: ids.bookings,
      itemType: 'ADD_ON',
      itemId: text(255),
      itemSelectionId: text(255),
      name: text(255),
      amount,
    })),
    rows('addOnsImport', 'ordinary', (place) => ({
      externalAllocationId: `shirt-${place}`,
      participantId: ids.participants,
      addOnId: whole.addOnId,
      variantId: whole.variantId,
      quantity: 1,
      unitPrice: amount,
    })),
    rows('addOnsImport', 'longest id', () => ({
      externalAllocationId: text(255),
      participantId: ids.participants,
      addOnId: whole.addOnId,
      variantId: whole.variantId,
      quantity: 1,
      unitPrice: amount,
    })),
    rows('creditsImport', 'ordinary', (place) => ({
      externalCreditId: `credit-${place}`,
      email: `runner-${place}@example.com`,
      amount,
    })),
    rows('creditsImport', 'longest texts', () => ({
      externalCreditId: text(255),
      email: email(),
      amount,
      reason: text(1_000),
    })),
    rows('discountCodesImport', 'ordinary', (place) => ({
      code: `SPRING-${place}`,
      discount: { type: 'PERCENTAGE', amount: 15, isAppliedToBookingFee: false },
    })),
    rows('discountCodesImport', 'longest texts', () => ({
      code: text(255),
      discount: { type: 'PERCENTAGE', amount: 15, isAppliedToBookingFee: false },
      group: text(255),
      eventOccurrenceIds: [ids['event-occurrences']],
      ticketIds: [ids.tickets],
    })),
    rows('referralsImport', 'ordinary', (place) => ({
      referralProgramId: ids['referral-programs'],
      generatedReferralCode: mark,
      referredBookingId: bookingIds[place],
    })),
    rows('reservedEntriesImport', 'ordinary', (place) => ({
      externalAssignmentId: `place-${place}`,
      reservedEntryGroupId: whole.reservedEntryGroupId,
      ticketSlug: mark,
      participant: { firstName: 'Ada', lastName: 'Lovelace', email: `ada-${place}@${mark}.example.com` },
    })),
    rows('reservedEntriesImport', 'longest texts and answers', () => ({
      externalAssignmentId: text(255),
      reservedEntryGroupId: whole.reservedEntryGroupId,
      ticketSlug: mark,
      participant: {
        firstName: text(255),
        lastName: text(255),
        email: email(`${mark}.example.com`),
        fields: [{ id: ids['booking-form-fields'], value: text(9_900) }],
      },
    })),
  ];
}
