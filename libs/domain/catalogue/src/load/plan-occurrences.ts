import { statement } from '#platform/database';
import type { RecordOf } from '../format/records';
import { pricesOf } from '../format/rules';
import { type Draft, draftsOf, type Planning } from './draft';
import { Identities, type Stored } from './identities';
import { planAddOns, storedAddOns } from './plan-events';
import { planGroups, planPrograms, storedGroups, storedPrograms } from './plan-groups';
import { present } from './plan-partners';
import { planRaces, storedRaces } from './plan-races';
import type { OccurrenceDraft, PlannedOccurrence } from './planned-occurrence';
import type { Row } from './tables';

/** Names that `Intl` takes for time zones with summer time, and PostgreSQL for abbreviations without it; and the time zones to use. */
const ABBREVIATIONS: Record<string, string> = {
  CET: 'Europe/Brussels',
  EET: 'Europe/Athens',
  MET: 'Europe/Brussels',
  WET: 'Europe/Lisbon',
};

export async function planOccurrences(drafts: Draft[], planning: Planning): Promise<void> {
  const occurrences = draftsOf(drafts, 'occurrence');
  if (occurrences.length === 0) return;
  const { known } = planning;
  const stored = await storedOccurrences(occurrences, planning);
  const identities = new Identities('occurrence', stored, true);
  const eventIds = await known.idsOf(
    'event',
    occurrences.map(({ record }) => record.event),
  );
  const planned = occurrences.flatMap((draft): PlannedOccurrence[] => {
    const { record } = draft;
    const eventId = eventIds.get(record.event);
    if (!eventId) draft.refuse('event', `is not an event: "${record.event}"`);
    if (!planning.timeZones.has(record.timeZone.toLowerCase())) {
      draft.refuse('timeZone', 'is not a time zone of the database');
    }
    const identity = draft.identify(identities, known, 'occurrence', { property: 'slug', name: record.slug });
    if (!identity || !eventId) return [];
    const meant = ABBREVIATIONS[record.timeZone.toUpperCase()];
    // Release 0.2.0 stored them: such an occurrence can be changed otherwise.
    if (meant && identity.stored?.timeZone !== record.timeZone)
      draft.refuse('timeZone', `must be a place, such as ${meant}: "${record.timeZone}" has no summer time`);
    if (identity.stored && identity.stored.eventId !== eventId) {
      draft.refuse(
        'event',
        `must stay "${identity.stored.event}": an occurrence can't move to another event`,
      );
      return [];
    }
    draft.rows.add('occurrences', rowOf(record, identity.id, eventId));
    return [{ draft, id: identity.id, eventId }];
  });
  await planWhatIsOfThem(
    planned,
    stored.map(({ id }) => id),
    planning,
  );
}

async function planWhatIsOfThem(
  planned: PlannedOccurrence[],
  storedIds: string[],
  planning: Planning,
): Promise<void> {
  const races = await storedRaces(planned, storedIds, planning);
  const addOns = await storedAddOns(
    planning,
    'occurrence',
    storedIds.map((id) => ({ id })),
  );
  const programs = await storedPrograms(storedIds, planning);
  const groups = await storedGroups(planned, storedIds, planning);
  for (const occurrence of planned) {
    const { draft, id, eventId } = occurrence;
    const { record } = draft;
    const ticketIds = planRaces(occurrence, races);
    planAddOns(draft, record.addOns, addOns, { eventId, occurrenceId: id });
    planPrograms(occurrence, programs);
    planGroups(occurrence, groups, ticketIds, races);
    const rows = draft.rows.of('reservedEntryGroupTickets');
    const given = new Set(rows.map((row) => `${row.reserved_entry_group_id} ${row.ticket_id}`));
    const permitted = (groups.ticketsIn.get(id) ?? []).filter(
      ({ groupId, ticketId }) => !given.has(`${groupId} ${ticketId}`),
    );
    keepCurrency(occurrence, {
      ticket: races.tickets.untouched(id),
      'add-on': addOns.addOns.untouched(id),
      'reserved entry group': permitted,
    });
  }
}

/** What the file does not contain stays on sale, in its currency. */
function keepCurrency(
  { draft }: PlannedOccurrence,
  staying: Record<string, Iterable<{ name: string; currencyCode: string | null }>>,
): void {
  const priced = pricesOf(draft.record).find(({ price }) => price.currencyCode !== 'ZERO');
  if (!priced) return;
  for (const [what, rows] of Object.entries(staying)) {
    for (const { name, currencyCode } of rows) {
      if (!currencyCode || currencyCode === 'ZERO' || currencyCode === priced.price.currencyCode) continue;
      draft.refuse(
        `${priced.field}.currencyCode`,
        `must be ${currencyCode}, as for the ${what} "${name}": an event occurrence has one currency`,
      );
      return;
    }
  }
}

interface StoredOccurrence extends Stored {
  eventId: string;
  event: string;
  timeZone: string;
}

const OCCURRENCES = statement({
  parameters: ['uuid', 'text[]', 'uuid[]'],
  columns: { id: 'uuid', name: 'text', eventId: 'uuid', event: 'text', timeZone: 'text' },
  sql: `
    SELECT o.id, o.slug AS name, o.event_id AS "eventId", e.slug AS event, o.time_zone AS "timeZone"
    FROM event_occurrences o JOIN events e ON e.organization_id = o.organization_id AND e.id = o.event_id
    WHERE o.organization_id = $1 AND (o.slug = ANY($2) OR o.id = ANY($3::uuid[])) ORDER BY o.id
  `,
});

const storedOccurrences = (
  drafts: OccurrenceDraft[],
  { manager, organizationId }: Planning,
): Promise<StoredOccurrence[]> =>
  OCCURRENCES.rows(manager, [
    organizationId,
    drafts.map(({ record }) => record.slug),
    drafts.flatMap(({ record }) => record.id ?? []),
  ]);

const rowOf = (record: RecordOf<'occurrence'>, id: string, eventId: string): Row => ({
  id,
  event_id: eventId,
  slug: record.slug,
  title: record.title,
  title_by_locale: record.titleByLocale ?? {},
  tags: record.tags ?? [],
  content: present(record.content ?? {}),
  start_date: record.startDate,
  time_zone: record.timeZone,
  latitude: record.location?.coordinates?.latitude,
  longitude: record.location?.coordinates?.longitude,
  address: present(record.location?.address ?? {}),
  hero_url: record.images?.hero,
  logo_url: record.images?.logo,
  image_urls: record.images?.all ?? [],
  published: record.published ?? true,
  called_off: record.status,
  discoverable: record.discoverable ?? true,
});
