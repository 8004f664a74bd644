import type { ImportOutcome } from './import-outcome.dto';

/** The codes of failed rows (docs/importing.md). */
export type ImportErrorCode =
  | 'INVALID_ASSIGNMENT'
  | 'INTERNAL'
  | 'ALREADY_USED'
  | 'NO_CAPACITY_REMAINING'
  | 'EVENT_NOT_FOUND'
  | 'EVENT_OCCURRENCE_NOT_FOUND'
  | 'TICKET_NOT_FOUND'
  | 'BOOKING_NOT_FOUND'
  | 'BOOKING_CANCELLED'
  | 'PARTICIPANT_NOT_FOUND'
  | 'ADD_ON_NOT_FOUND'
  | 'PARTNER_NOT_FOUND'
  | 'FIELD_NOT_FOUND'
  | 'INVALID_ANSWER'
  | 'WAVE_NOT_FOUND'
  | 'DISCOUNT_CODE_NOT_FOUND'
  | 'DISCOUNT_CODE_NOT_APPLICABLE'
  | 'DISCOUNT_LIMIT_REACHED'
  | 'REFERRAL_PROGRAM_NOT_FOUND'
  | 'REFERRER_NOT_FOUND'
  | 'OWN_BOOKING'
  | 'REFERRAL_ALREADY_ATTRIBUTED'
  | 'INVALID_TRANSITION'
  | 'CURRENCY_MISMATCH'
  | 'INVALID_PRICE'
  | 'BIB_NUMBER_TAKEN'
  | 'DOMAIN_NOT_ALLOWED'
  | 'NOT_CORRECTABLE'
  | 'PARTICIPANT_REDACTED'
  | 'INVALID_APPROVAL'
  | 'CHANGED_SINCE_IMPORT';

export interface ImportRow<Payload> {
  /** From 0, as the index in the request. */
  row: number;
  payload: Payload;
}

/** The reason why a row cannot be imported. */
export interface Problem {
  code: ImportErrorCode;
  message: string;
}

export const problem = (code: ImportErrorCode, message: string): Problem => ({ code, message });

/** The outcome of a row, as stored in `import_rows`. */
export interface RowOutcome {
  row_number: number;
  outcome: ImportOutcome;
  result: Record<string, unknown> | null;
  error_code: ImportErrorCode | null;
  error_message: string | null;
}

export const failed = (row: number, { code, message }: Problem): RowOutcome => ({
  row_number: row,
  outcome: 'FAILED',
  result: null,
  error_code: code,
  error_message: message,
});

export const succeeded = (
  row: number,
  outcome: Exclude<ImportOutcome, 'FAILED'>,
  result: Record<string, unknown>,
): RowOutcome => ({ row_number: row, outcome, result, error_code: null, error_message: null });

/** The rows of a chunk. Each gets one outcome; `open` contains the rows without one. */
export class Outcomes<Payload> {
  private readonly settled = new Map<number, RowOutcome>();

  constructor(private readonly rows: ImportRow<Payload>[]) {}

  get open(): ImportRow<Payload>[] {
    return this.rows.filter(({ row }) => !this.settled.has(row));
  }

  settle(outcome: RowOutcome): void {
    this.settled.set(outcome.row_number, outcome);
  }

  /** Fails the open rows that have a problem. */
  refuse(problemOf: (payload: Payload) => Problem | undefined): void {
    for (const { row, payload } of this.open) {
      const found = problemOf(payload);
      if (found) this.settle(failed(row, found));
    }
  }

  /** @throws Error if a row has no outcome */
  all(): RowOutcome[] {
    if (this.settled.size !== this.rows.length) throw new Error('A row of an import has no outcome');
    return [...this.settled.values()];
  }
}
