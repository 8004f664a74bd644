/** The rows of a list whose ids end with the same byte. */
export class DigestBucket {
  /**
   * The last byte of the ids, in hexadecimal.
   * @pattern ^[0-9a-f]{2}$
   * @example 8b
   */
  bucket: string;

  /**
   * The number of rows.
   * @integer
   * @minimum 0
   * @example 781
   */
  count: number;

  /**
   * SHA-256 of the lines `<id> <updatedAt>`, each with a line feed at its end, in the order of the ids; in hexadecimal.
   * @pattern ^[0-9a-f]{64}$
   * @example e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
   */
  hash: string;
}

/** A row of a bucket. */
export class DigestRow {
  /** @format uuid */
  id: string;

  /** @format date-time */
  updatedAt: string;
}

/** What a complete copy of a list contains, so that its owner can compare (docs/syncing.md#check-the-copy). */
export class Digest {
  /**
   * Rows whose `updatedAt` is not after this time are in the digest.
   * @format date-time
   */
  watermark: string;

  /**
   * The ids of the rows that have changed since the watermark. They are in no bucket: leave them out of your copy's buckets, too.
   * @maxItems 10000
   */
  changed: DigestId[];

  /** More than 10,000 rows have changed since the watermark: `changed` and `buckets` are empty. Repeat the request. */
  tooManyChanges: boolean;

  /**
   * All 256 buckets, in order; with the parameter `bucket`, that bucket.
   * @maxItems 256
   */
  buckets: DigestBucket[];

  /**
   * With the parameter `bucket`: its rows, in the order of their ids.
   * @maxItems 250000
   */
  rows?: DigestRow[];
}

/**
 * The id of a row.
 * @format uuid
 * @example 01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b
 */
export type DigestId = string;
