import type { EntityManager } from 'typeorm';
import { LOCKS, NIL_ID, type Row, statement } from '#platform/database';

/** Entries that one step reads, and those of them that it moves: lists by `updatedAt` wait for its transaction. */
const READ = 5_000;
const MOVED = 500;

const FIRST = { createdAt: '-infinity', id: NIL_ID };

/** Organizations with pending refreshes, in the order of their ids. */
export const ORGANIZATIONS_TO_REFRESH = statement({
  parameters: ['int'],
  columns: { id: 'uuid' },
  sql: 'SELECT id FROM organizations_to_refresh($1) id',
});

const TAKE_TURN = statement({
  parameters: ['int', 'text'],
  columns: { mine: 'boolean' },
  sql: 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS mine',
});

/**
 * Without a lock: a transaction that changes the record holds that of the row, and may wait for entries that this one has locked.
 */
const NEXT = statement({
  parameters: ['uuid'],
  columns: {
    source: 'text',
    sourceId: 'uuid',
    eventId: 'uuid?',
    changed: 'text[]',
    requestedAt: 'text',
    createdAt: 'text?',
    id: 'uuid?',
  },
  sql: `
    SELECT source, source_id AS "sourceId", event_id AS "eventId", changed, requested_at::text AS "requestedAt",
      after_created_at::text AS "createdAt", after_id AS id
    FROM pending_refreshes WHERE organization_id = $1 ORDER BY requested_at, source_id, source LIMIT 1
  `,
});

type Refresh = Row<typeof NEXT>;

/** The next entries in the order of creation that show the record, and how far that is. */
const walk = (within: string, shows: string) => /* sql */ `
  WITH read AS MATERIALIZED (
    SELECT t.id, t.created_at, coalesce(${shows}, false) AS shows FROM start_list_entries t
    WHERE t.organization_id = $1 ${within} AND (t.created_at, t.id) > ($4::timestamptz, $5::uuid)
    ORDER BY t.created_at, t.id LIMIT ${READ}
  ), moved AS MATERIALIZED (
    SELECT id, created_at FROM read WHERE shows ORDER BY created_at, id LIMIT ${MOVED}
  ), ends AS (
    SELECT (SELECT count(*) FROM moved) = ${MOVED} AS full, (SELECT count(*) FROM read) < ${READ} AS last
  )
  SELECT array(SELECT id FROM moved) AS ids, ends.last AND NOT ends.full AS "isLast", up_to.created_at::text AS "createdAt", up_to.id
  FROM ends LEFT JOIN LATERAL (
    SELECT created_at, id FROM moved WHERE ends.full
    UNION ALL SELECT created_at, id FROM read WHERE NOT ends.full
    ORDER BY created_at DESC, id DESC LIMIT 1) up_to ON true`;

const FOUND = { ids: 'uuid[]', isLast: 'boolean', createdAt: 'text?', id: 'uuid?' } as const;

const OF_EVENT = statement({
  parameters: ['uuid', 'text', 'uuid', 'timestamptz', 'uuid', 'uuid'],
  columns: FOUND,
  sql: walk(
    'AND t.event_id = $6',
    `CASE $2 WHEN 'events' THEN t.event_id WHEN 'event_occurrences' THEN t.event_occurrence_id WHEN 'races' THEN t.race_id
      WHEN 'tickets' THEN t.ticket_id WHEN 'waves' THEN t.wave_id WHEN 'teams' THEN t.team_id
      WHEN 'reserved_entry_groups' THEN t.reserved_entry_group_id END = $3`,
  ),
});

const OF_ANY_EVENT = statement({
  parameters: ['uuid', 'text', 'uuid', 'timestamptz', 'uuid'],
  columns: FOUND,
  sql: walk(
    '',
    `CASE $2 WHEN 'partners' THEN t.reserved_entry_group_id = ANY (ARRAY(
        SELECT g.id FROM reserved_entry_groups g WHERE g.organization_id = $1 AND g.partner_id = $3))
      WHEN 'charities' THEN t.partner_marketing_opt_ins @> jsonb_build_array(jsonb_build_object('partnerId', $3, 'optedIn', true))
      END`,
  ),
});

const TOUCH = statement({
  parameters: ['uuid', 'uuid[]', 'text[]'],
  sql: 'SELECT touch_entries($1, $2, $3)',
});

const TOUCH_BOOKINGS = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: `
    SELECT touch_bookings($1, array(SELECT DISTINCT booking_id FROM start_list_entries WHERE organization_id = $1 AND id = ANY ($2)), '{}')
  `,
});

/** Nothing if the record changed before this walk began, or is changing at the moment: the step is then repeated. */
const LOCK = statement({
  parameters: ['uuid', 'text', 'uuid', 'timestamptz'],
  columns: { changedSince: 'boolean' },
  sql: `
    SELECT changed_since IS NOT NULL AS "changedSince" FROM pending_refreshes
    WHERE organization_id = $1 AND source = $2 AND source_id = $3 AND requested_at = $4 FOR UPDATE SKIP LOCKED
  `,
});

const ADVANCE = statement({
  parameters: ['uuid', 'text', 'uuid', 'timestamptz', 'uuid'],
  sql: `
    UPDATE pending_refreshes SET after_created_at = $4, after_id = $5
    WHERE organization_id = $1 AND source = $2 AND source_id = $3
  `,
});

const BEGIN_AGAIN = statement({
  parameters: ['uuid', 'text', 'uuid'],
  sql: `
    UPDATE pending_refreshes SET changed = changed_since, changed_since = NULL, requested_at = clock_timestamp(),
      after_created_at = NULL, after_id = NULL
    WHERE organization_id = $1 AND source = $2 AND source_id = $3
  `,
});

const END = statement({
  parameters: ['uuid', 'text', 'uuid'],
  sql: 'DELETE FROM pending_refreshes WHERE organization_id = $1 AND source = $2 AND source_id = $3',
});

/** `IDLE`: nothing is pending. `BUSY`: another process is at it, or the record is changing. */
export type RefreshStep = 'DONE' | 'IDLE' | 'BUSY';

/**
 * One step of the organization's oldest refresh: moves the `updatedAt` of entries that show a shared record which has changed, and of their
 * bookings if a group of places gets another partner. Call
 * it in a transaction of its own. A process that is killed repeats at most this step. Entries that are added or that
 * begin to show the record after its change have a later time anyway.
 */
export async function refreshEntries(manager: EntityManager, organizationId: string): Promise<RefreshStep> {
  if (!(await TAKE_TURN.one(manager, [LOCKS.refresh, organizationId])).mine) return 'BUSY';
  const refresh = await NEXT.first(manager, [organizationId]);
  if (!refresh) return 'IDLE';
  const { source, sourceId, requestedAt, changed } = refresh;
  const { ids, isLast, createdAt, id } = await pageOf(manager, organizationId, refresh);
  // Before their entries, in the order of locks. A partner who gets a group sees the bookings from then on.
  const getsPartner = source === 'reserved_entry_groups' && changed.includes('reservedEntryPartnerName');
  if (ids.length > 0 && getsPartner) await TOUCH_BOOKINGS.run(manager, [organizationId, ids]);
  if (ids.length > 0) await TOUCH.run(manager, [organizationId, ids, changed]);
  const key = [organizationId, source, sourceId] as const;
  const locked = await LOCK.first(manager, [...key, requestedAt]);
  if (!locked) return 'BUSY';
  if (!isLast) await ADVANCE.run(manager, [...key, createdAt as string, id as string]);
  else if (locked.changedSince) await BEGIN_AGAIN.run(manager, key);
  else await END.run(manager, key);
  return 'DONE';
}

function pageOf(manager: EntityManager, organizationId: string, refresh: Refresh) {
  const { source, sourceId, eventId } = refresh;
  const after = [refresh.createdAt ?? FIRST.createdAt, refresh.id ?? FIRST.id] as const;
  return eventId
    ? OF_EVENT.one(manager, [organizationId, source, sourceId, ...after, eventId])
    : OF_ANY_EVENT.one(manager, [organizationId, source, sourceId, ...after]);
}
