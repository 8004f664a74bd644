import { Injectable } from '@nestjs/common';
import { type Actor, audit, type Caller, changesBetween } from '#platform/access';
import { Database, statement } from '#platform/database';
import { instant, type JsonText, Reads } from '#platform/queries';
import { errors, instantOf } from '#platform/validation';
import type { DiscountCodeUpdate } from './discount-codes.dto';
import { DISCOUNT_CODE } from './discount-codes.resource';
import type { StaffDiscountCodeUpdate } from './discount-codes-of-occurrence.dto';
import { DISCOUNT_CODE_FOR_STAFF } from './discount-codes-of-occurrence.resource';

const SET_GROUP = statement({
  parameters: ['uuid', 'uuid', 'text?'],
  sql: `
    UPDATE discount_codes SET group_name = $3 WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL
  `,
});

const LOCK = statement({
  parameters: ['uuid', 'uuid'],
  columns: { group: 'text?', limitUsage: 'int?', startDateTime: 'text?', endDateTime: 'text?' },
  sql: `
    SELECT group_name AS "group", limit_usage AS "limitUsage",
      ${instant('start_date_time')} AS "startDateTime", ${instant('end_date_time')} AS "endDateTime"
    FROM discount_codes
    WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE
  `,
});

const SET = statement({
  parameters: ['uuid', 'uuid', 'int?', 'timestamptz?'],
  sql: 'UPDATE discount_codes SET limit_usage = $3, end_date_time = $4 WHERE organization_id = $1 AND id = $2',
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

  /** @throws ApiError 404; 400 if the limit is lower than before, or the end is not after the start */
  async updateByStaff(
    caller: Caller,
    by: Actor,
    id: string,
    { limitUsage, endDateTime }: StaffDiscountCodeUpdate,
  ): Promise<JsonText> {
    const { organizationId } = caller;
    return this.database.of(organizationId).transaction(async (manager, reader) => {
      const before = await LOCK.first(manager, [organizationId, id]);
      if (!before) throw errors.notFound();
      const limit = limitUsage === undefined ? before.limitUsage : limitUsage;
      const end = endDateTime === undefined ? before.endDateTime : endDateTime && instantOf(endDateTime);
      if (limitUsage != null && limitUsage < (before.limitUsage ?? Number.POSITIVE_INFINITY))
        throw errors.invalid(
          `limitUsage must not be below the current limit (${before.limitUsage ?? 'none'})`,
        );
      if (end && before.startDateTime && end <= before.startDateTime)
        throw errors.invalid(`endDateTime must be later than startDateTime (${before.startDateTime})`);
      const after = { limitUsage: limit, endDateTime: end };
      const changes = changesBetween(before, after);
      if (changes.length > 0) {
        await SET.run(manager, [organizationId, id, limit, end ?? null]);
        await audit(manager, by, {
          ...{ organizationId, action: 'discount_code.update', objectType: 'discount_code', objectId: id },
          changes,
        });
      }
      return this.reads.one(DISCOUNT_CODE_FOR_STAFF, caller, id, {}, reader);
    });
  }
}
