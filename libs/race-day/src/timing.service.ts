import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Database } from '#libs/database';
import { JobProducer } from '#libs/jobs';
import { APPEND_TIMING, timingValues } from './log';
import { RaceDayMetrics } from './race-day-metrics';
import { readTimingMessages } from './read-timing-messages';
import type { TimingConflictCode, TimingReceipt } from './timing-message.dto';

interface Stored {
  unidentified: boolean;
  conflicts: TimingConflictCode[];
}

@Injectable()
export class TimingService {
  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
    private readonly metrics: RaceDayMetrics,
  ) {}

  /** @throws ApiError 400 if a message is invalid; then nothing is stored */
  async ingest(caller: Caller, body: unknown): Promise<TimingReceipt> {
    const { organizationId } = caller;
    const messages = readTimingMessages(body);
    const stored = await this.query<Stored>(organizationId, APPEND_TIMING, timingValues(caller, messages));
    this.metrics.received.inc({ source: 'TIMING' }, stored.length);
    this.producer.enqueue('race-day', { organizationId });
    return {
      success: true,
      received: stored.length,
      unidentified: stored.flatMap(({ unidentified }, index) => (unidentified ? index : [])),
      conflicts: stored.flatMap(({ conflicts }, index) => conflicts.map((code) => ({ index, code }))),
    };
  }

  /** Not prepared: a plan for nearly empty tables would read whole tables for each message. */
  private query<Row extends object>(organizationId: string, text: string, values: unknown[]): Promise<Row[]> {
    return this.database.of(organizationId).unprepared(text, values);
  }
}
