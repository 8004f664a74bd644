import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, statement } from '#platform/database';
import { errors } from '#platform/validation';

const LONGEST_KEY = 255;
/** As clients are told (docs/interface.md). */
export const IDEMPOTENCY_HOURS = 24;

/** Waits for a concurrent request with the same key. An expired key is free again. */
const CLAIM = statement({
  parameters: ['uuid', 'text', 'text', 'bytea', 'uuid?', 'int'],
  columns: { claimed: 'boolean' },
  sql: `
    INSERT INTO idempotency_keys AS k (organization_id, operation, key, body_hash, job_id)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (organization_id, operation, key) DO UPDATE
      SET body_hash = excluded.body_hash, job_id = excluded.job_id, created_at = clock_timestamp()
      WHERE k.created_at < clock_timestamp() - make_interval(hours => $6)
    RETURNING true AS claimed
  `,
});

const FIRST = statement({
  parameters: ['uuid', 'text', 'text', 'int'],
  columns: { bodyHash: 'bytea', jobId: 'uuid?' },
  sql: `
    SELECT body_hash AS "bodyHash", job_id AS "jobId" FROM idempotency_keys
    WHERE organization_id = $1 AND operation = $2 AND key = $3
      AND created_at >= clock_timestamp() - make_interval(hours => $4)
  `,
  prepared: true,
});

export interface ClaimedKey {
  organizationId: string;
  /** The name of the operation: keys are separate per operation. */
  operation: string;
  key: string;
  /** Of the body. */
  hash: Buffer;
}

@Injectable()
export class IdempotencyKeys {
  constructor(private readonly database: Database) {}

  /** @throws ApiError 400 if the header is not a valid key */
  read(header: string | string[] | undefined): string | undefined {
    if (header === undefined) return undefined;
    if (typeof header !== 'string' || header.length < 1 || header.length > LONGEST_KEY) {
      throw errors.invalid(`Idempotency-Key must have 1 to ${LONGEST_KEY} characters`);
    }
    return header;
  }

  /**
   * Call it in the transaction that performs the request: both happen, or neither.
   *
   * @param jobId the import job that the request creates, if any
   * @returns false if another request has the key
   */
  async claim(
    manager: EntityManager,
    { organizationId, operation, key, hash }: ClaimedKey,
    jobId: string | null = null,
  ): Promise<boolean> {
    const claimed = await CLAIM.rows(manager, [
      organizationId,
      operation,
      key,
      hash,
      jobId,
      IDEMPOTENCY_HOURS,
    ]);
    return claimed.length > 0;
  }

  /**
   * The result of the first request with the key.
   *
   * @throws ApiError 400 if it had another body, or the key has expired since
   */
  async first({ organizationId, operation, key, hash }: ClaimedKey): Promise<{ jobId: string | null }> {
    const first = await FIRST.first(this.database.of(organizationId), [
      organizationId,
      operation,
      key,
      IDEMPOTENCY_HOURS,
    ]);
    if (!first) throw errors.invalid('Idempotency-Key expired meanwhile: send the request again');
    if (!first.bodyHash.equals(hash)) {
      throw errors.invalid('Idempotency-Key was used with another body or other parameters: use a new one');
    }
    return { jobId: first.jobId };
  }
}
