import type { BrowserClient, DiscountCode, DiscountCodeImportRow, StaffDiscountCode } from '../../api';
import { importCodes } from '../../partners/import-codes';
import { partOfOccurrence } from '../write-catalogue';
import { type CodesToCopy, ticketsOf } from './draft';
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

/**
 * Makes the codes of an earlier edition for another one, with a new ending, because a code is unique in an organization. Their dates move by
 * the days between both.
 *
 * @returns the import, if there was anything to copy
 */
export async function copyCodes(
  api: BrowserClient,
  { from, ids, ending, days }: CodesToCopy,
  to: string,
): Promise<Awaited<ReturnType<typeof importCodes>> | undefined> {
  const [before = [], after = []] = await Promise.all(
    [from, to].map(async (id) => (await partOfOccurrence(api, id)).map(({ record }) => record)),
  );
  const slugOf = new Map(ticketsOf(before).map(({ id, ticketSlug }) => [id, ticketSlug]));
  const idOf = new Map(ticketsOf(after).map(({ id, ticketSlug }) => [ticketSlug, id as string]));
  const zone = String(after.find(({ record }) => record === 'occurrence')?.timeZone ?? 'UTC');
  const moved = (instant: string | null) => (instant ? later(instant, days, zone) : null);
  const discountCodes: DiscountCodeImportRow[] = [];
  for (const id of ids) {
    const code = (await api.get('/v0/discount-codes/{id}', { params: { path: { id } } })) as DiscountCode;
    const ticketIds = code.ticketIds?.flatMap((ticket) => idOf.get(slugOf.get(ticket)) ?? []) ?? null;
    // A code for tickets that do not exist any more would be one for all tickets.
    if (ticketIds?.length === 0) continue;
    const { discount, appliesPer, limitUsage, limitUsagePerTransaction, group, partnerId } = code;
    discountCodes.push({
      ...{ discount, appliesPer, limitUsage, limitUsagePerTransaction, group, partnerId, ticketIds },
      code: `${code.code}${ending}`,
      eventOccurrenceIds: [to],
      startDateTime: moved(code.startDateTime),
      endDateTime: moved(code.endDateTime),
    });
  }
  if (discountCodes.length === 0) return undefined;
  return importCodes(api, discountCodes, { key: `codes-of-${to}`, name: `${ending} codes` });
}
