import {
  booking,
  credit,
  discountCode,
  key,
  organization,
  partner,
  referralProgram,
  referrer,
  ticket,
} from '#libs/testing';
import { newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const make = (given: Partial<Parameters<typeof discountCode>[1]> = {}) =>
  discountCode(api.dataSource, { organizationId: api.organizationId, ...given });
const read = (id: string, token?: string) => api.get(`/v0/discount-codes/${id}`, token);
const update = (id: string, body: unknown, token?: string) =>
  api.send('PATCH', `/v0/discount-codes/${id}`, body, token);

/** Ids of other objects, or of discount codes of other organizations. */
const NOT_OURS: [string, () => Promise<{ id: string }>][] = [
  ['a credit', () => credit(api.dataSource, { organizationId: api.organizationId })],
  ['a gift card', () => credit(api.dataSource, { organizationId: api.organizationId, kind: 'GIFT_CARD' })],
  [
    'a referral code',
    async () => {
      const { organizationId } = api;
      const { id: referralProgramId } = await referralProgram(api.dataSource, { organizationId });
      return referrer(api.dataSource, { organizationId, referralProgramId });
    },
  ],
  ['a deleted code', () => make({ deletedAt: new Date() })],
  [
    'a code of another organization',
    async () => make({ organizationId: (await organization(api.dataSource)).id }),
  ],
  ['nothing', async () => ({ id: newId() })],
  ['a malformed id', async () => ({ id: 'SPRING-15' })],
];

describe('GET /v0/discount-codes/{id}', () => {
  describe('returns', () => {
    it('every property of its import row, with id, usage and time of creation', async () => {
      const { organizationId } = api;
      const { id: ticketId, eventOccurrenceId } = await ticket(api.dataSource, { organizationId });
      const { id: partnerId } = await partner(api.dataSource, { organizationId });
      const given = {
        code: 'SPRING-15',
        discount: { type: 'FLAT_RATE', price: { value: 1500, currencyCode: 'GBP' } },
        appliesPer: 'ENTRY',
        limitUsage: 100,
        limitUsagePerTransaction: 4,
        eventOccurrenceIds: [eventOccurrenceId],
        ticketIds: [ticketId],
        partnerId,
      } as const;
      const { id } = await make({
        ...given,
        eventOccurrenceIds: [eventOccurrenceId],
        ticketIds: [ticketId],
        groupName: 'Spring',
        startDateTime: new Date('2026-03-01T00:00:00Z'),
        endDateTime: new Date('2026-06-01T00:00:00Z'),
      });
      await booking(api.dataSource, { organizationId, discountCodeId: id, discountUses: 3, entries: 3 });
      const { status, body } = await read(id);
      expect(status).toBe(200);
      expect(body).toEqual({
        id,
        ...given,
        group: 'Spring',
        usageCount: 3,
        startDateTime: '2026-03-01T00:00:00.000000Z',
        endDateTime: '2026-06-01T00:00:00.000000Z',
        createdAt: expect.stringMatching(/\.\d{6}Z$/),
      });
    });

    it('null for absent limits', async () => {
      const { id, code } = await make();
      const { body } = await read(id);
      expect(body).toMatchObject({
        code,
        discount: { type: 'PERCENTAGE', amount: 15, isAppliedToBookingFee: false },
        appliesPer: 'TRANSACTION',
        limitUsage: null,
        limitUsagePerTransaction: null,
        usageCount: 0,
        group: null,
        eventOccurrenceIds: null,
        ticketIds: null,
        partnerId: null,
        startDateTime: null,
        endDateTime: null,
      });
    });
  });

  it.each(NOT_OURS)('returns 404 for the id of %s', async (_, thing) => {
    expect((await read((await thing()).id)).status).toBe(404);
  });
});

describe('PATCH /v0/discount-codes/{id}', () => {
  it('changes the group only', async () => {
    const { id } = await make({ groupName: 'Before', limitUsage: 5 });
    const before = (await read(id)).body;
    const { status, body } = await update(id, { group: 'After' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, group: 'After' });
    expect((await read(id)).body).toEqual(body);
  });

  it('removes the code from its group with null', async () => {
    const { id } = await make({ groupName: 'Before' });
    expect((await update(id, { group: null })).body.group).toBeNull();
  });

  it.each([
    [{}, 'group'],
    [{ group: 5 }, 'group'],
    [{ group: '' }, 'group'],
    [{ group: ' ' }, 'group'],
    [{ group: 'x'.repeat(256) }, 'group'],
    [{ group: ['a'] }, 'group'],
    [{ group: 'After', limitUsage: 10 }, 'limitUsage'],
    [{ group: 'After', code: 'OTHER' }, 'code'],
    [{ limitUsage: 10 }, 'limitUsage'],
    [[], 'object'],
  ])('rejects %j, and changes nothing', async (body, named) => {
    const { id } = await make({ groupName: 'Before', limitUsage: 5 });
    const before = (await read(id)).body;
    const answer = await update(id, body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body.problems)).toContain(named);
    expect((await read(id)).body).toEqual(before);
  });

  it.each(NOT_OURS)('returns 404 for the id of %s', async (_, thing) => {
    expect((await update((await thing()).id, { group: 'Mine' })).status).toBe(404);
  });

  it('does not change a code of another organization', async () => {
    const { id: organizationId } = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId });
    const { id } = await make({ groupName: 'Ours' });
    expect((await update(id, { group: 'Theirs' }, token)).status).toBe(404);
    expect((await read(id)).body.group).toBe('Ours');
  });
});

describe('an organization without the surface discountCodes', () => {
  it('gets 403 before anything is read, the body included', async () => {
    const { id: organizationId } = await organization(api.dataSource, { surfaces: ['discountCodesImport'] });
    const { token } = await key(api.dataSource, { organizationId });
    const { id } = await make({ organizationId, groupName: 'Before' });
    for (const answer of [await read(id, token), await update(id, '{ no JSON', token)]) {
      expect(answer.status).toBe(403);
      expect(answer.body.message).toContain('discountCodes');
    }
  });
});
