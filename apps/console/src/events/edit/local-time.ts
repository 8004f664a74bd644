/** Times as people type them: in the time zone of the event. Those without a zone are sent as they are, because the server reads them so. */

const partsIn = (zone: string) =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

/** `2027-05-02T09:00` or with seconds, as an `<input type="datetime-local">` has it. */
export function localOf(time: string, zone: string): string {
  const instant = Date.parse(time);
  if (Number.isNaN(instant)) return '';
  const local = /(?:Z|[+-]\d\d:\d\d)$/.test(time) ? partsIn(zone).format(instant).replace(' ', 'T') : time;
  return local.replace(/(T\d\d:\d\d):00$/, '$1');
}

/** What such an input has, as a time without a zone. */
export const timeOf = (local: string): string => (local.length === 16 ? `${local}:00` : local);

const DAY_MS = 86_400_000;

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The same time of the day, some days later. */
export function later(instant: string, days: number, zone: string): string {
  const [day = '', time = ''] = localOf(instant, zone).split('T');
  return day ? timeOf(`${dayAfter(day, days)}T${time}`) : instant;
}
