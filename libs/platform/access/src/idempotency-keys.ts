import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { asOrganization, Database, type Once, type Owner, statement } from '#platform/database';
import { errors } from '#platform/validation';

const LONGEST_KEY = 255;
/** As clients are told (docs/interface.md). */
export const IDEMPOTENCY_HOURS = 24;

/** Waits for a concurrent request with the same key. An expired key is free again. */
const CLAIM = statement({
  parameters: ['uuid', 'text', 'text', 'bytea', 'uuid?', 'int'],
  columns: { claimed: 'boolean' },
  sql: `
    INSERT INTO idempotency_keys AS k (organization_id, operation, key, body_hash, record_id)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (organization_id, operation, key) DO UPDATE
      SET body_hash = excluded.body_hash, record_id = excluded.record_id, created_at = clock_timestamp()
      WHERE k.created_at < clock_timestamp() - make_interval(hours => $6)
    RETURNING true AS claimed
  `,
});

const FIRST = statement({
  parameters: ['uuid', 'text', 'text', 'int'],
  columns: { bodyHash: 'bytea', recordId: 'uuid?' },
  sql: `
    SELECT body_hash AS "bodyHash", record_id AS "recordId" FROM idempotency_keys
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

const KEEP = statement({
  parameters: ['uuid', 'text', 'text', 'uuid'],
  sql: 'UPDATE idempotency_keys SET record_id = $4 WHERE organization_id = $1 AND operation = $2 AND key = $3',
});

const RELEASE = statement({
  parameters: ['uuid', 'text', 'text'],
  sql: 'DELETE FROM idempotency_keys WHERE organization_id = $1 AND operation = $2 AND key = $3',
});

/** The transaction of a request with a key: claim, work and record are committed together, or none of them. */
class ClaimedOnce implements Once {
  /** Whether an earlier request has the key. */
  isRepeated = false;

  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly claim: ClaimedKey,
    private readonly made: (done: unknown) => string | true | undefined = () => true,
  ) {}

  get organizationId(): string {
    return this.claim.organizationId;
  }

  async around<T>(manager: EntityManager, owner: Owner, work: () => Promise<T>): Promise<T> {
    this.isRepeated = !(await asOrganization(manager, owner, () => this.keys.claim(manager, this.claim)));
    if (this.isRepeated) throw new Error('The request is repeated');
    const done = await work();
    await asOrganization(manager, owner, () => this.keep(manager, this.made(done)));
    return done;
  }

  private async keep(manager: EntityManager, made: string | true | undefined): Promise<void> {
    const { organizationId, operation, key } = this.claim;
    if (made === undefined) await RELEASE.run(manager, [organizationId, operation, key]);
    else if (made !== true) await KEEP.run(manager, [organizationId, operation, key, made]);
  }
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
   * @param recordId the record that the request makes, if it is known
   * @returns false if another request has the key
   */
  async claim(
    manager: EntityManager,
    { organizationId, operation, key, hash }: ClaimedKey,
    recordId: string | null = null,
  ): Promise<boolean> {
    const claimed = await CLAIM.rows(manager, [
      organizationId,
      operation,
      key,
      hash,
      recordId,
      IDEMPOTENCY_HOURS,
    ]);
    return claimed.length > 0;
  }

  /** Claims a key in the transaction of a request (`doOnce`). @param made as `Repeatable` declares it */
  once(claim: ClaimedKey, made?: (done: unknown) => string | true | undefined): ClaimedOnce {
    return new ClaimedOnce(this, claim, made);
  }

  /**
   * The result of the first request with the key.
   *
   * @throws ApiError 400 if it had another body, or the key has expired since
   */
  async first({ organizationId, operation, key, hash }: ClaimedKey): Promise<{ recordId: string | null }> {
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
    return { recordId: first.recordId };
  }
}
