import type { FINANCIAL_STATUSES, OPERATIONAL_STATUSES } from '#libs/database';
import { brokenPrice, defineImport, when } from '#libs/import-rows';
import type { Price } from '#libs/resources';

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
}

export const addOnsImport = defineImport<'addOnsImport', AddOnImportRow>({
  surface: 'addOnsImport',
  what: 'add-ons',
  description: "Participants' add-ons, each with an `ADD_ON` line item of quantity times unit price.",
  path: 'add-ons/import',
  collection: 'addOns',
  body: AddOnsImport,
  replaces: true,
  row: 'AddOnImportRow',
  externalId: 'externalAllocationId',
  identity: ({ externalAllocationId }) => externalAllocationId,
  broken: ({ participantId, externalBookingId, externalParticipantId, unitPrice }) => {
    const external = externalBookingId != null && externalParticipantId != null;
    const either = externalBookingId != null || externalParticipantId != null;
    return [
      ...brokenPrice('unitPrice', unitPrice),
      ...when([
        (participantId != null) === either || (either && !external),
        '',
        'INVALID_COMBINATION',
        'must have participantId, or externalBookingId together with externalParticipantId',
      ]),
    ];
  },
  ids: { allocationId: 'add_on_allocations.id', lineItemId: 'line_items.id' },
  handler: () => (require('./import-add-ons') as typeof import('./import-add-ons')).importAddOns,
});
