import { Injectable } from '@nestjs/common';
import type { Caller } from '#platform/access';
import { Database, statement } from '#platform/database';
import { type JsonText, Reads } from '#platform/queries';
import type { DiscountCodeUpdate } from './discount-codes.dto';
import { DISCOUNT_CODE } from './discount-codes.resource';

const SET_GROUP = statement({
  parameters: ['uuid', 'uuid', 'text?'],
  sql: `
    UPDATE discount_codes SET group_name = $3 WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL
  `,
});

@Injectable()
export class DiscountCodesService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
  ) {}

  /** @throws ApiError 404 */
  async update(caller: Caller, id: string, { group }: DiscountCodeUpdate): Promise<JsonText> {
    const { organizationId } = caller;
    return this.database.of(organizationId).transaction(async (manager, reader) => {
      await SET_GROUP.run(manager, [organizationId, id, group]);
      return this.reads.one(DISCOUNT_CODE, caller, id, {}, reader);
    });
  }
}
