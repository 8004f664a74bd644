import { hasZone, instantOf, mustBeCertain, readLocal } from '#platform/validation';
import { type Problem, problem } from './outcomes';
import { type BrokenRule, when } from './row-rules';

type Time = string | null | undefined;

const MUST_HAVE_ZONE =
  'must have a zone, such as 2027-05-01T23:59:00+02:00 or 2027-05-01T21:59:00Z, because the row does not name one event ' +
  'with one time zone, whose local time it could be';

/** A time without a zone is refused, unless it `isLocal`: the row names one event. */
export const brokenZone = (path: string, time: Time, isLocal: boolean): BrokenRule[] =>
  when([time && !hasZone(time) && !isLocal, path, 'TIME_ZONE_REQUIRED', MUST_HAVE_ZONE]);

/** A deadline, or an end of a window: without a zone it is local to the event, and must exist once. */
export function problemOfLocalTime(
  path: string,
  time: Time,
  timeZone: string | null | undefined,
): Problem | undefined {
  if (!time || hasZone(time)) return undefined;
  if (!timeZone) return problem(path, 'TIME_ZONE_REQUIRED', MUST_HAVE_ZONE);
  const { doubt } = readLocal(time, timeZone);
  return doubt && problem(path, 'AMBIGUOUS_TIME', mustBeCertain(doubt));
}

/** A time of a row as it is stored: without a zone, it is local to the event. */
export const instantIn = (timeZone: string | null | undefined, time: string): string | undefined =>
  timeZone && !hasZone(time) ? readLocal(time, timeZone).instant : instantOf(time);
