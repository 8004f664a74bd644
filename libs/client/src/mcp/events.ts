import type { StartlineClient } from '../client';
import type { BookingFormField, OrganizerEventOccurrence, TicketSummary } from '../openapi';
import { AFTER, type Context, hasWords, ID, LIMIT, matching, READS, type Result, type Tool } from './tool';

interface Args {
  eventOccurrenceId?: string;
  raceId?: string;
  name?: string;
  from?: string;
  to?: string;
  limit?: number;
  after?: string;
}

/** The most races whose waves, and tickets whose questions are read. */
const MOST_READ = 20;
/** Of the tickets and of the groups of an event. */
const MOST_SHOWN = 500;
/** Of a question: more are a list of countries or clubs. */
const MOST_OPTIONS = 50;

export const findEvents: Tool = {
  name: 'find_events',
  operations: ['listEventOccurrences'],
  annotations: { title: 'Find events', ...READS },
  description:
    'Finds events (occurrences: one edition of an event on a date), by name and date, in order of their date. With `eventOccurrenceId`, ' +
    'returns one event with all that rows of an import need: races and waves, tickets with prices in minor units (4500 GBP is £45.00), ' +
    'groups of reserved entries, and the questions of booking forms.',
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      eventOccurrenceId: {
        ...ID,
        description: 'One event in detail; without the other arguments but `raceId`.',
      },
      raceId: {
        ...ID,
        description: 'With `eventOccurrenceId`: only this race, with its tickets and groups.',
      },
      name: {
        type: 'string',
        description: 'Words of the name or the city, in any order.',
        examples: ['city marathon'],
      },
      from: { type: 'string', format: 'date', description: 'The first date.', examples: ['2027-01-01'] },
      to: { type: 'string', format: 'date', description: 'The last date.' },
      limit: LIMIT,
      after: AFTER,
    },
  },
  async run({ eventOccurrenceId, raceId, name, from, to, limit, after }: Args, context): Promise<Result> {
    if (eventOccurrenceId) return detailed(eventOccurrenceId, raceId, context);
    const query = {
      'startDate[gte]': from,
      'startDate[lte]': to,
      'page[size]': name ? 200 : (limit ?? LIMIT.default),
    };
    const found = await matching(
      (cursor) =>
        context.client.get('/v0/event-occurrences', {
          params: { query: { ...query, 'page[after]': cursor } },
        }),
      {
        limit,
        after,
        match: name
          ? (each) => hasWords(`${each.title} ${each.location.address.city ?? ''}`, name)
          : undefined,
      },
    );
    return {
      says: `${found.items.length} events${found.next ? '; more with `after`' : ''}. Call find_events with an eventOccurrenceId for its tickets.`,
      data: { events: found.items.map(summary), next: found.next },
    };
  },
};

type Event = Pick<OrganizerEventOccurrence, 'id' | 'title' | 'startDate' | 'location' | 'status'>;

const summary = ({ id, title, startDate, location, status }: Event) => ({
  ...{ eventOccurrenceId: id, title, startDate, status },
  ...{ city: location.address.city, countryCode: location.address.countryCode },
});

async function detailed(
  id: string,
  raceId: string | undefined,
  { client, access }: Context,
): Promise<Result> {
  const params = { path: { id }, query: { 'page[size]': 500 } };
  const event = await client.get('/v0/event-occurrences/{id}', { params: { path: { id } } });
  const races = (await every(client.every('/v0/event-occurrences/{id}/races', { params }))).filter(
    (race) => !raceId || race.id === raceId,
  );
  if (raceId && races.length === 0) throw new TypeError('The event has no race with this raceId.');
  const tickets = (await every(client.every('/v0/event-occurrences/{id}/tickets', { params }))).filter(
    (ticket) => !raceId || ticket.raceId === raceId,
  );
  const slugs = new Set(tickets.map(({ ticketSlug }) => ticketSlug));
  const asked = await questionsOf(tickets.slice(0, MOST_READ), client);
  const questions = new Map([...asked.values()].flat().map((field) => [field.id, field]));
  const groups = (
    access.may('listEventOccurrenceReservedEntries')
      ? await every(client.every('/v0/event-occurrences/{id}/reserved-entries', { params }))
      : []
  ).filter((group) => !raceId || group.tickets.some(({ ticketSlug }) => slugs.has(ticketSlug)));
  const shown = [];
  for (const race of races.slice(0, MOST_READ)) {
    const { waves, startTime, maxCapacity, usedCapacity, distance, startDate } = await client.get(
      '/v0/races/{id}',
      {
        params: { path: { id: race.id } },
      },
    );
    shown.push({
      ...{ raceId: race.id, title: race.title, distance, startDate, startTime, maxCapacity, usedCapacity },
      waves: waves.map((wave) => ({ waveId: wave.id, title: wave.title, startDateTime: wave.startDateTime })),
    });
  }
  return {
    says:
      `${raceId ? 'The race has' : `The event has ${races.length} races and`} ${tickets.length} tickets. ` +
      leftOut({ races, tickets, groups }, raceId) +
      'Answers to the `questions` of its ticket are sent as ' +
      'fields: [{ "key": …, "value": … }] of a participant; names, email, dateOfBirth and gender are properties of the participant instead.',
    data: {
      ...summary(event),
      races: [...shown, ...races.slice(MOST_READ).map((race) => ({ raceId: race.id, title: race.title }))],
      tickets: tickets.slice(0, MOST_SHOWN).map((ticket) => ({
        ...{ ticketId: ticket.id, title: ticket.title, ticketSlug: ticket.ticketSlug, raceId: ticket.raceId },
        ...{ race: ticket.raceTitle, price: ticket.price, availability: ticket.availability },
        questions: asked.get(ticket.id)?.map(({ key }) => key),
      })),
      reservedEntryGroups: groups.slice(0, MOST_SHOWN).map((group) => ({
        ...{ reservedEntryGroupId: group.id, name: group.name, partnerId: group.partnerId },
        ...{ maxCapacity: group.maxCapacity, usedCapacity: group.usedCapacity },
        ticketSlugs: group.tickets.map(({ ticketSlug }) => ticketSlug),
      })),
      questions: [...questions.values()].map(({ key, label, type, required, options }) => ({
        ...{ key, label, type, required },
        ...(options.length > 0 && { options: options.slice(0, MOST_OPTIONS).map(({ value }) => value) }),
      })),
    },
  };
}

async function every<Each>(items: AsyncIterable<Each>): Promise<Each[]> {
  const all: Each[] = [];
  for await (const each of items) all.push(each);
  return all;
}

/** A sentence for each list that is not complete. */
function leftOut(
  { races, tickets, groups }: Record<'races' | 'tickets' | 'groups', unknown[]>,
  raceId: string | undefined,
): string {
  const sentences = [
    races.length > MOST_READ && `Waves and times are left out after the first ${MOST_READ} races.`,
    tickets.length > MOST_READ && `Questions are left out after the first ${MOST_READ} tickets.`,
    tickets.length > MOST_SHOWN && `Only the first ${MOST_SHOWN} tickets are listed.`,
    groups.length > MOST_SHOWN && `Only the first ${MOST_SHOWN} groups are listed.`,
  ].filter((each) => typeof each === 'string');
  if (sentences.length > 0 && !raceId) sentences.push('Call find_events with a raceId for those of a race.');
  return sentences.map((each) => `${each} `).join('');
}

/** What the forms of each ticket ask, by the ticket's id. A form is read once. */
async function questionsOf(tickets: TicketSummary[], client: StartlineClient) {
  const fields = new Map<string, BookingFormField[]>();
  const asked = new Map<string, BookingFormField[]>();
  for (const { id } of tickets) {
    const { data: forms } = await client.get('/v0/tickets/{id}/booking-forms', { params: { path: { id } } });
    for (const form of forms) {
      if (fields.has(form.id)) continue;
      const params = { path: { id: form.id } };
      fields.set(form.id, (await client.get('/v0/booking-forms/{id}/fields', { params })).data);
    }
    asked.set(
      id,
      forms.flatMap((form) => fields.get(form.id) ?? []),
    );
  }
  return asked;
}
