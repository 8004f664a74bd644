import type { EntityManager } from 'typeorm';
import { type Actor, audit } from '#platform/access';
import {
  type BallotOutcome,
  isId,
  NIL_ID,
  newId,
  type Row,
  type RunsOn,
  statement,
} from '#platform/database';
import { type Decision, decideApplications } from './decide-applications';
import { unitOrder } from './form-units';
import { joinPerson } from './person.sql';
import { RemainingPlaces } from './remaining-places';
import { statusDetail } from './status-detail.sql';

/** Applications per transaction, for collecting and for deciding. */
const COLLECTED = 2_000;
const DECIDED = 200;

const NOT_DRAWN = 'Not drawn';

/** The requested draw is not possible. The message gives the reason and is shown to the user. */
export class BallotRefused extends Error {
  constructor(
    readonly code: 'NOT_FOUND' | 'REFUSED' | 'NO_CAPACITY_REMAINING',
    message: string,
  ) {
    super(message);
  }
}

export interface BallotRequest {
  ticketId: string;
  /** Any text. */
  seed: string;
  /** Units of the ticket: entries, or teams. */
  places: number;
  /** Leaves applications that are not drawn pending, for another draw. */
  keepsPending: boolean;
  /**
   * The number of the draw. Repeating the request after the draw has ended returns its result, so that two people who start the same
   * draw make one. Absent: the unfinished draw, or the next one.
   */
  number?: number;
  /** Ends after this many steps. Repeat the request until the draw is finished. */
  mostSteps?: number;
}

export interface BallotResult {
  organizationId: string;
  drawId: string;
  ticketId: string;
  isFinished: boolean;
  /** Shown as `ballotDraw` of every application in the draw. */
  name: string;
  seed: string;
  places: number;
  /** The applications in the draw, and their results. */
  applications: number;
  drawn: number;
  notDrawn: number;
  /** Decided elsewhere during the draw. */
  decided: number;
  /** Drawn, but their race or wave had no place left. They stay pending. */
  full: number;
  /** Of persons who have a lot by an earlier application. They stay pending. */
  duplicates: number;
  enqueuesRaceDay: boolean;
}

type Drawn = Row<typeof FIND_DRAW>;

type BallotTicket = Row<typeof FIND_TICKET>;

/** The lot of entry `e` with a seed. */
export const lotOf = (e: string, seed: string) => `sha256(convert_to(${seed}::text || '/' || (
        SELECT f.id FROM start_list_entries f
        WHERE f.organization_id = ${e}.organization_id AND f.booking_id = ${e}.booking_id AND f.ticket_id = ${e}.ticket_id
          AND f.team_id IS NOT DISTINCT FROM ${e}.team_id AND f.starts_unit
          AND (${unitOrder('f')}) <= (${unitOrder(e)})
        ORDER BY f.approval_status <> 'APPROVED' DESC, f.participant_index DESC LIMIT 1), 'UTF8'))`;

/** Keys start with the organization, so each organization is queried. */
const FIND_TICKET = statement({
  parameters: ['uuid'],
  columns: {
    organizationId: 'uuid',
    ticketId: 'uuid',
    raceId: 'uuid',
    approval: 'text',
    unitSize: 'int',
  },
  sql: `
    SELECT t.organization_id AS "organizationId", t.id AS "ticketId", t.race_id AS "raceId",
      t.approval, t.unit_size AS "unitSize"
    FROM organizations o CROSS JOIN LATERAL (SELECT * FROM tickets WHERE organization_id = o.id AND id = $1 LIMIT 1) t
  `,
});

/** The draw with the number $3, or the unfinished one. */
const FIND_DRAW = statement({
  parameters: ['uuid', 'uuid', 'int?'],
  columns: {
    organizationId: 'uuid',
    drawId: 'uuid',
    ticketId: 'uuid',
    number: 'int',
    seed: 'text',
    places: 'int',
    keepsPending: 'boolean',
    isCollected: 'boolean',
    isFinished: 'boolean',
  },
  sql: `
    SELECT organization_id AS "organizationId", id AS "drawId", ticket_id AS "ticketId", number, seed, places,
      keeps_pending AS "keepsPending", collected_at IS NOT NULL AS "isCollected", finished_at IS NOT NULL AS "isFinished"
    FROM ballot_draws WHERE organization_id = $1 AND ticket_id = $2 AND (finished_at IS NULL OR number = $3::int)
    ORDER BY number = $3::int DESC NULLS LAST LIMIT 1
  `,
});

const COUNT_DRAWS = statement({
  parameters: ['uuid', 'uuid'],
  columns: { draws: 'int' },
  sql: 'SELECT count(*)::int AS draws FROM ballot_draws WHERE organization_id = $1 AND ticket_id = $2',
});

const INSERT_DRAW = statement({
  parameters: ['uuid', 'uuid', 'uuid', 'int', 'text', 'int', 'boolean', 'text', 'text?'],
  sql: `
    INSERT INTO ballot_draws (organization_id, id, ticket_id, number, seed, places, keeps_pending, actor_type, actor_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    ON CONFLICT DO NOTHING
  `,
});

/** Nobody has collected all applications of the draw yet: a slower process adds none that arrive later. */
const IS_OPEN = /* sql */ `EXISTS (
        SELECT FROM ballot_draws b WHERE b.organization_id = $1 AND b.id = $2 AND b.collected_at IS NULL)`;

/**
 * A page of the ticket's pending applications in index order, while nobody has collected all. The lot is the SHA-256 of the
 * seed, a slash, and the id of the application; for a team, of its first application. A redacted person gets no place, but in a team.
 */
const COLLECT = statement({
  parameters: ['uuid', 'uuid', 'uuid', 'text', 'timestamptz', 'uuid', 'bigint', 'int'],
  columns: { createdAt: 'text', id: 'uuid' },
  sql: `
    WITH page AS MATERIALIZED (
      SELECT id, created_at FROM start_list_entries
      WHERE organization_id = $1 AND ticket_id = $3 AND approval_status = 'PENDING'
        AND (created_at, id) > ($5::timestamptz, $6::uuid)
      ORDER BY created_at, id LIMIT $7
    ), collected AS (
      INSERT INTO ballot_draw_entries (organization_id, ballot_draw_id, start_list_entry_id, lot)
      SELECT e.organization_id, $2, e.id, ${lotOf('e', '$4')}
      FROM page p
      JOIN start_list_entries e ON e.organization_id = $1 AND e.id = p.id
      WHERE e.cancelled_at IS NULL AND NOT (e.gdpr_redacted AND $8::int = 1) AND ${IS_OPEN}
      ON CONFLICT DO NOTHING
    )
    SELECT created_at::text AS "createdAt", id FROM page ORDER BY page.created_at DESC, id DESC LIMIT 1
  `,
});

/**
 * Keeps out of the draw whose person has applied for the ticket before. An earlier application counts unless it was withdrawn,
 * cancelled or rejected by hand, also after a draw that had left it pending. Staff can say that an application is no duplicate.
 */
const SET_DUPLICATES_ASIDE = statement({
  parameters: ['uuid', 'uuid', 'uuid', 'text'],
  sql: `
    WITH applications AS MATERIALIZED (
      SELECT e.id, e.created_at, e.approval_status, person.*,
        EXISTS (SELECT FROM jsonb_array_elements(e.status_details) d WHERE d->>'status' = 'NOT_DUPLICATE') AS is_cleared
      FROM start_list_entries e ${joinPerson('e')}
      WHERE e.organization_id = $1 AND e.ticket_id = $3 AND e.cancelled_at IS NULL AND NOT e.gdpr_redacted
        AND (e.approval_status IN ('PENDING', 'APPROVED') OR e.approval_status = 'REJECTED' AND e.ballot_draw IS NOT NULL
          AND NOT EXISTS (SELECT FROM ballot_draws w
            WHERE w.organization_id = $1 AND w.ticket_id = $3 AND w.keeps_pending AND 'Draw ' || w.number = e.ballot_draw))
        AND person.birth_date IS NOT NULL
    ), firsts AS (
      SELECT *, first_value(id) OVER (PARTITION BY name, birth_date, email ORDER BY created_at, id) AS first_with_email,
        first_value(id) OVER (PARTITION BY name, birth_date, phone ORDER BY created_at, id) AS first_with_phone
      FROM applications WHERE name <> ''
    ), duplicates AS MATERIALIZED (
      SELECT id, CASE WHEN email IS NULL OR first_with_email = id THEN first_with_phone ELSE first_with_email END AS first_id
      FROM firsts
      WHERE approval_status = 'PENDING' AND NOT is_cleared AND ${IS_OPEN}
        AND (email IS NOT NULL AND first_with_email <> id OR phone IS NOT NULL AND first_with_phone <> id)
    ), collected AS (
      INSERT INTO ballot_draw_entries (organization_id, ballot_draw_id, start_list_entry_id, lot, outcome)
      SELECT e.organization_id, $2, e.id, ${lotOf('e', '$4')}, 'DUPLICATE'
      FROM duplicates d JOIN start_list_entries e ON e.organization_id = $1 AND e.id = d.id
      ON CONFLICT DO NOTHING
    )
    UPDATE start_list_entries e
    SET status_details = status_details || ${statusDetail("'DUPLICATE'", "'The same person applied earlier: application ' || d.first_id")}
    FROM duplicates d
    WHERE e.organization_id = $1 AND e.id = d.id AND e.status_details->-1->>'status' IS DISTINCT FROM 'DUPLICATE'
  `,
});

const COLLECTED_NOW = statement({
  parameters: ['uuid', 'uuid'],
  sql: `
    UPDATE ballot_draws SET collected_at = coalesce(collected_at, clock_timestamp()) WHERE organization_id = $1 AND id = $2
  `,
});

/** Of several processes in one draw, one at a time runs a step. */
const LOCK_DRAW = statement({
  parameters: ['uuid', 'uuid'],
  columns: { isFinished: 'boolean', units: 'int' },
  sql: `
    SELECT finished_at IS NOT NULL AS "isFinished", drawn_units AS units
    FROM ballot_draws WHERE organization_id = $1 AND id = $2 FOR UPDATE
  `,
});

const COUNT_UNITS = statement({
  parameters: ['uuid', 'uuid', 'int'],
  sql: `
    UPDATE ballot_draws SET drawn_units = drawn_units + $3 WHERE organization_id = $1 AND id = $2
  `,
});

/** The next lots, each with all its entries. */
const NEXT = statement({
  parameters: ['uuid', 'uuid', 'bigint'],
  columns: { id: 'uuid', lot: 'text' },
  sql: `
    SELECT d.start_list_entry_id AS id, encode(d.lot, 'hex') AS lot FROM ballot_draw_entries d
    JOIN start_list_entries e ON e.organization_id = d.organization_id AND e.id = d.start_list_entry_id
    WHERE d.organization_id = $1 AND d.ballot_draw_id = $2 AND d.outcome IS NULL AND d.lot <= (
      SELECT lot FROM (SELECT lot FROM ballot_draw_entries
        WHERE organization_id = $1 AND ballot_draw_id = $2 AND outcome IS NULL ORDER BY lot LIMIT $3) next
      ORDER BY lot DESC LIMIT 1)
    ORDER BY d.lot, e.participant_index
  `,
});

const WRITE_OUTCOMES = statement({
  parameters: ['uuid', 'uuid', 'json'],
  sql: `
    UPDATE ballot_draw_entries d SET outcome = o.outcome
    FROM json_to_recordset($3::json) AS o (id uuid, outcome text)
    WHERE d.organization_id = $1 AND d.ballot_draw_id = $2 AND d.start_list_entry_id = o.id
  `,
});

const KEEP_PENDING = statement({
  parameters: ['uuid', 'uuid[]', 'text'],
  columns: { id: 'uuid' },
  sql: `
    UPDATE start_list_entries SET ballot_draw = $3, application_resolution_type = 'BALLOT'
    WHERE organization_id = $1 AND id = ANY ($2) AND approval_status = 'PENDING' AND cancelled_at IS NULL
    RETURNING id
  `,
});

const FINISH = statement({
  parameters: ['uuid', 'uuid'],
  sql: `
    UPDATE ballot_draws SET finished_at = clock_timestamp() WHERE organization_id = $1 AND id = $2 AND finished_at IS NULL
  `,
});

const COUNTS = statement({
  parameters: ['uuid', 'uuid'],
  columns: {
    applications: 'int',
    drawn: 'int',
    notDrawn: 'int',
    decided: 'int',
    full: 'int',
    duplicates: 'int',
  },
  sql: `
    SELECT count(*)::int AS applications, count(*) FILTER (WHERE outcome = 'DRAWN')::int AS drawn,
      count(*) FILTER (WHERE outcome = 'NOT_DRAWN')::int AS "notDrawn", count(*) FILTER (WHERE outcome = 'DECIDED')::int AS decided,
      count(*) FILTER (WHERE outcome = 'FULL')::int AS "full",
      count(*) FILTER (WHERE outcome = 'DUPLICATE')::int AS duplicates
    FROM ballot_draw_entries WHERE organization_id = $1 AND ballot_draw_id = $2
  `,
});

/** A database with the rows of the ticket's organization. */
export type BallotStore = RunsOn & {
  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;
};

/**
 * Draws pending applications of a ballot ticket: approves those with the lowest lots, up to the number of places.
 * Each step is its own transaction: after an interruption, the same call continues where it stopped. Concurrent calls for one draw
 * share its steps.
 *
 * @throws BallotRefused
 */
export async function drawBallot(
  store: BallotStore,
  request: BallotRequest,
  actor: Actor,
): Promise<BallotResult> {
  const ticket = await ticketOf(store, request.ticketId);
  const draw = (await knownDraw(store, ticket, request)) ?? (await begin(store, ticket, request, actor));
  if (!draw.isCollected) await collect(store, ticket, draw);
  let { isFinished } = draw;
  let enqueuesRaceDay = false;
  for (let left = request.mostSteps ?? Number.POSITIVE_INFINITY; !isFinished && left > 0; left -= 1) {
    const step = await store.transaction((transaction) => decideNext(transaction, draw));
    enqueuesRaceDay ||= step.enqueuesRaceDay;
    isFinished = step.isLast;
  }
  const { organizationId, drawId, ticketId, seed, places } = draw;
  const counts = await COUNTS.one(store, [organizationId, drawId]);
  const of = { organizationId, drawId, ticketId, isFinished, name: nameOf(draw), seed, places };
  return { ...of, ...counts, enqueuesRaceDay };
}

const nameOf = ({ number }: Drawn): string => `Draw ${number}`;

async function ticketOf(store: RunsOn, id: string): Promise<BallotTicket> {
  const ticket = isId(id) ? await FIND_TICKET.first(store, [id]) : undefined;
  if (!ticket) throw new BallotRefused('NOT_FOUND', `There is no ticket ${id}.`);
  if (ticket.approval !== 'BALLOT')
    throw new BallotRefused(
      'REFUSED',
      `The approval of ticket ${id} is ${ticket.approval}: only a ballot can be drawn.`,
    );
  return ticket;
}

/** The draw that the request names or continues: an interrupted draw continues with its original parameters. */
async function knownDraw(
  store: RunsOn,
  { organizationId, ticketId }: BallotTicket,
  { seed, places, keepsPending, number }: BallotRequest,
): Promise<Drawn | undefined> {
  const known = await FIND_DRAW.first(store, [organizationId, ticketId, number ?? null]);
  if (!known) return undefined;
  if (known.seed === seed && known.places === places && known.keepsPending === keepsPending) return known;
  throw new BallotRefused(
    'REFUSED',
    known.isFinished
      ? `${nameOf(known)} of the ticket was made with another seed or other places.`
      : `${nameOf(known)} of the ticket is unfinished. Finish it first: seed ${JSON.stringify(known.seed)}, places ${known.places}${known.keepsPending ? ', keep pending' : ''}.`,
  );
}

async function begin(
  store: BallotStore,
  ticket: BallotTicket,
  request: BallotRequest,
  actor: Actor,
): Promise<Drawn> {
  const { organizationId, ticketId } = ticket;
  const { seed, places, keepsPending } = request;
  const drawId = newId();
  const isNew = await store.transaction(async (manager) => {
    const { draws } = await COUNT_DRAWS.one(manager, [organizationId, ticketId]);
    const next = draws + 1;
    const number = request.number ?? next;
    if (number > next) throw new BallotRefused('REFUSED', `The next draw of the ticket is number ${next}.`);
    if (number < next) return false;
    // The row comes before the places: who began the same draw earlier may have taken them already.
    const of = [organizationId, drawId, ticketId, next, seed, places, keepsPending] as const;
    if ((await INSERT_DRAW.run(manager, [...of, actor.type, actor.id])) === 0) return false;
    const most = await placesToDraw(manager, ticket);
    if (most !== undefined && places > most)
      throw new BallotRefused(
        'NO_CAPACITY_REMAINING',
        `places must be at most ${most}: the ticket and its race have ${most} places left.`,
      );
    await audit(manager, actor, {
      ...{ organizationId, action: 'ballot.draw', objectType: 'ticket', objectId: ticketId },
      details: { drawId, seed, places, keepsPending },
    });
    return true;
  });
  if (isNew) return FIND_DRAW.one(store, [organizationId, ticketId, null]);
  // Somebody else began it first.
  const theirs = await knownDraw(store, ticket, request);
  return theirs ?? begin(store, ticket, request, actor);
}

/** The units that the ticket and its race have places for; undefined without a limit. */
export async function placesToDraw(
  manager: EntityManager,
  { organizationId, ticketId, raceId, unitSize }: Omit<BallotTicket, 'approval'>,
): Promise<number | undefined> {
  const left = await RemainingPlaces.read(manager, organizationId, [{ ticketId, raceId, waveId: null }]);
  const ofRace = left.leftOf(raceId);
  const limits = [left.leftOf(ticketId), ofRace === undefined ? undefined : Math.floor(ofRace / unitSize)];
  const known = limits.filter((limit) => limit !== undefined);
  return known.length > 0 ? Math.max(0, Math.min(...known)) : undefined;
}

/** Collects page by page. Already collected applications stay, so it can be repeated. */
async function collect(
  store: RunsOn,
  { ticketId, unitSize }: BallotTicket,
  { organizationId, drawId, seed }: Drawn,
): Promise<void> {
  // Who is in two teams has one lot with each.
  if (unitSize === 1) await SET_DUPLICATES_ASIDE.run(store, [organizationId, drawId, ticketId, seed]);
  let last: { createdAt: string; id: string } | undefined = { createdAt: '-infinity', id: NIL_ID };
  while (last) {
    const after = [last.createdAt, last.id] as const;
    last = await COLLECT.first(store, [
      organizationId,
      drawId,
      ticketId,
      seed,
      ...after,
      COLLECTED,
      unitSize,
    ]);
  }
  await COLLECTED_NOW.run(store, [organizationId, drawId]);
}

/** One step: the applications with the next lots. */
async function decideNext(
  manager: EntityManager,
  draw: Drawn,
): Promise<{ isLast: boolean; enqueuesRaceDay: boolean }> {
  const { organizationId, drawId, places, keepsPending } = draw;
  const key = [organizationId, drawId] as const;
  const { isFinished, units } = await LOCK_DRAW.one(manager, key);
  if (isFinished) return { isLast: true, enqueuesRaceDay: false };
  const next = await NEXT.rows(manager, [...key, DECIDED]);
  if (next.length === 0) {
    await FINISH.run(manager, key);
    return { isLast: true, enqueuesRaceDay: false };
  }
  const lots = [...new Set(next.map(({ lot }) => lot))];
  // A place that a decided or full application does not use goes to the next lot, in the next step.
  const winners = new Set(lots.slice(0, Math.max(0, places - units)));
  const drawn = next.flatMap(({ id, lot }) => (winners.has(lot) ? [id] : []));
  const others = winners.size > 0 ? [] : next.map(({ id }) => id);
  const approved = await decide(manager, draw, 'APPROVE', drawn);
  const kept = keepsPending ? await KEEP_PENDING.rows(manager, [organizationId, others, nameOf(draw)]) : [];
  const rejected = await decide(manager, draw, 'REJECT', keepsPending ? [] : others);
  const outcomes = [
    ...approved.outcomes,
    ...rejected.outcomes,
    ...(keepsPending ? others : []).map((id) => ({
      id,
      outcome: kept.some((each) => each.id === id) ? 'NOT_DRAWN' : 'DECIDED',
    })),
  ];
  await WRITE_OUTCOMES.run(manager, [...key, JSON.stringify(outcomes)]);
  const done = new Set(approved.outcomes.flatMap(({ id, outcome }) => (outcome === 'DRAWN' ? [id] : [])));
  const drawnUnits = new Set(next.flatMap(({ id, lot }) => (done.has(id) ? [lot] : [])));
  await COUNT_UNITS.run(manager, [...key, drawnUnits.size]);
  return { isLast: false, enqueuesRaceDay: approved.enqueuesRaceDay };
}

async function decide(
  manager: EntityManager,
  draw: Drawn,
  decision: Decision,
  applicationIds: string[],
): Promise<{ outcomes: { id: string; outcome: BallotOutcome }[]; enqueuesRaceDay: boolean }> {
  if (applicationIds.length === 0) return { outcomes: [], enqueuesRaceDay: false };
  const { outcomes, enqueuesRaceDay } = await decideApplications(manager, {
    organizationId: draw.organizationId,
    applicationIds,
    decision,
    reason: decision === 'REJECT' ? NOT_DRAWN : null,
    ballotDraw: nameOf(draw),
  });
  const done: BallotOutcome = decision === 'APPROVE' ? 'DRAWN' : 'NOT_DRAWN';
  return {
    outcomes: outcomes.map(({ applicationId: id, outcome }) => ({
      id,
      outcome: outcome === 'DONE' ? done : outcome === 'FULL' ? 'FULL' : 'DECIDED',
    })),
    enqueuesRaceDay,
  };
}
