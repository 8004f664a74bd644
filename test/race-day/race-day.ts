import { type BookingWithEntries, booking, key } from '#libs/testing';
import { eventually, type TestApi } from '../harness';

/** A valid message with the given properties. */
export const message = (data: object, changedAt = '2026-05-04T09:30:00Z', others: object = {}) => ({
  schemaVersion: '1.0',
  data,
  changedAt,
  ...others,
});

/** An hour of one day, as `changedAt`. */
export const at = (hour: number, minute = 0) =>
  `2026-05-04T${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00Z`;

export const shipping = (given: object = {}) => ({ shippedAt: at(8), ...given });

/** The actions of an organizer and its timing partner. */
export class RaceDay {
  private constructor(
    private readonly api: TestApi,
    readonly organizationId: string,
    readonly timingToken: string,
  ) {}

  static async of(api: TestApi, given: { eventOccurrenceIds?: string[] } = {}): Promise<RaceDay> {
    const { organizationId } = api;
    const { token } = await key(api.dataSource, { organizationId, kind: 'TIMING', ...given });
    return new RaceDay(api, organizationId, token);
  }

  async participant(): Promise<string> {
    const [id = ''] = await this.participants(1);
    return id;
  }

  /** Participants of one race: a new one, or that of the ticket. */
  async participants(count: number, ticketId?: string): Promise<string[]> {
    return (await this.booking(count, ticketId)).entries.map(({ participantId }) => participantId);
  }

  booking(entries: number, ticketId?: string): Promise<BookingWithEntries> {
    const { organizationId } = this;
    return booking(this.api.dataSource, { organizationId, entries, ticketId });
  }

  send(messages: unknown, token = this.timingToken) {
    return this.api.send('POST', '/timing-inbound/v1', messages, token);
  }

  async accepted(
    messages: unknown,
  ): Promise<{ received: number; unidentified: number[]; conflicts: { index: number; code: string }[] }> {
    const { status, body } = await this.send(messages);
    if (status !== 200) throw new Error(`answered ${status}: ${body?.message}`);
    return body;
  }

  update(participantId: string, body: unknown, token?: string) {
    return this.api.send('PATCH', `/v0/participants/${participantId}/race-day`, body, token);
  }

  async shown(participantId: string) {
    const { body } = await this.api.get(`/v0/participants/${participantId}`);
    const { bibNumber, raceDayDetails, raceDayErrors: errors, updatedAt } = body;
    return { bibNumber, ...raceDayDetails, errors, updatedAt };
  }

  bibs(participantIds: string[]): Promise<(string | null)[]> {
    return Promise.all(participantIds.map(async (id) => (await this.shown(id)).bibNumber));
  }

  /** Waits until the worker has no work left. */
  async settled(): Promise<void> {
    await eventually(async () => {
      // One table each: Citus can't combine tables of all organizations.
      for (const work of [
        'race_day_log WHERE applied_at IS NULL',
        'bib_claims WHERE until IS NULL',
        'race_day_tasks',
      ]) {
        const [{ left }] = await this.api.dataSource.query(`SELECT count(*)::int AS left FROM ${work}`);
        if (left > 0) return false;
      }
      return true;
    });
  }

  async logged(): Promise<number> {
    const [{ logged }] = await this.api.dataSource.query('SELECT count(*)::int AS logged FROM race_day_log');
    return logged;
  }
}
