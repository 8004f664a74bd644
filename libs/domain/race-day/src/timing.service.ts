import { Injectable } from '@nestjs/common';
import type { Caller } from '#platform/access';
import { Database } from '#platform/database';
import { JsonText } from '#platform/queries';
import { JobProducer } from '#platform/queues';
import { APPEND_TIMING, timingValues } from './log';
import { RaceDayMetrics } from './race-day-metrics';
import { readTimingMessages } from './read-timing-messages';
import type { TimingReceipt } from './timing-message.dto';
import { STATUS_URL, timingStatus } from './timing-status';

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
    const stored = await APPEND_TIMING.rows(this.database.of(organizationId), timingValues(caller, messages));
    this.metrics.received.inc({ source: 'TIMING' }, stored.length);
    this.producer.enqueue('race-day', { organizationId });
    return {
      success: true,
      received: stored.length,
      unidentified: stored.flatMap(({ unidentified }, index) => (unidentified ? index : [])),
      conflicts: stored.flatMap(({ conflicts }, index) => conflicts.map((code) => ({ index, code }))),
      statusUrl: STATUS_URL,
    };
  }

  /** A `TimingStatus`. */
  async status(caller: Caller): Promise<JsonText> {
    return new JsonText([await timingStatus(this.database.of(caller.organizationId), caller)]);
  }
}
