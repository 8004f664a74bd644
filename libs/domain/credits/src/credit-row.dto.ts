import type { ImportCorrection } from '#platform/import-rows';
import type { Price } from '#platform/queries';
import { DateTime, Email, Id, Items, Text } from '#platform/validation';

/** A credit that a person can spend at your events. */
export class CreditImportRow {
  /** Your own id. */
  @Text({ max: 255, pattern: /\S/, example: 'credit-7' }) externalCreditId: string;
  @Email() email: string;

  /** Must be greater than 0. */
  amount: Price;
  @Text({ max: 1_000, example: 'Cancelled swim 2026' }) reason?: string | null;

  /** The credit can be used before this time; `null`: always. */
  @DateTime() expiresAt?: string | null;

  /** The only event at which the credit can be spent. If absent, every event. */
  @Id() eventId?: string | null;
}

export class CreditsImport {
  @Items({ min: 1, max: 10_000 }) credits: CreditImportRow[];

  /** Of a correction: the failed rows of an earlier import that these rows replace. The new job is linked to it. */
  corrects?: ImportCorrection;
}
