import type { RecordOf } from '../../format/records';
import type { FieldProblem, Problem } from '../../problems';
import type { SourceProblem, SourceRecord } from '../source';
import { fill, type RaceRows, raceOf, racesOf, ticketsOf, wavesOf } from './races';
import type { RowReader, RowRecord } from './row-records';
import type { WaveDay } from './rows';

/** Races of an event in one country that start within this many days belong to the same occurrence. */
const OCCURRENCE_DAYS = 14;
const DAY_MS = 86_400_000;

/**
 * Groups rows into events and occurrences. Titles with the same slug are one event. Its rows are grouped into
 * occurrences by country and date, so a race in April and in November has two occurrences.
 *
 * @param rows every row of each event that they belong to
 */
export function* occurrencesOf(
  rows: RowRecord[],
  calendar: { reader: RowReader; waveDay?: WaveDay },
): Generator<SourceRecord | SourceProblem> {
  const { reader } = calendar;
  for (const ofEvent of groups(rows, ({ eventSlug }) => eventSlug)) {
    const [first] = ofEvent as [RowRecord];
    yield* otherTitles(ofEvent, reader);
    yield {
      row: first.row,
      rows: [],
      value: { record: 'event', slug: first.eventSlug, title: first.eventTitle },
      locate: (problem) => ({ row: first.row, ...reader.byColumn(problem) }),
    };
    const slugs = new Set<string>();
    for (const together of cut(ofEvent)) yield* occurrenceOf(together, slugFor(together, slugs), calendar);
  }
}

function groups(rows: RowRecord[], keyOf: (row: RowRecord) => string): Iterable<RowRecord[]> {
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
  const byCountry = groups(rows, ({ occurrence }) => occurrence.location?.address?.countryCode ?? '');
  for (const inCountry of byCountry) {
    const byDate = inCountry.toSorted((a, b) => a.startDate.localeCompare(b.startDate) || a.row - b.row);
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
}

/** The year; for a second occurrence in the year also the month, and so on. */
function slugFor([first]: RowRecord[], taken: Set<string>): string {
  const { eventSlug, startDate } = first as RowRecord;
  const longer = [4, 7, 10].map((length) => `${eventSlug}-${startDate.slice(0, length)}`);
  for (let more = 2; ; more += 1) {
    const slug = longer.find((each) => !taken.has(each));
    if (slug) {
      taken.add(slug);
      return slug;
    }
    longer.push(`${eventSlug}-${startDate}-${more}`);
  }
}

function* occurrenceOf(
  rows: RowRecord[],
  slug: string,
  { reader, waveDay }: { reader: RowReader; waveDay?: WaveDay },
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
    value: mergeOf(used, races, slug),
    locate: (problem) => locate(problem, races, reader),
  };
}

/** Merges the rows: for each field, the first row that has a value. */
function mergeOf(rows: RowRecord[], races: RaceRows[], slug: string): RecordOf<'occurrence'> {
  const merged = {} as RecordOf<'occurrence'>;
  for (const { occurrence } of rows) fill(merged as Record<string, unknown>, occurrence);
  const tags = [...new Set(rows.flatMap(({ occurrence }) => occurrence.tags ?? []))];
  const zone = rows.find(({ withoutZone }) => !withoutZone) ?? rows[0];
  return {
    ...merged,
    slug,
    timeZone: zone?.occurrence.timeZone ?? merged.timeZone,
    ...(tags.length > 0 ? { tags } : {}),
    races: races.map(raceOf),
  };
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
