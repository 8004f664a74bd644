import { brokenZero, defineImport, when } from '#libs/import-rows';
import type { Price } from '#libs/resources';

/** A credit that a person can spend at your events. */
export class CreditImportRow {
  /**
   * Your own id.
   * @pattern \S
   * @maxLength 255
   * @example credit-7
   */
  externalCreditId: string;

  /**
   * @format email
   * @maxLength 254
   */
  email: string;

  /** Must be greater than 0. */
  amount: Price;

  /**
   * @maxLength 1000
   * @example Cancelled swim 2026
   */
  reason?: string | null;

  /** @format date-time */
  expiresAt?: string | null;

  /**
   * The only event at which the credit can be spent. If absent, every event.
   * @format uuid
   */
  eventId?: string | null;
}

export class CreditsImport {
  /**
   * @minItems 1
   * @maxItems 10000
   */
  credits: CreditImportRow[];
}

export const creditsImport = defineImport<'creditsImport', CreditImportRow>({
  surface: 'creditsImport',
  group: 'Credits',
  what: 'credits',
  description: 'Credits that people can spend at your events.',
  path: 'credits/import',
  collection: 'credits',
  body: CreditsImport,
  row: 'CreditImportRow',
  externalId: 'externalCreditId',
  identity: ({ externalCreditId }) => externalCreditId,
  broken: ({ amount }) => [
    ...brokenZero('amount', amount),
    ...when([amount.value <= 0, 'amount.value', 'OUT_OF_RANGE', 'must be greater than 0']),
  ],
  ids: { creditId: 'credits.id' },
  handler: () => (require('./import-credits') as typeof import('./import-credits')).importCredits,
});
