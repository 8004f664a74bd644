import { type FINANCIAL_STATUSES, type OPERATIONAL_STATUSES } from '#platform/database';
import type { ImportCorrection } from '#platform/import-rows';
import type { Price } from '#platform/queries';
import { Id, Int, Items, Text, Value } from '#platform/validation';

/** An add-on of a participant. Identify the participant by `participantId`, or by your ids of the booking and the participant. */
export class AddOnImportRow {
  /** Your own id. */
  @Text({ max: 255, pattern: /\S/, example: 'order-1815-shirt' }) externalAllocationId: string;
  @Id() participantId?: string | null;
  @Text({ max: 255, pattern: /\S/, example: 'order-1815' }) externalBookingId?: string | null;
  @Text({ max: 255, pattern: /\S/, example: 'runner-4711' }) externalParticipantId?: string | null;
  @Id() addOnId: string;
  @Id() variantId?: string | null;
  @Int({ min: 1, max: 100, example: 1 }) quantity: number;
  unitPrice: Price;

  /** Whether the add-on is allocated, handed over or cancelled. */
  @Value({ default: 'ALLOCATED' }) operationalStatus?: (typeof OPERATIONAL_STATUSES)[number];

  /** Whether the add-on is paid. */
  @Value({ default: 'PAID' }) financialStatus?: (typeof FINANCIAL_STATUSES)[number];
}

export class AddOnsImport {
  @Items({ min: 1, max: 10_000 }) addOns: AddOnImportRow[];

  /** Of a correction: the failed rows of an earlier import that these rows replace. The new job is linked to it. */
  corrects?: ImportCorrection;
}
