import type { EntityManager } from 'typeorm';
import { applyWaiting, lockRaceDay } from '#domain/race-day';
import { type Row, type StartListEntry, statement, typed } from '#platform/database';
import { formUnits, isActive } from './form-units';
import { RemainingPlaces } from './remaining-places';
import { statusDetail } from './status-detail.sql';

export type Decision = 'APPROVE' | 'REJECT' | 'WITHDRAW' | 'NOT_DUPLICATE';
type ApprovalStatus = StartListEntry['approvalStatus'];

/** The states that a decision leads to, by the type of application; empty if it is already decided. */
const TRANSITIONS: Record<ApprovalStatus, Partial<Record<Decision, ApprovalStatus>>> = {
  PENDING: {
    ...{ APPROVE: 'APPROVED', REJECT: 'REJECTED', WITHDRAW: 'WITHDRAWN' },
    // It stays pending, and takes part in the next draw of its ballot.
    NOT_DUPLICATE: 'PENDING',
  },
  APPROVED: {},
  REJECTED: {},
  WITHDRAWN: {},
};

/** The state of a pending application after a decision. */
export const statusAfter = (decision: Decision): ApprovalStatus | undefined => TRANSITIONS.PENDING[decision];

/**
 * `MISSING`: the organization has no such application. `DECIDED`: it is not pending. `CANCELLED`: its booking is
 * cancelled. `FULL`: its ticket, race or wave has no place left, for it or for another one of its unit that is asked for as well.
 */
export type DecisionOutcome =
  | { outcome: 'DONE'; applicationId: string; participantId: string; approvalStatus: ApprovalStatus }
  | { outcome: 'DECIDED' | 'CANCELLED' | 'FULL'; applicationId: string; approvalStatus: ApprovalStatus }
  | { outcome: 'MISSING'; applicationId: string };

export interface DecisionRequest {
  organizationId: string;
  /** In the order in which they get the remaining places. */
  applicationIds: readonly string[];
  decision: Decision;
  /** Shown in `statusDetails`. */
  reason?: string | null;
  /** The draw that decides them. */
  ballotDraw?: string;
  /** Approves beyond the capacity of ticket, race and wave, if the places were given elsewhere. */
  isUnlimited?: boolean;
}

export interface Decided {
  /** One result per requested application, in their order. */
  outcomes: DecisionOutcome[];
  /** Race-day work is pending. Do it, or enqueue it, after the commit. */
  enqueuesRaceDay: boolean;
}

const LOCK_BOOKINGS = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: `
    SELECT FROM bookings WHERE organization_id = $1
      AND id IN (SELECT booking_id FROM start_list_entries WHERE organization_id = $1 AND id = ANY ($2))
    ORDER BY id FOR UPDATE
  `,
});

const LOCK_RESERVED_GROUPS = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: `
    SELECT FROM reserved_entry_groups WHERE organization_id = $1
      AND id IN (SELECT reserved_entry_group_id FROM start_list_entries
        WHERE organization_id = $1 AND id = ANY ($2) AND holds_reserved_place)
    ORDER BY id FOR NO KEY UPDATE
  `,
});

/** And the others on team tickets of their bookings. Those that share units have the same `sharing`. */
const LOCK_ENTRIES = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: {
    id: 'uuid',
    bookingId: 'uuid',
    participantId: 'uuid',
    participantIndex: 'int',
    approvalStatus: typed<ApprovalStatus>('text'),
    isCancelled: 'boolean',
    ticketId: 'uuid',
    raceId: 'uuid',
    waveId: 'uuid?',
    takesPlace: 'boolean',
    sharing: 'text',
    unitSize: 'int',
  },
  sql: `
    SELECT e.id, e.booking_id AS "bookingId", e.participant_id AS "participantId", e.participant_index AS "participantIndex",
      e.approval_status AS "approvalStatus", e.cancelled_at IS NOT NULL AS "isCancelled",
      e.ticket_id AS "ticketId", e.race_id AS "raceId", e.wave_id AS "waveId", e.takes_place AS "takesPlace",
      CASE WHEN k.unit_size > 1 AND e.reserved_entry_group_id IS NULL AND ${isActive('e')} THEN concat_ws('/', e.booking_id, e.ticket_id, e.team_id) ELSE e.id::text END AS sharing,
      k.unit_size AS "unitSize"
    FROM start_list_entries e
    JOIN tickets k ON k.organization_id = e.organization_id AND k.id = e.ticket_id
    WHERE e.organization_id = $1
      AND e.booking_id IN (SELECT booking_id FROM start_list_entries WHERE organization_id = $1 AND id = ANY ($2))
      AND (e.id = ANY ($2) OR k.unit_size > 1)
    ORDER BY e.id FOR NO KEY UPDATE OF e
  `,
});

type Entry = Row<typeof LOCK_ENTRIES>;

/** An entry that is not approved releases its reserved place, and neither holds nor claims a bib. */
const DECIDE = statement({
  parameters: ['uuid', 'uuid[]', 'text', 'text?', 'text?'],
  sql: `
    UPDATE start_list_entries SET
      approval_status = $3::text,
      status_details = status_details || ${statusDetail('$3::text', '$4::text')},
      ballot_draw = coalesce($5, ballot_draw),
      application_resolution_type = CASE WHEN $5::text IS NULL THEN application_resolution_type ELSE 'BALLOT' END,
      holds_reserved_place = holds_reserved_place AND $3 = 'APPROVED',
      bib_number = CASE WHEN $3 = 'APPROVED' THEN bib_number END,
      bib_claim = CASE WHEN $3 = 'APPROVED' THEN bib_claim END
    WHERE organization_id = $1 AND id = ANY ($2)
  `,
});

const CLEAR = statement({
  parameters: ['uuid', 'uuid[]', 'text?'],
  sql: `
    UPDATE start_list_entries SET status_details = status_details || ${statusDetail("'NOT_DUPLICATE'", '$3::text')}
    WHERE organization_id = $1 AND id = ANY ($2) AND NOT status_details @> '[{"status": "NOT_DUPLICATE"}]'
  `,
});

/**
 * Decides pending applications of an organization. Of concurrent decisions about one application, the first applies;
 * the others find it decided. Call it in a transaction, with a bounded number of applications; the lock order is that
 * of #domain/bookings. The race day is locked because only approved entries can hold bibs, and
 * so that only one transaction at a time allocates places.
 */
export async function decideApplications(
  manager: EntityManager,
  {
    organizationId,
    applicationIds,
    decision,
    reason = null,
    ballotDraw,
    isUnlimited = false,
  }: DecisionRequest,
): Promise<Decided> {
  const asked = [organizationId, applicationIds] as const;
  await lockRaceDay(manager, organizationId);
  await LOCK_BOOKINGS.run(manager, asked);
  await LOCK_RESERVED_GROUPS.run(manager, asked);
  const entries = await LOCK_ENTRIES.rows(manager, asked);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const wanted = new Set(applicationIds);
  const isLimited = decision === 'APPROVE' && !isUnlimited;
  const places = isLimited ? await RemainingPlaces.read(manager, organizationId, entries) : undefined;
  const units = unitsOf(entries);
  const gotPlaces = new Map<Entry[], boolean>();
  /** A unit gets its places with the first of it: all that are wanted, or none. */
  const hasPlace = (entry: Entry, left: RemainingPlaces) => {
    const unit = units.get(entry.id) ?? [entry];
    const isHeld = unit.some(({ approvalStatus }) => approvalStatus === 'APPROVED');
    const pending = unit.filter(({ id, approvalStatus }) => wanted.has(id) && approvalStatus === 'PENDING');
    const got =
      gotPlaces.get(unit) ??
      left.take(...pending.map((each, place) => ({ ...each, startsUnit: place === 0 && !isHeld })));
    gotPlaces.set(unit, got);
    return got;
  };

  const outcomes = [...wanted].map((applicationId): DecisionOutcome => {
    const entry = byId.get(applicationId);
    if (!entry) return { outcome: 'MISSING', applicationId };
    const { approvalStatus, participantId } = entry;
    const next = TRANSITIONS[approvalStatus][decision];
    if (!next) return { outcome: 'DECIDED', applicationId, approvalStatus };
    if (entry.isCancelled && next === 'APPROVED')
      return { outcome: 'CANCELLED', applicationId, approvalStatus };
    if (places && !hasPlace(entry, places)) return { outcome: 'FULL', applicationId, approvalStatus };
    return { outcome: 'DONE', applicationId, participantId, approvalStatus: next };
  });

  const done = outcomes.flatMap((each) => (each.outcome === 'DONE' ? [each] : []));
  const [first] = done;
  if (!first) return { outcomes, enqueuesRaceDay: false };
  const ids = done.map(({ applicationId }) => applicationId);
  if (decision === 'NOT_DUPLICATE') await CLEAR.run(manager, [organizationId, ids, reason]);
  else await DECIDE.run(manager, [organizationId, ids, first.approvalStatus, reason, ballotDraw ?? null]);
  const ofTeams = entries.filter(({ unitSize }) => unitSize > 1).map(({ bookingId }) => bookingId);
  if (ofTeams.length > 0) await formUnits(manager, organizationId, [...new Set(ofTeams)]);
  // Timing messages may have arrived before the participants existed.
  const enqueuesRaceDay =
    decision === 'APPROVE' &&
    (await applyWaiting(
      manager,
      organizationId,
      done.map(({ participantId }) => participantId),
    ));
  return { outcomes, enqueuesRaceDay };
}

/** The unit of each entry, as `formUnits` forms them. */
function unitsOf(entries: Entry[]): Map<string, Entry[]> {
  const units = new Map<string, Entry[]>();
  const last = new Map<string, Entry[]>();
  const inOrder = entries.toSorted((a, b) => a.participantIndex - b.participantIndex);
  const isApproved = ({ approvalStatus }: Entry) => approvalStatus === 'APPROVED';
  for (const entry of [...inOrder.filter(isApproved), ...inOrder.filter((each) => !isApproved(each))]) {
    const begun = last.get(entry.sharing);
    const unit = begun && begun.length < entry.unitSize ? begun : [];
    unit.push(entry);
    last.set(entry.sharing, unit);
    units.set(entry.id, unit);
  }
  return units;
}
