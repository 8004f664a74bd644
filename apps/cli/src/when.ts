import { InvalidArgumentError } from 'commander';
import { isPlainDate } from '#platform/validation';

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const lengthOf = (text: string): number | undefined => {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  return count && unit ? Number(count) * (UNITS[unit] as number) : undefined;
};

/** `30m`, `24h` or `7d`, in milliseconds. */
export function duration(text: string): number {
  const length = lengthOf(text);
  if (length === undefined) throw new InvalidArgumentError('It must be a duration such as 30m, 24h or 7d.');
  return length;
}

/** A duration from now, or a time in ISO 8601. */
export const fromNow = (text: string): Date => moment(text, 1);

/** A duration before now, or a time in ISO 8601. */
export const ago = (text: string): Date => moment(text, -1);

function moment(text: string, sign: 1 | -1): Date {
  const length = lengthOf(text);
  if (length !== undefined) return new Date(Date.now() + sign * length);
  // A time without a zone would depend on the machine, so it is refused. A date alone means midnight UTC.
  const named = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const time = new Date(text);
  // The engine takes 31 June for 1 July.
  if (!named || !isPlainDate(text.slice(0, 10)) || Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError(
      'It must be a duration such as 24h or 7d, or a time such as 2027-01-31T12:00:00Z.',
    );
  }
  return time;
}
