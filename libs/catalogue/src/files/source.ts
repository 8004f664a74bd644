import type { FieldProblem, Problem } from '../problems';

/** One record of a file, as read: not checked yet. */
export interface SourceRecord {
  row: number;
  value: unknown;
  /** The rows of the file that made it; one, unless said otherwise. */
  rows?: number[];
  /** Where a field of the record stands in the file; in its own row and under its own name, unless said otherwise. */
  locate?(problem: FieldProblem): Problem;
}

/** A row that is no record, or something to know about one that is. */
export interface SourceProblem {
  problem: Problem;
  /** The row is loaded nevertheless. */
  warning?: boolean;
}

export type Source = AsyncIterable<SourceRecord | SourceProblem>;

/** A file that can't be read as what it is said to be. */
export class UnreadableFile extends Error {}

/** Told how many bytes of the file have been read since it was last told. */
export type Advance = (bytes: number) => void;
