import {
  extendMetadata,
  freeText,
  type ListDeclaration,
  oneOf,
  type Resource,
  someOf,
} from '#platform/queries';
import { ENTRY_FILTERS, textFilter } from './entry.filters';
import { ENTRY_JOINS, entryRecord, hasFeature, joined, RACE_DAY_ERRORS, throughPartner } from './entry.sql';
import { Participant } from './participants.dto';

/** The cost applies only to entries with opt-ins. */
const CHARITY_OPT_IN = `CASE WHEN t.partner_marketing_opt_ins = '[]' THEN '[]'::json ELSE (
      SELECT coalesce(json_agg(charity.name ORDER BY choice.place), '[]')
      FROM jsonb_array_elements(t.partner_marketing_opt_ins) WITH ORDINALITY choice (made, place)
      CROSS JOIN LATERAL (
        SELECT p.name FROM (SELECT (choice.made->>'partnerId')::uuid AS id OFFSET 0) given
        JOIN partners p ON p.organization_id = t.organization_id AND p.id = given.id AND p.type = 'CHARITY'
        LIMIT 1) charity
      WHERE (choice.made->>'optedIn')::boolean) END`;

export const PARTICIPANT: Resource = {
  schema: Participant,
  from: 'start_list_entries t',
  where: `t.approval_status = 'APPROVED'`,
  limits: throughPartner,
  id: 't.participant_id',
  joins: ENTRY_JOINS + joined('teams', 'team', 't.team_id'),
  select: (values, _, caller) => `
    t.participant_id AS "id",
    ${entryRecord(values, caller)},
    t.participant_id AS "participantId",
    t.id AS "applicationId",
    CASE WHEN t.cancelled_at IS NULL THEN 'CONFIRMED' ELSE 'CANCELLED' END AS "status",
    t.race_day_fields AS "raceDayDetails.customFields",
    t.shipping_status AS "raceDayDetails.shipping?.status",
    t.shipped_at AS "raceDayDetails.shipping?.shippedAt",
    t.shipping_carrier AS "raceDayDetails.shipping?.carrier",
    t.tracking_number AS "raceDayDetails.shipping?.trackingNumber",
    t.tracking_url AS "raceDayDetails.shipping?.trackingUrl",
    ${RACE_DAY_ERRORS} AS "raceDayErrors",
    t.result_url AS "resultSubmission?.url",
    t.result_submitted_at AS "resultSubmission?.submittedAt",
    team.id AS "team?.id",
    team.name AS "team?.name",
    ${hasFeature(values, 'teams') ? `t.team_roles AS "team?.roles",` : ''}
    t.participant_notes AS "notes",
    CASE WHEN booked.source = 'API' THEN 'EXTERNAL' WHEN booked.source IS NOT NULL THEN 'PLATFORM' END AS "bookingSource",
    ${CHARITY_OPT_IN} AS "charityOptIn"`,
};

const features = someOf(
  'Comma separated: `waves` adds `capacity` to each wave, `teams` adds `roles` to the team, `tags` permits the filter `tag`.',
  ['waves', 'teams', 'tags'],
);

export const PARTICIPANTS: ListDeclaration = {
  name: 'participants',
  schemaName: 'PagedParticipants',
  of: PARTICIPANT,
  order: { sql: 't.created_at', type: 'timestamptz' },
  times: { createdAt: 't.created_at', updatedAt: 't.updated_at' },
  filters: {
    ...ENTRY_FILTERS,
    status: {
      parameter: oneOf('Only participants with this status.', ['CONFIRMED', 'CANCELLED'] as const),
      where: { CONFIRMED: 't.cancelled_at IS NULL', CANCELLED: 't.cancelled_at IS NOT NULL' },
    },
    tag: {
      parameter: textFilter('With `features=tags`: only participants with this tag.'),
      where: (value) => `t.tags @> ARRAY[${value}::text]`,
      from: 'own_start_list_entries t',
      feature: 'tags',
      skewed: true,
      counter: { kind: 'taggedParticipants', subject: (value) => `md5(${value})::uuid` },
    },
  },
  shows: { features, extendMetadata },
  counter: 'participants',
  partnerCounter: 'partnerParticipants',
};

/** Participants that somebody chose, for exports: their ids, separated by commas. */
export const CHOSEN_PARTICIPANTS: ListDeclaration = {
  ...PARTICIPANTS,
  name: 'chosenParticipants',
  filters: {
    participantIds: {
      parameter: freeText('Ids.', { max: 20_000 }),
      where: (value) => `t.participant_id = ANY (string_to_array(${value}, ',')::uuid[])`,
    },
  },
};

export const PARTICIPANTS_OF_RACE: ListDeclaration = {
  ...PARTICIPANTS,
  name: 'participantsOfRace',
  within: { column: 't.race_id', parent: 'races' },
  counter: 'raceParticipants',
  partnerCounter: undefined,
};
