import type { Amount } from '#domain/bookings';
import {
  insertStartList,
  type NewBooking,
  type NewLineItem,
  startline,
  ticketLineItem,
} from '#domain/bookings';
import { type KnownTicket, ticketsById } from '#domain/catalogue';
import { reduction } from '#domain/discounts';
import {
  alreadyUsed,
  appear,
  domainProblem,
  duplicateWarnings,
  entryBytes,
  type NewEntry,
  problemOfBytes,
  Questions,
  sharedMetadata,
} from '#domain/participants';
import { type Discount, isId, newId, type Row, statement, typed } from '#platform/database';
import type { Carried, ImportContext, ImportHandler } from '#platform/import-rows';
import { assignedBy, failed, Outcomes, type Problem, problem, succeeded } from '#platform/import-rows';
import { normalizeEmail } from '#platform/validation';
import type { AssignmentImportRow } from './assignment-row.dto';

interface Group {
  id: string;
  partnerId: string | null;
  topPartnerId: string | null;
  maxCapacity: number;
  usedCapacity: number;
  ignoresCapacity: boolean;
  domainRestriction: string | null;
  isOver: boolean;
  /** For a SINGLE_USE group: the addresses that have a place. */
  usedBy: Set<string> | null;
  tickets: {
    slug: string;
    ticketId: string;
    maxCapacity: number | null;
    usedCapacity: number;
    discount: Discount | null;
  }[];
}

/**
 * Locked in id order, before places are counted, so that only one of two concurrent jobs gets the last place. A partner gets the same
 * answer for another partner's group as for none; PostgreSQL checks the partner again when it has the lock. A deadline holds for partners only, and
 * for when the request was accepted, or the partner's last retry of it.
 */
const LOCK_GROUPS = statement({
  parameters: ['uuid', 'uuid[]', 'uuid?', 'timestamptz?'],
  columns: {
    id: 'uuid',
    partnerId: 'uuid?',
    topPartnerId: 'uuid?',
    maxCapacity: 'int',
    usedCapacity: 'int',
    ignoresCapacity: 'boolean',
    domainRestriction: 'text?',
    isOver: 'boolean',
    singleUse: 'boolean',
  },
  sql: `
    SELECT id, partner_id AS "partnerId", (
        SELECT coalesce(p.parent_partner_id, p.id) FROM partners p
        WHERE p.organization_id = g.organization_id AND p.id = g.partner_id
      ) AS "topPartnerId", max_capacity AS "maxCapacity", used_capacity AS "usedCapacity",
      reserve_capacity = 'IGNORE_CAPACITY' AS "ignoresCapacity", domain_restriction AS "domainRestriction",
      type = 'SINGLE_USE' AS "singleUse",
      $3::uuid IS NOT NULL AND coalesce(deadline < coalesce($4, clock_timestamp()), false) AS "isOver"
    FROM reserved_entry_groups g WHERE organization_id = $1 AND id = ANY ($2)
      AND ($3::uuid IS NULL OR partner_id IN (
        SELECT p.id FROM partners p WHERE p.organization_id = $1 AND (p.id = $3 OR p.parent_partner_id = $3)))
    ORDER BY id FOR NO KEY UPDATE
  `,
});

const GROUP_TICKETS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: {
    groupId: 'uuid',
    slug: 'text',
    ticketId: 'uuid',
    maxCapacity: 'int?',
    usedCapacity: 'int',
    discount: typed<Discount | null>('jsonb?'),
  },
  sql: `
    SELECT g.reserved_entry_group_id AS "groupId", t.slug, t.id AS "ticketId", g.max_capacity AS "maxCapacity",
      g.used_capacity AS "usedCapacity", g.discount
    FROM reserved_entry_group_tickets g
    JOIN tickets t ON t.organization_id = g.organization_id AND t.id = g.ticket_id AND t.deleted_at IS NULL
    WHERE g.organization_id = $1 AND g.reserved_entry_group_id = ANY ($2)
  `,
});

/** Entries that are cancelled, rejected or withdrawn do not use the group. */
const USED_BY = statement({
  parameters: ['uuid', 'uuid[]', 'text[]'],
  columns: { groupId: 'uuid!', emails: 'text[]' },
  sql: `
    SELECT reserved_entry_group_id AS "groupId", array_agg(email_normalized) AS emails FROM start_list_entries
    WHERE organization_id = $1 AND reserved_entry_group_id = ANY ($2) AND email_normalized = ANY ($3)
      AND cancelled_at IS NULL AND approval_status IN ('APPROVED', 'PENDING')
    GROUP BY reserved_entry_group_id
  `,
});

/** A partner has external ids of its own. */
const EXISTING = statement({
  parameters: ['uuid', 'text[]', 'uuid'],
  columns: { externalAssignmentId: 'text!', bookingId: 'uuid', participantId: 'uuid' },
  sql: `
    SELECT external_assignment_id AS "externalAssignmentId", booking_id AS "bookingId", participant_id AS "participantId"
    FROM start_list_entries
    WHERE organization_id = $1 AND external_assignment_id = ANY ($2) AND assigned_by = $3 AND cancelled_at IS NULL
  `,
});

type Reported = Row<typeof EXISTING>;

/** Assigns reserved places: each becomes a booking with one entry, as long as the group has places. */
export const importReservedEntries: ImportHandler<AssignmentImportRow> = async (context, rows) => {
  const { manager, organizationId } = context;
  const outcomes = new Outcomes(rows);
  outcomes.refuse(blankIdentifier);
  // Locked before existing assignments are read: if two jobs contain the same row, the second must not take a place.
  const groups = await lockGroups(
    context,
    outcomes.open.map(({ payload }) => payload),
  );
  const existing = await EXISTING.rows(manager, [
    organizationId,
    outcomes.open.map(({ payload }) => payload.externalAssignmentId),
    assignedBy(context.partnerId),
  ]);
  const byExternalId = new Map(existing.map((assignment) => [assignment.externalAssignmentId, assignment]));
  for (const { row, payload } of outcomes.open) {
    const known = byExternalId.get(payload.externalAssignmentId);
    if (known) outcomes.settle(succeeded(row, 'ALREADY_IMPORTED', { ...known }));
  }

  const ticketIds = [...groups.values()].flatMap(({ tickets }) => tickets.map(({ ticketId }) => ticketId));
  const places = new GroupPlaces(
    context,
    groups,
    await ticketsById(context, ticketIds),
    await Questions.of(context),
  );
  const made = new Map<string, { row: number; path: string }>();
  for (const { row, payload } of outcomes.open) {
    const taken = places.take(row, payload);
    if (!('code' in taken)) made.set(taken.participantId, { row, path: 'participant' });
    outcomes.settle('code' in taken ? failed(row, taken) : succeeded(row, 'IMPORTED', { ...taken }));
  }
  await insertStartList(context, places);
  await appear(
    context,
    places.entries.map(({ participant_id }) => participant_id as string),
  );
  for (const { row, warning } of await duplicateWarnings(context, made)) outcomes.warn(row, warning);
  return outcomes.all();
};

const blankIdentifier = (payload: AssignmentImportRow): Problem | undefined => {
  const names = ['externalAssignmentId', 'reservedEntryGroupId', 'ticketSlug'] as const;
  const blank = names.find((name) => payload[name] === '');
  return blank && problem(blank, 'INVALID_ASSIGNMENT', 'must not be blank');
};

async function lockGroups(
  { manager, organizationId, partnerId, permittedAt, carried }: ImportContext,
  payloads: AssignmentImportRow[],
): Promise<Map<string, Group>> {
  const named = [...new Set(payloads.map(({ reservedEntryGroupId }) => reservedEntryGroupId).filter(isId))];
  const groups = await LOCK_GROUPS.rows(manager, [organizationId, named, partnerId, permittedAt ?? null]);
  const ids = groups.map(({ id }) => id);
  const tickets = await GROUP_TICKETS.rows(manager, [organizationId, ids]);
  const singleUse = groups.flatMap((group) => (group.singleUse ? group.id : []));
  const used: { groupId: string; emails: string[] }[] = singleUse.length
    ? await USED_BY.rows(manager, [
        organizationId,
        singleUse,
        payloads.map(({ participant }) => normalizeEmail(participant.email)),
      ])
    : [];
  const found = groups.map((group) => ({
    ...group,
    usedBy: group.singleUse ? new Set(used.find(({ groupId }) => groupId === group.id)?.emails) : null,
    tickets: tickets.filter(({ groupId }) => groupId === group.id),
  }));
  if (carried) await addCarried(carried, found, payloads);
  return new Map(found.map((group) => [group.id, group]));
}

const placesOf = (groupId: string, ticketId: string): string => `${groupId}/${ticketId}`;
const addressOf = (groupId: string, email: string): string => `${groupId}/${normalizeEmail(email)}`;

/** Adds what earlier chunks of a dry run used. */
async function addCarried(carried: Carried, groups: Group[], payloads: AssignmentImportRow[]): Promise<void> {
  const places = await carried.get<number>(
    'places',
    groups.flatMap(({ id, tickets }) => [id, ...tickets.map(({ ticketId }) => placesOf(id, ticketId))]),
  );
  const addresses = await carried.get<boolean>(
    'address',
    payloads.map(({ reservedEntryGroupId, participant }) =>
      addressOf(reservedEntryGroupId, participant.email),
    ),
  );
  for (const group of groups) {
    group.usedCapacity += places.get(group.id) ?? 0;
    for (const place of group.tickets)
      place.usedCapacity += places.get(placesOf(group.id, place.ticketId)) ?? 0;
    for (const { participant } of payloads)
      if (addresses.has(addressOf(group.id, participant.email)))
        group.usedBy?.add(normalizeEmail(participant.email));
  }
}

/** Allocates places in row order, and collects the rows to write. */
class GroupPlaces {
  readonly bookings: NewBooking[] = [];
  readonly entries: NewEntry[] = [];
  readonly lineItems: NewLineItem[] = [];

  constructor(
    private readonly context: ImportContext,
    private readonly groups: Map<string, Group>,
    private readonly tickets: Map<string, KnownTicket>,
    private readonly questions: Questions,
  ) {}

  take(row: number, payload: AssignmentImportRow): Reported | Problem {
    const group = this.groups.get(payload.reservedEntryGroupId);
    if (!group)
      return problem(
        'reservedEntryGroupId',
        'INVALID_ASSIGNMENT',
        `is not a reserved entry group of your ${this.context.partnerId ? 'partner' : 'organization'}`,
      );
    if (group.isOver)
      return problem('reservedEntryGroupId', 'DEADLINE_PASSED', 'is a group whose deadline has passed');
    const place = group.tickets.find(({ slug }) => slug === payload.ticketSlug);
    const ticket = place && this.tickets.get(place.ticketId);
    if (!place || !ticket) return problem('ticketSlug', 'INVALID_ASSIGNMENT', 'is not a ticket of the group');
    const { email } = payload.participant;
    const otherDomain = domainProblem(email, group.domainRestriction, 'participant.email');
    if (otherDomain) return otherDomain;
    const wrongAnswer = this.questions.problemOf(payload.participant, ticket.fieldIds, 'participant');
    if (wrongAnswer) return wrongAnswer;
    const { fields, ...person } = payload.participant;
    const answers = this.questions.answers(ticket.fieldIds, person, fields);
    const tooLarge = problemOfBytes(
      entryBytes([answers, person, payload.externalAssignmentId], []),
      'participant',
    );
    if (tooLarge) return tooLarge;
    if (group.usedBy?.has(normalizeEmail(email))) return alreadyUsed('participant.email');
    const ticketIsFull = place.maxCapacity !== null && place.usedCapacity >= place.maxCapacity;
    if (group.usedCapacity >= group.maxCapacity || ticketIsFull) {
      return problem('', 'NO_CAPACITY_REMAINING', 'The group has no places left for this ticket');
    }
    group.usedBy?.add(normalizeEmail(email));
    group.usedCapacity += 1;
    place.usedCapacity += 1;
    const { carried } = this.context;
    if (group.usedBy) carried?.set('address', addressOf(group.id, email), true);
    carried?.add('places', group.id, 1);
    carried?.add('places', placesOf(group.id, ticket.id), 1);
    return this.add(row, payload, group, ticket, priceAfter(place.discount, ticket));
  }

  private add(
    row: number,
    { externalAssignmentId, participant }: AssignmentImportRow,
    group: Group,
    ticket: KnownTicket,
    price: Amount,
  ): Reported {
    const [bookingId, participantId] = [newId(), newId()];
    this.bookings.push({
      id: bookingId,
      source: 'API',
      event_id: ticket.eventId,
      event_occurrence_id: ticket.eventOccurrenceId,
      transaction_id: newId(),
      booker_first_name: participant.firstName,
      booker_last_name: participant.lastName,
      booker_email: participant.email,
      booker_type: group.partnerId ? 'PARTNER' : 'CONSUMER',
      partner_id: group.partnerId,
      currency_code: price.currencyCode,
      total_value: price.value,
      metadata: {},
      via_partner_id: group.partnerId,
      via_top_partner_id: group.topPartnerId,
    });
    this.entries.push({
      id: newId(),
      participant_id: participantId,
      participant_index: 0,
      booking_id: bookingId,
      event_id: ticket.eventId,
      event_occurrence_id: ticket.eventOccurrenceId,
      race_id: ticket.raceId,
      ticket_id: ticket.id,
      approval_status: 'APPROVED',
      application_resolution_type: 'INSTANT',
      fields: this.questions.answers(ticket.fieldIds, participant, participant.fields),
      email_normalized: normalizeEmail(participant.email),
      original_price_value: ticket.priceValue,
      original_price_currency: ticket.currencyCode,
      incremental: true,
      partner_id: group.partnerId,
      reserved_entry_group_id: group.id,
      holds_reserved_place: true,
      takes_place: !group.ignoresCapacity,
      has_donated: ticket.asksDonation ? false : null,
      external_assignment_id: externalAssignmentId,
      assigned_by: assignedBy(this.context.partnerId),
      metadata: sharedMetadata({ startline: startline(this.context, row) }),
    });
    this.lineItems.push(ticketLineItem(bookingId, participantId, ticket, price));
    return { externalAssignmentId, bookingId, participantId };
  }
}

/** The price of a place. The catalogue does not permit a discount in another currency than the ticket's. */
const priceAfter = (discount: Discount | null, { priceValue, currencyCode }: KnownTicket): Amount => ({
  value: priceValue - (discount ? reduction(discount, priceValue) : 0),
  currencyCode,
});
