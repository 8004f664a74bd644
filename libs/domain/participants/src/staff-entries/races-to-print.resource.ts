import { contains, type ListDeclaration } from '#platform/queries';
import { joined } from '../entry.sql';
import { RaceToPrint } from './races-to-print.dto';

/** The races of all event occurrences. */
export const RACES_TO_PRINT: ListDeclaration = {
  name: 'racesToPrint',
  schemaName: 'PagedRacesToPrint',
  of: {
    schema: RaceToPrint,
    from: 'races t',
    joins: joined('event_occurrences', 'occurrence', 't.event_occurrence_id'),
    select: `
      t.id AS "id",
      t.title AS "title",
      t.event_occurrence_id AS "eventOccurrenceId",
      occurrence.title AS "eventTitle",
      occurrence.start_date AS "startDate",
      occurrence.time_zone AS "timeZone",
      (SELECT coalesce(json_agg(json_build_object('id', w.id, 'title', w.title) ORDER BY w.start_date_time, w.title, w.id), '[]')
        FROM (SELECT * FROM waves w WHERE w.organization_id = t.organization_id AND w.race_id = t.id
          ORDER BY w.start_date_time, w.title, w.id LIMIT 500) w) AS "waves"`,
  },
  order: { sql: 't.created_at', type: 'timestamptz' },
  newestFirst: true,
  filters: {
    search: contains('t.title', 'Only races whose title contains this text. Case and accents are ignored.'),
  },
};
