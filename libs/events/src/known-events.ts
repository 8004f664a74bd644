import { byId, type Organization } from '#libs/import-rows';

export interface KnownTicket {
  id: string;
  eventOccurrenceId: string;
  eventId: string;
  raceId: string;
  title: string;
  priceValue: number;
  currencyCode: string;
  /** Entries on one unit: 1 for solo. */
  unitSize: number;
  asksDonation: boolean;
  approval: 'INSTANT' | 'BALLOT' | 'MANUAL';
  /** The fields of the ticket's forms, in order. */
  fieldIds: string[];
}

export const ticketsById = (organization: Organization, ids: Iterable<string>) =>
  byId<KnownTicket>(
    organization,
    `SELECT t.id, t.event_occurrence_id AS "eventOccurrenceId", t.event_id AS "eventId", t.race_id AS "raceId", t.title,
       t.price_value::float8 AS "priceValue", t.currency_code AS "currencyCode", t.unit_size AS "unitSize", t.asks_donation AS "asksDonation", t.approval,
       array(SELECT e.field_id FROM ticket_booking_forms f
         JOIN booking_form_entries e ON e.organization_id = f.organization_id AND e.booking_form_id = f.booking_form_id
         WHERE f.organization_id = t.organization_id AND f.ticket_id = t.id ORDER BY f.booking_form_id, e.position) AS "fieldIds"
     FROM tickets t WHERE t.organization_id = $1 AND t.id = ANY ($2) AND t.deleted_at IS NULL`,
    ids,
  );

export const occurrencesById = (organization: Organization, ids: Iterable<string>) =>
  byId<{ id: string; eventId: string }>(
    organization,
    `SELECT id, event_id AS "eventId" FROM event_occurrences WHERE organization_id = $1 AND id = ANY ($2)`,
    ids,
  );

export const wavesById = (organization: Organization, ids: Iterable<string | null | undefined>) =>
  byId<{ id: string; raceId: string }>(
    organization,
    `SELECT id, race_id AS "raceId" FROM waves WHERE organization_id = $1 AND id = ANY ($2)`,
    ids,
  );

export const eventsById = (organization: Organization, ids: Iterable<string | null | undefined>) =>
  byId<{ id: string }>(
    organization,
    'SELECT id FROM events WHERE organization_id = $1 AND id = ANY ($2)',
    ids,
  );
