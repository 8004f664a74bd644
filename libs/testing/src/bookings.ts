import type { DataSource, DeepPartial } from 'typeorm';
import {
  AddOn,
  AddOnAllocation,
  AddOnVariant,
  Booking,
  LineItem,
  newId,
  StartListEntry,
  Ticket,
} from '#platform/database';
import { type Given, insert, insertAll, ticket } from './catalogue';
import { next } from './organizations';

/** A booking with its entries, in their order. */
export type BookingWithEntries = Booking & { entries: StartListEntry[] };

/**
 * A booking with source API and approved entries.
 *
 * @param entries their number, or properties of each; one by default
 * @param ticketId the ticket of all entries; a new one by default
 */
export async function booking(
  dataSource: DataSource,
  {
    entries = 1,
    ticketId,
    ...given
  }: Given<Booking> & { entries?: number | Partial<StartListEntry>[]; ticketId?: string },
): Promise<BookingWithEntries> {
  const n = next();
  const { organizationId } = given;
  const of = ticketId
    ? await dataSource.getRepository(Ticket).findOneByOrFail({ organizationId, id: ticketId })
    : await ticket(dataSource, { organizationId });
  const each: Partial<StartListEntry>[] =
    typeof entries === 'number' ? Array.from({ length: entries }, () => ({})) : entries;
  const row = await insert(dataSource, Booking, {
    externalBookingId: `BOOKING-${n}`,
    source: 'API',
    eventId: of.eventId,
    eventOccurrenceId: of.eventOccurrenceId,
    transactionId: newId(),
    bookerFirstName: 'Ada',
    bookerLastName: `Booker ${n}`,
    bookerEmail: `booker-${n}@example.com`,
    currencyCode: of.currencyCode,
    totalValue: String(Number(of.priceValue) * each.length),
    ...given,
  } as DeepPartial<Booking>);
  const written = await insertAll(
    dataSource,
    StartListEntry,
    each.map((entry, participantIndex) => entryOf(row, of, { participantIndex, ...entry })),
  );
  return Object.assign(row, { entries: written });
}

function entryOf(
  { organizationId, id: bookingId }: Booking,
  { id: ticketId, raceId, eventId, eventOccurrenceId, priceValue, currencyCode }: Ticket,
  given: Partial<StartListEntry>,
): DeepPartial<StartListEntry> {
  return {
    organizationId,
    participantId: newId(),
    bookingId,
    ticketId,
    raceId,
    eventId,
    eventOccurrenceId,
    approvalStatus: 'APPROVED',
    applicationResolutionType: 'INSTANT',
    emailNormalized: `participant-${next()}@example.com`,
    originalPriceValue: priceValue,
    originalPriceCurrency: currencyCode,
    ...given,
  } as DeepPartial<StartListEntry>;
}

export const lineItem = (dataSource: DataSource, given: Given<LineItem> & { bookingId: string }) =>
  insert(dataSource, LineItem, {
    itemType: 'TICKET',
    name: `Item ${next()}`,
    amountValue: '4500',
    currencyCode: 'GBP',
    externalLineItemId: `LINE-${next()}`,
    ...given,
  } as DeepPartial<LineItem>);

export const addOn = (dataSource: DataSource, given: Given<AddOn> & { eventId: string }) =>
  insert(dataSource, AddOn, {
    title: `Add-on ${next()}`,
    priceValue: '1500',
    currencyCode: 'GBP',
    ...given,
  } as DeepPartial<AddOn>);

export const addOnVariant = (dataSource: DataSource, given: Given<AddOnVariant> & { addOnId: string }) =>
  insert(dataSource, AddOnVariant, { title: `Variant ${next()}`, ...given } as DeepPartial<AddOnVariant>);

/** An add-on of a booking's first participant. */
export const addOnAllocation = async (
  dataSource: DataSource,
  { of, ...given }: Partial<AddOnAllocation> & { of: BookingWithEntries },
) => {
  const { organizationId, eventId } = of;
  return insert(dataSource, AddOnAllocation, {
    organizationId,
    bookingId: of.id,
    participantId: of.entries[0]?.participantId,
    addOnId: given.addOnId ?? (await addOn(dataSource, { organizationId, eventId })).id,
    quantity: 1,
    unitPriceValue: '1500',
    currencyCode: 'GBP',
    externalAllocationId: `ADDON-${next()}`,
    ...given,
  } as DeepPartial<AddOnAllocation>);
};
