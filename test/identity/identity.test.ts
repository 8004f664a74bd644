import { newId } from '#libs/database';
import { key, organization } from '#libs/testing';
import { startApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('GET /identity', () => {
  describe('returns', () => {
    it('empty lists for an unrestricted key', async () => {
      const { status, body } = await api.get('/identity');
      expect(status).toBe(200);
      expect(body).toEqual({ organiserId: api.organizationId, eventOccurrenceIds: [], endpoints: [] });
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
        eventOccurrenceIds,
        endpoints: ['registrationStatus'],
      });
    });
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
