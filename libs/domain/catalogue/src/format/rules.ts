import {
  compared,
  hasZone,
  instantOf,
  jsonBytes,
  MAXIMA,
  MOST_BYTES,
  mustBeCertain,
  type ProblemCode,
} from '#platform/validation';
import type { FieldProblem } from '../problems';
import { type LocalReader, localTimesOf, readerOf } from './local-times';
import type { CatalogueRecord, RecordOf } from './records';

/** The rules for a record that a schema can't express. @param read the local times of an occurrence */
export function rulesBroken(record: CatalogueRecord, read?: LocalReader): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const report: Report = (field, message, code) => problems.push({ field, message, ...(code && { code }) });
  switch (record.record) {
    case 'bookingFormField':
      checkField(record, report);
      break;
    case 'bookingForm':
      onlyOnce(record.fields ?? [], (key, at) => report(`fields[${at}]`, `repeats ${key}`));
      break;
    case 'event':
      checkAddOns(record.addOns, report);
      for (const [at, { price }] of (record.addOns ?? []).entries())
        freeIsZero(price, `addOns[${at}].price`, report);
      break;
    case 'partner':
      limit('', record, MOST_BYTES.partner, report);
      limit('name', record.name, MOST_BYTES.title + 2, report);
      limit('externalIds', record.externalIds, MOST_BYTES.externalIds, report);
      break;
    case 'occurrence':
      checkOccurrence(record, report, read ?? readerOf(record));
  }
  return problems;
}

type Report = (field: string, message: string, code?: ProblemCode) => void;
type Occurrence = RecordOf<'occurrence'>;
type Titled = { title: string; titleByLocale?: Record<string, string> | null };
type PriceLike = { value: number; currencyCode: string };

/** A list returns many of them. */
function limit(field: string, value: unknown, most: number, report: Report): void {
  const bytes = jsonBytes(value);
  if (bytes > most) report(field, `has ${bytes} bytes of JSON, and must not have more than ${most}`);
}

/** Parts of all rows of a list together. */
function atMost<Part extends string>(
  list: string,
  part: Part,
  most: number,
  rows: { [P in Part]?: unknown[] | null }[] | null | undefined,
  report: Report,
): void {
  const count = (rows ?? []).reduce((sum, row) => sum + (row[part]?.length ?? 0), 0);
  if (count > most) report(list, `have ${count} ${part} together, and must not have more than ${most}`);
}

function checkField(field: RecordOf<'bookingFormField'>, report: Report): void {
  limit('', field, MOST_BYTES.field, report);
  const chosen = field.type === 'SELECT' || field.type === 'MULTI_SELECT';
  if (chosen && !field.options?.length) report('options', `is required if type is ${field.type}`);
  if (!chosen && field.options?.length)
    report('options', `are for SELECT and MULTI_SELECT, not ${field.type}`);
  onlyOnce(
    (field.options ?? []).map(({ value }) => value),
    (value, at) => report(`options[${at}].value`, `repeats "${value}"`),
  );
}

function checkAddOns(addOns: RecordOf<'event'>['addOns'], report: Report): void {
  uniqueRows(addOns, 'addOns', 'title', ({ title }) => title, report);
  for (const [at, addOn] of (addOns ?? []).entries()) {
    uniqueRows(addOn.variants, `addOns[${at}].variants`, 'title', ({ title }) => title, report);
  }
}

/** The default title has the locale `en-GB`, unless that is a translation of it. */
function checkTitles({ title, titleByLocale }: Titled, field: string, report: Report): void {
  const own = titleByLocale?.['en-GB'];
  if (own === undefined || own === title || Object.values(titleByLocale ?? {}).includes(title)) return;
  report(
    `${field}titleByLocale.en-GB`,
    `is "${own}", but title is "${title}"; they must be equal, or title must be the title of another locale`,
  );
}

function checkOccurrence(occurrence: Occurrence, report: Report, read: LocalReader): void {
  checkTitles(occurrence, '', report);
  checkTimes(occurrence, report, read);
  const instant = (time: string) => (hasZone(time) ? instantOf(time) : read(time).instant);
  const { races, addOns, referralPrograms, reservedEntryGroups, ...own } = occurrence;
  limit('', own, MOST_BYTES.occurrence, report);
  atMost('races', 'waves', MAXIMA.wavesOfOccurrence, races, report);
  atMost('reservedEntryGroups', 'tickets', MAXIMA.ticketsOfGroups, reservedEntryGroups, report);
  limit('location.address', occurrence.location?.address, MOST_BYTES.address, report);
  for (const [raceAt, race] of (occurrence.races ?? []).entries()) {
    checkTitles(race, `races[${raceAt}].`, report);
    for (const [at, ticket] of (race.tickets ?? []).entries()) {
      checkTitles(ticket, `races[${raceAt}].tickets[${at}].`, report);
      limit(`races[${raceAt}].tickets[${at}]`, ticket, MOST_BYTES.ticket, report);
    }
  }
  uniqueRows(occurrence.races, 'races', 'title', ({ title }) => title, report);
  const tickets = (occurrence.races ?? []).flatMap((race, raceAt) =>
    (race.tickets ?? []).map((ticket, at) => ({ ticket, field: `races[${raceAt}].tickets[${at}]` })),
  );
  const seen = new Set<string>();
  for (const { ticket, field } of tickets) {
    if (seen.has(ticket.ticketSlug)) report(`${field}.ticketSlug`, `repeats "${ticket.ticketSlug}"`);
    seen.add(ticket.ticketSlug);
    const [start, end] = [ticket.saleStart, ticket.saleEnd].map((time) => time && instant(time));
    if (start && end && end <= start) report(`${field}.saleEnd`, 'must be after saleStart');
    onlyOnce(ticket.bookingForms ?? [], (form, at) =>
      report(`${field}.bookingForms[${at}]`, `repeats ${form}`),
    );
  }
  for (const [at, race] of (occurrence.races ?? []).entries()) {
    uniqueRows(race.waves, `races[${at}].waves`, 'title', ({ title }) => title, report);
  }
  checkAddOns(addOns, report);
  uniqueRows(referralPrograms, 'referralPrograms', 'title', ({ title }) => title, report);
  uniqueRows(reservedEntryGroups, 'reservedEntryGroups', 'code', ({ code }) => compared(code), report);
  for (const [at, group] of (reservedEntryGroups ?? []).entries()) {
    limit(`reservedEntryGroups[${at}]`, group, MOST_BYTES.group, report);
    onlyOnce(
      (group.tickets ?? []).map(({ ticketSlug }) => ticketSlug),
      (slug, ticketAt) =>
        report(`reservedEntryGroups[${at}].tickets[${ticketAt}].ticketSlug`, `repeats "${slug}"`),
    );
  }
  const prices = pricesOf(occurrence);
  for (const { price, field } of prices) freeIsZero(price, field, report);
  oneCurrency(prices, report);
}

/** Local times must exist once, because they are deadlines and starts. */
function checkTimes(occurrence: Occurrence, report: Report, read: LocalReader): void {
  for (const { field, local } of localTimesOf(occurrence)) {
    const { doubt } = read(local);
    if (doubt) report(field, mustBeCertain(doubt), 'AMBIGUOUS_TIME');
  }
  for (const [at, { startDate, startTime }] of (occurrence.races ?? []).entries()) {
    if (!startDate || !startTime) continue;
    const { doubt } = read(`${startDate}T${startTime}`);
    // A start time has no offset, but waves can have one.
    const way = 'choose another time, or leave it out and give a wave one of them as startDateTime';
    if (doubt)
      report(
        `races[${at}].startTime`,
        `${doubt.what} (${doubt.readings.join(' or ')}): ${way}`,
        'AMBIGUOUS_TIME',
      );
  }
}

/** Every price of an occurrence, with the field that states it. */
export const pricesOf = (occurrence: Occurrence): { price: PriceLike; field: string }[] => [
  ...(occurrence.races ?? []).flatMap((race, raceAt) =>
    (race.tickets ?? []).map(({ price }, at) => ({ price, field: `races[${raceAt}].tickets[${at}].price` })),
  ),
  ...(occurrence.addOns ?? []).map(({ price }, at) => ({ price, field: `addOns[${at}].price` })),
  ...(occurrence.reservedEntryGroups ?? []).flatMap((group, groupAt) =>
    (group.tickets ?? []).flatMap(({ discount }, at) =>
      discount?.type === 'FLAT_RATE'
        ? [{ price: discount.price, field: `reservedEntryGroups[${groupAt}].tickets[${at}].discount.price` }]
        : [],
    ),
  ),
];

/** An occurrence has one currency, because a booking has only one; free items have none. */
function oneCurrency(prices: ReturnType<typeof pricesOf>, report: Report): void {
  const priced = prices.filter(({ price }) => price.currencyCode !== 'ZERO');
  const currency = priced[0]?.price.currencyCode;
  for (const { price, field } of priced) {
    if (price.currencyCode !== currency) {
      report(
        `${field}.currencyCode`,
        `must be ${currency}, as in ${priced[0]?.field}: an event occurrence has one currency`,
      );
    }
  }
}

function freeIsZero(price: PriceLike, field: string, report: Report): void {
  if (price.currencyCode === 'ZERO' && price.value !== 0)
    report(`${field}.value`, 'must be 0 if the currency is ZERO');
}

function onlyOnce(values: string[], repeated: (value: string, at: number) => void): void {
  for (const [at, value] of values.entries()) if (values.indexOf(value) !== at) repeated(value, at);
}

/** Rows without ids are identified by name, so their names must be unique. */
function uniqueRows<Row extends { id?: string | null }>(
  rows: Row[] | null | undefined,
  list: string,
  named: string,
  nameOf: (row: Row) => string,
  report: Report,
): void {
  const seen = new Set<string>();
  for (const [at, row] of (rows ?? []).entries()) {
    const name = row.id ?? nameOf(row);
    if (seen.has(name)) report(`${list}[${at}].${row.id ? 'id' : named}`, `repeats "${name}"`);
    seen.add(name);
  }
}
