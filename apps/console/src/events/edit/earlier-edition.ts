import type { CatalogueRecordState } from '../../api';
import type { Row } from '../write-catalogue';
import { type Draft, newRow } from './draft';
import { dayAfter, daysBetween, later } from './local-time';
import { slugFrom } from './names';
import { isObject } from './paths';

/** The properties of a record that are dates, and those that are times. */
export const DAYS = ['startDate'];
export const INSTANTS = ['startDateTime', 'saleStart', 'saleEnd', 'deadline'];

/** An event without races, as a draft. */
export function emptyEdition({
  title,
  startDate,
  timeZone,
}: Record<'title' | 'startDate' | 'timeZone', string>): Draft {
  const series = title.replace(/\s*\b(?:19|20)\d\d\b\s*/, ' ').trim() || title;
  const event = { record: 'event', slug: slugFrom(series), title: series };
  const occurrence = {
    record: 'occurrence',
    event: event.slug,
    slug: slugFrom(title),
    title,
    startDate,
    timeZone,
  };
  return { base: [], records: [newRow(event), newRow({ ...occurrence, published: false })] };
}

/**
 * The next edition of an event, as a draft: what an earlier one has, with all dates moved by the days between them. Forms and the
 * series stay the same records.
 */
export function nextEdition(
  parts: CatalogueRecordState[],
  { startDate, withGroups }: { startDate: string; withGroups: boolean },
): Draft {
  const earlier = parts.find(({ record }) => record.record === 'occurrence')?.record ?? {};
  const base = parts.filter(({ record }) => record.record !== 'occurrence');
  const was = String(earlier.startDate ?? startDate);
  const zone = String(earlier.timeZone ?? 'UTC');
  const days = daysBetween(was, startDate);
  const inYear = (text: unknown) => String(text ?? '').replaceAll(was.slice(0, 4), startDate.slice(0, 4));
  const { status: _, reservedEntryGroups, ...copied } = moved(earlier, days, zone) as Row;
  const title = inYear(copied.title);
  const slug = inYear(copied.slug);
  const slugs = new Set(
    listOf(copied.races).flatMap(({ tickets }) => listOf(tickets).map(({ ticketSlug }) => ticketSlug)),
  );
  const groups = (reservedEntryGroups as Row[] | undefined)?.map((group) => ({
    ...group,
    code: inYear(group.code),
    tickets: listOf(group.tickets).filter(({ ticketSlug }) => slugs.has(ticketSlug)),
  }));
  const occurrence = {
    ...copied,
    title,
    slug: slug === copied.slug ? slugFrom(slug, startDate.slice(0, 4)) : slug,
    ...(isObject(copied.titleByLocale) && {
      titleByLocale: Object.fromEntries(
        Object.entries(copied.titleByLocale).map(([locale, text]) => [locale, inYear(text)]),
      ),
    }),
    startDate,
    published: false,
    ...(withGroups && groups && { reservedEntryGroups: groups }),
  };
  return { base, records: [...base.map(({ record }) => record), newRow(occurrence)] };
}

const listOf = (rows: unknown) => (rows ?? []) as Row[];

/** A copy without deleted tickets. Its rows have the ids of the earlier ones as names. */
function moved(value: unknown, days: number, zone: string): unknown {
  if (!isObject(value)) return value;
  const { id: _, ...own } = value;
  return Object.fromEntries(
    Object.entries(own).map(([key, inner]) => {
      if (Array.isArray(inner))
        return [
          key,
          inner
            .filter((row) => !isObject(row) || row.isDeleted !== true)
            .map((row) => (isObject(row) ? newRow(moved(row, days, zone) as Row, row.id) : row)),
        ];
      if (typeof inner === 'string' && DAYS.includes(key)) return [key, dayAfter(inner, days)];
      if (typeof inner === 'string' && INSTANTS.includes(key)) return [key, later(inner, days, zone)];
      return [key, moved(inner, days, zone)];
    }),
  );
}
