import { type FINANCIAL_STATUSES, type OPERATIONAL_STATUSES } from '#platform/database';
import type { Price } from '#platform/queries';

export type OperationalStatus = (typeof OPERATIONAL_STATUSES)[number];

export type FinancialStatus = (typeof FINANCIAL_STATUSES)[number];

/** A product that is sold in addition to tickets. */
export class AddOn {
  /** @format uuid */
  id: string;

  /** @example Finisher T-shirt */
  title: string;
}

/** A variant of an add-on. */
export class AddOnVariant {
  /** @format uuid */
  id: string;

  /** @example Size M */
  title: string;
}

/** An add-on product. Imports of add-ons refer to it and its variants by id. */
export class AddOnProduct {
  /** @format uuid */
  id: string;

  /** @example Finisher T-shirt */
  title: string;

  price: Price;

  /** The variants, in catalogue order; empty if there are none. */
  variants: AddOnVariant[];
}

/** An add-on that is allocated to a participant. */
export class AddOnAllocation {
  /** @format uuid */
  id: string;

  /**
   * The id in the system that it was imported from. Cancelling does not remove it.
   * @example ADDON-5512
   */
  externalAllocationId: string | null;

  /** @format uuid */
  participantId: string;

  /**
   * The line item that paid for it.
   * @format uuid
   */
  purchaseLineItemId: string | null;

  addOn: AddOn;

  /** Empty if the add-on has no variants. */
  variant: AddOnVariant | null;

  /**
   * The quantity.
   * @integer
   * @minimum 1
   */
  quantity: number;

  /** Whether the participant has received it. */
  operationalStatus: OperationalStatus;

  /** Whether it was paid for. */
  financialStatus: FinancialStatus;

  /** @format date-time */
  createdAt: string;

  /** @format date-time */
  updatedAt: string;
}
