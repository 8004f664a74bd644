import { type ListDeclaration, priceAs, type Resource } from '#platform/queries';
import { availability, isUpcoming, ticketPlaces, titleByLocale } from '../sql';
import { Ticket, TicketDetails } from './tickets.dto';

const IN_CATALOGUE_ORDER = { sql: 't.position', type: 'integer' } as const;

export const TICKET = {
  schema: Ticket,
  from: 'tickets t',
  joins: 'JOIN races r ON r.organization_id = t.organization_id AND r.id = t.race_id',
  select: `
    t.id AS "id",
    t.title AS "title",
    ${titleByLocale('t')} AS "titleByLocale",
    t.description AS "description",
    t.slug AS "ticketSlug",
    t.race_id AS "raceId",
    r.title AS "raceTitle",
    ${priceAs('price', 't.price_value', 't.currency_code')},
    ${availability('t')} AS "availability",
    t.deleted_at IS NOT NULL AS "isDeleted"`,
} satisfies Resource;

export const TICKET_DETAILS: Resource = {
  ...TICKET,
  schema: TicketDetails,
  select: (_values, _bind, caller) => `${TICKET.select},
    t.event_occurrence_id AS "eventOccurrenceId",
    t.event_id AS "eventId",
    t.sale_start AS "saleStart",
    t.sale_end AS "saleEnd",
    t.max_capacity AS "maxCapacity",
    ${caller.partner ? 'NULL::bigint' : ticketPlaces('t')} AS "usedCapacity",
    t.approval AS "approval"`,
};

const TICKETS = {
  schemaName: 'PagedTickets',
  of: TICKET,
  order: IN_CATALOGUE_ORDER,
  where: 't.deleted_at IS NULL',
} satisfies Partial<ListDeclaration>;

/** With any availability. */
export const TICKETS_OF_OCCURRENCE: ListDeclaration = {
  ...TICKETS,
  name: 'ticketsOfOccurrence',
  within: { column: 't.event_occurrence_id', parent: 'event_occurrences' },
};

export const TICKETS_OF_RACE: ListDeclaration = {
  ...TICKETS,
  name: 'ticketsOfRace',
  within: { column: 't.race_id', parent: 'races' },
};

/** The available tickets of the event's next upcoming occurrence that is published and takes place; none if there is no upcoming occurrence. */
export const TICKETS_OF_EVENT: ListDeclaration = {
  ...TICKETS,
  name: 'ticketsOfEvent',
  within: { column: 't.event_id', parent: 'events' },
  where: `${TICKETS.where} AND ${availability('t')} = 'AVAILABLE' AND t.event_occurrence_id = (
    SELECT o.id FROM event_occurrences o
    WHERE o.organization_id = t.organization_id AND o.event_id = t.event_id AND o.published AND o.called_off IS NULL
      AND ${isUpcoming('o')}
    ORDER BY o.start_date, o.id LIMIT 1)`,
  size: { default: 'all', max: 500 },
};
