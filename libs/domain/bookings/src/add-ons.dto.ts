import { type FINANCIAL_STATUSES, type OPERATIONAL_STATUSES } from '#platform/database';
import type { Price } from '#platform/queries';
import { DateTime, Id, Int, Text } from '#platform/validation';

export type OperationalStatus = (typeof OPERATIONAL_STATUSES)[number];

export type FinancialStatus = (typeof FINANCIAL_STATUSES)[number];

/** A product that is sold in addition to tickets. */
export class AddOn {
  @Id() id: string;
  @Text({ example: 'Finisher T-shirt' }) title: string;
}

/** A variant of an add-on. */
export class AddOnVariant {
  @Id() id: string;
  @Text({ example: 'Size M' }) title: string;
}

/** An add-on product. Imports of add-ons refer to it and its variants by id. */
export class AddOnProduct {
  @Id() id: string;
  @Text({ example: 'Finisher T-shirt' }) title: string;
  price: Price;

  /** The variants, in catalogue order; empty if there are none. */
  variants: AddOnVariant[];
}

/** An add-on that is allocated to a participant. */
export class AddOnAllocation {
  @Id() id: string;

  /** The id in the system that it was imported from. Cancelling does not remove it. */
  @Text({ example: 'ADDON-5512' }) externalAllocationId: string | null;
  @Id() participantId: string;

  /** The line item that paid for it. */
  @Id() purchaseLineItemId: string | null;
  addOn: AddOn;

  /** Empty if the add-on has no variants. */
  variant: AddOnVariant | null;

  /** The quantity. */
  @Int({ min: 1 }) quantity: number;

  /** Whether the participant has received it. */
  operationalStatus: OperationalStatus;

  /** Whether it was paid for. */
  financialStatus: FinancialStatus;
  @DateTime() createdAt: string;
  @DateTime() updatedAt: string;
}
