import { type ApiError, errors, type ProblemCode } from '#platform/validation';
import type { ImportOutcome } from './import-outcome.dto';

/** The codes of failed rows (docs/importing.md). */
export type ImportErrorCode =
  | 'INVALID_ROW'
  | 'INVALID_ASSIGNMENT'
  | 'INTERNAL'
  | 'ALREADY_USED'
  | 'DEADLINE_PASSED'
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
  | 'INVALID_SIGN'
  | 'TOO_LARGE'
  | 'TIME_ZONE_REQUIRED'
  | 'AMBIGUOUS_TIME'
  | 'OUT_OF_RANGE'
  | 'BIB_NUMBER_TAKEN'
  | 'DOMAIN_NOT_ALLOWED'
  | 'NOT_CORRECTABLE'
  | 'PARTICIPANT_NOT_RECOGNISED'
  | 'PARTICIPANT_REDACTED'
  | 'INVALID_APPROVAL'
  | 'CHANGED_SINCE_IMPORT';

/** The codes of warnings (docs/importing.md). */
export type ImportWarningCode =
  | 'REFUND_EXCEEDS_PAID'
  | 'CREDIT_EXCEEDED'
  | 'AMBIGUOUS_TIME'
  | 'DUPLICATE_PARTICIPANT';

export interface ImportRow<Payload> {
  /** From 0, as the index in the request. */
  row: number;
  payload: Payload;
}

/** The reason why a row cannot be imported. */
export interface Problem {
  /** `participants[2].ticketId`; empty for the row itself. */
  path: string;
  code: ImportErrorCode;
  /** A sentence, which names the path or the record. */
  message: string;
}

/** What may be a mistake in a row that was imported nevertheless. */
export interface Warning {
  /** `amount.value`; absent if the warning is not about a property. */
  path?: string;
  code: ImportWarningCode;
  /** A sentence, which names what to check. */
  message: string;
  /** Of `DUPLICATE_PARTICIPANT`: the participants of the same person. */
  duplicateOf?: string[];
}

/**
 * @param path of the property in the row
 * @param rule the end of the sentence after the subject: `is not a partner of your organization`
 * @param subject of the sentence; without one and without a path, the rule is the sentence
 */
export const problem = (path: string, code: ImportErrorCode, rule: string, subject = path): Problem => ({
  path,
  code,
  message: subject ? `${subject} ${rule}` : rule,
});

/** The response to a request about one record, with the rule of imports that it breaks. */
export const refusedFor = ({ path, code, message }: Problem): ApiError =>
  // Rules that requests about one record can break have codes of bodies.
  errors.invalidBody([{ path, row: null, externalId: null, code: code as ProblemCode, message }]);

/** The path of a property of what has the path: of a participant, or, without a path, of the row itself. */
export const within = (path: string, property: string): string => (path ? `${path}.${property}` : property);

/** The outcome of a row, as stored in `import_rows`. */
export interface RowOutcome {
  row_number: number;
  outcome: ImportOutcome;
  result: Record<string, unknown> | null;
  error_code: ImportErrorCode | null;
  error_message: string | null;
  /** The property that the error is about. */
  error_path: string | null;
}

export const failed = (row: number, { path, code, message }: Problem): RowOutcome => ({
  row_number: row,
  outcome: 'FAILED',
  result: null,
  error_code: code,
  error_message: message,
  error_path: path || null,
});

export const succeeded = (
  row: number,
  outcome: Exclude<ImportOutcome, 'FAILED'>,
  result: Record<string, unknown>,
): RowOutcome => ({
  row_number: row,
  outcome,
  result,
  error_code: null,
  error_message: null,
  error_path: null,
});

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

  /** Adds a warning to a row that has succeeded. */
  warn(row: number, warning: Warning): void {
    const { result } = this.settled.get(row) as RowOutcome & { result: { warnings?: Warning[] } };
    result.warnings = [...(result.warnings ?? []), warning];
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
