import { columnFor, type FileMapping, type Item, isBlank, type Sheet, textOf } from '#libs/sheets';
import { hasZone } from '#platform/validation';
import { problemsOf } from '../../format/check';
import type { RecordOf } from '../../format/records';
import type { FieldProblem, Problem } from '../../problems';
import { slugOf } from '../../slug';
import { locate, UNKNOWN_ZONE, Zones } from './places';

type Occurrence = RecordOf<'occurrence'>;

type Race = NonNullable<Occurrence['races']>[number];
export type Ticket = NonNullable<Race['tickets']>[number];
export type Wave = NonNullable<Race['waves']>[number];

/** The content of a row: an occurrence with one race, the title of the event, and the ticket and wave that the row may have. */
export interface RowRecord {
  row: number;
  eventTitle: string;
  eventSlug: string;
  occurrence: Occurrence;
  race: Race;
  ticket?: Ticket;
  wave?: Wave;
  /** Of a wave whose column has a time without a date: it may be meant on the next day. */
  waveTime?: string;
  startDate: string;
  /** The time zone if none is known. */
  withoutZone: boolean;
}

/** A row of the plan. */
interface Body {
  event: { title: string };
  race: Race;
  occurrence?: Partial<Omit<Occurrence, 'tags'>> & { tags?: string };
  ticket?: Partial<Ticket>;
  wave?: Partial<Wave> & { startTime?: string };
}

/** Leaves room for the suffix of an occurrence. */
const EVENT_SLUG_LENGTH = 80;

/** Makes records of the rows of a plan, and validates each by the rules of the catalogue format. */
export class RowReader {
  readonly zones: Zones;

  constructor(
    private readonly sheet: Pick<Sheet, 'columns'>,
    private readonly mapping: FileMapping,
  ) {
    this.zones = new Zones(mapping.matches?.timeZone ?? {});
  }

  /** The record of a row, or its problems by column. */
  read(item: Item): { record?: RowRecord; problems: Problem[]; warnings: Problem[] } {
    const row = item.rows[0]?.line ?? 0;
    const body = structuredClone(item.body) as unknown as Body;
    const { event, race: given, ticket: sold = {}, wave: begun = {} } = body;
    const own: NonNullable<Body['occurrence']> = body.occurrence ?? {};
    const eventSlug = slugOf(event.title).slice(0, EVENT_SLUG_LENGTH).replace(/-+$/, '');
    const place = locate(own as Occurrence);
    const zone = own.timeZone
      ? { timeZone: own.timeZone, isCertain: true, isOpen: false }
      : this.zones.of(place);
    const { distance, ...others } = given;
    // A unit without a distance is dropped.
    const race = { ...others, ...(distance?.value !== undefined && { distance }) };
    const ticket = this.has('ticket.', item) ? ticketOf(sold, race.title) : undefined;
    const { startTime: waveTime, ...wave } = begun as Wave & { startTime?: string };
    const hasWave = this.has('wave.', item);
    const problems: FieldProblem[] = [];
    if (waveTime && wave.startDateTime)
      problems.push({ field: 'races[0].waves[0].startDateTime', message: 'is given by two columns' });
    else if (waveTime) wave.startDateTime = `${race.startDate}T${waveTime}`;
    if (zone.isOpen)
      problems.push({
        field: 'location.address.countryName',
        message: `${place?.countryCode ? 'has several time zones' : 'is not known'}: say which time zone it is`,
      });
    else if (!zone.isCertain) problems.push(...untimely(ticket, hasWave ? wave : undefined));
    const occurrence = {
      record: 'occurrence',
      event: eventSlug,
      slug: eventSlug,
      title: event.title,
      startDate: race.startDate,
      ...own,
      ...(own.tags !== undefined && { tags: [own.tags] }),
      timeZone: zone.timeZone,
      races: [{ ...race, ...(ticket && { tickets: [ticket] }), ...(hasWave && { waves: [wave] }) }],
    } as Occurrence;
    const at = (problem: FieldProblem): Problem => ({ row, ...this.byColumn(problem) });
    const found = [...this.problemsIn(occurrence, eventSlug), ...problems].map(at);
    if (found.length > 0) return { problems: found, warnings: [] };
    const withoutZone = !own.timeZone && !place;
    const message = `has no country; a new occurrence gets the time zone ${UNKNOWN_ZONE}`;
    const record: RowRecord = {
      ...{ row, eventTitle: event.title, eventSlug, occurrence, race, ticket },
      ...(hasWave && { wave, waveTime }),
      ...{ startDate: race.startDate as string, withoutZone },
    };
    return {
      record,
      problems: [],
      warnings: withoutZone ? [at({ field: 'location.address.countryName', message })] : [],
    };
  }

  /** Reports a problem of a field under the name of its column. */
  byColumn({ field, message }: FieldProblem): FieldProblem {
    // An occurrence starts when its first race does.
    const of = field
      .replace(/^races\[\d+\]\.tickets\[\d+\]\./, 'ticket.')
      .replace(/^races\[\d+\]\.waves\[\d+\]\./, 'wave.')
      .replace(/^races\[\d+\]\./, 'race.')
      .replace(/^startDate$/, 'race.startDate');
    const own = /^(race|ticket|wave)\./.test(of);
    const column = columnFor(this.mapping, own ? of : `occurrence.${of}`) ?? this.sourceOf(of);
    return { field: column ?? (own ? of : field), message };
  }

  /** The column from which a field without a column of its own is derived. */
  private sourceOf(field: string): string | undefined {
    const columnOf = (path: string) => columnFor(this.mapping, path);
    if (field === 'title' || field === 'slug' || field === 'event') return columnOf('event.title');
    if (field === 'ticket.ticketSlug') return columnOf('ticket.title');
    if (field === 'wave.startDateTime') return columnOf('wave.startTime');
    if (field === 'race.distance.unit') return columnOf('race.distance.value');
    return field === 'ticket.price' ? columnOf('ticket.price.value') : undefined;
  }

  /** Whether the row has a value for a ticket, or a wave, that is not the same in every row. */
  private has(prefix: 'ticket.' | 'wave.', { rows }: Item): boolean {
    const { columns, missing = {} } = this.mapping;
    return this.sheet.columns.some((name, at) => {
      const cell = rows[0]?.cells[at];
      return (
        columns[name]?.startsWith(prefix) && !isBlank(cell) && !missing[name]?.includes(textOf(cell).trim())
      );
    });
  }

  private problemsIn(occurrence: Occurrence, eventSlug: string): FieldProblem[] {
    const problems = problemsOf(occurrence).filter(
      ({ field }) => eventSlug || (field !== 'slug' && field !== 'event'),
    );
    if (!eventSlug) problems.push({ field: 'event', message: 'must have a letter or a digit' });
    // Title, start and the start of the race each come from one column, which is reported once.
    const seen = new Set<string>();
    return problems.filter((problem) => {
      const { field } = this.byColumn(problem);
      return !seen.has(field) && seen.add(field);
    });
  }
}

/** What is at an instant, and is written in the time of the occurrence, needs a time zone that is certain. */
function untimely(ticket: Ticket | undefined, wave: Wave | undefined): FieldProblem[] {
  const times: Record<string, string | null | undefined> = {
    'races[0].tickets[0].saleStart': ticket?.saleStart,
    'races[0].tickets[0].saleEnd': ticket?.saleEnd,
    'races[0].waves[0].startDateTime': wave?.startDateTime,
  };
  const message =
    'needs an offset such as +01:00, or a column for occurrence.timeZone: the time zone is not certain';
  return Object.entries(times).flatMap(([field, time]) =>
    time && !hasZone(time) ? [{ field, message }] : [],
  );
}

/**
 * The ticket of a row. Its slug is that of the race and the ticket, unless the row has one: slugs are unique in an
 * occurrence, and races often have tickets with the same title.
 */
function ticketOf(ticket: Partial<Ticket>, race: string): Ticket {
  const { title, ticketSlug, price } = ticket;
  if (price?.value === 0) price.currencyCode ??= 'ZERO';
  return { ...ticket, ticketSlug: ticketSlug ?? slugOf(`${race} ${title ?? ''}`) } as Ticket;
}
