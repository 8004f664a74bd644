import { hasZone } from '#platform/validation';
import { problemsOf } from '../../format/check';
import type { RecordOf } from '../../format/records';
import type { FieldProblem, Problem } from '../../problems';
import { slugOf } from '../../slug';
import type { Columns, Target } from './columns';
import { placeOf, zoneOf } from './places';
import type { Cells } from './rows';

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

export interface Reading {
  record?: RowRecord;
  problems: Problem[];
  warnings: Problem[];
  takenFor: Problem[];
}

/** Leaves room for the suffix of an occurrence. */
const EVENT_SLUG_LENGTH = 80;
const NUMBERS: ReadonlySet<Target> = new Set([
  'occurrence.location.coordinates.latitude',
  'occurrence.location.coordinates.longitude',
  'race.distance.value',
]);
/** Minor units and counts, so that `25.00` is rejected and never read as 25, nor `2.000` as 2. */
const WHOLE_NUMBERS: ReadonlySet<Target> = new Set([
  'ticket.price',
  'ticket.price.value',
  'race.maxCapacity',
  'ticket.maxCapacity',
  'ticket.competitorSize',
  'wave.capacity',
]);
/** What is at an instant, and is written in the time of the occurrence. */
const DATE_TIMES: Target[] = ['ticket.saleStart', 'ticket.saleEnd', 'wave.startDateTime'];
const WHOLE_NUMBER = /^-?\d+$/;
const ADDRESS = 'occurrence.location.address';
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const UNKNOWN_ZONE = 'UTC';

/** Converts rows to records, and validates each by the rules of the catalogue format. */
export class RowReader {
  constructor(private readonly columns: Columns) {}

  /** The record of a row, or its problems by column. `takenFor`: warnings that can apply to many rows. */
  read(cells: Cells): Reading {
    const values = this.valuesOf(cells);
    const eventTitle = textOf(values.get('event.title'));
    const eventSlug = slugOf(eventTitle).slice(0, EVENT_SLUG_LENGTH).replace(/-+$/, '');
    const place = this.locate(values);
    const race = nested(values, 'race.') as RowRecord['race'];
    // A unit without a distance is dropped.
    if (race.distance?.value === undefined) delete race.distance;
    const timeZone = textOf(values.get('occurrence.timeZone') ?? place.timeZone ?? UNKNOWN_ZONE);
    const isCertain =
      values.has('occurrence.timeZone') || (place.timeZone !== undefined && !place.oneOfSeveral);
    const waveTime = values.get('wave.startTime') as string | undefined;
    const untimely = this.problemsOfTimes(values, isCertain);
    const ticket = this.has('ticket.', cells.cells) ? ticketOf(values) : undefined;
    const wave = this.has('wave.', cells.cells) ? (nested(values, 'wave.') as Wave) : undefined;
    const occurrence = {
      record: 'occurrence',
      event: eventSlug,
      slug: eventSlug,
      title: eventTitle,
      startDate: race.startDate,
      ...nested(values, 'occurrence.'),
      ...(values.has('occurrence.tags')
        ? { tags: [textOf(values.get('occurrence.tags')).toLowerCase()] }
        : {}),
      timeZone,
      races: [{ ...race, ...(ticket && { tickets: [ticket] }), ...(wave && { waves: [wave] }) }],
    } as Occurrence;
    const at = (problem: FieldProblem): Problem => ({ row: cells.row, ...this.byColumn(problem) });
    const problems = [...this.problemsIn(occurrence, eventSlug), ...untimely].map(at);
    if (problems.length > 0) return { problems, warnings: [], takenFor: [] };
    const { row } = cells;
    const record: RowRecord = {
      row,
      eventTitle,
      eventSlug,
      occurrence,
      race,
      ticket,
      wave,
      waveTime,
      startDate: race.startDate as string,
      withoutZone: !values.has('occurrence.timeZone') && !place.timeZone,
    };
    const warnings = record.withoutZone ? [at(this.withoutZone(values))] : [];
    const takenFor = [...this.taken(cells.cells, place, occurrence)].map(({ field, message }) => ({
      row,
      field,
      message,
    }));
    return { record, problems, warnings, takenFor };
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
    const column = this.columnOf((own ? of : `occurrence.${of}`) as Target) ?? this.sourceOf(of);
    return { field: column ?? (own ? of : field), message };
  }

  /** The column from which a field without a column of its own is derived. */
  private sourceOf(field: string): string | undefined {
    if (field === 'title' || field === 'slug' || field === 'event') return this.columnOf('event.title');
    if (field === 'ticket.ticketSlug') return this.columnOf('ticket.title');
    if (field === 'wave.startDateTime') return this.columnOf('wave.startTime');
    return /^ticket\.price(\.value)?$/.test(field)
      ? (this.columnOf('ticket.price') ?? this.columnOf('ticket.price.value'))
      : undefined;
  }

  /** Whether the row has a value for a ticket, or a wave, that is not the same in every row. */
  private has(prefix: 'ticket.' | 'wave.', cells: string[]): boolean {
    return this.columns.inOrder.some((column, at) => {
      const cell = cells[at] ?? '';
      return column?.to.startsWith(prefix) && cell !== '' && !column.missing.has(cell);
    });
  }

  /** Local times need a time zone that is certain. A wave starts on the day of its race, unless its column has a date. */
  private problemsOfTimes(values: Map<Target, unknown>, isCertain: boolean): FieldProblem[] {
    const [date, time] = [values.get('race.startDate'), values.get('wave.startTime')];
    const problems: FieldProblem[] = [];
    if (time !== undefined && values.has('wave.startDateTime'))
      problems.push({ field: 'races[0].waves[0].startDateTime', message: 'is given by two columns' });
    else if (time !== undefined) values.set('wave.startDateTime', `${date}T${time}`);
    values.delete('wave.startTime');
    if (isCertain) return problems;
    const untimely = DATE_TIMES.filter(
      (target) => values.has(target) && !hasZone(textOf(values.get(target))),
    );
    return [
      ...problems,
      ...untimely.map((target) => ({
        field: target.replace('ticket.', 'races[0].tickets[0].').replace('wave.', 'races[0].waves[0].'),
        message:
          'needs an offset such as +01:00, or a column for occurrence.timeZone: the time zone is not certain',
      })),
    ];
  }

  private valuesOf({ cells, beside = {} }: Cells): Map<Target, unknown> {
    const values = new Map<Target, unknown>(Object.entries(this.columns.values) as [Target, unknown][]);
    for (const [target, text] of Object.entries(beside)) values.set(target as Target, text);
    for (const [at, column] of this.columns.inOrder.entries()) {
      const cell = cells[at] ?? '';
      if (!column || cell === '' || column.missing.has(cell)) continue;
      const isNumber =
        (NUMBERS.has(column.to) && NUMBER.test(cell)) ||
        (WHOLE_NUMBERS.has(column.to) && WHOLE_NUMBER.test(cell));
      // Amounts are in minor units when they are here.
      const to = column.to === 'ticket.price' ? 'ticket.price.value' : column.to;
      values.set(to, isNumber ? Number(cell) : cell);
    }
    return values;
  }

  /** Adds the country code, and the text before the country's name, to the values. */
  private locate(values: Map<Target, unknown>): { timeZone?: string; oneOfSeveral: boolean } {
    const name = values.get(`${ADDRESS}.countryName`);
    const code = values.get(`${ADDRESS}.countryCode`);
    const place = code ? { countryCode: textOf(code) } : placeOf(textOf(name));
    if (!place) return { oneOfSeveral: false };
    values.set(`${ADDRESS}.countryCode`, place.countryCode);
    if ('countyLine' in place && place.countyLine) {
      values.set(`${ADDRESS}.countyLine`, place.countyLine);
      values.set(
        `${ADDRESS}.countryName`,
        textOf(name)
          .slice(textOf(name).lastIndexOf(',') + 1)
          .trim(),
      );
    }
    return zoneOf(place, this.columns.timeZones) ?? { oneOfSeveral: false };
  }

  private problemsIn(occurrence: Occurrence, eventSlug: string): FieldProblem[] {
    const [race] = occurrence.races ?? [];
    const problems = problemsOf(occurrence).filter(
      ({ field }) => eventSlug || (field !== 'slug' && field !== 'event'),
    );
    if (!eventSlug) problems.push({ field: 'event', message: 'must have a letter or a digit' });
    if (race && race.startDate === undefined)
      problems.push({ field: 'races[0].startDate', message: 'is required' });
    // Title, start and the start of the race each come from one column, which is reported once.
    const seen = new Set<string>();
    return problems.filter((problem) => {
      const { field } = this.byColumn(problem);
      return !seen.has(field) && seen.add(field);
    });
  }

  private *taken(
    cells: string[],
    place: { oneOfSeveral: boolean },
    occurrence: Occurrence,
  ): Generator<FieldProblem> {
    for (const [at, column] of this.columns.inOrder.entries()) {
      const cell = cells[at] ?? '';
      if (column?.missing.has(cell)) yield { field: column.name, message: `"${cell}" is treated as unknown` };
    }
    if (place.oneOfSeveral) {
      const field = 'location.address.countryName';
      const { countryCode } = occurrence.location?.address ?? {};
      const message = `${countryCode} has several time zones; ${occurrence.timeZone} is used`;
      yield this.byColumn({ field, message });
    }
  }

  private withoutZone(values: Map<Target, unknown>): FieldProblem {
    const country = values.get(`${ADDRESS}.countryName`) ?? values.get(`${ADDRESS}.countryCode`);
    const why = country === undefined ? 'has no country' : `has an unknown country: "${country}"`;
    return {
      field: 'location.address.countryName',
      message: `${why}; the time zone ${UNKNOWN_ZONE} is used`,
    };
  }

  private columnOf(target: Target): string | undefined {
    return this.columns.inOrder.find((column) => column?.to === target)?.name;
  }
}

const textOf = (value: unknown): string => String(value ?? '');

/**
 * The ticket of a row. Its slug is that of the race and the ticket, unless the row has one: slugs are unique in an
 * occurrence, and races often have tickets with the same title.
 */
function ticketOf(values: Map<Target, unknown>): Ticket {
  const ticket = nested(values, 'ticket.') as Partial<Ticket>;
  const { title, ticketSlug, price } = ticket;
  if (price?.value === 0) price.currencyCode ??= 'ZERO';
  return {
    ...ticket,
    ticketSlug: ticketSlug ?? slugOf(`${textOf(values.get('race.title'))} ${textOf(title)}`),
  } as Ticket;
}

/** `race.distance.value` becomes `{ distance: { value } }`. */
function nested(
  values: Map<Target, unknown>,
  prefix: 'race.' | 'occurrence.' | 'ticket.' | 'wave.',
): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const [target, value] of values) {
    if (!target.startsWith(prefix)) continue;
    const path = target.slice(prefix.length).split('.');
    const last = path.pop() as string;
    let part = whole;
    for (const step of path) {
      part[step] ??= {};
      part = part[step] as Record<string, unknown>;
    }
    part[last] = value;
  }
  return whole;
}
