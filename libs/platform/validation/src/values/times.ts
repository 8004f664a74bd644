const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+\- ]\d{2}:?\d{2})?$/i;

/** Whether the text is a date that exists, as YYYY-MM-DD. */
export function isPlainDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (!year || !month || !day) return false;
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** @param date a date that exists, as YYYY-MM-DD */
export const isBirthDate = (date: string): boolean =>
  date >= '1900-01-01' && date <= new Date().toISOString().slice(0, 10);

export const BIRTH_DATE_RULE = 'must be between 1900-01-01 and today';

/** Whether a time says what it is wherever it is read. */
export const hasZone = (text: string): boolean => DATE_TIME.exec(text)?.[6] !== undefined;

/**
 * Converts a time of a request to `YYYY-MM-DDTHH:MM:SS.ffffffZ` (docs/interface.md#conventions): with `Z`, an offset, or
 * no zone (UTC), 0 to 9 fraction digits, and `+` or a space that replaced it.
 *
 * @param round how to round digits beyond the microsecond
 * @returns `undefined` if the text is not a valid time
 */
export function instantOf(text: string, round: 'down' | 'up' = 'down'): string | undefined {
  const [, date, hour, minute, second, fraction = '', zone = 'Z'] = DATE_TIME.exec(text) ?? [];
  if (!date || !isPlainDate(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return undefined;
  const [, sign, zoneHours, zoneMinutes] = /^([+\- ])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (Number(zoneHours) > 15 || Number(zoneMinutes) > 59) return undefined;
  const offset = (sign === '-' ? -1 : 1) * (Number(zoneHours ?? 0) * 60 + Number(zoneMinutes ?? 0));
  let micros = Number(fraction.slice(0, 6).padEnd(6, '0'));
  if (round === 'up' && /[1-9]/.test(fraction.slice(6))) micros += 1;
  const moment = new Date(`${date}T${hour}:${minute}:${second}Z`);
  moment.setTime(moment.getTime() - offset * 60_000 + (micros === 1_000_000 ? 1_000 : 0));
  if (moment.getUTCFullYear() < 1 || moment.getUTCFullYear() > 9999) return undefined;
  return `${moment.toISOString().slice(0, 19)}.${String(micros % 1_000_000).padStart(6, '0')}Z`;
}
