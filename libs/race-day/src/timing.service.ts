import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Database } from '#libs/database';
import { JobProducer } from '#libs/jobs';
import { APPEND_TIMING, timingValues, UNIDENTIFIED } from './log';
import { RaceDayMetrics } from './race-day-metrics';
import { readTimingMessages } from './read-timing-messages';
import type { TimingReceipt } from './timing-message.dto';

interface Logged {
  seq: string;
  unidentified: boolean | null;
}

@Injectable()
export class TimingService {
  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
    private readonly metrics: RaceDayMetrics,
  ) {}

  /** @throws ApiError 400 for a bad message; nothing is stored then */
  async ingest(caller: Caller, body: unknown): Promise<TimingReceipt> {
    const { organizationId } = caller;
    const messages = readTimingMessages(body);
    const logged = await this.query<Logged>(organizationId, APPEND_TIMING, timingValues(caller, messages));
    this.metrics.received.inc({ source: 'TIMING' }, logged.length);
    this.producer.enqueue('race-day', { organizationId });
    const namedByBib = logged.flatMap(({ seq, unidentified }) => (unidentified === null ? seq : []));
    const nobodys = namedByBib.length
      ? await this.query<{ seq: string }>(organizationId, UNIDENTIFIED, [organizationId, namedByBib])
      : [];
    const unknown = new Set(nobodys.map(({ seq }) => seq));
    const unidentified = logged.flatMap((message, index) =>
      message.unidentified || unknown.has(message.seq) ? index : [],
    );
    return { success: true, received: logged.length, unidentified };
  }

  /** Not prepared: a plan made while the tables were all but empty would read all of them for each message. */
  private query<Row extends object>(organizationId: string, text: string, values: unknown[]): Promise<Row[]> {
    return this.database.of(organizationId).unprepared(text, values);
  }
}
