import { Id, Int } from '#platform/validation';

/** The failed rows of another job that the rows of a batch replace. */
export class ImportCorrection {
  /** The import with the failed rows, or an earlier correction of it. */
  @Id() jobId: string;

  /** For each row of the batch, in its order: the failed row that it replaces. Each once. */
  @Int({ min: 0, max: 9_999, minItems: 1, maxItems: 10_000, example: [17, 40] }) rows: number[];
}
