import type { EntityManager } from 'typeorm';
import { statement } from '#platform/database';
import { bibColumns } from '#platform/validation';
import { applyNow, lockRaceDay } from './apply';
import { reaches } from './bib-holder.sql';
import { lockBibs, projectParticipants } from './projection';

/** A bib that a participant gets, or, with `null`, gives up. */
export interface WantedBib {
  participantId: string;
  raceId: string;
  bibNumber: string | null;
  /** The bib that it gives up. */
  former: string | null;
}

/**
 * `GIVEN`: also of a bib that was given up. `HAS_ANOTHER`: the participant has another bib than expected. `TAKEN`: another
 * participant of the race has the bib.
 */
export type AssignedBib = 'GIVEN' | 'HAS_ANOTHER' | 'TAKEN' | 'MISSING' | 'OTHER_RACE' | 'CANCELLED';

const WANTED = /* sql */ `
    wanted AS MATERIALIZED (
      SELECT "participantId" AS participant_id, "raceId" AS race_id, bib_number, bib_written
      FROM json_to_recordset($2::json) AS w ("participantId" uuid, "raceId" uuid, bib_number text, bib_written text)
    )`;

const inColumns = (wanted: readonly Omit<WantedBib, 'former'>[]): string =>
  JSON.stringify(wanted.map((one) => ({ ...one, ...bibColumns(one.bibNumber) })));

/**
 * Pending messages about bibs of the participants, and of everyone in their races who claims one of the bibs now or by a pending
 * message. Whoever holds a bib after all pending messages is among them.
 */
const PENDING = statement({
  parameters: ['uuid', 'json'],
  columns: { seq: 'bigint' },
  sql: `
    WITH ${WANTED}, concerned AS MATERIALIZED (
      SELECT participant_id FROM wanted
      UNION
      SELECT e.participant_id FROM wanted w
      JOIN start_list_entries e ON e.organization_id = $1 AND e.race_id = w.race_id AND e.bib_claim = w.bib_number
      UNION
      SELECT l.participant_id FROM wanted w
      JOIN race_day_log l ON l.organization_id = $1 AND l.bib_number = w.bib_number AND l.sets_bib AND l.applied_at IS NULL
      JOIN start_list_entries e ON e.organization_id = $1 AND e.participant_id = l.participant_id AND e.race_id = w.race_id
    )
    SELECT said.seq FROM concerned c
    CROSS JOIN LATERAL (
      -- OFFSET 0: by participant, because all pending messages of a busy organization may be many.
      SELECT l.seq, l.applied_at FROM race_day_log l
      WHERE l.organization_id = $1 AND l.participant_id = c.participant_id AND l.sets_bib OFFSET 0
    ) said
    WHERE said.applied_at IS NULL
  `,
});

const STATES = statement({
  parameters: ['uuid', 'json'],
  columns: {
    participantId: 'uuid',
    raceId: 'uuid?',
    cancelled: 'boolean?',
    bibNumber: 'text?',
    taken: 'boolean',
  },
  sql: `
    WITH ${WANTED}
    SELECT w.participant_id AS "participantId", e.race_id AS "raceId", e.cancelled_at IS NOT NULL AS cancelled,
      e.bib_number AS "bibNumber", h.id IS NOT NULL AS taken
    FROM wanted w
    LEFT JOIN start_list_entries e ON e.organization_id = $1 AND e.participant_id = w.participant_id AND e.approval_status = 'APPROVED'
    LEFT JOIN start_list_entries h ON h.organization_id = $1 AND h.race_id = w.race_id AND h.bib_number = w.bib_number
      AND h.participant_id <> w.participant_id
  `,
});

/** Later than all messages that reach the participant, as a race-day update. */
const LOG = statement({
  parameters: ['uuid', 'json'],
  sql: `
    WITH ${WANTED}
    INSERT INTO race_day_log (organization_id, source, changed_at, participant_id, sets_bib, bib_number, bib_written, applied_at)
    SELECT $1, 'RACE_DAY', greatest(clock_timestamp(), newest.changed_at + interval '1 microsecond'), w.participant_id, true, w.bib_number,
      w.bib_written, clock_timestamp()
    FROM wanted w
    CROSS JOIN LATERAL (
      SELECT max(l.changed_at) AS changed_at FROM race_day_log l
      WHERE l.organization_id = $1 AND l.participant_id = w.participant_id AND ${reaches('l')}
    ) newest
    ORDER BY w.participant_id
  `,
});

/** Applies the pending messages that decide who has the bibs. */
export async function applyPendingBibs(
  manager: EntityManager,
  organizationId: string,
  wanted: readonly Omit<WantedBib, 'former'>[],
): Promise<void> {
  const pending = await PENDING.rows(manager, [organizationId, inColumns(wanted)]);
  await applyNow(
    manager,
    organizationId,
    pending.map(({ seq }) => seq),
  );
}

/**
 * Gives bibs to many participants, each of whom must have none, or takes back those that they still have: as ordinary claims,
 * after the pending messages that decide who has what. Enqueue `race-day` after the commit.
 *
 * Locks the race day of the organization and the bibs of the races until the transaction ends.
 */
export async function assignBibs(
  manager: EntityManager,
  organizationId: string,
  wanted: readonly WantedBib[],
): Promise<Map<string, AssignedBib>> {
  await lockRaceDay(manager, organizationId);
  await lockBibs(
    manager,
    organizationId,
    wanted.map(({ raceId }) => raceId),
  );
  await applyPendingBibs(manager, organizationId, wanted);
  const states = await STATES.rows(manager, [organizationId, inColumns(wanted)]);
  const stateOf = new Map(states.map((state) => [state.participantId, state]));
  const given = new Set<string>();
  const outcomes = new Map<string, AssignedBib>();
  for (const { participantId, raceId, bibNumber, former } of wanted) {
    const state = stateOf.get(participantId);
    const bib = `${raceId}/${bibColumns(bibNumber).bib_number}`;
    const outcome =
      !state || state.raceId === null
        ? 'MISSING'
        : state.raceId !== raceId
          ? 'OTHER_RACE'
          : state.cancelled
            ? 'CANCELLED'
            : state.bibNumber !== bibColumns(former).bib_number
              ? 'HAS_ANOTHER'
              : state.taken || given.has(bib)
                ? 'TAKEN'
                : 'GIVEN';
    if (outcome === 'GIVEN' && bibNumber !== null) given.add(bib);
    outcomes.set(participantId, outcome);
  }
  const claims = wanted.filter(({ participantId }) => outcomes.get(participantId) === 'GIVEN');
  if (claims.length > 0) {
    await LOG.run(manager, [organizationId, inColumns(claims)]);
    await projectParticipants(
      manager,
      organizationId,
      claims.map(({ participantId }) => participantId),
    );
  }
  return outcomes;
}
