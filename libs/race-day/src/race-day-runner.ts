import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { JobHandler } from '#libs/jobs';
import { inSpan } from '#libs/operations';
import { applyPending, lockRaceDay } from './apply';
import { RaceDayMetrics } from './race-day-metrics';

/** Messages of one transaction: short enough that nobody waits long for it. */
const BATCH = 1_000;

/** Applies an organization's race-day messages, batch by batch. */
@Injectable()
export class RaceDayRunner {
  constructor(
    private readonly database: Database,
    private readonly metrics: RaceDayMetrics,
  ) {}

  /** Until none is left. Of two at once for an organization the second waits, and does what came meanwhile. */
  readonly apply: JobHandler<'race-day'> = async ({ organizationId }, begin) => {
    let begun = false;
    const batch = () =>
      this.database.transaction(async (manager) => {
        await lockRaceDay(manager, organizationId);
        if (!begun) await begin();
        begun = true;
        return applyPending(manager, organizationId, BATCH);
      });
    const counted = () =>
      inSpan('race-day batch', {}, async (span) => {
        const messages = await batch();
        this.metrics.applied.inc(messages);
        span.setAttribute('startline.messages', messages);
        return messages;
      });
    while ((await counted()) === BATCH);
  };
}
