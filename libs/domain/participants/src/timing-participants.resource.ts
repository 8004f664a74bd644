import type { TimingRead } from '#platform/access';
import type { ListDeclaration, Part } from '#platform/queries';
import { ENTRY_FILTERS } from './entry.filters';
import { answerTo, joined, SHOWN_BIB } from './entry.sql';
import { TimingParticipant } from './timing-participants.dto';

const { eventOccurrenceId, raceId, bibNumber, externalParticipantId } = ENTRY_FILTERS;

const RACE_DAY = 'coalesce(race.start_date, occurrence.start_date)';
/** Whoever is born on 29 February has their birthday on 1 March in other years, because `0228` precedes `0229`. */
const AGE = `CASE WHEN birth.date <= ${RACE_DAY}::text THEN extract(year FROM ${RACE_DAY})::int - left(birth.date, 4)::int
      - (to_char(${RACE_DAY}, 'MM-DD') < right(birth.date, 5))::int END`;

/** What the key may read is a parameter, so that all keys use the same statement. Removed data of a person is shown to none. */
const select: Part = (_, bind, { reads }) => {
  const granted = `${bind(reads)}::text[]`;
  const shown = (read: TimingRead, sql: string) =>
    `CASE WHEN '${read}' = ANY (${granted}) AND NOT t.gdpr_redacted THEN ${sql} END`;
  return `
    t.participant_id AS "participantId",
    t.external_participant_id AS "externalParticipantId",
    ${SHOWN_BIB} AS "bibNumber",
    t.event_occurrence_id AS "eventOccurrenceId",
    t.race_id AS "raceId",
    race.title AS "raceTitle",
    ${shown('wave', 'wave.id')} AS "wave?.id",
    wave.title AS "wave?.title",
    wave.start_date_time AS "wave?.startDateTime",
    t.cancelled_at IS NOT NULL AS "cancelled",
    ${shown('names', answerTo("'firstName'"))} AS "firstName",
    ${shown('names', answerTo("'lastName'"))} AS "lastName",
    ${shown('gender', answerTo("'gender'"))} AS "gender",
    ${shown('ageOnRaceDay', AGE)} AS "ageOnRaceDay",
    ${shown('yearOfBirth', 'left(birth.date, 4)::int')} AS "yearOfBirth",
    ${shown('team', 'team.id')} AS "team?.id",
    team.name AS "team?.name",
    (SELECT json_object_agg(question.key, CASE WHEN NOT t.gdpr_redacted THEN (
        SELECT field->'value' FROM json_array_elements(t.fields) field WHERE field->>'key' = question.key LIMIT 1) END ORDER BY question.place)
      FROM (SELECT substr(asked, 7) AS key, place FROM unnest(${granted}) WITH ORDINALITY given (asked, place)
        WHERE starts_with(asked, 'field:')) question) AS "answers",
    t.created_at AS "createdAt",
    t.updated_at AS "updatedAt"`;
};

/** The participants that a timing key can refer to: those of its occurrences. */
export const TIMING_PARTICIPANTS: ListDeclaration = {
  name: 'timingParticipants',
  schemaName: 'PagedTimingParticipants',
  of: {
    schema: TimingParticipant,
    from: 'start_list_entries t',
    where: `t.approval_status = 'APPROVED'`,
    id: 't.participant_id',
    joins: [
      joined('races', 'race', 't.race_id'),
      joined('event_occurrences', 'occurrence', 't.event_occurrence_id'),
      joined('waves', 'wave', 't.wave_id'),
      joined('teams', 'team', 't.team_id'),
      // A value that is no date is nobody's birthday.
      ` CROSS JOIN LATERAL (SELECT substring(${answerTo("'dateOfBirth'")} FROM '^\\d{4}-\\d{2}-\\d{2}$') AS date) birth`,
    ].join(''),
    select,
  },
  where: (bind, _, { eventOccurrenceIds }) =>
    eventOccurrenceIds ? `t.event_occurrence_id = ANY (${bind(eventOccurrenceIds)}::uuid[])` : '',
  order: { sql: 't.created_at', type: 'timestamptz' },
  times: { createdAt: 't.created_at', updatedAt: 't.updated_at' },
  filters: { eventOccurrenceId, raceId, bibNumber, externalParticipantId } as ListDeclaration['filters'],
};
