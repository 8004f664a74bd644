/** What is wrong, and in which field of a record. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** A problem or a warning, and where in the file it is. */
export interface Problem extends FieldProblem {
  /** The line, counted from 1; in a JSON array the record's place in it, counted from 1. */
  row: number;
}

/** The first thousand are kept, the others counted, so that a file of nothing but mistakes can't fill the memory. */
const KEPT = 1_000;

export class Problems {
  readonly list: Problem[] = [];
  private readonly badRows = new Set<number>();
  count = 0;
  /** Rows that are no record at all. */
  unreadable = 0;

  add(problem: Problem): void {
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
