import type { Event, EventOccurrence, Race, Ticket, TicketBookingForm, Wave } from '#platform/database';
import type { DemoContent, DemoEvent, DemoOccurrence, DemoRace, DemoTicket } from './content/shapes';
import type { RowMaker } from './day';
import type { DemoForms } from './forms';
import { type Demand, entriesOf, type SizedCohort } from './sizes';

export type Row<Entity> = Omit<Entity, 'updatedAt'>;
/** The start of a wave is local time, which PostgreSQL turns into an instant. */
type WaveRow = Omit<Row<Wave>, 'startDateTime'> & { startDateTime: () => string };

/** A ticket with its race, occurrence and event. */
export interface KnownTicket {
  event: DemoEvent;
  occurrence: Row<EventOccurrence>;
  race: Row<Race>;
  waves: WaveRow[];
  ticket: Row<Ticket>;
  form: DemoRace['form'];
}

const DAY = 86_400_000;
const IMAGES = 'https://images.startline.example';
const before = (instant: Date, days: number) => new Date(instant.getTime() - days * DAY);

/** The rows of an organization's events, occurrences, races, waves and tickets. */
export class Catalogue {
  readonly events: Row<Event>[] = [];
  readonly occurrences: Row<EventOccurrence>[] = [];
  readonly races: Row<Race>[] = [];
  readonly waves: WaveRow[] = [];
  readonly tickets: Row<Ticket>[] = [];
  readonly ticketForms: TicketBookingForm[] = [];
  private readonly known = new Map<string, KnownTicket>();

  constructor(
    private readonly organizationId: string,
    content: DemoContent,
    private readonly maker: RowMaker,
    private readonly forms: DemoForms,
    private readonly demand: Demand,
    private readonly cohorts: SizedCohort[],
  ) {
    for (const event of content.events) this.addEvent(event);
  }

  eventId(slug: string): string {
    return found(
      this.events.find((event) => event.slug === slug),
      slug,
    ).id;
  }

  occurrence(key: string): Row<EventOccurrence> {
    const [, ticket] = found(
      [...this.known].find(([name]) => name.startsWith(`${key}/`)),
      key,
    );
    return ticket.occurrence;
  }

  /** @param name `occurrence/ticket` */
  ticket(name: string): KnownTicket {
    return found(this.known.get(name), name);
  }

  private addEvent(event: DemoEvent): void {
    const { slug, title } = event;
    const row = { organizationId: this.organizationId, ...this.maker.row(400), slug, title };
    this.events.push(row);
    const dates = event.occurrences.map(
      ({ inDays }) => inDays !== undefined && this.maker.day.sunday(inDays),
    );
    const years = dates.map((date) => (date ? date.slice(0, 4) : ''));
    event.occurrences.forEach((occurrence, index) => {
      const year = years[index] ?? '';
      // Several occurrences in a year are distinguished by the date.
      const edition = years.filter((each) => each === year).length > 1 ? dates[index] || '' : year;
      this.addOccurrence(event, row.id, occurrence, dates[index] || null, edition);
    });
  }

  private addOccurrence(
    event: DemoEvent,
    eventId: string,
    occurrence: DemoOccurrence,
    startDate: string | null,
    edition: string,
  ): void {
    const { latitude, longitude, ...address } = event.place;
    const named = (title: string) => [title, edition].filter(Boolean).join(' ');
    const parts = [
      address.addressLine1,
      address.addressLine2,
      address.city,
      address.postCode,
      address.countryName,
    ];
    const images = `${IMAGES}/${event.slug}`;
    const row: Row<EventOccurrence> = {
      organizationId: this.organizationId,
      ...this.maker.row(startDate && startDate < this.maker.day.date ? 400 : 240),
      eventId,
      slug: edition ? `${event.slug}-${edition}` : event.slug,
      title: named(event.title),
      titleByLocale: Object.fromEntries(
        Object.entries({ 'en-GB': event.title, ...event.titles }).map(([locale, title]) => [
          locale,
          named(title),
        ]),
      ),
      tags: event.tags,
      content: event.content,
      startDate,
      timeZone: event.timeZone,
      latitude,
      longitude,
      address: { ...address, formatted: parts.filter(Boolean).join(', ') },
      heroUrl: `${images}/hero.jpg`,
      logoUrl: `${images}/logo.svg`,
      imageUrls: event.tags.slice(0, 3).map((tag) => `${images}/${tag}.jpg`),
      published: occurrence.published ?? true,
      calledOff: null,
      discoverable: occurrence.discoverable ?? true,
    };
    this.occurrences.push(row);
    occurrence.races.forEach((race, position) => {
      this.addRace(event, occurrence.key, row, race, position);
    });
  }

  private addRace(
    event: DemoEvent,
    key: string,
    occurrence: Row<EventOccurrence>,
    race: DemoRace,
    position: number,
  ): void {
    const capacities = race.tickets.map((ticket) => this.capacity(`${key}/${ticket.slug}`, ticket));
    const row: Row<Race> = {
      organizationId: this.organizationId,
      ...this.maker.row(240),
      eventOccurrenceId: occurrence.id,
      eventId: occurrence.eventId,
      position,
      title: race.title,
      titleByLocale: { 'en-GB': race.title, ...race.titles },
      discipline: race.discipline,
      distanceValue: race.distance ? String(race.distance[0]) : null,
      distanceUnit: race.distance?.[1] ?? null,
      startDate: occurrence.startDate,
      startTime: race.startTime ?? null,
      maxCapacity: capacities.includes(null)
        ? null
        : capacities.reduce<number>((sum, each) => sum + (each ?? 0), 0),
      courseId: race.course ? this.maker.row(240).id : null,
      courseTitle: race.course ?? null,
    };
    this.races.push(row);
    const waves = this.addWaves(key, occurrence, row, race);
    race.tickets.forEach((ticket, index) => {
      const sold = { ...this.saleOf(ticket, occurrence), maxCapacity: capacities[index] ?? null };
      const added = this.addTicket(event, row, ticket, index, sold);
      this.known.set(`${key}/${ticket.slug}`, {
        event,
        occurrence,
        race: row,
        waves,
        ticket: added,
        form: race.form,
      });
      if (race.form) {
        const bookingFormId = this.forms.formId(race.form);
        this.ticketForms.push({ organizationId: this.organizationId, ticketId: added.id, bookingFormId });
      }
    });
  }

  private addWaves(
    key: string,
    occurrence: Row<EventOccurrence>,
    race: Row<Race>,
    from: DemoRace,
  ): WaveRow[] {
    const [count = 0, minutes = 0] = from.waves ?? [];
    const names = from.tickets.map(({ slug }) => `${key}/${slug}`);
    const starters = this.cohorts.filter(({ ticket }) => names.includes(ticket));
    const each = starters.reduce((sum, cohort) => sum + entriesOf(cohort) / count + cohort.party, 0);
    const waves = Array.from({ length: count }, (_, position) => ({
      organizationId: this.organizationId,
      ...this.maker.row(240),
      raceId: race.id,
      position,
      title: `Wave ${String.fromCharCode(65 + position)}`,
      startDateTime: () =>
        `(timestamp '${race.startDate} ${race.startTime}' + interval '${position * minutes} minutes')` +
        ` AT TIME ZONE '${occurrence.timeZone}'`,
      capacity: Math.ceil((each * 1.2) / 50) * 50,
    }));
    this.waves.push(...waves);
    return waves;
  }

  private addTicket(
    event: DemoEvent,
    race: Row<Race>,
    ticket: DemoTicket,
    position: number,
    sold: Pick<Ticket, 'saleStart' | 'saleEnd' | 'maxCapacity'>,
  ): Row<Ticket> {
    const row: Row<Ticket> = {
      organizationId: this.organizationId,
      ...this.maker.row(230),
      raceId: race.id,
      eventOccurrenceId: race.eventOccurrenceId,
      eventId: race.eventId,
      position: race.position * 100 + position,
      slug: ticket.slug,
      title: ticket.title,
      titleByLocale: { 'en-GB': ticket.title, ...ticket.titles },
      description: ticket.description ?? '',
      priceValue: String(ticket.price),
      currencyCode: ticket.price === 0 ? 'ZERO' : event.currency,
      approval: ticket.approval ?? 'INSTANT',
      unitSize: ticket.unitSize ?? 1,
      asksDonation: ticket.asksDonation ?? false,
      deletedAt: ticket.deleted ? this.maker.day.at(-5) : null,
      ...sold,
    };
    this.tickets.push(row);
    return row;
  }

  private capacity(name: string, { room, deleted }: DemoTicket): number | null {
    if (deleted) return this.demand.places(name);
    return room === undefined ? null : this.demand.places(name) + room;
  }

  private saleOf(
    { sale }: DemoTicket,
    { startDate }: Row<EventOccurrence>,
  ): Pick<Ticket, 'saleStart' | 'saleEnd'> {
    const { day } = this.maker;
    const start = startDate ? new Date(`${startDate}T00:00:00Z`) : null;
    const opened = start && start < day.at(0) ? start : day.at(0);
    const close = start && before(start, 2);
    if (sale === 'any') return { saleStart: null, saleEnd: null };
    if (sale === 'over') return { saleStart: before(opened, 200), saleEnd: before(opened, 60) };
    return { saleStart: sale === 'soon' ? day.at(21) : before(opened, 200), saleEnd: close };
  }
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the demo's content has no ${name}`);
  return value;
}
