import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Database } from '#libs/database';
import { parseJson } from '#libs/http';
import { Wakeups } from '#libs/jobs';
import {
  APPEND_TIMING,
  readTimingMessages,
  type TimingReceipt,
  timingValues,
  UNIDENTIFIED,
} from '#libs/race-day';

@Injectable()
export class TimingService {
  constructor(
    private readonly database: Database,
    private readonly wakeups: Wakeups,
  ) {}

  /** @throws ApiError 400 for a bad message; nothing is stored then */
  async ingest(caller: Caller, body: Buffer): Promise<TimingReceipt> {
    const { organizationId } = caller;
    const messages = readTimingMessages(parseJson(body));
    const rows = await this.database.tuples<[string]>(APPEND_TIMING, timingValues(caller, messages));
    this.wakeups.wake('race-day', { organizationId });
    // Planned anew each time: a plan made while the log was all but empty would read all of it for each message.
    const unidentified: { index: number }[] = await this.database.dataSource.query(UNIDENTIFIED, [
      organizationId,
      rows.map(([seq]) => seq),
    ]);
    return { success: true, received: rows.length, unidentified: unidentified.map(({ index }) => index) };
  }
}
