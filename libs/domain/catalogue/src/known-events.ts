import { type Row, statement, type Ticket, typed } from '#platform/database';
import { byId, type Organization } from '#platform/import-rows';

const TICKETS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: {
    id: 'uuid',
    eventOccurrenceId: 'uuid',
    eventId: 'uuid',
    raceId: 'uuid',
    title: 'text',
    priceValue: 'float8',
    currencyCode: 'text',
    asksDonation: 'boolean',
    /** Entries on one unit: 1 for solo. */
    unitSize: 'int',
    approval: typed<Ticket['approval']>('text'),
    isDeleted: 'boolean',
    /** The fields of the ticket's forms, in order. */
    fieldIds: 'uuid[]',
  },
  sql: `
    SELECT t.id, t.event_occurrence_id AS "eventOccurrenceId", t.event_id AS "eventId", t.race_id AS "raceId", t.title,
       t.price_value::float8 AS "priceValue", t.currency_code AS "currencyCode", t.unit_size AS "unitSize", t.asks_donation AS "asksDonation", t.approval,
       t.deleted_at IS NOT NULL AS "isDeleted",
       array(SELECT e.field_id FROM ticket_booking_forms f
         JOIN booking_form_entries e ON e.organization_id = f.organization_id AND e.booking_form_id = f.booking_form_id
         WHERE f.organization_id = t.organization_id AND f.ticket_id = t.id ORDER BY f.booking_form_id, e.position) AS "fieldIds"
    FROM tickets t WHERE t.organization_id = $1 AND t.id = ANY ($2)
  `,
});

const OCCURRENCES = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid', eventId: 'uuid', timeZone: 'text' },
  sql: `
    SELECT id, event_id AS "eventId", time_zone AS "timeZone" FROM event_occurrences
    WHERE organization_id = $1 AND id = ANY ($2)
  `,
});

const WAVES = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid', raceId: 'uuid' },
  sql: 'SELECT id, race_id AS "raceId" FROM waves WHERE organization_id = $1 AND id = ANY ($2)',
});

const EVENTS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: {
    id: 'uuid',
    /** That of all its occurrences; `null` if it has none, or they differ. */
    timeZone: 'text?',
  },
  sql: `
    SELECT e.id, (SELECT CASE WHEN min(o.time_zone) = max(o.time_zone) THEN min(o.time_zone) END
      FROM event_occurrences o WHERE o.organization_id = e.organization_id AND o.event_id = e.id) AS "timeZone"
    FROM events e WHERE e.organization_id = $1 AND e.id = ANY ($2)
  `,
});

export type KnownTicket = Row<typeof TICKETS>;

/** With those that are deleted, which their entries keep. */
export const storedTicketsById = (organization: Organization, ids: Iterable<string>) =>
  byId(organization, TICKETS, ids);

export async function ticketsById(
  organization: Organization,
  ids: Iterable<string>,
): Promise<Map<string, KnownTicket>> {
  const tickets = await storedTicketsById(organization, ids);
  return new Map([...tickets].filter(([, { isDeleted }]) => !isDeleted));
}

export const occurrencesById = (organization: Organization, ids: Iterable<string>) =>
  byId(organization, OCCURRENCES, ids);

export const wavesById = (organization: Organization, ids: Iterable<string | null | undefined>) =>
  byId(organization, WAVES, ids);

export const eventsById = (organization: Organization, ids: Iterable<string | null | undefined>) =>
  byId(organization, EVENTS, ids);
