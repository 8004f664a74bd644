import type { FieldProblem, Problem } from '../problems';

/** One record of a file, as read: not checked yet. */
export interface SourceRecord {
  row: number;
  value: unknown;
  /** The rows of the file that the record was made from; one by default. */
  rows?: number[];
  /** The fields that the file has columns for, of a table: what is stored in others does not change. */
  columns?: readonly string[];
  /** The position of a field in the file. By default, the row of the record and the name of the field. */
  locate?(problem: FieldProblem): Problem;
}

/** An invalid row, or a warning about a valid one. */
export interface SourceProblem {
  problem: Problem;
  /** The row is loaded. */
  warning?: boolean;
}

export type Source = AsyncIterable<SourceRecord | SourceProblem>;

/** A file that does not have the format of its extension. */
export class UnreadableFile extends Error {}

/** Receives the number of bytes that were read since the last call. */
export type Advance = (bytes: number) => void;
