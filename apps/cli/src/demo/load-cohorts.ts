import { In } from 'typeorm';
import { cancelBookings } from '#domain/bookings';
import { redactParticipant } from '#domain/participants';
import { APPEND_RACE_DAY_UPDATE, APPEND_TIMING, readTimingMessages, timingValues } from '#domain/race-day';
import type { Actor } from '#platform/access';
import { Booking, Referrer } from '#platform/database';
import type { DemoBooking } from './bookings';
import { dayAfter, type LoadedCatalogue } from './catalogue';
import type { Cohort, DemoContent } from './content';
import type { RowImporter } from './import-rows';
import { choices, person } from './people';

/** A booking that is in the database. */
interface Made extends DemoBooking {
  bookingId: string;
  participantIds: string[];
}

export interface LoadCohorts {
  content: DemoContent;
  catalogue: LoadedCatalogue;
  today: string;
  seed: number;
  actor: Actor;
  /** Ids of the keys, by kind. */
  keys: Map<string, string>;
}

/** Imports codes and the bookings of all cohorts, and what happened to them later. Call it in a transaction. */
export async function loadCohorts(
  importer: RowImporter,
  cohorts: DemoBooking[][],
  load: LoadCohorts,
): Promise<void> {
  await importer.import('discountCodesImport', codesOf(load));
  const made: Made[] = [];
  for (const bookings of cohorts) {
    const rows = await withReferrals(importer, bookings, made);
    const results = await importer.startList(rows);
    made.push(...bookings.map((booking, i) => ({ ...booking, ...(results[i] as (typeof results)[number]) })));
  }
  await importer.import('reservedEntriesImport', assignmentsOf(load));
  const of = (what: NonNullable<Cohort['later']>[number]) =>
    made.filter(({ cohort }) => cohort.later?.includes(what));
  await chargeBookings(importer, made, of('credit'), of('refunded'));
  await sendTiming(importer, load, of('shipped'), of('bibTaken'), made);
  await checkIn(importer, load, of('checkedIn'));
  const cancelled = made.filter(({ cohort }) => cohort.cancelled);
  for (const reason of new Set(cancelled.map(({ cohort }) => cohort.cancelled as string))) {
    const bookingIds = cancelled
      .filter(({ cohort }) => cohort.cancelled === reason)
      .map(({ bookingId }) => bookingId);
    await cancelBookings(importer.manager, { organizationId: importer.organizationId, bookingIds, reason });
  }
  for (const { participantIds } of of('redacted'))
    for (const id of participantIds) await redactParticipant(importer.manager, id, load.actor);
}

const codesOf = ({ content, catalogue, today }: LoadCohorts): object[] =>
  content.codes.map(({ occurrences, tickets, partner, valid, ...code }) => ({
    ...code,
    ...(occurrences && { eventOccurrenceIds: occurrences.map((name) => catalogue.occurrences.get(name)) }),
    ...(tickets && { ticketIds: tickets.map((name) => catalogue.tickets.get(name)?.id) }),
    ...(partner && { partnerId: catalogue.partners.get(partner) }),
    ...(valid && {
      startDateTime: `${dayAfter(today, valid[0])}T00:00:00Z`,
      endDateTime: `${dayAfter(today, valid[1])}T00:00:00Z`,
    }),
  }));

/** The rows of a cohort that was referred have the code of a checkout before. */
async function withReferrals(
  { manager, organizationId }: RowImporter,
  bookings: DemoBooking[],
  made: Made[],
): Promise<DemoBooking['row'][]> {
  const rows = bookings.map(({ row }) => row);
  if (!bookings[0]?.cohort.referred) return rows;
  const transactionIds = made.flatMap(({ row }) => row.transactionId ?? []);
  const referrers = await manager.findBy(Referrer, { organizationId, transactionId: In(transactionIds) });
  return rows.map((row, i) => ({
    ...row,
    referralCode: referrers[i % referrers.length]?.generatedReferralCode,
  }));
}

/** Rows of the import of reserved entries. */
function assignmentsOf({ content, catalogue, seed, today }: LoadCohorts): object[] {
  let no = 0;
  return content.cohorts.flatMap(({ ticket: name, entries, group }) => {
    const ticket = catalogue.tickets.get(name);
    if (!group || !ticket) return [];
    return Array.from({ length: entries }, () => {
      no += 1;
      const { email, ...participant } = person(choices(seed, -no), ticket, {
        no: `g${no}`,
        today,
        ages: [18, 69],
      });
      return {
        externalAssignmentId: `${group.toLowerCase()}-${no}`,
        reservedEntryGroupId: catalogue.groups.get(group),
        ticketSlug: ticket.ticketSlug,
        participant: {
          ...participant,
          email: group === 'NORTHWIND' ? email.replace(/@.*/, '@northwind.example') : email,
        },
      };
    });
  });
}

/** Booking fees, donations, add-ons, spent credits and refunds. */
async function chargeBookings(
  importer: RowImporter,
  made: Made[],
  credited: Made[],
  refunded: Made[],
): Promise<void> {
  const line = ({ row }: Made, what: string) => ({
    externalLineItemId: `${row.externalBookingId}-${what}`,
    externalBookingId: row.externalBookingId,
  });
  const sold = made.filter(({ row, ticket }) => row.source === 'WEBSITE' && ticket.price.value > 0);
  const approved = made.filter(({ cohort }) => !cohort.approval);
  await importer.import('lineItemsImport', [
    ...sold.map((booking) => {
      const { value, currencyCode } = booking.ticket.price;
      const amount = { value: Math.round(value / 20) + 50, currencyCode };
      return { ...line(booking, 'fee'), itemType: 'BOOKING_FEE', name: 'Booking fee', amount };
    }),
    ...made
      .filter(({ ticket }, i) => ticket.asksDonation && i % 4 > 0)
      .map((booking) => ({
        ...line(booking, 'donation'),
        ...{ itemType: 'DONATION', name: 'Donation', participantId: booking.participantIds[0] },
        amount: { ...booking.ticket.price, value: booking.ticket.price.value / 2 },
      })),
  ]);
  await importer.import(
    'addOnsImport',
    approved.flatMap(({ ticket, row, participantIds, cohort }, i) => {
      const addOn = ticket.addOns[i % (3 * ticket.addOns.length)];
      const { variants = [] } = addOn ?? {};
      if (!addOn) return [];
      return {
        externalAllocationId: `${row.externalBookingId}-add-on`,
        participantId: participantIds[0],
        addOnId: addOn.id,
        variantId: variants[i % variants.length]?.id,
        quantity: 1 + (i % 20 === 0 ? 1 : 0),
        unitPrice: addOn.price,
        operationalStatus: cohort.later?.includes('results') ? 'FULFILLED' : 'ALLOCATED',
        financialStatus: i % 25 === 0 ? 'UNPAID' : 'PAID',
      };
    }),
  );
  const credit = { value: 1_500, currencyCode: 'GBP' };
  await importer.import(
    'creditsImport',
    credited.map(({ row }) => ({
      externalCreditId: `${row.externalBookingId}-credit`,
      email: row.booker.email,
      amount: credit,
      reason: 'Goodwill',
    })),
  );
  const { manager, organizationId } = importer;
  const totals = await manager.findBy(Booking, {
    organizationId,
    id: In(refunded.map(({ bookingId }) => bookingId)),
  });
  await importer.import('lineItemsImport', [
    ...credited.map((booking) => ({
      ...line(booking, 'credit-spent'),
      ...{ itemType: 'CREDIT', name: 'Credit', itemId: `${booking.row.externalBookingId}-credit` },
      amount: { ...credit, value: -credit.value },
    })),
    ...totals.map(({ id, externalBookingId, totalValue, currencyCode }) => ({
      externalLineItemId: `${externalBookingId}-refund`,
      bookingId: id,
      ...{ itemType: 'REFUND', name: 'Refund' },
      amount: { value: -Number(totalValue), currencyCode },
    })),
  ]);
}

/** Parcels, most of which arrived, and bibs that others have. */
async function sendTiming(
  { manager, organizationId }: RowImporter,
  { today, keys }: LoadCohorts,
  shipped: Made[],
  bibTaken: Made[],
  made: Made[],
): Promise<void> {
  const keyId = keys.get('TIMING');
  if (!keyId) return;
  const message = (data: object, changedAt: string) => ({ schemaVersion: '1.0', data, changedAt });
  const parcels = shipped.flatMap(({ ticket, participantIds: [participantId] }, i) => {
    const last = ticket.startDate && ticket.startDate < today ? ticket.startDate : today;
    const [sent, arrived] = [-12, -10].map((days) => `${dayAfter(last, days)}T10:00:00Z`) as [string, string];
    const trackingNumber = `RM${100_000 + i}GB`;
    const parcel = {
      carrier: 'Royal Mail',
      trackingNumber,
      trackingUrl: `https://track.example/${trackingNumber}`,
    };
    const status = i % 10 === 0 ? undefined : i % 10 === 1 ? 'RETURNED' : 'DELIVERED';
    return [
      message({ participantId, shipping: { shippedAt: sent, status: 'SHIPPED', ...parcel } }, sent),
      ...(status ? [message({ participantId, shipping: { shippedAt: sent, status } }, arrived)] : []),
    ];
  });
  const now = new Date().toISOString();
  const claims = bibTaken.map(({ ticket, participantIds: [participantId] }, i) => {
    const worn = made.filter((other) => other.ticket.raceId === ticket.raceId && other.cohort.bibs);
    return message({ participantId, bibNumber: worn[i]?.row.participants[0]?.bibNumber }, now);
  });
  const messages = readTimingMessages([...parcels, ...claims]);
  await APPEND_TIMING.rows(
    manager,
    timingValues({ organizationId, keyId, eventOccurrenceIds: null }, messages),
  );
}

/** As the race-day desk does. */
async function checkIn(
  { manager, organizationId }: RowImporter,
  { keys }: LoadCohorts,
  made: Made[],
): Promise<void> {
  const field = JSON.stringify([{ id: 'checkIn', value: true }]);
  for (const { ticket, participantIds } of made) {
    const at = `${ticket.startDate}T07:30:00Z`;
    const about = [organizationId, participantIds[0] as string, keys.get('ORGANIZER') as string] as const;
    const update = [...about, false, null, field, at, null, null, null, true, null] as const;
    await APPEND_RACE_DAY_UPDATE.rows(manager, update);
  }
}
