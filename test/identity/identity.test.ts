import { key, organization } from '#libs/testing';
import { newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

describe('GET /identity', () => {
  describe('returns', () => {
    it('empty lists for an unrestricted key', async () => {
      const { status, body } = await api.get('/identity');
      expect(status).toBe(200);
      expect(body).toEqual({
        organiserId: api.organizationId,
        test: false,
        eventOccurrenceIds: [],
        endpoints: [],
        permissions: [],
        partnerId: null,
        restricted: false,
      });
    });

    it.each(['ORGANIZER', 'MARKETPLACE', 'TIMING'] as const)('a key of kind %s', async (kind) => {
      const { token } = await key(api.dataSource, { organizationId: api.organizationId, kind });
      expect((await api.get('/identity', token)).body.organiserId).toBe(api.organizationId);
    });

    it('the restrictions of a scoped key', async () => {
      const eventOccurrenceIds = [newId()];
      const { token } = await key(api.dataSource, {
        organizationId: api.organizationId,
        eventOccurrenceIds,
        endpoints: ['registrationStatus'],
      });
      const { body } = await api.get('/identity', token);
      expect(body).toEqual({
        organiserId: api.organizationId,
        test: false,
        eventOccurrenceIds,
        endpoints: ['registrationStatus'],
        permissions: [],
        partnerId: null,
        restricted: true,
      });
    });

    it.each([{ endpoints: ['registrationStatus'] }, { eventOccurrenceIds: [newId()] }])(
      'that a key with one of the lists is restricted: %j',
      async (lists) => {
        const { token } = await key(api.dataSource, { organizationId: api.organizationId, ...lists });
        expect((await api.get('/identity', token)).body.restricted).toBe(true);
      },
    );
  });

  it('tells the holder of an expired key when it expired, and nobody else', async () => {
    const expiresAt = new Date('2026-01-02T03:04:05.678Z');
    const { token } = await key(api.dataSource, { organizationId: api.organizationId, expiresAt });
    for (let i = 0; i < 2; i++) {
      const { status, body } = await api.get('/identity', token);
      expect([status, body.message]).toEqual([
        401,
        'This API key expired at 2026-01-02T03:04:05.678000Z. Use another key.',
      ]);
    }
    const forged = `${token.slice(0, -4)}AAAA`;
    expect((await api.get('/identity', forged)).body.message).not.toContain('expired');
    const revoked = await key(api.dataSource, {
      organizationId: api.organizationId,
      expiresAt,
      revokedAt: new Date(),
    });
    expect((await api.get('/identity', revoked.token)).body.message).not.toContain('expired');
  });

  describe('rejects other organizations', () => {
    it('keys of a closed organization', async () => {
      const { id: organizationId } = await organization(api.dataSource, { deletedAt: new Date() });
      const { token } = await key(api.dataSource, { organizationId });
      const { status, body } = await api.get('/identity', token);
      expect(status).toBe(401);
      expect(body).toMatchObject({ statusCode: 401, error: 'Unauthorized' });
    });
  });
});
