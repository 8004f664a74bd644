import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { type JobHandler, JobProducer } from '#libs/jobs';
import { inSpan } from '#libs/operations';
import { hasRaceDayWork, raceDayRound } from './apply';
import { RaceDayMetrics } from './race-day-metrics';

/** Messages per transaction, limited because other transactions wait for it. */
const BATCH = 1_000;
/** Rounds per job. An organization with more work is enqueued again, behind the others. */
const ROUNDS = 5;

/** Applies an organization's race-day messages. */
@Injectable()
export class RaceDayRunner {
  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
    private readonly metrics: RaceDayMetrics,
  ) {}

  /** Of two concurrent jobs for an organization, the second waits and processes messages that arrived meanwhile. */
  readonly apply: JobHandler<'race-day'> = async ({ organizationId }, begin) => {
    for (let round = 0; round < ROUNDS; round++) {
      await this.round(organizationId, round === 0 ? begin : undefined);
      if (!(await this.hasWork(organizationId))) return;
    }
    this.producer.enqueue('race-day', { organizationId });
  };

  private hasWork(organizationId: string): Promise<boolean> {
    return this.database.of(organizationId).transaction((manager) => hasRaceDayWork(manager, organizationId));
  }

  private round(organizationId: string, begin?: () => Promise<unknown>): Promise<void> {
    return inSpan('race-day batch', {}, async (span) => {
      const messages = await raceDayRound(
        (step) => this.database.of(organizationId).transaction(step),
        organizationId,
        BATCH,
        begin,
      );
      this.metrics.applied.inc(messages);
      span.setAttribute('startline.messages', messages);
    });
  }
}
