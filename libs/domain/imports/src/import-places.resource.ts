import type { Resource } from '#platform/queries';
import { ImportPlacesOfJob } from './import-places.dto';

const MOST = 100;

const places = (table: string, kind: string, added: string, of: string): string => `(
    SELECT coalesce(json_agg(json_build_object('id', x.id, 'title', x.title, 'eventOccurrenceId', o.id, 'eventOccurrenceTitle', o.title,
      'maximum', x.max_capacity, 'used', x.used, 'added', x.added) ORDER BY x.over DESC, x.id), '[]')
    FROM (
      SELECT y.*, y.used + CASE WHEN t.dry_run THEN y.added ELSE 0 END - y.max_capacity AS over FROM (
        SELECT x.*, tally(x.organization_id, '${kind}', x.id)::int AS used, a.added
        FROM (SELECT ${of} AS id, sum(${added})::int AS added FROM json_to_recordset(entries.all)
          e (ticket_id uuid, race_id uuid, entries int, units int) GROUP BY 1) a
        JOIN ${table} x ON x.organization_id = t.organization_id AND x.id = a.id AND x.max_capacity IS NOT NULL
      ) y ORDER BY over DESC, y.id LIMIT ${MOST}
    ) x JOIN event_occurrences o ON o.organization_id = x.organization_id AND o.id = x.event_occurrence_id)`;

export const IMPORT_PLACES: Resource = {
  schema: ImportPlacesOfJob,
  from: 'import_jobs t',
  // Its chunks and those of its corrections counted them, so that this reads no row.
  joins: `CROSS JOIN LATERAL (SELECT coalesce(json_agg(json_build_object('ticket_id', k.id, 'race_id', k.race_id,
        'entries', taken.entries, 'units', taken.units)), '[]') AS all
      FROM (SELECT key::uuid AS ticket_id, value->0 AS entries, value->1 AS units
        FROM import_jobs j CROSS JOIN LATERAL jsonb_each(j.places)
        WHERE j.organization_id = t.organization_id AND (j.id = t.id OR j.corrects_job_id = t.id AND j.dry_run = t.dry_run) OFFSET 0) taken
      JOIN tickets k ON k.organization_id = t.organization_id AND k.id = taken.ticket_id) entries`,
  select: `${places('races', 'racePlaces', 'e.entries', 'e.race_id')} AS "races",
    ${places('tickets', 'ticketPlaces', 'e.units', 'e.ticket_id')} AS "tickets"`,
};
