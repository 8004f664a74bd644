import type { Price } from '#libs/resources';

export type OperationalStatus = 'ALLOCATED' | 'FULFILLED' | 'CANCELLED';

export type FinancialStatus = 'PAID' | 'UNPAID' | 'REFUNDED';

/** What is sold beside tickets. */
export class AddOn {
  /** @format uuid */
  id: string;

  /** @example Finisher T-shirt */
  title: string;
}

/** One choice of an add-on. */
export class AddOnVariant {
  /** @format uuid */
  id: string;

  /** @example Size M */
  title: string;
}

/** An add-on as it is sold. Imports of add-ons name it, and its variants, by id. */
export class AddOnProduct {
  /** @format uuid */
  id: string;

  /** @example Finisher T-shirt */
  title: string;

  price: Price;

  /** The choices, in catalogue order; empty where there is nothing to choose. */
  variants: AddOnVariant[];
}

/** One participant's add-on. */
export class AddOnAllocation {
  /** @format uuid */
  id: string;

  /**
   * Its id where it was imported from; kept after cancelling.
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

  /** Empty where the add-on has no choices. */
  variant: AddOnVariant | null;

  /**
   * How many pieces.
   * @integer
   * @minimum 1
   */
  quantity: number;

  /** Whether it was handed over. */
  operationalStatus: OperationalStatus;

  /** Whether it was paid for. */
  financialStatus: FinancialStatus;

  /** @format date-time */
  createdAt: string;

  /** @format date-time */
  updatedAt: string;
}
