/**
 * The index of a row in its request, from 0.
 * @integer
 * @minimum 0
 * @maximum 9999
 */
export type RowIndex = number;

/** The failed rows of another job that the rows of a batch replace. */
export class ImportCorrection {
  /**
   * The import with the failed rows, or an earlier correction of it.
   * @format uuid
   */
  jobId: string;

  /**
   * For each row of the batch, in its order: the failed row that it replaces. Each once.
   * @minItems 1
   * @maxItems 10000
   * @example [17, 40]
   */
  rows: RowIndex[];
}
