/** Columns and example rows: two races, one of them with two tickets, and one free. */
const COLUMNS: [column: string, ...values: string[]][] = [
  ['event.title', 'Harbour Run', 'Harbour Run', 'Harbour Run', 'Harbour Run'],
  ['race.title', '10K', '10K', 'Half marathon', 'Kids run'],
  ['race.startDate', '2027-05-02', '2027-05-02', '2027-05-02', '2027-05-01'],
  ['race.startTime', '10:00:00', '10:00:00', '09:00:00', '15:00:00'],
  ['race.discipline', 'RUNNING', 'RUNNING', 'RUNNING', 'RUNNING'],
  ['race.distance.value', '10', '10', '21.0975', '1'],
  ['race.distance.unit', 'KM', 'KM', 'KM', 'KM'],
  ['race.maxCapacity', '2000', '2000', '1500', ''],
  ['occurrence.timeZone', ...Array(4).fill('Europe/London')],
  ['occurrence.location.address.city', ...Array(4).fill('Bristol')],
  ['occurrence.location.address.countryName', ...Array(4).fill('United Kingdom')],
  ['ticket.title', 'Early bird', 'Standard', 'Standard', 'Kids'],
  ['ticket.price.value', '2500', '3200', '4500', '0'],
  ['ticket.price.currencyCode', 'GBP', 'GBP', 'GBP', 'ZERO'],
  ['ticket.maxCapacity', '500', '', '', '300'],
  ['ticket.saleStart', '2026-11-01T09:00:00Z', '2027-02-01T00:00:00Z', '2026-11-01T09:00:00Z', ''],
  ['ticket.saleEnd', '2027-02-01T00:00:00Z', '2027-04-30T22:59:59Z', '2027-04-30T22:59:59Z', ''],
  ['ticket.approval', 'INSTANT', 'INSTANT', 'INSTANT', 'INSTANT'],
];
const EXAMPLES = (COLUMNS[0]?.length ?? 1) - 1;

/** A race calendar with example rows, which loads unchanged. */
export const CALENDAR_TEMPLATE = Array.from(
  { length: EXAMPLES + 1 },
  (_, line) => `${COLUMNS.map((column) => column[line]).join(',')}\n`,
).join('');
