import type { Problem } from '../../problems';
import type { RowRecord, Ticket } from './row-records';

/** The rows of a race: one, or one for each of its tickets. */
export interface RaceRows {
  rows: RowRecord[];
}

export const ticketsOf = ({ rows }: RaceRows): RowRecord[] => rows.filter(({ ticket }) => ticket);

/**
 * Groups the rows of an occurrence by race. A further row of a race must have a ticket, and must not contradict the
 * first one.
 */
export function racesOf(rows: RowRecord[]): { races: RaceRows[]; problems: Problem[] } {
  const races = new Map<string, RaceRows>();
  const slugs = new Map<string, number>();
  const problems: Problem[] = [];
  for (const record of rows) {
    const { row, race, ticket } = record;
    const same = races.get(race.title);
    const first = same?.rows[0];
    const sold = ticket && slugs.get(ticket.ticketSlug);
    const other = first && differenceOf(first.race, race);
    if (first && !ticket) {
      const message = `"${race.title}" is already a race of this event occurrence, in row ${first.row}`;
      problems.push({ row, field: 'races[0].title', message });
    } else if (first && other) {
      const message = `differs from row ${first.row}, which has the same race "${race.title}"`;
      problems.push({ row, field: `races[0].${other}`, message });
    } else if (sold !== undefined) {
      const message = `"${ticket?.ticketSlug}" is already a ticket of this event occurrence, in row ${sold}`;
      problems.push({ row, field: 'races[0].tickets[0].ticketSlug', message });
    } else {
      if (ticket) slugs.set(ticket.ticketSlug, row);
      if (same) same.rows.push(record);
      else races.set(race.title, { rows: [record] });
    }
  }
  return { races: [...races.values()], problems };
}

/** The race with the tickets of its rows. */
export function raceOf(given: RaceRows): RowRecord['race'] {
  const race = {} as RowRecord['race'];
  for (const row of given.rows) fill(race as Record<string, unknown>, row.race);
  const tickets = ticketsOf(given).map(({ ticket }) => ticket as Ticket);
  return tickets.length > 0 ? { ...race, tickets } : race;
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
