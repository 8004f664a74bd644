import type { EntityManager } from 'typeorm';
import type { Ask } from '#libs/client';
import { statement } from '#platform/database';

const columns = { record: 'json' } as const;
const listOf = (sql: string) =>
  statement({ parameters: ['uuid'], columns, sql: `SELECT to_json(one) AS record FROM (${sql}) one` });
const listWithin = (sql: string) =>
  statement({
    parameters: ['uuid', 'uuid'],
    columns,
    sql: `SELECT to_json(one) AS record FROM (${sql}) one`,
  });

/** What lists of the API have of the records that texts of a file can name, by their paths. */
const OF_ORGANIZATION: Record<string, ReturnType<typeof listOf>> = {
  '/v0/event-occurrences': listOf(
    'SELECT id, title, start_date AS "startDate" FROM event_occurrences WHERE organization_id = $1',
  ),
  '/v0/partners': listOf(
    'SELECT id, name, parent_partner_id AS "parentPartnerId" FROM partners WHERE organization_id = $1',
  ),
  '/v0/booking-form-fields': listOf(
    'SELECT id, key, label, type, options FROM booking_form_fields WHERE organization_id = $1',
  ),
};
const OF_ONE: Record<string, ReturnType<typeof listWithin>> = {
  '/v0/event-occurrences/{id}/tickets': listWithin(`
    SELECT t.id, t.title, t.slug AS "ticketSlug", r.title AS "raceTitle",
      json_build_object('currencyCode', t.currency_code) AS price
    FROM tickets t JOIN races r ON r.organization_id = t.organization_id AND r.id = t.race_id
    WHERE t.organization_id = $1 AND t.event_occurrence_id = $2 AND t.deleted_at IS NULL
  `),
  '/v0/event-occurrences/{id}/races': listWithin(
    'SELECT id, title FROM races WHERE organization_id = $1 AND event_occurrence_id = $2',
  ),
  '/v0/races/{id}': listWithin(`
    SELECT coalesce(json_agg(json_build_object('id', id, 'title', title)), '[]') AS waves
    FROM waves WHERE organization_id = $1 AND race_id = $2
  `),
};

/** Reads stored records as the lists of the API have them; others are not known. */
export const storedRecords =
  (manager: EntityManager, organizationId: string): Ask =>
  async <Body>(path: string, { params }: Parameters<Ask>[1]): Promise<Body> => {
    const { id } = (params?.path ?? {}) as { id?: string };
    const found = id
      ? await OF_ONE[path]?.rows(manager, [organizationId, id])
      : await OF_ORGANIZATION[path]?.rows(manager, [organizationId]);
    const data = (found ?? []).map(({ record }) => record);
    return (path === '/v0/races/{id}' ? data[0] : { data, page: { next: '' } }) as Body;
  };
