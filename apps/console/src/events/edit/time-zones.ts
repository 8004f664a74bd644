/** What the browser knows, and UTC, which it does not name. */
const TIME_ZONES = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])];

/** With the one that is stored: browsers have one name of each, and not the same. */
export const timeZonesWith = (stored: string | null): string[] =>
  stored && !TIME_ZONES.includes(stored) ? [stored, ...TIME_ZONES] : TIME_ZONES;
