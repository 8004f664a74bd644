import { statement } from '#platform/database';
import { occurrenceTexts } from '../export';
import { fill } from '../files/calendar/races';
import type { SourceRecord } from '../files/source';
import { isSlug } from '../slug';
import type { Planning } from './draft';

type Json = Record<string, unknown>;

const IDS = statement({
  parameters: ['uuid', 'text[]'],
  columns: { id: 'uuid', slug: 'text' },
  sql: 'SELECT id, slug FROM event_occurrences WHERE organization_id = $1 AND slug = ANY($2)',
});

/** What a field without a column of its own is derived from. */
const DERIVED: Record<string, string[]> = {
  'location.address.countryCode': ['location.address.countryName'],
  'location.address.countyLine': ['location.address.countryName'],
  startDateTime: ['startTime'],
  'price.currencyCode': ['price', 'price.value'],
  'price.value': ['price'],
};

/**
 * Gives occurrences of a table what the table has no columns for: that of the stored occurrence. New ones are drafts, unless a column says
 * otherwise. The records may have any shape.
 */
export async function completeTables(batch: readonly SourceRecord[], planning: Planning): Promise<void> {
  const records = batch.filter(({ columns }) => columns !== undefined);
  if (records.length === 0) return;
  const { manager, organizationId } = planning;
  const given = records.map(({ value }) => (value as Json).slug);
  const slugs = given.filter((slug): slug is string => typeof slug === 'string' && isSlug(slug));
  const ids = await IDS.rows(manager, [organizationId, slugs]);
  const texts = await occurrenceTexts(
    manager,
    organizationId,
    ids.map(({ id }) => id),
  );
  const stored = new Map(ids.map(({ id, slug }) => [slug, texts.get(id)]));
  for (const { value, columns = [] } of records) {
    const record = value as Json;
    const text = stored.get(record.slug as string);
    if (text) complete(record, JSON.parse(text) as Json, columns);
    else record.published ??= false;
  }
}

function complete(record: Json, stored: Json, columns: readonly string[]): void {
  // An empty cell publishes no draft. The stored one without the property is published.
  record.published ??= stored.published ?? true;
  each(record, stored, 'races', 'title', (race, storedRace) => {
    each(race, storedRace, 'tickets', 'ticketSlug', (ticket, before) =>
      fillIn(ticket, before, 'ticket.', columns),
    );
    each(race, storedRace, 'waves', 'title', (wave, before) => fillIn(wave, before, 'wave.', columns));
    const { tickets, waves, ...others } = storedRace;
    fillIn(race, others, 'race.', columns);
  });
  // A table always has them: without a column, from the title of the event and the country, or UTC.
  const { countryCode, countryName } = addressOf(record);
  if (!columns.includes('occurrence.title')) delete record.title;
  if (!columns.includes('occurrence.timeZone') && !countryCode && !countryName) delete record.timeZone;
  const { races, ...others } = stored;
  fillIn(record, others, 'occurrence.', columns);
}

const addressOf = ({ location }: Json): Json => ((location as Json | undefined)?.address ?? {}) as Json;

/** The parts of a list with the same name. */
function each(
  record: Json,
  stored: Json,
  list: string,
  name: string,
  take: (one: Json, stored: Json) => void,
): void {
  const before = (stored[list] ?? []) as Json[];
  for (const one of Array.isArray(record[list]) ? record[list] : []) {
    const same = before.find((other) => other[name] === one?.[name]);
    if (same) take(one, same);
  }
}

function fillIn(one: Json, stored: Json, prefix: string, columns: readonly string[]): void {
  const own = columns.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  const derived = Object.keys(DERIVED).filter((path) => DERIVED[path]?.some((from) => own.includes(from)));
  for (const path of [...own, ...derived]) remove(stored, path.split('.'));
  fill(one, stored);
}

/** Removes a property, and what then is empty. */
function remove(stored: Json, [first = '', ...rest]: string[]): void {
  if (!Object.hasOwn(stored, first)) return;
  const inner = stored[first];
  const isInside = rest.length > 0 && typeof inner === 'object' && inner !== null;
  if (isInside) remove(inner as Json, rest);
  if (rest.length === 0 || (isInside && Object.keys(inner).length === 0)) delete stored[first];
}
