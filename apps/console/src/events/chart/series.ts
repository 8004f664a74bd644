import type { OccurrenceEntries } from '../../api';
import { dayAfter, daysBetween } from '../edit/local-time';

export const SOURCES = ['website', 'api', 'dashboard'] as const;
export type Source = (typeof SOURCES)[number];

/** A day of the chart. */
export interface Point {
  day: string;
  /** Of the day, or of all days until then. */
  bySource: Record<Source, number>;
  entries: number;
  /** Of the edition before, as many days before its race; undefined without one. */
  previous: number | undefined;
}

export const RANGES = [30, 90, 365, 0] as const;

const NONE: Record<Source, number> = { website: 0, api: 0, dashboard: 0 };

/**
 * Every day of a range, with and without entries, up to the last day with entries or today.
 *
 * @param range the most days; 0 for all
 * @param source counts its entries only
 */
export function pointsOf(
  { days, startDate, previous }: OccurrenceEntries,
  {
    range,
    cumulative,
    source,
    today,
  }: { range: number; cumulative: boolean; source?: Source; today: string },
): Point[] {
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last) return [];
  const lastDay = last.day > today || (startDate !== null && startDate < today) ? last.day : today;
  const known = new Map(days.map((day) => [day.day, day]));
  const sources: readonly Source[] = source ? [source] : SOURCES;
  const sum = (day: Record<Source, number>) => sources.reduce((all, each) => all + day[each], 0);
  // The edition before, on the days of this one.
  const shift = startDate && previous ? daysBetween(previous.startDate, startDate) : 0;
  const before = new Map((previous?.days ?? []).map((day) => [dayAfter(day.day, shift), sum(day)]));
  const firstDay = range === 0 ? first.day : maxOf(first.day, dayAfter(lastDay, 1 - range));
  const bySource = { ...NONE };
  let former = 0;
  const add = (day: Record<Source, number> | undefined) => {
    for (const each of sources) bySource[each] = (cumulative ? bySource[each] : 0) + (day?.[each] ?? 0);
  };
  if (cumulative) {
    for (const day of days) if (day.day < firstDay) add(day);
    for (const [day, count] of before) if (day < firstDay) former += count;
  }
  return Array.from({ length: daysBetween(firstDay, lastDay) + 1 }, (_, index): Point => {
    const day = dayAfter(firstDay, index);
    add(known.get(day));
    former = (cumulative ? former : 0) + (before.get(day) ?? 0);
    return {
      day,
      bySource: { ...bySource },
      entries: sum(bySource),
      previous: previous && startDate ? former : undefined,
    };
  });
}

const maxOf = (a: string, b: string) => (a > b ? a : b);

/** Round values for an axis, from 0 to at least the greatest one. */
export function ticksOf(most: number): number[] {
  const rough = Math.max(1, most) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough);
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, index) => index * step);
}
