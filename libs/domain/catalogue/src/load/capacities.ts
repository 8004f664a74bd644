import type { EntityManager } from 'typeorm';
import { organizationLock, statement } from '#platform/database';
import type { Capacity, Draft } from './draft';

const lockRaceDay = organizationLock('race-day');

interface Limited {
  table: string;
  column: string;
  id: string;
  /** Condition of the row of the file, named `given`. */
  match: string;
  used: string;
  /** How `given.most` must not compare with what is used: `<` by default. */
  refused?: '<' | '<>';
}

/**
 * In the order in which they are locked. Reserved entry groups count in the locked row. For others the lock keeps entries from being
 * written, because these refer to the row: what counts them is read when it is held.
 */
const LIMITED: Record<Capacity['of'], Limited> = {
  group: {
    table: 'reserved_entry_groups',
    column: 'max_capacity',
    id: 'id',
    match: 'stored.id = given.id',
    used: 'stored.used_capacity',
  },
  groupTicket: {
    table: 'reserved_entry_group_tickets',
    column: 'max_capacity',
    id: 'reserved_entry_group_id',
    match: 'stored.reserved_entry_group_id = given.id AND stored.ticket_id = given.ticket_id',
    used: 'stored.used_capacity',
  },
  race: {
    table: 'races',
    column: 'max_capacity',
    id: 'id',
    match: 'stored.id = given.id',
    used: "tally(stored.organization_id, 'racePlaces', stored.id)",
  },
  ticket: {
    table: 'tickets',
    column: 'max_capacity',
    id: 'id',
    match: 'stored.id = given.id',
    used: "tally(stored.organization_id, 'ticketPlaces', stored.id)",
  },
  // Entries have formed units of the ticket, and paid for them.
  unit: {
    table: 'tickets',
    column: 'unit_size',
    id: 'id',
    match: 'stored.id = given.id',
    used: `(CASE WHEN tally(stored.organization_id, 'ticketPlaces', stored.id) > 0 OR EXISTS (SELECT FROM start_list_entries e
      WHERE e.organization_id = stored.organization_id AND e.ticket_id = stored.id
        AND e.approval_status = 'PENDING' AND e.cancelled_at IS NULL) THEN stored.unit_size END)`,
    refused: '<>',
  },
  wave: {
    table: 'waves',
    column: 'capacity',
    id: 'id',
    match: 'stored.id = given.id',
    used: `(SELECT count(*) FROM start_list_entries e
      WHERE e.organization_id = stored.organization_id AND e.race_id = stored.race_id AND e.wave_id = stored.id
        AND e.approval_status = 'APPROVED' AND e.cancelled_at IS NULL)`,
  },
};

const GIVEN = 'jsonb_to_recordset($2::jsonb) AS given (id uuid, ticket_id uuid, most int, place int)';
const lowered = ({ column, table, match, refused = '<' }: Limited) => `
  FROM ${table} stored JOIN ${GIVEN} ON ${match}
  WHERE stored.organization_id = $1 AND given.most ${refused} coalesce(stored.${column}, 2147483648)`;

const kinds = Object.keys(LIMITED) as Capacity['of'][];
const statements = Object.fromEntries(
  kinds.map((kind) => {
    const limited = LIMITED[kind];
    const find = statement({
      parameters: ['uuid', 'jsonb'],
      columns: { place: 'int!' },
      sql: `SELECT given.place ${lowered(limited)} ORDER BY stored.${limited.id}, given.place`,
    });
    const lock = statement({
      parameters: ['uuid', 'jsonb'],
      sql: `SELECT ${lowered(limited)} ORDER BY stored.${limited.id}, given.place FOR UPDATE OF stored`,
    });
    const used = statement({
      parameters: ['uuid', 'jsonb'],
      columns: { place: 'int!', used: 'int!' },
      sql: `SELECT given.place, ${limited.used}::int AS used ${lowered(limited)} AND given.most ${limited.refused ?? '<'} ${limited.used}`,
    });
    return [kind, { find, lock, used }];
  }),
);

/**
 * Refuses what lowers a capacity below its use, or changes the size of the units of a ticket that has entries. Raising or keeping one is permitted, overbooked or not. In the transaction that writes the
 * capacities, nobody can take a place meanwhile: approvals and moves wait for the race day's lock, imports for the rows'.
 */
export async function keepAboveUse(
  manager: EntityManager,
  organizationId: string,
  drafts: Draft[],
  { isWriting }: { isWriting: boolean },
): Promise<void> {
  const all = drafts.flatMap((draft) => draft.capacities.map((capacity) => ({ draft, capacity })));
  const byKind = kinds.flatMap((kind) => {
    const given = all.filter(({ capacity }) => capacity.of === kind);
    if (given.length === 0) return [];
    const json = JSON.stringify(
      given.map(({ capacity: { id, ticketId, most } }, place) => ({ id, ticket_id: ticketId, most, place })),
    );
    return [{ given, json, ...statements[kind] }];
  });
  const lowering = [];
  for (const each of byKind) {
    const found = await each.find?.rows(manager, [organizationId, each.json]);
    if (found?.length) lowering.push(each);
  }
  if (isWriting && lowering.length > 0) {
    await lockRaceDay(manager, organizationId);
    for (const { lock, json } of lowering) await lock?.run(manager, [organizationId, json]);
  }
  for (const { used, json, given } of lowering) {
    for (const row of (await used?.rows(manager, [organizationId, json])) ?? []) {
      const { draft, capacity } = given[row.place] ?? {};
      if (capacity?.of === 'unit')
        draft?.refuse(capacity.field, `must stay ${row.used}: the ticket has entries`);
      else
        draft?.refuse(capacity?.field ?? '', `must not be less than ${row.used}, which are used`, {
          code: 'BELOW_USE',
          used: row.used,
        });
    }
  }
}
