import type { Caller } from '#platform/access';
import type { Filter, ListDeclaration, Resource } from '#platform/queries';
import { answerTo, joined, STAFF_COLUMNS, STAFF_JOINS } from '../entry.sql';
import { SEARCH } from '../entry-search';
import { PARTICIPANTS } from '../participants.resource';
import { ListedParticipant } from '../staff-participants.dto';

const { filters = {} } = PARTICIPANTS;
const { eventOccurrenceId, raceId, ticketId, status, tag } = filters as Record<string, Filter>;

/** Within all participants of the organization, by an index. */
const WITHIN_ALL = { type: 'text', from: 'own_start_list_entries t', skewed: true } as const;

/** What the role `RACE_DAY` does not see. */
const unlessAtDesk = ({ role }: Caller, sql: string): string => (role === 'RACE_DAY' ? 'NULL::text' : sql);

/** A participant as staff see it. */
export const LISTED_PARTICIPANT: Resource = {
  schema: ListedParticipant,
  from: 'start_list_entries t',
  where: `t.approval_status = 'APPROVED'`,
  id: 't.participant_id',
  joins: STAFF_JOINS + joined('waves', 'wave', 't.wave_id'),
  select: (_values, _bind, caller) => `
    t.participant_id AS "id",
    ${STAFF_COLUMNS},
    ${unlessAtDesk(caller, `coalesce(${answerTo("'email'")}, t.email_normalized)`)} AS "email",
    ${unlessAtDesk(caller, answerTo("'dateOfBirth'"))} AS "dateOfBirth",
    wave.title AS "waveTitle",
    (SELECT field->'value' FROM jsonb_array_elements(t.race_day_fields) field WHERE field->>'id' = 'checkIn' LIMIT 1)
      AS "checkIn",
    t.shipping_status AS "shippingStatus",
    t.tracking_number AS "trackingNumber",
    -- OFFSET 0: by participant, because all pending messages of a busy organization may be many.
    EXISTS (SELECT FROM (
      SELECT l.applied_at FROM race_day_log l
      WHERE l.organization_id = t.organization_id AND l.participant_id = t.participant_id OFFSET 0
    ) said WHERE said.applied_at IS NULL) AS "raceDayPending",
    t.created_at AS "createdAt",
    t.updated_at AS "updatedAt"`,
};

/** The participants of the organization as staff search and sort them. */
export const LISTED_PARTICIPANTS: ListDeclaration = {
  name: 'listedParticipants',
  schemaName: 'PagedListedParticipants',
  of: LISTED_PARTICIPANT,
  order: PARTICIPANTS.order,
  newestFirst: true,
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
    search: SEARCH,
    ...({ eventOccurrenceId, raceId, ticketId, status } as Record<string, Filter>),
    tag: { ...(tag as Filter), feature: undefined },
  },
  size: { default: 50, max: 100 },
  counter: PARTICIPANTS.counter,
};
