import type { EntityManager } from 'typeorm';
import { createEndpoint, type SecretBox } from '#domain/webhooks';
import { type DiscountCode, ImportJob, ImportRow, updateGiven, WebhookEndpoint } from '#platform/database';
import type { RowMaker } from './day';

/** An import of discount codes, of which some rows name what the organization does not have. */
const FAILED = [
  { code: 'BRIDGE-10', path: 'partnerId', error: 'PARTNER_NOT_FOUND', thing: 'a partner' },
  { code: 'BRIDGE-20', path: 'partnerId', error: 'PARTNER_NOT_FOUND', thing: 'a partner' },
  {
    ...{ code: 'NIGHT-RUN', path: 'eventOccurrenceIds[0]', error: 'EVENT_OCCURRENCE_NOT_FOUND' },
    thing: 'an event occurrence',
  },
] as const;

/** Nothing is delivered to it until somebody enables it: the host does not exist. */
const ENDPOINT = {
  url: 'https://crm.demo.startline.example/startline',
  description: 'The CRM, which moved to another address',
  types: ['booking.created', 'participant.updated', 'import.finished'] as const,
};
const FAILURES = 12;

interface Known {
  organizationId: string;
  codes: readonly Pick<DiscountCode, 'id' | 'code'>[];
  box: SecretBox;
}

/** Work that needs a hand on the first page of the console: an import of yesterday with failed rows, and an endpoint that fails. */
export async function insertRecentWork(
  manager: EntityManager,
  maker: RowMaker,
  { organizationId, codes, box }: Known,
): Promise<void> {
  const { id: jobId, createdAt } = maker.row(1);
  const totalRows = codes.length + FAILED.length;
  const times = { createdAt, startedAt: createdAt, finishedAt: createdAt };
  await manager.insert(ImportJob, {
    ...{ organizationId, id: jobId, surface: 'discountCodesImport', mode: 'CREATE', status: 'COMPLETED' },
    ...{ source: 'demo', totalRows, succeededRows: codes.length, failedRows: FAILED.length, ...times },
  });
  const discount = { type: 'PERCENTAGE', amount: 10, isAppliedToBookingFee: false };
  await manager.insert(ImportRow, [
    ...codes.map(({ id, code }, row) => ({
      ...{ organizationId, jobId, row, externalId: code, payload: { code, discount } },
      outcome: 'IMPORTED' as const,
      result: { code, discountCodeId: id },
    })),
    ...FAILED.map(({ code, path, error, thing }, at) => {
      const missing = maker.row(1).id;
      const about = path === 'partnerId' ? { partnerId: missing } : { eventOccurrenceIds: [missing] };
      return {
        ...{ organizationId, jobId, row: codes.length + at, externalId: code },
        payload: { code, discount, ...about },
        outcome: 'FAILED' as const,
        errorCode: error,
        errorMessage: `${path} is not ${thing} of your organization`,
        errorPath: path,
      };
    }),
  ]);
  const { id } = await createEndpoint(
    manager,
    box,
    { most: 1, allowHttp: false, allowedNetworks: [] },
    { organizationId, ...ENDPOINT, types: [...ENDPOINT.types], enabled: false },
    { type: 'COMMAND_LINE', id: 'demo', origin: null },
  );
  const failing = maker.row(3).createdAt;
  await updateGiven(
    manager,
    WebhookEndpoint,
    { organizationId, id },
    { disabledReason: 'FAILING', failingSince: failing, failuresInRow: FAILURES },
  );
}
