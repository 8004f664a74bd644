/** The reason why a row was not loaded. */
export interface RowProblem {
  /** The line of the file, or in a JSON array the position of the row, counted from 1. */
  line: number;
  externalBookingId: string | null;
  code: string;
  /** A sentence that names the property. */
  message: string;
}

/** Keeps the first problems and counts the others, to bound the memory. */
const KEPT = 1_000;

export class RowProblems {
  readonly list: RowProblem[] = [];
  count = 0;

  add(problem: RowProblem): void {
    this.count += 1;
    if (this.list.length < KEPT) this.list.push(problem);
  }
}

/** `line 3 (order-1815): booker.email must be an email address` */
export const describeRowProblem = ({ line, externalBookingId, message }: RowProblem): string =>
  `line ${line}${externalBookingId ? ` (${externalBookingId})` : ''}: ${message}`;
