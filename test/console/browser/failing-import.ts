import { SIGNING_SECRETS } from '#libs/testing';
import { Tokens, tokenOf } from '#platform/access';
import { ApiKey } from '#platform/database';
import { eventually } from '../../harness';
import type { BrowserDemo } from './demo';

const ROWS = 240;
/** No event has this id. */
export const UNKNOWN_EVENT = '01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b';

/** Imports credits, of which one in eight names an unknown event, and waits for the end. */
export async function failingImport({ api, organizationId }: BrowserDemo): Promise<string> {
  const key = await api.dataSource
    .getRepository(ApiKey)
    .findOneByOrFail({ organizationId, name: 'test-demo' });
  const token = tokenOf(new Tokens(SIGNING_SECRETS), key);
  const credits = Array.from({ length: ROWS }, (_, i) => ({
    externalCreditId: `goodwill-${i + 1}`,
    email: `runner${i}@example.com`,
    amount: { value: 1_500, currencyCode: 'GBP' },
    reason: 'Heat cancellation',
    ...(i % 8 === 3 && { eventId: UNKNOWN_EVENT }),
  }));
  const { body } = await api.send('POST', '/v0/credits/import', { credits }, token);
  return eventually(async () => {
    const { body: job } = await api.get(`/v0/credits/import/${body.jobId}`, token);
    return job.finishedAt && (body.jobId as string);
  });
}
