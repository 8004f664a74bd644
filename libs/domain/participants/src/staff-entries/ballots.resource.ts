import { instant, type ListDeclaration, type Resource } from '#platform/queries';
import { joined } from '../entry.sql';
import { BallotTicket, StaffBallot } from './ballots.dto';

const MOST_DRAWS = 20;

const PENDING = `e.organization_id = t.organization_id AND e.ticket_id = t.id AND e.approval_status = 'PENDING' AND e.cancelled_at IS NULL
      AND NOT (e.gdpr_redacted AND t.unit_size = 1)`;

const BALLOT: Resource = {
  schema: BallotTicket,
  from: 'tickets t',
  where: `t.approval = 'BALLOT' AND t.deleted_at IS NULL`,
  joins: [
    joined('races', 'race', 't.race_id'),
    joined('event_occurrences', 'occurrence', 't.event_occurrence_id'),
    ` CROSS JOIN LATERAL (
      SELECT count(*)::int AS entries, count(*) FILTER (WHERE e.starts_unit)::int AS units FROM start_list_entries e WHERE ${PENDING}
    ) pending
    CROSS JOIN LATERAL (
      SELECT least(t.max_capacity - tally(t.organization_id, 'ticketPlaces', t.id),
        (race.max_capacity - tally(t.organization_id, 'racePlaces', t.race_id)) / t.unit_size)::int AS free
    ) places`,
  ].join(''),
  select: `
    t.id AS "id",
    t.title AS "ticketTitle",
    race.title AS "raceTitle",
    t.event_occurrence_id AS "eventOccurrenceId",
    occurrence.title AS "eventTitle",
    occurrence.start_date AS "startDate",
    t.unit_size AS "competitorSize",
    pending.entries AS "pending",
    pending.units AS "pendingUnits",
    CASE WHEN places.free < 0 THEN 0 ELSE places.free END AS "placesLeft",
    (SELECT count(*)::int FROM ballot_draws d WHERE d.organization_id = t.organization_id AND d.ticket_id = t.id) AS "drawCount",
    t.created_at AS "createdAt"`,
};

export const BALLOTS_FOR_STAFF: ListDeclaration = {
  name: 'ballotsForStaff',
  schemaName: 'PagedBallotTickets',
  of: BALLOT,
  order: { sql: 't.created_at', type: 'timestamptz' },
  newestFirst: true,
};

const outcomes = (outcome: string) => `count(*) FILTER (WHERE x.outcome = '${outcome}')::int`;

export const BALLOT_FOR_STAFF: Resource = {
  ...BALLOT,
  schema: StaffBallot,
  select: `${BALLOT.select},
    (SELECT coalesce(json_agg(json_build_object('number', d.number, 'seed', d.seed, 'places', d.places,
          'keepsPending', d.keeps_pending, 'isFinished', d.finished_at IS NOT NULL, 'createdAt', ${instant('d.created_at')},
          'applications', counted.applications, 'drawn', counted.drawn, 'notDrawn', counted.not_drawn,
          'decided', counted.decided, 'full', counted.full, 'duplicates', counted.duplicates) ORDER BY d.number DESC), '[]')
      FROM (SELECT * FROM ballot_draws d WHERE d.organization_id = t.organization_id AND d.ticket_id = t.id
        ORDER BY d.number DESC LIMIT ${MOST_DRAWS}) d
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS applications, ${outcomes('DRAWN')} AS drawn, ${outcomes('NOT_DRAWN')} AS not_drawn,
          ${outcomes('DECIDED')} AS decided, ${outcomes('FULL')} AS "full",
          ${outcomes('DUPLICATE')} AS duplicates
        FROM ballot_draw_entries x WHERE x.organization_id = d.organization_id AND x.ballot_draw_id = d.id
      ) counted) AS "draws"`,
};
