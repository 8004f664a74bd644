import type { StoredValues } from '#libs/sheets';
import { type RunsOn, statement } from '#platform/database';
import type { StoredOccurrence } from './occurrences';

const OCCURRENCES = statement({
  parameters: ['uuid'],
  columns: { slug: 'text', event: 'text', city: 'text?', startDate: 'text?', isUpcoming: 'boolean' },
  sql: `
    SELECT o.slug, e.slug AS event, o.address ->> 'city' AS city, o.start_date::text AS "startDate",
      coalesce(o.last_start_date, o.start_date) >= current_date AND o.called_off IS NULL AS "isUpcoming"
    FROM event_occurrences o JOIN events e ON e.organization_id = o.organization_id AND e.id = o.event_id
    WHERE o.organization_id = $1
  `,
});

/** Values that are stored, as texts of the same form as those of a plan. */
const VALUES = statement({
  parameters: ['uuid'],
  columns: { path: 'text', value: 'text' },
  sql: `
    SELECT DISTINCT 'race.startDate' AS path, start_date::text AS value FROM races
    WHERE organization_id = $1 AND start_date IS NOT NULL
    UNION SELECT 'race.distance.value', trim_scale(distance_value)::text || ' ' || distance_unit FROM races
    WHERE organization_id = $1 AND distance_value IS NOT NULL
    UNION SELECT 'ticket.price', round(price_value / 100.0, 2)::text FROM tickets WHERE organization_id = $1
  `,
});

/** What a race calendar does not ask again, because it is stored. */
export interface StoredCalendar {
  values: StoredValues;
  occurrences: readonly StoredOccurrence[];
}

export async function storedCalendar(on: RunsOn, organizationId: string): Promise<StoredCalendar> {
  const occurrences = await OCCURRENCES.rows(on, [organizationId]);
  const values: Record<string, Set<string>> = {};
  for (const { path, value } of await VALUES.rows(on, [organizationId])) {
    values[path] ??= new Set();
    values[path].add(value);
  }
  return { values, occurrences };
}
