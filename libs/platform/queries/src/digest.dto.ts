import { DateTime, Id, Int, Items, Text } from '#platform/validation';
/** The rows of a list whose ids end with the same byte. */
export class DigestBucket {
  /** The last byte of the ids, in hexadecimal. */
  @Text({ pattern: /^[0-9a-f]{2}$/, example: '8b' }) bucket: string;

  /** The number of rows. */
  @Int({ min: 0, example: 781 }) count: number;

  /** SHA-256 of the lines `<id> <updatedAt>`, each with a line feed at its end, in the order of the ids; in hexadecimal. */
  @Text({
    pattern: /^[0-9a-f]{64}$/,
    example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  })
  hash: string;
}

/** A row of a bucket. */
export class DigestRow {
  @Id() id: string;
  @DateTime() updatedAt: string;
}

/** What a complete copy of a list contains, so that its owner can compare (docs/syncing.md#check-the-copy). */
export class Digest {
  /** Rows whose `updatedAt` is not after this time are in the digest. */
  @DateTime() watermark: string;

  /** The ids of the rows that have changed since the watermark. They are in no bucket: leave them out of your copy's buckets, too. */
  @Id({ maxItems: 10_000 }) changed: string[];

  /** More than 10,000 rows have changed since the watermark: `changed` and `buckets` are empty. Repeat the request. */
  tooManyChanges: boolean;

  /** All 256 buckets, in order; with the parameter `bucket`, that bucket. */
  @Items({ max: 256 }) buckets: DigestBucket[];

  /** With the parameter `bucket`: its rows, in the order of their ids. */
  @Items({ max: 250_000 }) rows?: DigestRow[];
}
