import { Client } from 'pg';
import type { EntityManager } from 'typeorm';
import { type Decision, decideApplications, redactParticipant } from '#domain/participants';
import { booking, key, occurrence, organization, partner, ticket } from '#libs/testing';
import { revokeKey } from '#platform/access';
import { type EventOccurrence, newId } from '#platform/database';
import { eventually, sharedApi, type TestApi } from '../harness';
import { importRows } from '../imports/import';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

interface Event {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, any>;
}

const list = (query = '', token?: string) => api.get(`/v0/change-events?${query}`, token);

/** A separate organization with its feed enabled, and the events of it. */
async function feed() {
  const { id: organizationId } = await organization(api.dataSource);
  const { token } = await key(api.dataSource, { organizationId });
  expect((await list('', token)).body.data).toEqual([]);
  /** Waits for exactly that number of events below the watermark. */
  const announced = async (count: number): Promise<Event[]> => {
    const events = await eventually(async () => {
      const { body } = await list('page%5Bsize%5D=500', token);
      return body.data.length >= count && (body.data as Event[]);
    });
    expect(events.map(({ type }) => type)).toHaveLength(count);
    return events;
  };
  return { organizationId, token, announced };
}

const actor = { type: 'COMMAND_LINE', id: null, origin: null } as const;
const typesOf = (events: Event[]) => events.map(({ type }) => type).sort();
const transaction = <T>(work: (manager: EntityManager) => Promise<T>) => api.dataSource.transaction(work);

describe('GET /v0/change-events lists', () => {
  it('an import: each booking, application and participant, one import.finished with its counts, and one import.needs_attention', async () => {
    const { organizationId, token, announced } = await feed();
    const { id: ticketId, eventOccurrenceId } = await ticket(api.dataSource, { organizationId });
    const row = (i: number) => ({
      externalBookingId: `order-${i}`,
      eventOccurrenceId,
      booker: { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' },
      participants: [
        {
          firstName: 'Ada',
          lastName: 'Lovelace',
          email: `ada-${i}@example.com`,
          ticketId: i === 2 ? newId() : ticketId,
        },
      ],
    });
    const job = await importRows(api, 'bookings/import', { bookings: [0, 1, 2].map(row) }, { token });
    const before = 3; // the occurrence, updated by its race and ticket
    const events = (await announced(before + 8)).slice(before);
    expect(typesOf(events)).toEqual([
      ...['application.created', 'application.created', 'booking.created', 'booking.created'],
      ...['import.finished', 'import.needs_attention', 'participant.created', 'participant.created'],
    ]);
    const finished = events.find(({ type }) => type === 'import.finished');
    expect(finished?.data).toEqual({
      importJobId: job.jobId,
      surface: 'bookingsImport',
      status: 'COMPLETED',
      totalRows: 3,
      succeededRows: 2,
      alreadyImportedRows: 0,
      cancelledBeforeRows: 0,
      failedRows: 1,
    });
    const needs = events.find(({ type }) => type === 'import.needs_attention');
    expect(needs?.data).toEqual({ ...finished?.data, reason: 'FAILED_ROWS' });
    const joined = events.find(({ type }) => type === 'participant.created');
    expect((await api.get(`/v0/participants/${joined?.data.participantId}`, token)).body).toMatchObject({
      id: joined?.data.participantId,
      applicationId: joined?.data.applicationId,
      bookingId: joined?.data.bookingId,
      eventOccurrenceId,
      raceId: joined?.data.raceId,
    });
    expect(JSON.stringify(events)).not.toMatch(/Ada|Grace|Lovelace|Hopper|example\.com/);
  });

  it('every status change of an application and a participant', async () => {
    const { organizationId, token, announced } = await feed();
    const { entries } = await booking(api.dataSource, {
      organizationId,
      entries: [{ approvalStatus: 'PENDING' }, { approvalStatus: 'PENDING' }],
    });
    const [first, second] = entries;
    const made = (await announced(3 + 1 + 2)).length;
    const decide = (applicationId: string | undefined, decision: Decision, reason?: string) =>
      transaction((manager) =>
        decideApplications(manager, {
          organizationId,
          applicationIds: [applicationId as string],
          decision,
          reason,
        }),
      );
    await decide(first?.id, 'APPROVE');
    await decide(second?.id, 'REJECT', 'Full');
    await api.send('PATCH', `/v0/participants/${first?.participantId}/race-day`, { bibNumber: '42' }, token);
    await announced(made + 5);
    await redactParticipant(api.dataSource, first?.participantId as string, actor);
    await redactParticipant(api.dataSource, second?.id as string, actor);
    const events = (await announced(made + 9)).slice(made);
    expect(
      events.map(({ type, data }) => [
        type,
        data.applicationId,
        data.participantId ?? null,
        data.changed ?? null,
      ]),
    ).toEqual([
      ['application.decided', first?.id, first?.participantId, null],
      ['participant.created', first?.id, first?.participantId, null],
      ['booking.updated', undefined, null, ['participantIds']],
      ['application.decided', second?.id, null, null],
      ['participant.race_day_updated', first?.id, first?.participantId, ['bibNumber', 'metadata']],
      ['participant.redacted', first?.id, first?.participantId, null],
      ['booking.updated', undefined, null, ['metadata']],
      ['application.redacted', second?.id, null, null],
      // The booking's other entry is redacted, so it does not show the booker.
      ['booking.updated', undefined, null, ['booker', 'metadata']],
    ]);
  });

  it('a cancelled booking and its participants', async () => {
    const { organizationId, token, announced } = await feed();
    const { id } = await booking(api.dataSource, {
      organizationId,
      entries: [{ bibNumber: '7', bibClaim: '7' }],
    });
    const made = (await announced(3 + 3)).length;
    expect((await api.send('DELETE', `/v0/bookings/${id}`, undefined, token)).status).toBe(200);
    expect(typesOf((await announced(made + 3)).slice(made))).toEqual([
      'booking.cancelled',
      'participant.cancelled',
      'participant.race_day_updated',
    ]);
  });

  it('partners, occurrences and revoked keys', async () => {
    const { organizationId, token, announced } = await feed();
    const contact = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
    const { body: made } = await api.send(
      'POST',
      '/v0/partners',
      { name: 'Hospice', contacts: [contact] },
      token,
    );
    await api.send('PATCH', `/v0/partners/${made.id}`, { name: 'Hospital', description: 'x' }, token);
    await api.send('PATCH', `/v0/partners/${made.id}`, { name: 'Hospital' }, token);
    const { id: occurrenceId } = await occurrence(api.dataSource, { organizationId });
    await api.dataSource.query(
      `UPDATE event_occurrences SET title = 'Another', called_off = 'POSTPONED' WHERE id = $1`,
      [occurrenceId],
    );
    const revoked = await key(api.dataSource, { organizationId });
    await revokeKey(api.dataSource.manager, { organizationId, id: revoked.id }, actor);
    await revokeKey(api.dataSource.manager, { organizationId, id: revoked.id }, actor);
    const events = await announced(5);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['partner.created', { partnerId: made.id }],
      ['partner.updated', { partnerId: made.id, changed: ['name', 'description'] }],
      ['event_occurrence.created', { eventOccurrenceId: occurrenceId, eventId: expect.any(String) }],
      [
        'event_occurrence.updated',
        { eventOccurrenceId: occurrenceId, eventId: expect.any(String), changed: ['title', 'status'] },
      ],
      ['key.revoked', { keyId: revoked.id, kind: 'ORGANIZER' }],
    ]);
  });
});

describe('a change event', () => {
  it('exists if and only if its change was committed', async () => {
    const { organizationId, announced } = await feed();
    await transaction(async (manager) => {
      await manager.query(`INSERT INTO partners (organization_id, id, name) VALUES ($1, $2, 'Never')`, [
        organizationId,
        newId(),
      ]);
      throw new Error('rolled back');
    }).catch(() => {});
    await partner(api.dataSource, { organizationId });
    const [event] = await announced(1);
    expect(event?.type).toBe('partner.created');
  });

  it('includes other changes of its row by the same transaction, and none by other transactions', async () => {
    const { organizationId, announced } = await feed();
    const { id } = await partner(api.dataSource, { organizationId });
    const set = (column: string, value: string) =>
      [
        `UPDATE partners SET ${column} = $1 WHERE organization_id = $2 AND id = $3`,
        [value, organizationId, id],
      ] as [string, string[]];
    await transaction(async (manager) => {
      await manager.query(...set('name', 'One'));
      await manager.query(...set('description', 'Two'));
      await manager.query(...set('name', 'Three'));
    });
    await api.dataSource.query(...set('description', 'Four'));
    const events = (await announced(3)).slice(1);
    expect(events.map(({ data }) => data.changed)).toEqual([['description', 'name'], ['description']]);
  });

  it('is written once per statement for all its rows, with any cached plan', async () => {
    const { organizationId, announced } = await feed();
    const { id: ticketId } = await ticket(api.dataSource, { organizationId });
    const rows = 150;
    const { id } = await booking(api.dataSource, { organizationId, ticketId, entries: rows });
    await api.dataSource.query(`UPDATE start_list_entries SET tags = '{vip}' WHERE booking_id = $1`, [id]);
    const events = await announced(3 + 1 + 2 * rows + rows);
    expect(new Set(events.slice(-rows).map(({ type, data }) => `${type} ${data.changed}`))).toEqual(
      new Set(['participant.updated tags']),
    );
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  it('is not written for organizations that did not enable the feed', async () => {
    const { id: organizationId } = await organization(api.dataSource);
    await partner(api.dataSource, { organizationId });
    expect(
      await api.dataSource.query('SELECT FROM change_events WHERE organization_id = $1', [organizationId]),
    ).toEqual([]);
  });
});

describe('enabling the feed', () => {
  it('waits for a transaction that wrote before it could see that the feed is enabled', async () => {
    const { id: organizationId } = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId });
    const writer = new Client({ connectionString: api.databaseUrl });
    await writer.connect();
    await writer.query('BEGIN');
    const id = newId();
    await writer.query(`INSERT INTO partners (organization_id, id, name) VALUES ($1, $2, 'Early')`, [
      organizationId,
      id,
    ]);
    let answered = false;
    const first = list('', token).then((answer) => {
      answered = true;
      return answer;
    });
    const isOn = `SELECT FROM change_event_feeds WHERE organization_id = '${organizationId}'`;
    await eventually(async () => (await api.dataSource.query(isOn)).length > 0);
    expect(answered).toBe(false);
    await writer.query('COMMIT');
    await writer.end();
    expect((await first).body.data).toEqual([]);
    // So that it is among the existing data.
    expect((await api.get(`/v0/partners/${id}`, token)).status).toBe(200);
  });
});

describe('the list of change events', () => {
  let events: Event[];
  let token: string;
  let first: EventOccurrence;
  beforeAll(async () => {
    const made = await feed();
    token = made.token;
    first = await occurrence(api.dataSource, { organizationId: made.organizationId });
    await occurrence(api.dataSource, { organizationId: made.organizationId });
    await partner(api.dataSource, { organizationId: made.organizationId });
    events = await made.announced(3);
  });
  const ids = async (query: string) => (await list(query, token)).body.data.map(({ id }: Event) => id);

  it('continues where a page ended, also after it reached its end', async () => {
    const { body: page } = await list('page%5Bsize%5D=1', token);
    expect([page.data, page.page.totalResults, page.page.next]).toEqual([[events[0]], 3, page.page.last]);
    const { body: rest } = await list(`page%5Bafter%5D=${page.page.next}`, token);
    expect([rest.data, rest.page.next]).toEqual([events.slice(1), '']);
    expect((await list(`page%5Bafter%5D=${rest.page.last}`, token)).body.data).toEqual([]);
  });

  it('filters by type, occurrence and time, and sorts both ways', async () => {
    const [one, two, three] = events.map(({ id }) => id);
    expect(await ids('type=partner.created')).toEqual([three]);
    expect(await ids('type=partner.created,event_occurrence.created')).toEqual([one, two, three]);
    expect(await ids(`eventOccurrenceId=${first.id}`)).toEqual([one]);
    expect(await ids(`timestamp%5Bafter%5D=${events[0]?.timestamp}`)).toEqual([two, three]);
    expect(await ids(`timestamp%5Bbefore%5D=${events[1]?.timestamp}`)).toEqual([one]);
    expect(await ids('sort%5Btimestamp%5D=-1')).toEqual([three, two, one]);
    expect((await list('type=nothing', token)).status).toBe(400);
  });

  it('rejects restricted keys, and shows no events of other organizations', async () => {
    const { token: restricted } = await key(api.dataSource, {
      organizationId: first.organizationId,
      endpoints: ['registrationStatus'],
    });
    expect((await list('', restricted)).status).toBe(403);
    expect((await list()).body.data).toEqual([]);
  });
});

it('deletes expired events, and keeps the total correct', async () => {
  const { organizationId, token, announced } = await feed();
  for (let i = 0; i < 3; i++) await partner(api.dataSource, { organizationId });
  const [, , kept] = await announced(3);
  await api.dataSource.query(
    `UPDATE change_events SET occurred_at = occurred_at - interval '31 days' WHERE organization_id = $1 AND id <> $2`,
    [organizationId, kept?.id],
  );
  const { body } = await eventually(async () => {
    const answer = await list('', token);
    return answer.body.data.length === 1 && answer;
  });
  expect([body.data, body.page.totalResults]).toEqual([[kept], 1]);
});
