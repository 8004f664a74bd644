import type { EntityManager } from 'typeorm';
import { statement, typed } from '#platform/database';
import type { ImportRow, RowOutcome } from '#platform/import-rows';
import { comparedName } from '#platform/validation';

/** Of a job that are kept: occurrences for the filter of lists, and tickets for the places that it takes. */
export const MOST_OCCURRENCES = 100;
export const MOST_TICKETS = 200;

/**
 * The occurrences `$5`, those of the bookings `$4`, and what the rows `$3` name, which were not read. A cast cannot be compared with an
 * index under row-level security.
 */
const OCCURRENCES = statement({
  parameters: ['uuid', 'uuid', 'int[]', 'uuid[]', 'text[]'],
  columns: { ids: typed<string[]>('uuid[]') },
  sql: `
    WITH named AS (
      SELECT payload->>'eventOccurrenceId' AS id FROM import_rows
      WHERE organization_id = $1 AND job_id = $2 AND row_number = ANY ($3)
      UNION SELECT (SELECT b.event_occurrence_id::text FROM bookings b WHERE b.organization_id = $1 AND b.id = given.id)
      FROM unnest($4::uuid[]) given (id)
      UNION SELECT unnest($5::text[])
    )
    SELECT ARRAY(
      SELECT o.id FROM named JOIN event_occurrences o ON o.organization_id = $1
        AND o.id = CASE WHEN named.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN named.id::uuid END
      LIMIT ${MOST_OCCURRENCES}) AS ids
  `,
});

/** A begun unit is one place of its ticket, and each entry one of its race. */
const PLACES = statement({
  parameters: ['uuid', 'uuid[]', 'int[]', 'int[]'],
  columns: { places: typed<object | null>('jsonb?') },
  sql: `
    SELECT jsonb_object_agg(id, jsonb_build_array(entries, units)) AS places FROM (
      SELECT k.id, sum(s.entries * s.groups)::int AS entries, sum(ceil(s.entries::numeric / k.unit_size) * s.groups)::int AS units
      FROM unnest($2::uuid[], $3::int[], $4::int[]) s (ticket_id, entries, groups)
      JOIN tickets k ON k.organization_id = $1 AND k.id = s.ticket_id
      GROUP BY k.id LIMIT ${MOST_TICKETS}
    ) taken
  `,
});

/** The occurrences that rows name, or that their bookings are of. */
export async function occurrencesOf(
  manager: EntityManager,
  key: readonly [organizationId: string, jobId: string],
  { outcomes, rows }: { outcomes: RowOutcome[]; rows: ImportRow<unknown>[] },
): Promise<string[]> {
  const payloads = new Map(rows.map(({ row, payload }) => [row, payload as Record<string, unknown>]));
  const named = new Set<string>();
  const bookings = new Set<string>();
  const unread: number[] = [];
  for (const { row_number, result } of outcomes) {
    const payload = payloads.get(row_number);
    if (!payload) unread.push(row_number);
    if (typeof payload?.eventOccurrenceId === 'string') named.add(payload.eventOccurrenceId);
    else if (typeof result?.bookingId === 'string') bookings.add(result.bookingId);
  }
  if (named.size + bookings.size + unread.length === 0) return [];
  const { ids } = await OCCURRENCES.one(manager, [...key, unread, [...bookings], [...named]]);
  return ids;
}

interface Participant {
  ticketId: string;
  team?: { name?: string } | null;
}

/** The places that imported bookings took, by ticket. A booking's entries on one ticket and in one team are units together. */
export async function placesOf(
  manager: EntityManager,
  organizationId: string,
  outcomes: RowOutcome[],
  rows: ImportRow<unknown>[],
): Promise<object | null> {
  const imported = new Set(
    outcomes.filter(({ outcome }) => outcome === 'IMPORTED').map((each) => each.row_number),
  );
  const groups = new Map<string, { ticketId: string; entries: number; groups: number }>();
  for (const { row, payload } of rows) {
    if (!imported.has(row)) continue;
    const entries = new Map<string, { ticketId: string; entries: number }>();
    for (const { ticketId, team } of (payload as { participants?: Participant[] }).participants ?? []) {
      const name = `${ticketId} ${comparedName(team?.name ?? '')}`;
      const group = entries.get(name) ?? { ticketId, entries: 0 };
      group.entries += 1;
      entries.set(name, group);
    }
    for (const { ticketId, entries: count } of entries.values()) {
      const name = `${ticketId} ${count}`;
      const same = groups.get(name) ?? { ticketId, entries: count, groups: 0 };
      same.groups += 1;
      groups.set(name, same);
    }
  }
  if (groups.size === 0) return null;
  const all = [...groups.values()];
  const { places } = await PLACES.one(manager, [
    organizationId,
    all.map(({ ticketId }) => ticketId),
    all.map((each) => each.entries),
    all.map((each) => each.groups),
  ]);
  return places;
}
