import type { DataSource, EntityManager } from 'typeorm';
import { type Actor, audit } from '#platform/access';
import { type BallotOutcome, isId, NIL_ID, newId, type Row, statement } from '#platform/database';
import { type Decision, decideApplications } from './decide-applications';
import { RemainingPlaces } from './remaining-places';

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
}

export interface BallotResult {
  organizationId: string;
  drawId: string;
  ticketId: string;
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
  enqueuesRaceDay: boolean;
}

type Drawn = Row<typeof OPEN_DRAW>;

type BallotTicket = Row<typeof FIND_TICKET>;

/** Keys start with the organization, so each organization is queried. */
const FIND_TICKET = statement({
  parameters: ['uuid'],
  columns: {
    organizationId: 'uuid',
    ticketId: 'uuid',
    raceId: 'uuid',
    eventId: 'uuid',
    approval: 'text',
    unitSize: 'int',
  },
  sql: `
    SELECT t.organization_id AS "organizationId", t.id AS "ticketId", t.race_id AS "raceId", t.event_id AS "eventId",
      t.approval, t.unit_size AS "unitSize"
    FROM organizations o CROSS JOIN LATERAL (SELECT * FROM tickets WHERE organization_id = o.id AND id = $1 LIMIT 1) t
  `,
});

const OPEN_DRAW = statement({
  parameters: ['uuid', 'uuid'],
  columns: {
    organizationId: 'uuid',
    drawId: 'uuid',
    ticketId: 'uuid',
    number: 'int',
    seed: 'text',
    places: 'int',
    keepsPending: 'boolean',
    isCollected: 'boolean',
  },
  sql: `
    SELECT organization_id AS "organizationId", id AS "drawId", ticket_id AS "ticketId", number, seed, places,
      keeps_pending AS "keepsPending", collected_at IS NOT NULL AS "isCollected"
    FROM ballot_draws WHERE organization_id = $1 AND ticket_id = $2 AND finished_at IS NULL
  `,
});

const INSERT_DRAW = statement({
  parameters: ['uuid', 'uuid', 'uuid', 'text', 'int', 'boolean', 'text', 'text?'],
  sql: `
    INSERT INTO ballot_draws (organization_id, id, ticket_id, number, seed, places, keeps_pending, actor_type, actor_id)
    SELECT $1, $2, $3, 1 + count(*), $4, $5, $6, $7, $8 FROM ballot_draws WHERE organization_id = $1 AND ticket_id = $3
  `,
});

/**
 * A page of the event's entries in index order, and among them the pending ones of the ticket. The lot is the SHA-256
 * of the seed, a slash, and the id of the application; for a team, of its first application.
 */
const COLLECT = statement({
  parameters: ['uuid', 'uuid', 'uuid', 'uuid', 'text', 'timestamptz', 'uuid', 'bigint'],
  columns: { createdAt: 'text', id: 'uuid' },
  sql: `
    WITH page AS MATERIALIZED (
      SELECT id, created_at FROM start_list_entries
      WHERE organization_id = $1 AND event_id = $2 AND (created_at, id) > ($6::timestamptz, $7::uuid)
      ORDER BY created_at, id LIMIT $8
    ), collected AS (
      INSERT INTO ballot_draw_entries (organization_id, ballot_draw_id, start_list_entry_id, lot)
      SELECT e.organization_id, $3, e.id, sha256(convert_to($5 || '/' || first.id, 'UTF8'))
      FROM page p
      JOIN start_list_entries e ON e.organization_id = $1 AND e.id = p.id
      CROSS JOIN LATERAL (
        SELECT f.id FROM start_list_entries f
        WHERE f.organization_id = e.organization_id AND f.booking_id = e.booking_id AND f.ticket_id = e.ticket_id
          AND f.team_id IS NOT DISTINCT FROM e.team_id AND f.starts_unit AND f.participant_index <= e.participant_index
        ORDER BY f.participant_index DESC LIMIT 1) first
      WHERE e.ticket_id = $4 AND e.approval_status = 'PENDING' AND e.cancelled_at IS NULL
      ON CONFLICT DO NOTHING
    )
    SELECT created_at::text AS "createdAt", id FROM page ORDER BY page.created_at DESC, id DESC LIMIT 1
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
  sql: `
    UPDATE start_list_entries SET ballot_draw = $3, application_resolution_type = 'BALLOT'
    WHERE organization_id = $1 AND id = ANY ($2) AND approval_status = 'PENDING'
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
  columns: { applications: 'int', drawn: 'int', notDrawn: 'int', decided: 'int', full: 'int' },
  sql: `
    SELECT count(*)::int AS applications, count(*) FILTER (WHERE outcome = 'DRAWN')::int AS drawn,
      count(*) FILTER (WHERE outcome = 'NOT_DRAWN')::int AS "notDrawn", count(*) FILTER (WHERE outcome = 'DECIDED')::int AS decided,
      count(*) FILTER (WHERE outcome = 'FULL')::int AS "full"
    FROM ballot_draw_entries WHERE organization_id = $1 AND ballot_draw_id = $2
  `,
});

/**
 * Draws pending applications of a ballot ticket: approves those with the lowest lots, up to the number of places.
 * Each step is its own transaction: after an interruption, the same call continues where it stopped.
 *
 * @throws BallotRefused
 */
export async function drawBallot(
  dataSource: DataSource,
  request: BallotRequest,
  actor: Actor,
): Promise<BallotResult> {
  const { manager } = dataSource;
  const ticket = await ticketOf(manager, request.ticketId);
  const draw =
    (await openDraw(manager, ticket, request)) ?? (await begin(dataSource, ticket, request, actor));
  if (!draw.isCollected) await collect(manager, ticket, draw);
  let enqueuesRaceDay = false;
  for (;;) {
    const step = await dataSource.transaction((transaction) => decideNext(transaction, draw));
    enqueuesRaceDay ||= step.enqueuesRaceDay;
    if (step.isLast) break;
  }
  const { organizationId, drawId } = draw;
  const counts = await COUNTS.one(manager, [organizationId, drawId]);
  const { ticketId, seed, places } = draw;
  return { organizationId, drawId, ticketId, name: nameOf(draw), seed, places, ...counts, enqueuesRaceDay };
}

const nameOf = ({ number }: Drawn): string => `Draw ${number}`;

async function ticketOf(manager: EntityManager, id: string): Promise<BallotTicket> {
  const ticket = isId(id) ? await FIND_TICKET.first(manager, [id]) : undefined;
  if (!ticket) throw new BallotRefused('NOT_FOUND', `There is no ticket ${id}.`);
  if (ticket.approval !== 'BALLOT')
    throw new BallotRefused(
      'REFUSED',
      `The approval of ticket ${id} is ${ticket.approval}: only a ballot can be drawn.`,
    );
  return ticket;
}

/** An interrupted draw continues with its original parameters. */
async function openDraw(
  manager: EntityManager,
  { organizationId, ticketId }: BallotTicket,
  { seed, places, keepsPending }: BallotRequest,
): Promise<Drawn | undefined> {
  const open = await OPEN_DRAW.first(manager, [organizationId, ticketId]);
  if (!open) return undefined;
  if (open.seed === seed && open.places === places && open.keepsPending === keepsPending) return open;
  throw new BallotRefused(
    'REFUSED',
    `${nameOf(open)} of the ticket is unfinished. Finish it first: --seed ${JSON.stringify(open.seed)} --places ${open.places}${open.keepsPending ? ' --keep-pending' : ''}`,
  );
}

async function begin(
  dataSource: DataSource,
  ticket: BallotTicket,
  request: BallotRequest,
  actor: Actor,
): Promise<Drawn> {
  const { organizationId, ticketId, raceId, unitSize } = ticket;
  const { seed, places, keepsPending } = request;
  const drawId = newId();
  await dataSource.transaction(async (manager) => {
    const left = await RemainingPlaces.read(manager, organizationId, [{ ticketId, raceId, waveId: null }]);
    const most = Math.min(
      left.leftOf(ticketId) ?? Number.POSITIVE_INFINITY,
      Math.floor((left.leftOf(raceId) ?? Number.POSITIVE_INFINITY) / unitSize),
    );
    if (places > most)
      throw new BallotRefused(
        'NO_CAPACITY_REMAINING',
        `The ticket and its race have ${Math.max(0, most)} places left, fewer than ${places}.`,
      );
    await INSERT_DRAW.run(manager, [
      organizationId,
      drawId,
      ticketId,
      seed,
      places,
      keepsPending,
      actor.type,
      actor.id,
    ]);
    await audit(manager, actor, {
      ...{ organizationId, action: 'ballot.draw', objectType: 'ticket', objectId: ticketId },
      details: { drawId, seed, places, keepsPending },
    });
  });
  return OPEN_DRAW.one(dataSource, [organizationId, ticketId]);
}

/** Collects page by page. Already collected applications stay, so it can be repeated. */
async function collect(
  manager: EntityManager,
  { eventId, ticketId }: BallotTicket,
  { organizationId, drawId, seed }: Drawn,
): Promise<void> {
  let last: { createdAt: string; id: string } | undefined = { createdAt: '-infinity', id: NIL_ID };
  while (last) {
    last = await COLLECT.first(manager, [
      organizationId,
      eventId,
      drawId,
      ticketId,
      seed,
      last.createdAt,
      last.id,
      COLLECTED,
    ]);
  }
  await COLLECTED_NOW.run(manager, [organizationId, drawId]);
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
  if (keepsPending) await KEEP_PENDING.run(manager, [organizationId, others, nameOf(draw)]);
  const rejected = await decide(manager, draw, 'REJECT', keepsPending ? [] : others);
  const outcomes = [
    ...approved.outcomes,
    ...rejected.outcomes,
    ...(keepsPending ? others.map((id) => ({ id, outcome: 'NOT_DRAWN' })) : []),
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
