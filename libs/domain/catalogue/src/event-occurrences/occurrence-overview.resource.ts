import { price, type Resource } from '#platform/queries';
import { racePlaces, ticketPlaces } from '../sql';
import { STATUS } from './event-occurrences.resource';
import { OccurrenceOverview } from './occurrence-overview.dto';

const SALES_DAYS = 90;
/** The most races, tickets and groups each. */
const MOST = 500;

/** An array of the rows of a SELECT, as JSON. */
const all = (select: string): string => `(SELECT coalesce(json_agg(x), '[]') FROM (${select}) x)`;

const ofOccurrence = (row: string): string =>
  `${row}.organization_id = t.organization_id AND ${row}.event_occurrence_id = t.id`;

const count = (from: string, row: string, and = 'true'): string =>
  `(SELECT count(*)::int FROM ${from} WHERE ${ofOccurrence(row)} AND ${and})`;

export const OCCURRENCE_OVERVIEW: Resource = {
  schema: OccurrenceOverview,
  from: 'event_occurrences t',
  select: `
    t.id AS "id",
    t.title AS "title",
    t.start_date AS "startDate",
    t.time_zone AS "timeZone",
    ${STATUS},
    t.discoverable AS "discoverable",
    ${count('races r', 'r')} AS "raceCount",
    ${all(`SELECT r.id, r.title, ${racePlaces('r')}::int AS "usedCapacity", r.max_capacity AS "maxCapacity"
      FROM races r WHERE ${ofOccurrence('r')} ORDER BY r.position, r.id LIMIT ${MOST}`)} AS "races",
    ${count('tickets k', 'k', 'k.deleted_at IS NULL')} AS "ticketCount",
    ${all(`SELECT k.id, k.title, r.title AS "raceTitle", ${price('k.price_value', 'k.currency_code')} AS "price",
        ${ticketPlaces('k')}::int AS "usedCapacity", k.max_capacity AS "maxCapacity"
      FROM tickets k JOIN races r ON r.organization_id = k.organization_id AND r.id = k.race_id
      WHERE ${ofOccurrence('k')} AND k.deleted_at IS NULL
      ORDER BY r.position, r.id, k.position, k.id LIMIT ${MOST}`)} AS "tickets",
    ${count('reserved_entry_groups g', 'g')} AS "reservedGroupCount",
    ${all(`SELECT g.id, g.name AS title, g.used_capacity AS "usedCapacity", g.max_capacity AS "maxCapacity",
        (SELECT p.name FROM partners p WHERE p.organization_id = g.organization_id AND p.id = g.partner_id) AS "partnerName"
      FROM reserved_entry_groups g WHERE ${ofOccurrence('g')}
      ORDER BY g.name, g.id LIMIT ${MOST}`)} AS "reservedGroups",
    ${all(`SELECT (e.created_at AT TIME ZONE t.time_zone)::date AS day, count(*)::int AS entries
      FROM start_list_entries e
      WHERE e.organization_id = t.organization_id AND e.event_id = t.event_id AND e.event_occurrence_id = t.id
        AND e.created_at > (SELECT n.created_at FROM start_list_entries n
          WHERE n.organization_id = t.organization_id AND n.event_id = t.event_id AND n.event_occurrence_id = t.id
          ORDER BY n.created_at DESC LIMIT 1) - interval '${SALES_DAYS} days'
        AND e.approval_status = 'APPROVED' AND e.cancelled_at IS NULL
      GROUP BY 1 ORDER BY 1`)} AS "sales"`,
};
