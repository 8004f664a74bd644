import type { ListDeclaration } from '#platform/queries';
import { RACE_DAY_MESSAGE } from './history';
import { RaceDayLogMessage } from './race-day-log.dto';

/** The messages of the race-day log about a participant, newest first. */
export const RACE_DAY_MESSAGES_OF_PARTICIPANT: ListDeclaration = {
  name: 'raceDayMessagesOfParticipant',
  schemaName: 'PagedRaceDayLogMessages',
  of: {
    schema: RaceDayLogMessage,
    from: 'race_day_log t',
    // Cursors take ids. Messages of the same microsecond are in the order of receipt.
    id: "('00000000-0000-7000-8000-' || lpad(to_hex(t.seq), 12, '0'))::uuid",
    select: RACE_DAY_MESSAGE,
  },
  within: {
    column: 't.participant_id',
    parent: `(SELECT organization_id, participant_id AS id FROM start_list_entries
      WHERE approval_status = 'APPROVED') participants`,
  },
  order: { sql: 't.changed_at', type: 'timestamptz' },
  newestFirst: true,
};
