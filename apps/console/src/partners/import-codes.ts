import type { BrowserClient, DiscountCodeImportRow } from '../api';
import { finished } from '../imports/finished';

/**
 * Creates discount codes with an import, and waits for its end.
 *
 * @param key the same import sent again with the same key does nothing
 */
export async function importCodes(
  api: BrowserClient,
  discountCodes: DiscountCodeImportRow[],
  { key, name }: { key: string; name: string },
) {
  const { jobId } = (await api.post('/v0/discount-codes/import', {
    body: { discountCodes },
    params: { query: { name } },
    headers: { 'idempotency-key': key },
  } as never)) as { jobId: string };
  return finished(api, jobId);
}
