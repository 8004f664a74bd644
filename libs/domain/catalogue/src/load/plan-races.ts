import { newId, statement } from '#platform/database';
import { jsonBytes, MAXIMA, MOST_BYTES } from '#platform/validation';
import type { RecordOf } from '../format/records';
import type { Planning } from './draft';
import { byOwner, Identities, type Placed } from './identities';
import type { PlannedOccurrence } from './planned-occurrence';
import { keepPlaces } from './write';

type Race = NonNullable<RecordOf<'occurrence'>['races']>[number];
type Ticket = NonNullable<Race['tickets']>[number];

interface StoredTicket extends Placed {
  raceId: string;
  currencyCode: string;
  deletedAt: string | null;
}
interface StoredRace extends Placed {
  courseId: string | null;
  /** Of its titles. */
  bytes: number;
}

export interface RaceIdentities {
  races: Identities<StoredRace>;
  waves: Identities<Placed>;
  /** How many waves the races of an occurrence have. */
  wavesIn: Map<string, number>;
  tickets: Identities<StoredTicket>;
  forms: Map<string, string>;
}

const TICKETS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: {
    id: 'uuid',
    name: 'text',
    owner: 'uuid',
    raceId: 'uuid',
    position: 'int',
    currencyCode: 'text',
    deletedAt: 'text?',
  },
  sql: `
    SELECT id, slug AS name, event_occurrence_id AS owner, race_id AS "raceId", position,
      currency_code AS "currencyCode", deleted_at::text AS "deletedAt"
    FROM tickets WHERE organization_id = $1 AND event_occurrence_id = ANY($2) ORDER BY id
  `,
});

const WAVES = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid', name: 'text', owner: 'uuid', position: 'int' },
  sql: `
    SELECT id, title AS name, race_id AS owner, position FROM waves
    WHERE organization_id = $1 AND race_id = ANY($2) ORDER BY id
  `,
});

const RACES = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid', name: 'text', owner: 'uuid', position: 'int', courseId: 'uuid?', bytes: 'int' },
  sql: `
    SELECT id, title AS name, event_occurrence_id AS owner, position, course_id AS "courseId",
      octet_length(to_json(title)::text) + octet_length(title_by_locale::text) AS bytes
    FROM races
    WHERE organization_id = $1 AND event_occurrence_id = ANY($2) ORDER BY id
  `,
});

export async function storedRaces(
  planned: PlannedOccurrence[],
  occurrenceIds: string[],
  { manager, organizationId, known }: Planning,
): Promise<RaceIdentities> {
  const races = await RACES.rows(manager, [organizationId, occurrenceIds]);
  const waves = await WAVES.rows(manager, [organizationId, races.map(({ id }) => id)]);
  const tickets = await TICKETS.rows(manager, [organizationId, occurrenceIds]);
  const wavesOf = byOwner(waves, ({ owner }) => owner);
  const wavesIn = new Map<string, number>();
  for (const { id, owner } of races)
    wavesIn.set(owner, (wavesIn.get(owner) ?? 0) + (wavesOf.get(id)?.length ?? 0));
  return {
    wavesIn,
    races: new Identities('race', races, false, MAXIMA.races),
    waves: new Identities('wave', waves, false, MAXIMA.waves),
    tickets: new Identities('ticket', tickets, true, MAXIMA.tickets),
    forms: await known.idsOf(
      'bookingForm',
      planned.flatMap(({ draft }) =>
        (draft.record.races ?? []).flatMap((race) =>
          (race.tickets ?? []).flatMap((ticket) => ticket.bookingForms ?? []),
        ),
      ),
    ),
  };
}

/** @returns the ids of the record's tickets, by slug */
export function planRaces(occurrence: PlannedOccurrence, stored: RaceIdentities): Map<string, string> {
  const { draft, id: occurrenceId, eventId } = occurrence;
  const ticketIds = new Map<string, string>();
  const racePlaces: (number | undefined)[] = [];
  const places: (number | undefined)[] = [];
  let added = 0;
  for (const [position, race] of (draft.record.races ?? []).entries()) {
    const at = `races[${position}].`;
    const given = { id: race.id, name: race.title, owner: occurrenceId };
    const identity = draft.resolve(stored.races, given, at, 'title');
    if (!identity) continue;
    racePlaces.push(identity.stored?.position);
    const { title } = race;
    draft.rows.add('races', {
      id: identity.id,
      event_occurrence_id: occurrenceId,
      event_id: eventId,
      position,
      title,
      title_by_locale: race.titleByLocale ?? {},
      discipline: race.discipline,
      distance_value: race.distance?.value,
      distance_unit: race.distance?.unit,
      start_date: race.startDate,
      start_time: race.startTime,
      max_capacity: race.maxCapacity,
      course_id: race.course ? (race.course.id ?? identity.stored?.courseId ?? newId()) : null,
      course_title: race.course?.title,
    });
    draft.limit('race', identity.id, `${at}maxCapacity`, race.maxCapacity);
    added += planWaves(occurrence, race, { id: identity.id, at }, stored);
    for (const [place, ticket] of (race.tickets ?? []).entries()) {
      const row = { raceId: identity.id, position: ticketIds.size, at: `${at}tickets[${place}].` };
      const planned = planTicket(occurrence, ticket, row, stored);
      if (!planned) continue;
      ticketIds.set(ticket.ticketSlug, planned.id);
      places.push(planned.stored?.position);
    }
  }
  keepPlaces(draft.rows.of('races'), racePlaces, stored.races.untouched(occurrenceId));
  keepPlaces(draft.rows.of('tickets'), places, stored.tickets.untouched(occurrenceId));
  draft.room('races', 'waves', MAXIMA.wavesOfOccurrence, {
    stored: stored.wavesIn.get(occurrenceId) ?? 0,
    added,
  });
  limitTitles(occurrence, stored.races.untouched(occurrenceId));
  return ticketIds;
}

/** An occurrence of the marketplace embeds all its races, those too that the file does not contain. */
function limitTitles({ draft }: PlannedOccurrence, staying: Iterable<StoredRace>): void {
  const given = (draft.record.races ?? []).map(({ title, titleByLocale }) =>
    jsonBytes([title, titleByLocale ?? {}]),
  );
  const bytes = [...given, ...[...staying].map((race) => race.bytes)].reduce((sum, each) => sum + each, 0);
  if (bytes > MOST_BYTES.races)
    draft.refuse('races', `have titles of ${bytes} bytes, and must not have more than ${MOST_BYTES.races}`);
}

/** @returns how many are new */
function planWaves(
  { draft }: PlannedOccurrence,
  race: Race,
  { id: raceId, at }: { id: string; at: string },
  stored: RaceIdentities,
): number {
  const places: (number | undefined)[] = [];
  const before = draft.rows.of('waves').length;
  for (const [position, { id, title, startDateTime, capacity }] of (race.waves ?? []).entries()) {
    const given = { id, name: title, owner: raceId };
    const identity = draft.resolve(stored.waves, given, `${at}waves[${position}].`, 'title');
    if (!identity) continue;
    places.push(identity.stored?.position);
    draft.limit('wave', identity.id, `${at}waves[${position}].capacity`, capacity);
    draft.rows.add('waves', {
      id: identity.id,
      race_id: raceId,
      position,
      title,
      start_date_time: startDateTime,
      capacity,
    });
  }
  keepPlaces(draft.rows.of('waves').slice(before), places, stored.waves.untouched(raceId));
  return places.filter((place) => place === undefined).length;
}

function planTicket(
  { draft, id: occurrenceId, eventId }: PlannedOccurrence,
  ticket: Ticket,
  { raceId, position, at }: { raceId: string; position: number; at: string },
  stored: RaceIdentities,
): { id: string; stored: StoredTicket | undefined } | undefined {
  const given = { id: ticket.id, name: ticket.ticketSlug, owner: occurrenceId };
  const identity = draft.resolve(stored.tickets, given, at, 'ticketSlug');
  if (!identity) return undefined;
  if (identity.stored && identity.stored.raceId !== raceId) {
    draft.refuse(
      `${at}ticketSlug`,
      `belongs to race ${identity.stored.raceId}: a ticket can't move to another race`,
    );
    return undefined;
  }
  draft.rows.add('tickets', {
    id: identity.id,
    race_id: raceId,
    event_occurrence_id: occurrenceId,
    event_id: eventId,
    position,
    slug: ticket.ticketSlug,
    title: ticket.title,
    title_by_locale: ticket.titleByLocale ?? {},
    description: ticket.description ?? '',
    price_value: ticket.price.value,
    currency_code: ticket.price.currencyCode,
    sale_start: ticket.saleStart,
    sale_end: ticket.saleEnd,
    max_capacity: ticket.maxCapacity,
    approval: ticket.approval ?? 'INSTANT',
    unit_size: ticket.competitorSize ?? 1,
    asks_donation: ticket.asksDonation ?? false,
    deleted_at: ticket.isDeleted ? (identity.stored?.deletedAt ?? new Date().toISOString()) : null,
  });
  draft.limit('ticket', identity.id, `${at}maxCapacity`, ticket.maxCapacity);
  draft.limit('unit', identity.id, `${at}competitorSize`, ticket.competitorSize ?? 1);
  draft.rows.link(
    'ticketForms',
    identity.id,
    (ticket.bookingForms ?? []).flatMap((form, place) => {
      const formId = stored.forms.get(form);
      if (!formId) draft.refuse(`${at}bookingForms[${place}]`, `is not a booking form: "${form}"`);
      return formId ? [{ ticket_id: identity.id, booking_form_id: formId }] : [];
    }),
  );
  return identity;
}
