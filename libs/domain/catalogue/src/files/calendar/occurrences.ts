import { type Candidate, type Match, plain } from '#libs/sheets';
import type { RecordOf } from '../../format/records';
import type { FieldProblem, Problem } from '../../problems';
import { slugOf } from '../../slug';
import type { SourceProblem, SourceRecord } from '../source';
import type { WaveDay } from './races';
import { fill, type RaceRows, raceOf, racesOf, ticketsOf, wavesOf } from './races';
import type { RowReader, RowRecord } from './row-records';

/** Races of an event in one country that start within this many days belong to the same occurrence. */
const OCCURRENCE_DAYS = 14;
const DAY_MS = 86_400_000;

/** An occurrence that is stored already. */
export interface StoredOccurrence {
  slug: string;
  event: string;
  city: string | null;
  startDate: string | null;
  /** It has not been yet. */
  isUpcoming: boolean;
}

interface Calendar {
  reader: RowReader;
  waveDay?: WaveDay;
  /** The fields that have columns. */
  columns: readonly string[];
}

/** Rows of one occurrence, and its slug. */
interface Group {
  rows: RowRecord[];
  slug: string;
  /** Nobody has said whether it has moved. */
  isOpen: boolean;
  /** Of a file of failed rows: the stored occurrence that has the others. */
  others?: StoredOccurrence | undefined;
}

/**
 * Groups rows into events and occurrences. Titles with the same slug are one event. Its rows are grouped into
 * occurrences by country, city and date, so a race in April and in November, or in two cities, has two occurrences.
 */
export class Occurrences {
  /** Occurrences at other dates than the stored ones that the file lacks: they have moved, or are new. */
  readonly matches = new Map<string, Match>();
  readonly candidates: Candidate[] = [];
  private readonly groups: Group[];

  /**
   * @param answers the slug of the stored occurrence that has moved, or `new`, by occurrence
   * @param isPart the rows are those that failed of a file: the others are stored, and stay as they are
   */
  constructor(
    private readonly rows: readonly RowRecord[],
    private readonly stored: readonly StoredOccurrence[],
    private readonly answers: Record<string, string>,
    private readonly isPart: boolean,
  ) {
    this.groups = [...groups(rows, ({ eventSlug }) => eventSlug)].flatMap((ofEvent) => this.ofEvent(ofEvent));
  }

  *records(calendar: Calendar): Generator<SourceRecord | SourceProblem> {
    const { reader } = calendar;
    for (const ofEvent of groups(this.rows, ({ eventSlug }) => eventSlug)) {
      const [first] = ofEvent as [RowRecord];
      yield* otherTitles(ofEvent, reader);
      if (!this.isPart || !this.stored.some(({ event }) => event === first.eventSlug))
        yield {
          row: first.row,
          rows: [],
          value: { record: 'event', slug: first.eventSlug, title: first.eventTitle },
          locate: (problem) => ({ row: first.row, ...reader.byColumn(problem) }),
        };
      for (const group of this.groups) {
        if (group.rows[0]?.eventSlug !== first.eventSlug) continue;
        if (group.isOpen) yield* group.rows.map((row) => undecided(row, reader));
        else yield* occurrenceOf(group, calendar);
      }
    }
  }

  private ofEvent(rows: RowRecord[]): Group[] {
    const found = [...cut(rows)];
    const stored = this.stored.filter(({ event }) => event === rows[0]?.eventSlug);
    const others = this.isPart ? stored.map(({ city }) => plain(city ?? '')) : [];
    const severalCities = new Set([...found.map(cityOf), ...others]).size > 1;
    const taken = new Set(stored.map(({ slug }) => slug));
    const isSame = this.isPart ? isNear : isEqual;
    const same = found.map((group) => stored.find((each) => isSame(each, group)));
    const missing = stored.filter((each) => each.isUpcoming && !this.isPart && !same.includes(each));
    return found.map((group, at) => {
      const { id, stored: before } = same[at] ? { id: 'same', stored: same[at] } : this.moved(group, missing);
      return {
        rows: group,
        slug: before?.slug ?? slugFor(group, severalCities, taken),
        isOpen: id === undefined,
        ...(this.isPart && { others: before }),
      };
    });
  }

  /** The stored occurrence that has moved to another date, as somebody said. */
  private moved(
    group: RowRecord[],
    missing: readonly StoredOccurrence[],
  ): { id?: string; stored?: StoredOccurrence } {
    const [{ eventTitle, startDate }] = group as [RowRecord];
    const inCity = missing.filter(({ city }) => plain(city ?? '') === cityOf(group));
    const [before] = inCity;
    if (!before) return { id: 'new' };
    const text = [eventTitle, group[0]?.occurrence.location?.address?.city, startDate]
      .filter(Boolean)
      .join(', ');
    const id = this.answers[text];
    this.matches.set(text, {
      ...{ text, key: text, count: group.length, of: text, close: before.slug },
      ...(id && { id }),
    });
    const choices = [
      ...inCity.map(({ slug, startDate: date }) => ({
        id: slug,
        label: `The one of ${date}, which moved`,
        names: date ? [date] : [],
      })),
      { id: 'new', label: 'A new one', names: [] },
    ];
    this.candidates.push(...choices.map((each) => ({ ...each, of: text })));
    const stored = inCity.find(({ slug }) => slug === id);
    return { ...(id && { id }), ...(stored && { stored }) };
  }
}

const undecided = ({ row }: RowRecord, reader: RowReader): SourceProblem => {
  const message = 'is another date than that of the stored occurrence, which may have moved';
  return { problem: { row, ...reader.byColumn({ field: 'startDate', message }) } };
};

const cityOf = (rows: readonly RowRecord[]): string =>
  plain(rows.map(({ occurrence }) => occurrence.location?.address?.city).find(Boolean) ?? '');

const isEqual = ({ city, startDate }: StoredOccurrence, rows: readonly RowRecord[]): boolean =>
  startDate === rows[0]?.startDate && plain(city ?? '') === cityOf(rows);
const isNear = ({ city, startDate }: StoredOccurrence, rows: readonly RowRecord[]): boolean =>
  Math.abs(Date.parse(rows[0]?.startDate ?? '') - Date.parse(startDate ?? '')) <= OCCURRENCE_DAYS * DAY_MS &&
  ['', plain(city ?? '')].includes(cityOf(rows));

function groups(rows: readonly RowRecord[], keyOf: (row: RowRecord) => string): Iterable<RowRecord[]> {
  const byKey = new Map<string, RowRecord[]>();
  for (const row of rows) {
    const group = byKey.get(keyOf(row));
    if (group) group.push(row);
    else byKey.set(keyOf(row), [row]);
  }
  return byKey.values();
}

/** Reports titles with the same slug that differ in more than case. */
function* otherTitles(rows: RowRecord[], reader: RowReader): Generator<SourceProblem> {
  const [first] = rows as [RowRecord];
  const seen = new Set([first.eventTitle.toLowerCase()]);
  for (const { row, eventTitle } of rows) {
    const title = eventTitle.toLowerCase();
    if (seen.has(title)) continue;
    seen.add(title);
    const message = `"${eventTitle}" is treated as the event "${first.eventTitle}" of row ${first.row}`;
    yield { warning: true, problem: { row, ...reader.byColumn({ field: 'event', message }) } };
  }
}

function* cut(rows: RowRecord[]): Generator<RowRecord[]> {
  const address = ({ occurrence }: RowRecord) => occurrence.location?.address;
  for (const inCountry of groups(rows, (row) => address(row)?.countryCode ?? '')) {
    const cities = [...groups(inCountry, (row) => plain(address(row)?.city ?? ''))];
    const named = cities.filter((inCity) => cityOf(inCity) !== '');
    // Rows without a city are those of the only one.
    for (const inCity of named.length === 1 ? [inCountry] : cities) yield* cutByDate(inCity);
  }
}

function* cutByDate(rows: RowRecord[]): Generator<RowRecord[]> {
  const byDate = rows.toSorted((a, b) => a.startDate.localeCompare(b.startDate) || a.row - b.row);
  let together: RowRecord[] = [];
  for (const row of byDate) {
    const [first] = together;
    if (first && Date.parse(row.startDate) - Date.parse(first.startDate) > OCCURRENCE_DAYS * DAY_MS) {
      yield together;
      together = [];
    }
    together.push(row);
  }
  yield together;
}

/** The city, if the event is in several, and the year; for a second occurrence in the year also the month, and so on. */
function slugFor(rows: RowRecord[], severalCities: boolean, taken: Set<string>): string {
  const [{ eventSlug, startDate, occurrence }] = rows as [RowRecord];
  const city = severalCities ? slugOf(occurrence.location?.address?.city ?? '') : '';
  const start = [eventSlug, city].filter(Boolean).join('-');
  const longer = [4, 7, 10].map((length) => `${start}-${startDate.slice(0, length)}`);
  for (let more = 2; ; more += 1) {
    const slug = longer.find((each) => !taken.has(each));
    if (slug) {
      taken.add(slug);
      return slug;
    }
    longer.push(`${start}-${startDate}-${more}`);
  }
}

function* occurrenceOf(
  { rows, slug, others }: Group,
  { reader, waveDay, columns }: Calendar,
): Generator<SourceRecord | SourceProblem> {
  const { races, problems } = racesOf(rows, waveDay);
  for (const { row, code, ...problem } of problems)
    yield { problem: { row, ...reader.byColumn(problem), ...(code && { code }) } };
  const used = races.flatMap((race) => race.rows);
  const [first] = used;
  if (!first) return;
  yield {
    row: first.row,
    rows: used.map(({ row }) => row),
    value: structuredClone(mergeOf(used, races, slug, others)),
    columns: others ? columns.filter((path) => !path.startsWith('occurrence.')) : columns,
    locate: (problem) => locate(problem, races, reader),
  };
}

/** Merges the rows: for each field, the first row that has a value. Of an occurrence that has other rows, only the races. */
function mergeOf(
  rows: RowRecord[],
  races: RaceRows[],
  slug: string,
  others?: StoredOccurrence,
): RecordOf<'occurrence'> {
  const merged = {} as RecordOf<'occurrence'>;
  for (const { occurrence } of rows) fill(merged as Record<string, unknown>, occurrence);
  const tags = [...new Set(rows.flatMap(({ occurrence }) => occurrence.tags ?? []))];
  const zone = rows.find(({ withoutZone }) => !withoutZone) ?? rows[0];
  const own = { slug, races: races.map(raceOf) };
  if (others) {
    const { record, event, startDate } = merged;
    const [first = startDate] = [others.startDate, startDate].filter((day) => typeof day === 'string').sort();
    // What it lacks is stored.
    return { record, event, startDate: first, ...own } as RecordOf<'occurrence'>;
  }
  const timeZone = zone?.occurrence.timeZone ?? merged.timeZone;
  return { ...merged, ...own, timeZone, ...(tags.length > 0 ? { tags } : {}) };
}

const FIELD = /^races\[(\d+)\](?:\.(tickets|waves)\[(\d+)\])?/;

/** The row and column of a problem of the merged occurrence. */
function locate({ field, message }: FieldProblem, races: RaceRows[], reader: RowReader): Problem {
  const rowOf = (path: string): RowRecord => {
    const [, raceAt = '0', list, at] = FIELD.exec(path) ?? [];
    const race = (races[Number(raceAt)] ?? races[0]) as RaceRows;
    const rows = list === undefined ? race.rows : list === 'tickets' ? ticketsOf(race) : wavesOf(race);
    return (rows[Number(at ?? 0)] ?? race.rows[0]) as RowRecord;
  };
  // The path of another ticket, such as the one whose currency differs.
  const said = message.replace(/races\[\d+\]\.tickets\[\d+\][.\w]*/, (path) => `row ${rowOf(path).row}`);
  return { row: rowOf(field).row, ...reader.byColumn({ field, message: said }) };
}
