/** What the browser knows, and UTC, which it does not name. */
export const TIME_ZONES = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])];
