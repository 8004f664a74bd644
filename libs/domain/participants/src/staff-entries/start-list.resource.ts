import { freeText, type ListDeclaration, ofId } from '#platform/queries';
import { answerTo, joined, SHOWN_BIB } from '../entry.sql';
import { StartListPerson } from './start-list.dto';

const MOST_ANSWERS = 10;

const text = freeText(`Keys of questions, separated by commas; at most ${MOST_ANSWERS} count.`, {
  max: 1_000,
});
const answers = {
  ...text,
  read: (value: string) => {
    const keys = text
      .read(value)
      .split(',')
      .map((key) => key.trim())
      .filter(Boolean);
    // Each once, so that the answers of an entry are not larger than the entry.
    return [...new Set(keys)].slice(0, MOST_ANSWERS);
  },
};

/** Who starts in a race: neither cancelled nor removed. In the order of creation; a page sorts by name in its language. */
export const START_LIST_OF_RACE: ListDeclaration = {
  name: 'startListOfRace',
  schemaName: 'PagedStartList',
  of: {
    schema: StartListPerson,
    from: 'start_list_entries t',
    where: `t.approval_status = 'APPROVED'`,
    id: 't.participant_id',
    joins: [
      joined('tickets', 'ticket', 't.ticket_id'),
      joined('waves', 'wave', 't.wave_id'),
      joined('teams', 'team', 't.team_id'),
    ].join(''),
    select: (values, bind, { role }) => `
      t.participant_id AS "participantId",
      ${answerTo("'firstName'")} AS "firstName",
      ${answerTo("'lastName'")} AS "lastName",
      ${SHOWN_BIB} AS "bibNumber",
      ticket.title AS "ticketTitle",
      wave.id AS "wave?.id",
      wave.title AS "wave?.title",
      wave.start_date_time AS "wave?.startDateTime",
      team.name AS "teamName",
      EXISTS (SELECT FROM jsonb_array_elements(t.race_day_fields) field
        WHERE field->>'id' = 'checkIn' AND field->'value' = 'true') AS "checkedIn",
      (SELECT coalesce(json_agg(${answerTo('asked.key')} ORDER BY asked.place), '[]')
        FROM unnest(${bind(role === 'RACE_DAY' ? [] : (values.answers ?? []))}::text[]) WITH ORDINALITY asked (key, place))
        AS "answers"`,
  },
  within: { column: 't.race_id', parent: 'races' },
  where: 't.cancelled_at IS NULL AND NOT t.gdpr_redacted',
  order: { sql: 't.created_at', type: 'timestamptz' },
  filters: { waveId: ofId('wave_id', 'Only participants of this wave.') },
  shows: { answers },
};
