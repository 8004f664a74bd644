import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Database } from '#libs/database';
import { errors } from '#libs/http';
import { Wakeups } from '#libs/jobs';
import { Metrics } from '#libs/operations';
import { APPEND_RACE_DAY_UPDATE } from '#libs/race-day';
import type { RaceDayReceipt, RaceDayUpdate } from './race-day.dto';

@Injectable()
export class RaceDayService {
  constructor(
    private readonly database: Database,
    private readonly wakeups: Wakeups,
    private readonly metrics: Metrics,
  ) {}

  /** @throws ApiError 404 where the organization has no such participant; 400 where nothing is to change */
  async update(
    { organizationId, keyId }: Caller,
    participantId: string,
    { bibNumber, customFields }: RaceDayUpdate,
  ): Promise<RaceDayReceipt> {
    if (bibNumber === undefined && customFields === undefined) {
      throw errors.invalid('The body must have bibNumber, customFields or both');
    }
    const logged = await this.database.tuples(APPEND_RACE_DAY_UPDATE, [
      organizationId,
      participantId,
      keyId,
      bibNumber !== undefined,
      bibNumber ?? null,
      customFields ? JSON.stringify(customFields) : null,
    ]);
    if (logged.length === 0) throw errors.notFound();
    this.metrics.raceDayReceived.inc({ source: 'RACE_DAY' }, logged.length);
    this.wakeups.wake('race-day', { organizationId });
    return { success: true, message: 'The update is stored and shows within moments.' };
  }
}
