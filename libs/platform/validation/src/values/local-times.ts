import { LRUCache } from 'lru-cache';
import { instantOf } from './times';

/** What a time without a zone means in a time zone. */
export interface LocalReading {
  /** The instant. Of several readings, the first: with the offset before the change of clocks. */
  instant: string;
  /** Where clocks change: both readings of a time that exists twice, or not at all. */
  doubt?: Doubt;
}

interface Doubt {
  /** The end of a sentence about the time. */
  what: string;
  readings: string[];
}

const DAY_MS = 86_400_000;
/** Of the zones that were used; each is expensive to make. There are a few hundred, but each can be written in any capitalization. */
const clocks = new LRUCache<string, Intl.DateTimeFormat>({ max: 1_000 });

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  clocks.set(timeZone, made);
  return made;
}

/** How much later a clock in the zone is than UTC, at a whole second. */
function offsetAt(at: number, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - at;
}

/**
 * Reads `2027-05-01T09:00:00` as a clock in the zone shows it.
 *
 * @param local a valid time without a zone
 */
export function readLocal(local: string, timeZone: string): LocalReading {
  const inUtc = instantOf(local) as string;
  // Others can be in a year that no column has.
  if (inUtc < '1000-01-02' || inUtc > '9999-12-30') return { instant: inUtc };
  const shown = Date.parse(`${inUtc.slice(0, 19)}Z`);
  const offsets = [shown - DAY_MS, shown + DAY_MS].map((near) => offsetAt(near, timeZone));
  const possible = [...new Set(offsets)].map((offset) => shown - offset);
  const existing = possible.filter((at) => at + offsetAt(at, timeZone) === shown);
  const [first] = existing.length > 0 ? existing : possible;
  const instant = `${new Date(first as number).toISOString().slice(0, 19)}${inUtc.slice(19)}`;
  if (existing.length === 1) return { instant };
  const what = `${existing.length > 1 ? 'exists twice' : 'does not exist'} in ${timeZone}, because clocks change`;
  return { instant, doubt: { what, readings: possible.map((at) => written(at, timeZone)) } };
}

/** The rule for times that must be certain. */
export const mustBeCertain = ({ what, readings }: Doubt): string => `${what}: write ${readings.join(' or ')}`;

/** `2027-05-01T09:00:00+02:00` */
function written(at: number, timeZone: string): string {
  const offset = offsetAt(at, timeZone);
  const amount = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  return `${new Date(at + offset).toISOString().slice(0, 19)}${offset < 0 ? '-' : '+'}${amount}`;
}
