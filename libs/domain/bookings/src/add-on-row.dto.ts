import { type FINANCIAL_STATUSES, type OPERATIONAL_STATUSES } from '#platform/database';
import type { ImportCorrection } from '#platform/import-rows';
import type { Price } from '#platform/queries';

/** An add-on of a participant. Identify the participant by `participantId`, or by your ids of the booking and the participant. */
export class AddOnImportRow {
  /**
   * Your own id.
   * @pattern \S
   * @maxLength 255
   * @example order-1815-shirt
   */
  externalAllocationId: string;

  /** @format uuid */
  participantId?: string | null;

  /**
   * @pattern \S
   * @maxLength 255
   * @example order-1815
   */
  externalBookingId?: string | null;

  /**
   * @pattern \S
   * @maxLength 255
   * @example runner-4711
   */
  externalParticipantId?: string | null;

  /** @format uuid */
  addOnId: string;

  /** @format uuid */
  variantId?: string | null;

  /**
   * @integer
   * @minimum 1
   * @maximum 100
   * @example 1
   */
  quantity: number;

  unitPrice: Price;

  /** @default ALLOCATED */
  operationalStatus?: (typeof OPERATIONAL_STATUSES)[number];

  /** @default PAID */
  financialStatus?: (typeof FINANCIAL_STATUSES)[number];
}

export class AddOnsImport {
  /**
   * @minItems 1
   * @maxItems 10000
   */
  addOns: AddOnImportRow[];

  /** Of a correction: the failed rows of an earlier import that these rows replace. The new job is linked to it. */
  corrects?: ImportCorrection;
}
