import {
  extendMetadata,
  freeText,
  instant,
  type ListDeclaration,
  oneOf,
  type Resource,
  someOf,
  type Values,
} from '#libs/resources';
import { ENTRY_FILTERS } from './entry.filters';
import { entryJoins, entryRecord, hasFeature, part, RACE_DAY_ERRORS } from './entry.sql';
import { Participant } from './participants.dto';

const team = (values: Values): string =>
  `CASE WHEN team.id IS NOT NULL THEN json_build_object('id', team.id, 'name', team.name
    ${hasFeature(values, 'teams') ? `, 'roles', t.team_roles` : ''}) END`;

/** The cost applies only to entries with opt-ins. */
const CHARITY_OPT_IN = `CASE WHEN t.partner_marketing_opt_ins = '[]' THEN '[]'::json ELSE (
      SELECT coalesce(json_agg(charity.name ORDER BY choice.place), '[]')
      FROM jsonb_array_elements(t.partner_marketing_opt_ins) WITH ORDINALITY choice (made, place)
      CROSS JOIN LATERAL (
        SELECT p.name FROM partners p
        WHERE p.organization_id = t.organization_id AND p.id = (choice.made->>'partnerId')::uuid AND p.type = 'CHARITY'
        LIMIT 1) charity
      WHERE (choice.made->>'optedIn')::boolean) END`;

export const PARTICIPANT: Resource = {
  schema: Participant,
  from: 'start_list_entries t',
  where: `t.approval_status = 'APPROVED'`,
  id: 't.participant_id',
  joins: (values) =>
    entryJoins(values) +
    part('team', 'm.id, m.name', 'teams m', 'm.organization_id = t.organization_id AND m.id = t.team_id'),
  select: (values) => `
    t.participant_id AS "id",
    ${entryRecord(values)},
    t.participant_id AS "participantId",
    t.id AS "applicationId",
    CASE WHEN t.cancelled_at IS NULL THEN 'CONFIRMED' ELSE 'CANCELLED' END AS "status",
    json_build_object(
      'customFields', t.race_day_fields,
      'shipping', CASE WHEN t.shipping_status IS NOT NULL THEN json_build_object(
        'status', t.shipping_status, 'shippedAt', ${instant('t.shipped_at')}, 'carrier', t.shipping_carrier,
        'trackingNumber', t.tracking_number, 'trackingUrl', t.tracking_url) END) AS "raceDayDetails",
    ${RACE_DAY_ERRORS} AS "raceDayErrors",
    CASE WHEN t.result_url IS NOT NULL
      THEN json_build_object('url', t.result_url, 'submittedAt', ${instant('t.result_submitted_at')}) END
      AS "resultSubmission",
    ${team(values)} AS "team",
    t.participant_notes AS "notes",
    CASE booked.source WHEN 'API' THEN 'EXTERNAL' ELSE 'PLATFORM' END AS "bookingSource",
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
      parameter: freeText('With `features=tags`: only participants with this tag.', { max: 255 }),
      where: (value) => `t.id IN (SELECT tagged.id FROM own_start_list_entries tagged
        WHERE tagged.organization_id = t.organization_id AND tagged.tags @> ARRAY[${value}::text])`,
      feature: 'tags',
    },
  },
  shows: { features, extendMetadata },
  counter: 'participants',
};

export const PARTICIPANTS_OF_RACE: ListDeclaration = {
  ...PARTICIPANTS,
  name: 'participantsOfRace',
  within: { column: 't.race_id', parent: 'races' },
  counter: 'raceParticipants',
};
