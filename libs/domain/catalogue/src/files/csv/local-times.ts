const DAY_MS = 86_400_000;

/** Whether a date-time says what time it is wherever it is read. */
export const hasOffset = (text: string): boolean => /Z$|[+-]\d\d:\d\d$/.test(text);

/** How much later a clock in the zone is than UTC. */
function offsetAt(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return (
    Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) -
    Math.floor(at / 1_000) * 1_000
  );
}

/**
 * The instant at which a clock in the zone shows `2027-05-01T09:00:00`.
 *
 * @returns undefined where clocks change, for a time that is skipped or comes twice
 */
export function instantIn(timeZone: string, local: string): string | undefined {
  const shown = Date.parse(`${local}Z`);
  const found = new Set(
    [shown - DAY_MS, shown + DAY_MS]
      .map((nearby) => shown - offsetAt(nearby, timeZone))
      .filter((at) => at + offsetAt(at, timeZone) === shown),
  );
  const [at] = found;
  return found.size === 1 && at !== undefined ? new Date(at).toISOString().replace('.000Z', 'Z') : undefined;
}
