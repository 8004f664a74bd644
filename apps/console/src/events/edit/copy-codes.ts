import type { BrowserClient, DiscountCode, DiscountCodeImportRow, StaffDiscountCode } from '../../api';
import { importCodes } from '../../partners/import-codes';
import { partOfOccurrence } from '../write-catalogue';
import { type Draft, ticketsOf } from './draft';
import { later } from './local-time';

/** More codes are imported from a file. */
const MOST = 100;

/** The codes that name an occurrence: the newest of them, and whether there are more. */
export async function codesOf(
  api: BrowserClient,
  id: string,
): Promise<{ codes: StaffDiscountCode[]; hasMore: boolean }> {
  const { data, page } = await api.get('/console/v1/event-occurrences/{id}/discount-codes', {
    params: { path: { id }, query: { 'page[size]': MOST } },
  });
  return { codes: data.filter(({ everywhere }) => !everywhere), hasMore: page.next !== '' };
}

interface Copied {
  /** The import, if there was anything to copy. */
  job?: Awaited<ReturnType<typeof importCodes>>;
  /** Codes that are not copied: their tickets do not exist any more. */
  left: string[];
  /** Codes that are copied without some of their tickets, for the same reason. */
  fewer: string[];
}

/**
 * Makes the codes of an earlier edition for the one that a draft has become, with a new ending, because a code is unique in an organization.
 * Their dates move by the days between both.
 */
export async function copyCodes(
  api: BrowserClient,
  { codes = { ids: [], ending: '', days: 0 }, records }: Draft,
  to: string,
): Promise<Copied> {
  const { ids, ending, days } = codes;
  const after = (await partOfOccurrence(api, to)).map(({ record }) => record);
  // Copies of tickets have the ids of the earlier ones as names; their slugs can be others.
  const slugOf = new Map(ticketsOf(records).map(({ $new, ticketSlug }) => [$new, ticketSlug]));
  const idOf = new Map(ticketsOf(after).map(({ id, ticketSlug }) => [ticketSlug, id as string]));
  const zone = String(after.find(({ record }) => record === 'occurrence')?.timeZone ?? 'UTC');
  const moved = (instant: string | null) => (instant ? later(instant, days, zone) : null);
  const discountCodes: DiscountCodeImportRow[] = [];
  const left: string[] = [];
  const fewer: string[] = [];
  for (const id of ids) {
    const code = (await api.get('/v0/discount-codes/{id}', { params: { path: { id } } })) as DiscountCode;
    const ticketIds = code.ticketIds?.flatMap((ticket) => idOf.get(slugOf.get(ticket)) ?? []) ?? null;
    // A code for tickets that do not exist any more would be one for all tickets.
    if (ticketIds?.length === 0) {
      left.push(code.code);
      continue;
    }
    if (ticketIds && ticketIds.length < (code.ticketIds?.length ?? 0)) fewer.push(`${code.code}${ending}`);
    const { discount, appliesPer, limitUsage, limitUsagePerTransaction, group, partnerId } = code;
    discountCodes.push({
      ...{ discount, appliesPer, limitUsage, limitUsagePerTransaction, group, partnerId, ticketIds },
      code: `${code.code}${ending}`,
      eventOccurrenceIds: [to],
      startDateTime: moved(code.startDateTime),
      endDateTime: moved(code.endDateTime),
    });
  }
  if (discountCodes.length === 0) return { left, fewer };
  const job = await importCodes(api, discountCodes, { key: `codes-of-${to}`, name: `${ending} codes` });
  return { job, left, fewer };
}
