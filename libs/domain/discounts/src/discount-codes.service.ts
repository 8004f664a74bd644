import { Injectable } from '@nestjs/common';
import { type Actor, audit, type Caller, changesBetween } from '#platform/access';
import { Database, statement } from '#platform/database';
import { type JsonText, Reads } from '#platform/queries';
import { errors } from '#platform/validation';
import type { DiscountCodeUpdate } from './discount-codes.dto';
import { DISCOUNT_CODE } from './discount-codes.resource';
import { DISCOUNT_CODE_FOR_STAFF } from './discount-codes-of-occurrence.resource';

const SET_GROUP = statement({
  parameters: ['uuid', 'uuid', 'text?'],
  sql: `
    UPDATE discount_codes SET group_name = $3 WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL
  `,
});

const LOCK = statement({
  parameters: ['uuid', 'uuid'],
  columns: { group: 'text?', limit: 'int?' },
  sql: `
    SELECT group_name AS "group", limit_usage AS "limit" FROM discount_codes
    WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE
  `,
});

const SET_LIMIT = statement({
  parameters: ['uuid', 'uuid', 'int?'],
  sql: 'UPDATE discount_codes SET limit_usage = $3 WHERE organization_id = $1 AND id = $2',
});

@Injectable()
export class DiscountCodesService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
  ) {}

  /** @throws ApiError 404 */
  async update(caller: Caller, id: string, { group }: DiscountCodeUpdate, by: Actor): Promise<JsonText> {
    const { organizationId } = caller;
    return this.database.of(organizationId).transaction(async (manager, reader) => {
      const before = await LOCK.first(manager, [organizationId, id]);
      const changes = before ? changesBetween(before, { group }) : [];
      await SET_GROUP.run(manager, [organizationId, id, group]);
      if (changes.length > 0)
        await audit(manager, by, {
          ...{ organizationId, action: 'discount_code.update', objectType: 'discount_code', objectId: id },
          changes,
        });
      return this.reads.one(DISCOUNT_CODE, caller, id, {}, reader);
    });
  }

  /**
   * @param to the most uses; `null`: no limit
   * @throws ApiError 404; 400 if the limit is lower than before
   */
  async raiseLimit(caller: Caller, by: Actor, id: string, to: number | null): Promise<JsonText> {
    const { organizationId } = caller;
    return this.database.of(organizationId).transaction(async (manager, reader) => {
      const code = await LOCK.first(manager, [organizationId, id]);
      if (!code) throw errors.notFound();
      const { limit: from } = code;
      if (to !== null && (from === null || to < from))
        throw errors.invalid(`limitUsage must not be below the current limit (${from ?? 'none'})`);
      if (to !== from) {
        await SET_LIMIT.run(manager, [organizationId, id, to]);
        await audit(manager, by, {
          ...{ organizationId, action: 'discount_code.limit', objectType: 'discount_code', objectId: id },
          changes: [{ field: 'limitUsage', from, to }],
        });
      }
      return this.reads.one(DISCOUNT_CODE_FOR_STAFF, caller, id, {}, reader);
    });
  }
}
