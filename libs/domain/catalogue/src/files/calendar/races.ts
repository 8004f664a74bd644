import type { Problem } from '../../problems';
import type { RowRecord, Ticket, Wave } from './row-records';

const DAY_MS = 86_400_000;

/** The day of waves whose time is before that of their race: that of the race, or the next one. */
export type WaveDay = 'same' | 'next';

/** The rows of a race: one, or one for each of its tickets and waves. */
export interface RaceRows {
  rows: RowRecord[];
}

export const ticketsOf = ({ rows }: RaceRows): RowRecord[] => rows.filter(({ ticket }) => ticket);
export const wavesOf = ({ rows }: RaceRows): RowRecord[] => rows.filter(({ wave }) => wave);

/**
 * Groups the rows of an occurrence by race. A further row of a race must have another ticket or wave, and must not contradict
 * earlier ones. A ticket can be repeated in rows of its waves, and a wave in rows of its tickets.
 */
export function racesOf(
  rows: RowRecord[],
  waveDay: WaveDay | undefined,
): { races: RaceRows[]; problems: Problem[] } {
  const races = new Map<string, RaceRows>();
  const tickets = new Map<string, RowRecord>();
  const problems: Problem[] = [];
  for (const record of rows) {
    const { row, race, ticket, wave } = record;
    const same = races.get(race.title);
    const first = same?.rows[0];
    const other = first && differenceOf(first.race, race);
    const sold = ticket && tickets.get(ticket.ticketSlug);
    const begun = wave && same?.rows.find((each) => each.wave?.title === wave.title);
    const isNew = (ticket && !sold) || (wave && !begun);
    const refuse = (field: string, message: string) =>
      problems.push({ row, field: `races[0].${field}`, message });
    if (first && !ticket && !wave)
      refuse('title', `"${race.title}" is already a race of this event occurrence, in row ${first.row}`);
    else if (first && other)
      refuse(other, `differs from row ${first.row}, which has the same race "${race.title}"`);
    else if (sold && !(isNew && sold.race.title === race.title && isSame(sold.ticket, ticket)))
      refuse(
        'tickets[0].ticketSlug',
        `"${ticket?.ticketSlug}" is already a ticket of this event occurrence, in row ${sold.row}`,
      );
    else if (begun && !(isNew && isSame(begun.wave, wave)))
      refuse('waves[0].title', `"${wave?.title}" is already a wave of this race, in row ${begun.row}`);
    else {
      const added = { ...record, ticket: sold ? undefined : ticket, wave: begun ? undefined : wave };
      if (ticket && !sold) tickets.set(ticket.ticketSlug, record);
      if (same) same.rows.push(added);
      else races.set(race.title, { rows: [added] });
    }
  }
  const begin = [...races.values()].map((race) => {
    const begun = withWaveDays(race, waveDay);
    problems.push(...begun.problems);
    return begun.race;
  });
  return { races: begin.filter((race) => race.rows.length > 0), problems };
}

/** A wave with a time before that of its race starts on the next day or before its race: only people know. */
function withWaveDays(
  { rows }: RaceRows,
  waveDay: WaveDay | undefined,
): { race: RaceRows; problems: Problem[] } {
  const start = rows.find(({ race }) => race.startTime)?.race.startTime;
  const problems: Problem[] = [];
  const certain = rows.flatMap((record): RowRecord[] => {
    const { row, wave, waveTime, startDate } = record;
    if (!wave || !waveTime || !start || waveTime >= start || waveDay === 'same') return [record];
    if (waveDay === 'next') {
      const nextDay = new Date(Date.parse(startDate) + DAY_MS).toISOString().slice(0, 10);
      return [{ ...record, wave: { ...wave, startDateTime: `${nextDay}T${waveTime}` } }];
    }
    const message =
      `is ${waveTime}, before its race at ${start}: give its date in wave.startDateTime, or say on which day such waves start ` +
      '(--wave-day next or --wave-day same)';
    problems.push({ row, field: 'races[0].waves[0].startDateTime', message, code: 'WAVE_BEFORE_RACE' });
    return [];
  });
  return { race: { rows: certain }, problems };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The race with the tickets and waves of its rows. */
export function raceOf(given: RaceRows): RowRecord['race'] {
  const race = {} as RowRecord['race'];
  for (const row of given.rows) fill(race as Record<string, unknown>, row.race);
  const tickets = ticketsOf(given).map(({ ticket }) => ticket as Ticket);
  const waves = wavesOf(given).map(({ wave }) => wave as Wave);
  return { ...race, ...(tickets.length > 0 && { tickets }), ...(waves.length > 0 && { waves }) };
}

/** The first field that both have, with different values. */
function differenceOf(first: object, second: object): string | undefined {
  for (const [key, value] of Object.entries(second)) {
    const before = (first as Record<string, unknown>)[key];
    if (before === undefined) continue;
    if (typeof value === 'object') {
      const within = differenceOf(before as object, value as object);
      if (within) return `${key}.${within}`;
    } else if (before !== value) return key;
  }
  return undefined;
}

/** Adds the values that are absent. */
export function fill(whole: Record<string, unknown>, given: object): void {
  for (const [key, value] of Object.entries(given)) {
    const has = whole[key];
    if (has === undefined) whole[key] = structuredClone(value);
    else if (typeof has === 'object' && has !== null && !Array.isArray(has)) {
      fill(has as Record<string, unknown>, value as object);
    }
  }
}
