import type { ProblemCode } from '#platform/validation';

/** A problem of a field of a record. */
export interface FieldProblem {
  field: string;
  message: string;
  /** INVALID_VALUE by default. */
  code?: ProblemCode;
  /** Of BELOW_USE: the used places. */
  used?: number;
}

/** A problem or a warning, and its position in the file. */
export interface Problem extends FieldProblem {
  /** The line, or in a JSON array the position of the record, counted from 1. */
  row: number;
}

/** Keeps the first thousand problems and counts the others, to bound the memory. */
const KEPT = 1_000;

export class Problems {
  readonly list: Problem[] = [];
  private readonly badRows = new Set<number>();
  count = 0;
  /** Rows that are not records. */
  unreadable = 0;

  /** @param onProblem gets all */
  constructor(private readonly onProblem?: (problem: Problem) => void) {}

  add(problem: Problem): void {
    this.onProblem?.(problem);
    this.count += 1;
    this.badRows.add(problem.row);
    if (this.list.length < KEPT) this.list.push(problem);
  }

  addUnreadable(problem: Problem): void {
    if (!this.has(problem.row)) this.unreadable += 1;
    this.add(problem);
  }

  has(row: number): boolean {
    return this.badRows.has(row);
  }

  get rows(): number {
    return this.badRows.size;
  }
}

/** `row 3: races[0].title is required` */
export const describeProblem = ({ row, field, message }: Problem): string =>
  `row ${row}: ${[field, message].filter(Boolean).join(' ')}`;
