/** Instants as people type them: in the time zone of the event. */

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
export function localOf(instant: string, zone: string): string {
  const time = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(instant) ? instant : `${instant}Z`);
  if (Number.isNaN(time)) return '';
  return partsIn(zone).format(time).replace(' ', 'T').replace(/:00$/, '');
}

/** The instant of a local time. A time that the clocks skip is the one after the change; of one that they repeat, the first. */
export function instantOf(local: string, zone: string): string | undefined {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  const offsetAt = (time: number) => Date.parse(`${partsIn(zone).format(time).replace(' ', 'T')}Z`) - time;
  const offsets = [asUtc - 86_400_000, asUtc + 86_400_000].map(offsetAt);
  const times = offsets.map((offset) => asUtc - offset);
  const time =
    times.filter((each) => offsetAt(each) === asUtc - each).sort((a, b) => a - b)[0] ?? times[0] ?? asUtc;
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

const DAY_MS = 86_400_000;

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The same time of the day, some days later. */
export function later(instant: string, days: number, zone: string): string {
  const local = localOf(instant, zone);
  const [day = '', time = ''] = local.split('T');
  return (day && instantOf(`${dayAfter(day, days)}T${time}`, zone)) || instant;
}
