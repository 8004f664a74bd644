import { instant, type ListDeclaration, type Resource } from '#platform/queries';
import { RaceSummary } from '../shapes.dto';
import { distance, racePlaces, raceSummary } from '../sql';
import { Race } from './races.dto';

const RACE_SUMMARY: Resource = {
  schema: RaceSummary,
  from: 'races t',
  select: raceSummary('t'),
  omitNulls: true,
};

export const RACE: Resource = {
  schema: Race,
  from: 'races t',
  select: (_values, _bind, caller) => `${raceSummary('t')},
    t.event_occurrence_id AS "eventOccurrenceId",
    t.event_id AS "eventId",
    CASE WHEN t.course_id IS NOT NULL
      THEN json_build_object('id', t.course_id, 'title', t.course_title, 'distance', ${distance('t')}) END AS "course",
    (SELECT coalesce(json_agg(json_build_object(
        'id', w.id, 'title', w.title, 'startDateTime', ${instant('w.start_date_time')}, 'capacity', w.capacity
      ) ORDER BY w.start_date_time, w.position, w.id), '[]')
      FROM waves w WHERE w.organization_id = t.organization_id AND w.race_id = t.id) AS "waves",
    t.max_capacity AS "maxCapacity",
    ${caller.partner ? 'NULL::bigint' : racePlaces('t')} AS "usedCapacity"`,
};

export const RACES_OF_OCCURRENCE: ListDeclaration = {
  name: 'racesOfOccurrence',
  schemaName: 'PagedRaceSummaries',
  of: RACE_SUMMARY,
  within: { column: 't.event_occurrence_id', parent: 'event_occurrences' },
  order: { sql: 't.position', type: 'integer' },
  size: { default: 'all', max: 500 },
};
