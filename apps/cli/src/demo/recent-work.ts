import type { EntityManager } from 'typeorm';
import { storeImport } from '#domain/imports';
import { createEndpoint, pingEndpoint, type SecretBox } from '#domain/webhooks';
import type { Actor } from '#platform/access';
import { newId } from '#platform/database';

const discount = { type: 'PERCENTAGE', amount: 10, isAppliedToBookingFee: false };
/** Three of the codes name what does not exist. */
const CODES = [
  ...['AUTUMN5', 'AUTUMN10', 'AUTUMN15', 'STUDENTS', 'SENIORS'].map((code) => ({ code, discount })),
  { code: 'AUTUMN-CLUB', discount, eventOccurrenceIds: [newId()] },
  { code: 'AUTUMN-RELAY', discount, eventOccurrenceIds: [newId()] },
  { code: 'AUTUMN-SPONSOR', discount, partnerId: newId() },
];
/** Nothing receives at this address. */
const URL = 'https://hooks.startline.example/startline';

/**
 * Work that needs a hand, on the first page of the console: an import with failed rows, and a webhook endpoint whose
 * deliveries fail. A worker does both. Call it in a transaction, after `feeds.switchOn()`.
 */
export async function addRecentWork(
  manager: EntityManager,
  { organizationId, keyId, box }: { organizationId: string; keyId: string; box: SecretBox },
  by: Actor,
): Promise<void> {
  const rules = { most: 1, allowHttp: false, allowedNetworks: [] };
  const { id } = await createEndpoint(
    manager,
    box,
    rules,
    { organizationId, url: URL, types: ['import.finished'], description: 'Results board' },
    by,
  );
  await pingEndpoint(manager, { organizationId, id }, rules.most);
  await storeImport(
    manager,
    { organizationId, keyId },
    {
      ...{ jobId: newId(), surface: 'discountCodesImport', mode: 'CREATE', name: 'autumn-codes.csv' },
      ...{ options: {}, requestId: newId(), partnerId: null },
    },
    Buffer.from(JSON.stringify({ discountCodes: CODES })),
    { rows: CODES.length },
  );
}
