import type { Filter, ListDeclaration } from '#platform/queries';
import { joined } from '../entry.sql';
import { PARTICIPANTS } from '../participants.resource';
import { ListedParticipant } from './listed-participants.dto';
import { STAFF_ENTRY, STAFF_ENTRY_COLUMNS } from './staff-entries.resource';

const { filters = {} } = PARTICIPANTS;
const { eventOccurrenceId, raceId, ticketId, status, tag } = filters as Record<string, Filter>;

/** Within all participants of the organization, by an index. */
const WITHIN_ALL = { type: 'text', from: 'own_start_list_entries t', skewed: true } as const;

/** The participants of the organization as staff sort them. */
export const LISTED_PARTICIPANTS: ListDeclaration = {
  name: 'listedParticipants',
  schemaName: 'PagedListedParticipants',
  of: {
    ...STAFF_ENTRY,
    schema: ListedParticipant,
    where: `t.approval_status = 'APPROVED'`,
    id: 't.participant_id',
    joins: STAFF_ENTRY.joins + joined('waves', 'wave', 't.wave_id'),
    select: `${STAFF_ENTRY_COLUMNS},
    wave.title AS "waveTitle",
    t.updated_at AS "updatedAt"`,
  },
  order: PARTICIPANTS.order,
  times: PARTICIPANTS.times,
  sorts: {
    name: {
      ...WITHIN_ALL,
      description: 'By last name and first name, without case and accents',
      sql: 't.name_order',
    },
    bib: {
      ...WITHIN_ALL,
      description: 'By bib, of which digits count as a number; those without a bib are last',
      sql: 't.bib_order',
    },
    wave: {
      description: 'By the order of races and the starts of waves; those without a wave are last',
      type: 'integer',
      // Titles and starts of waves change, so no index of participants has them: the page reads the event or race.
      within: ['eventOccurrenceId', 'raceId'],
      sql: (bind, values) => `coalesce(array_position(ARRAY(
        SELECT w.id FROM waves w JOIN races r ON r.organization_id = w.organization_id AND r.id = w.race_id
        WHERE ${
          values.raceId === undefined
            ? `r.event_occurrence_id = ${bind(values.eventOccurrenceId)}::uuid`
            : `r.id = ${bind(values.raceId)}::uuid`
        } ORDER BY r.position, w.start_date_time, w.position, w.id), t.wave_id), 999999999)`,
    },
  },
  filters: {
    ...({ eventOccurrenceId, raceId, ticketId, status } as Record<string, Filter>),
    tag: { ...(tag as Filter), feature: undefined },
  },
  size: { default: 50, max: 100 },
  counter: PARTICIPANTS.counter,
};
