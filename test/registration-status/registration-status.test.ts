import { booking, key, organization } from '#libs/testing';
import { newId } from '#platform/database';
import { normalizeEmail } from '#platform/validation';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const check = (occurrenceId: string, email: unknown, token?: string) =>
  api.send('POST', `/v0/event-occurrences/${occurrenceId}/registration-status`, { email }, token);

describe('POST /v0/event-occurrences/{id}/registration-status', () => {
  it('finds an email in any case, with surrounding space and in any Unicode form', async () => {
    const { eventOccurrenceId } = await booking(api.dataSource, {
      organizationId: api.organizationId,
      entries: [{ emailNormalized: normalizeEmail('José.Ångström@Example.COM') }],
    });
    const decomposed = 'José.Ångström@example.com'.normalize('NFD');
    for (const email of ['josé.ångström@example.com', ' \u00a0JOSÉ.ÅNGSTRÖM@EXAMPLE.COM\t\n', decomposed]) {
      const { status, body } = await check(eventOccurrenceId, email);
      expect({ email, status, body }).toEqual({
        email,
        status: 200,
        body: { eventOccurrenceId, registered: true },
      });
    }
  });

  it('returns false for an email that is not registered', async () => {
    const { eventOccurrenceId } = await booking(api.dataSource, { organizationId: api.organizationId });
    for (const email of ['nobody@example.com', '%@%', '_@_', "'OR@true--"]) {
      const { status, body } = await check(eventOccurrenceId, email);
      expect({ email, status, body }).toEqual({
        email,
        status: 200,
        body: { eventOccurrenceId, registered: false },
      });
    }
  });

  it('ignores the entries of another occurrence', async () => {
    const { organizationId } = api;
    const entries = [{ emailNormalized: 'ada@example.com' }];
    const one = await booking(api.dataSource, { organizationId, entries });
    const other = await booking(api.dataSource, { organizationId });
    expect((await check(one.eventOccurrenceId, 'ada@example.com')).body.registered).toBe(true);
    expect((await check(other.eventOccurrenceId, 'ada@example.com')).body.registered).toBe(false);
  });

  it.each([
    ['pending', { approvalStatus: 'PENDING' as const }],
    ['rejected', { approvalStatus: 'REJECTED' as const }],
    ['withdrawn', { approvalStatus: 'WITHDRAWN' as const }],
    ['cancelled', { cancelledAt: new Date() }],
    ['redacted', { gdprRedacted: true }],
  ])('ignores an entry that is %s, until another one counts', async (_, state) => {
    const { organizationId } = api;
    const emailNormalized = 'grace@example.com';
    const { eventOccurrenceId, entries } = await booking(api.dataSource, {
      organizationId,
      entries: [{ emailNormalized, ...state }],
    });
    expect((await check(eventOccurrenceId, emailNormalized)).body.registered).toBe(false);
    const ticketId = entries[0]?.ticketId as string;
    await booking(api.dataSource, { organizationId, ticketId, entries: [{ emailNormalized }] });
    expect((await check(eventOccurrenceId, emailNormalized)).body.registered).toBe(true);
  });

  it('returns 404 for an occurrence that is missing, malformed or of another organization', async () => {
    const { eventOccurrenceId } = await booking(api.dataSource, { organizationId: api.organizationId });
    const { token } = await key(api.dataSource, { organizationId: (await organization(api.dataSource)).id });
    expect((await check(eventOccurrenceId, 'ada@example.com', token)).status).toBe(404);
    expect((await check(newId(), 'ada@example.com')).status).toBe(404);
    expect((await check('17', 'ada@example.com')).status).toBe(404);
  });

  it('rejects bodies without an email, or with other properties', async () => {
    const { eventOccurrenceId } = await booking(api.dataSource, { organizationId: api.organizationId });
    const path = `/v0/event-occurrences/${eventOccurrenceId}/registration-status`;
    for (const body of [{}, { email: 7 }, { email: null }, { email: 'a@example.com', more: 1 }, [], '{']) {
      expect((await api.send('POST', path, body)).status).toBe(400);
    }
    expect((await api.send('POST', path, {})).body.message).toBe('email is missing');
    expect((await check(eventOccurrenceId, 7)).body.message).toBe('email must be a string');
    expect((await check(eventOccurrenceId, 'notmail')).body.message).toBe('email must be an email address');
    expect((await check(eventOccurrenceId, `${'a'.repeat(254)}@b`)).body.message).toMatch(/^email .*254/);
    expect((await api.send('POST', path, 'email=a')).body.message).toMatch(/is invalid at position 0$/);
  });

  it('accepts scoped keys within their scope', async () => {
    const { organizationId, dataSource } = api;
    const inside = (await booking(dataSource, { organizationId })).eventOccurrenceId;
    const outside = (await booking(dataSource, { organizationId })).eventOccurrenceId;
    const endpoints = ['registrationStatus'];
    const eventOccurrenceIds = [inside];
    const both = (await key(dataSource, { organizationId, endpoints, eventOccurrenceIds })).token;
    const byEndpoint = (await key(dataSource, { organizationId, endpoints })).token;
    const byOccurrence = (await key(dataSource, { organizationId, eventOccurrenceIds })).token;
    for (const [token, status] of [
      [both, 403],
      [byEndpoint, 200],
      [byOccurrence, 403],
    ] as const) {
      expect((await check(inside, 'ada@example.com', token)).status).toBe(200);
      expect((await check(outside, 'ada@example.com', token)).status).toBe(status);
      expect((await api.get('/v0/participants', token)).status).toBe(403);
    }
    expect((await check(outside, 'ada@example.com', both)).body).toEqual({
      statusCode: 403,
      error: 'Forbidden',
      message: 'This key is not permitted to access that event occurrence.',
    });
  });
});
