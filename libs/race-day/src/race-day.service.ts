import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Database } from '#libs/database';
import { errors } from '#libs/errors';
import { IdempotencyKeys } from '#libs/idempotency';
import { instantOf } from '#libs/input';
import { JobProducer } from '#libs/jobs';
import { APPEND_RACE_DAY_UPDATE, MOST_FIELD_TEXT, MOST_FIELDS } from './log';
import { RaceDayMetrics } from './race-day-metrics';
import type { RaceDayReceipt, RaceDayUpdate } from './race-day-update.dto';

type Appended = { fits: boolean; future: boolean } | undefined;

const RECEIPT: RaceDayReceipt = { success: true, message: 'The update is stored and shows within moments.' };

@Injectable()
export class RaceDayService {
  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
    private readonly metrics: RaceDayMetrics,
    private readonly keys: IdempotencyKeys,
  ) {}

  /**
   * @param operation the operation's name, within which the Idempotency-Key holds
   * @throws ApiError 404 where the organization has no such participant; 400 where nothing is to change, or too much
   */
  async update(
    { organizationId, keyId }: Caller,
    participantId: string,
    update: RaceDayUpdate,
    { operation, idempotencyKey }: { operation: string; idempotencyKey: string | string[] | undefined },
  ): Promise<RaceDayReceipt> {
    const { bibNumber, customFields, changedAt } = update;
    if (bibNumber === undefined && customFields === undefined) {
      throw errors.invalid('The body must have bibNumber, customFields or both');
    }
    const at = changedAt === undefined ? null : (instantOf(changedAt) ?? '');
    if (at !== null && at < '1970') throw errors.invalid('changedAt must not be before 1970');
    const values = [
      organizationId,
      participantId,
      keyId,
      bibNumber !== undefined,
      bibNumber ?? null,
      customFields ? JSON.stringify(customFields) : null,
      at,
    ];
    const key = this.keys.read(idempotencyKey);
    if (key === undefined) {
      const [appended] = await this.database
        .of(organizationId)
        .query<NonNullable<Appended>>(APPEND_RACE_DAY_UPDATE, values);
      requireAppended(appended);
    } else {
      const hash = createHash('sha256')
        .update(JSON.stringify([participantId, update]))
        .digest();
      const claim = { organizationId, operation, key, hash };
      const isFirst = await this.database.of(organizationId).transaction(async (manager) => {
        if (!(await this.keys.claim(manager, claim))) return false;
        const [appended]: Appended[] = await manager.query(APPEND_RACE_DAY_UPDATE, values);
        requireAppended(appended);
        return true;
      });
      if (!isFirst) {
        await this.keys.first(claim);
        return RECEIPT;
      }
    }
    this.metrics.received.inc({ source: 'RACE_DAY' });
    this.producer.enqueue('race-day', { organizationId });
    return RECEIPT;
  }
}

function requireAppended(appended: Appended): void {
  if (!appended) throw errors.notFound();
  if (appended.future) throw errors.invalid('changedAt must not be in the future');
  if (!appended.fits) {
    throw errors.invalid(
      `customFields: a participant has at most ${MOST_FIELDS} fields, of ${MOST_FIELD_TEXT} characters altogether`,
    );
  }
}
