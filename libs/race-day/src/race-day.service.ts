import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Database } from '#libs/database';
import { errors } from '#libs/errors';
import { JobProducer } from '#libs/jobs';
import { APPEND_RACE_DAY_UPDATE, MOST_FIELD_TEXT, MOST_FIELDS } from './log';
import { RaceDayMetrics } from './race-day-metrics';
import type { RaceDayConflict, RaceDayReceipt, RaceDayUpdate } from './race-day-update.dto';

const SHOWN = 'The update is stored and shows within moments.';
const NOT_SHOWN: Record<RaceDayConflict, string> = {
  BIB_NUMBER_TAKEN:
    'The update is stored, but the bib does not show: another participant of the race claimed it earlier.',
  PARTICIPANT_CANCELLED: 'The update is stored, but the bib does not show: the participant is cancelled.',
};

@Injectable()
export class RaceDayService {
  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
    private readonly metrics: RaceDayMetrics,
  ) {}

  /** @throws ApiError 404 where the organization has no such participant; 400 where nothing is to change, or too much */
  async update(
    { organizationId, keyId }: Caller,
    participantId: string,
    { bibNumber, customFields }: RaceDayUpdate,
  ): Promise<RaceDayReceipt> {
    if (bibNumber === undefined && customFields === undefined) {
      throw errors.invalid('The body must have bibNumber, customFields or both');
    }
    const [asked] = await this.database
      .of(organizationId)
      .tuples<[fits: boolean, conflicts: RaceDayConflict[]]>(APPEND_RACE_DAY_UPDATE, [
        organizationId,
        participantId,
        keyId,
        bibNumber !== undefined,
        bibNumber ?? null,
        customFields ? JSON.stringify(customFields) : null,
      ]);
    if (!asked) throw errors.notFound();
    const [fits, conflicts] = asked;
    if (!fits) {
      throw errors.invalid(
        `customFields: a participant has at most ${MOST_FIELDS} fields, of ${MOST_FIELD_TEXT} characters altogether`,
      );
    }
    this.metrics.received.inc({ source: 'RACE_DAY' });
    this.producer.enqueue('race-day', { organizationId });
    const [conflict] = conflicts;
    return { success: true, message: conflict ? NOT_SHOWN[conflict] : SHOWN, conflicts };
  }
}
