import type { Amount } from '#libs/bookings';
import {
  insertStartList,
  type NewBooking,
  type NewEntry,
  type NewLineItem,
  startline,
  ticketLineItem,
} from '#libs/bookings';
import { type Discount, isId, NONE, newId, type Row, statement, typed } from '#libs/database';
import { reduction } from '#libs/discounts';
import { type KnownTicket, ticketsById } from '#libs/events';
import type { ImportContext, ImportHandler } from '#libs/import-rows';
import { failed, Outcomes, type Problem, problem, succeeded } from '#libs/import-rows';
import { appear, normalizeEmail, Questions, sharedMetadata } from '#libs/start-list';
import type { AssignmentImportRow } from './assignment-row.dto';

interface Group {
  id: string;
  partnerId: string | null;
  maxCapacity: number;
  usedCapacity: number;
  ignoresCapacity: boolean;
  domainRestriction: string | null;
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

/** Locked in id order, before places are counted, so that only one of two concurrent jobs gets the last place. */
const LOCK_GROUPS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: {
    id: 'uuid',
    partnerId: 'uuid?',
    maxCapacity: 'int',
    usedCapacity: 'int',
    ignoresCapacity: 'boolean',
    domainRestriction: 'text?',
    singleUse: 'boolean',
  },
  sql: `
    SELECT id, partner_id AS "partnerId", max_capacity AS "maxCapacity", used_capacity AS "usedCapacity",
      reserve_capacity = 'IGNORE_CAPACITY' AS "ignoresCapacity", domain_restriction AS "domainRestriction",
      type = 'SINGLE_USE' AS "singleUse"
    FROM reserved_entry_groups WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE
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

const EXISTING = statement({
  parameters: ['uuid', 'text[]'],
  columns: { externalAssignmentId: 'text!', bookingId: 'uuid', participantId: 'uuid' },
  sql: `
    SELECT external_assignment_id AS "externalAssignmentId", booking_id AS "bookingId", participant_id AS "participantId"
    FROM start_list_entries
    WHERE organization_id = $1 AND external_assignment_id = ANY ($2) AND cancelled_at IS NULL
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
  ]);
  const byExternalId = new Map(existing.map((assignment) => [assignment.externalAssignmentId, assignment]));
  for (const { row, payload } of outcomes.open) {
    const known = byExternalId.get(payload.externalAssignmentId);
    if (known) outcomes.settle(succeeded(row, 'ALREADY_IMPORTED', { ...known }));
  }

  const ticketIds = [...groups.values()].flatMap(({ tickets }) => tickets.map(({ ticketId }) => ticketId));
  const places = new Places(
    context,
    groups,
    await ticketsById(context, ticketIds),
    await Questions.of(context),
  );
  for (const { row, payload } of outcomes.open) {
    const taken = places.take(row, payload);
    outcomes.settle('code' in taken ? failed(row, taken) : succeeded(row, 'IMPORTED', { ...taken }));
  }
  await insertStartList(context, places);
  await appear(
    context,
    places.entries.map(({ participant_id }) => participant_id as string),
  );
  return outcomes.all();
};

const blankIdentifier = (payload: AssignmentImportRow): Problem | undefined => {
  const names = ['externalAssignmentId', 'reservedEntryGroupId', 'ticketSlug'] as const;
  const blank = names.find((name) => payload[name].trim() === '');
  return blank && problem('INVALID_ASSIGNMENT', `${blank} must not be blank`);
};

async function lockGroups(
  { manager, organizationId }: ImportContext,
  payloads: AssignmentImportRow[],
): Promise<Map<string, Group>> {
  const ids = [...new Set(payloads.map(({ reservedEntryGroupId }) => reservedEntryGroupId).filter(isId))];
  const groups = await LOCK_GROUPS.rows(manager, [organizationId, ids]);
  const tickets = await GROUP_TICKETS.rows(manager, [organizationId, ids]);
  const singleUse = groups.flatMap((group) => (group.singleUse ? group.id : []));
  const used: { groupId: string; emails: string[] }[] = singleUse.length
    ? await USED_BY.rows(manager, [
        organizationId,
        singleUse,
        payloads.map(({ participant }) => normalizeEmail(participant.email)),
      ])
    : [];
  return new Map(
    groups.map((group) => [
      group.id,
      {
        ...group,
        usedBy: group.singleUse ? new Set(used.find(({ groupId }) => groupId === group.id)?.emails) : null,
        tickets: tickets.filter(({ groupId }) => groupId === group.id),
      },
    ]),
  );
}

/** Allocates places in row order, and collects the rows to write. */
class Places {
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
        'INVALID_ASSIGNMENT',
        'reservedEntryGroupId is not a reserved entry group of your organization',
      );
    const place = group.tickets.find(({ slug }) => slug === payload.ticketSlug);
    const ticket = place && this.tickets.get(place.ticketId);
    if (!place || !ticket) return problem('INVALID_ASSIGNMENT', 'ticketSlug is not a ticket of the group');
    const { domainRestriction } = group;
    const { email } = payload.participant;
    if (domainRestriction && !isOfDomain(email, domainRestriction)) {
      return problem('DOMAIN_NOT_ALLOWED', `participant.email must be an address at ${domainRestriction}`);
    }
    const wrongAnswer = this.questions.problemOf(payload.participant, ticket.fieldIds, 'participant');
    if (wrongAnswer) return wrongAnswer;
    if (group.usedBy?.has(normalizeEmail(email)))
      return problem('ALREADY_USED', 'participant.email has a place of this group, which may be used once');
    const ticketIsFull = place.maxCapacity !== null && place.usedCapacity >= place.maxCapacity;
    if (group.usedCapacity >= group.maxCapacity || ticketIsFull) {
      return problem('NO_CAPACITY_REMAINING', 'The group has no places left for this ticket');
    }
    group.usedBy?.add(normalizeEmail(email));
    group.usedCapacity += 1;
    place.usedCapacity += 1;
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
      external_booking_id: null,
      source: 'API',
      created_at: null,
      event_id: ticket.eventId,
      event_occurrence_id: ticket.eventOccurrenceId,
      transaction_id: newId(),
      booker_first_name: participant.firstName,
      booker_last_name: participant.lastName,
      booker_email: participant.email,
      booker_phone: null,
      booker_type: group.partnerId ? 'PARTNER' : 'CONSUMER',
      partner_id: group.partnerId,
      currency_code: price.currencyCode,
      total_value: price.value,
      discount_code_id: null,
      discount_uses: 0,
      tracking: {},
      metadata: {},
      booked_at: null,
    });
    this.entries.push({
      id: newId(),
      created_at: null,
      participant_id: participantId,
      participant_index: 0,
      booking_id: bookingId,
      event_id: ticket.eventId,
      event_occurrence_id: ticket.eventOccurrenceId,
      race_id: ticket.raceId,
      ticket_id: ticket.id,
      wave_id: null,
      team_id: null,
      team_roles: NONE,
      approval_status: 'APPROVED',
      application_resolution_type: 'INSTANT',
      ballot_draw: null,
      application_notes: null,
      participant_notes: NONE,
      fields: this.questions.answers(ticket.fieldIds, participant, participant.fields),
      email_normalized: normalizeEmail(participant.email),
      tags: NONE,
      original_price_value: ticket.priceValue,
      original_price_currency: ticket.currencyCode,
      incremental: true,
      partner_id: group.partnerId,
      reserved_entry_group_id: group.id,
      holds_reserved_place: true,
      takes_place: !group.ignoresCapacity,
      // Each assignment is a booking of one entry, and therefore a unit.
      starts_unit: true,
      partner_marketing_opt_ins: NONE,
      result_url: null,
      result_submitted_at: null,
      has_donated: ticket.asksDonation ? false : null,
      bib_number: null,
      bib_claim: null,
      bib_changed_at: null,
      external_participant_id: null,
      external_assignment_id: externalAssignmentId,
      metadata: sharedMetadata({ startline: startline(this.context, row) }),
    });
    this.lineItems.push(ticketLineItem(bookingId, participantId, ticket, price));
    return { externalAssignmentId, bookingId, participantId };
  }
}

/** `acme.example`, with or without `@`, without subdomains. */
const isOfDomain = (email: string, domain: string): boolean =>
  normalizeEmail(email).endsWith(`@${domain.trim().replace(/^@/, '').toLowerCase()}`);

/** The price of a place. The catalogue does not permit a discount in another currency than the ticket's. */
const priceAfter = (discount: Discount | null, { priceValue, currencyCode }: KnownTicket): Amount => ({
  value: priceValue - (discount ? reduction(discount, priceValue) : 0),
  currencyCode,
});
