import type { ListDeclaration } from '#libs/resources';
import { ENTRY_FILTERS } from './entry.filters';
import { joined } from './entry.sql';
import { TimingParticipant } from './timing-participants.dto';

const { eventOccurrenceId, raceId, bibNumber, externalParticipantId } = ENTRY_FILTERS;

/** Whether the key can read names is a parameter, so that all keys use the same statement. */
const answerTo = (field: string, names: string): string =>
  `CASE WHEN ${names} THEN (
      SELECT field->>'value' FROM json_array_elements(t.fields) field WHERE field->>'key' = '${field}' LIMIT 1) END`;

/** The participants that a timing key can refer to: those of its occurrences. */
export const TIMING_PARTICIPANTS: ListDeclaration = {
  name: 'timingParticipants',
  schemaName: 'PagedTimingParticipants',
  of: {
    schema: TimingParticipant,
    from: 'start_list_entries t',
    where: `t.approval_status = 'APPROVED'`,
    id: 't.participant_id',
    joins: joined('races', 'race', 't.race_id') + joined('waves', 'wave', 't.wave_id'),
    select: (_, bind, caller) => {
      const names = `${bind(caller.names)}::boolean`;
      return `
    t.participant_id AS "participantId",
    t.external_participant_id AS "externalParticipantId",
    t.bib_number AS "bibNumber",
    t.event_occurrence_id AS "eventOccurrenceId",
    t.race_id AS "raceId",
    race.title AS "raceTitle",
    wave.id AS "wave?.id",
    wave.title AS "wave?.title",
    wave.start_date_time AS "wave?.startDateTime",
    t.cancelled_at IS NOT NULL AS "cancelled",
    ${answerTo('firstName', names)} AS "firstName",
    ${answerTo('lastName', names)} AS "lastName",
    t.created_at AS "createdAt",
    t.updated_at AS "updatedAt"`;
    },
  },
  where: (bind, _, { eventOccurrenceIds }) =>
    eventOccurrenceIds ? `t.event_occurrence_id = ANY (${bind(eventOccurrenceIds)}::uuid[])` : '',
  order: { sql: 't.created_at', type: 'timestamptz' },
  times: { createdAt: 't.created_at', updatedAt: 't.updated_at' },
  filters: { eventOccurrenceId, raceId, bibNumber, externalParticipantId } as ListDeclaration['filters'],
};
