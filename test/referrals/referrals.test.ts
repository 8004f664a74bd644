import { booking, key, organization, referral, referralProgram, referrer } from '#libs/testing';
import { newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
let programId: string;
beforeAll(async () => {
  api = await sharedApi();
});
beforeEach(async () => {
  ({ id: programId } = await program());
});
afterAll(() => api.close());

const program = (organizationId = api.organizationId) => referralProgram(api.dataSource, { organizationId });
const makeReferrer = (given: { owners?: number; referralProgramId?: string } = {}) =>
  referrer(api.dataSource, { organizationId: api.organizationId, referralProgramId: programId, ...given });
const makeReferral = (referrerId: string, of?: Awaited<ReturnType<typeof booking>>) =>
  referral(api.dataSource, { organizationId: api.organizationId, referrerId, of });
const referrersPath = (id = programId) => `/v0/referral-programs/${id}/referrers` as const;
const referralsPath = (ownerBookingId: string, id = programId) =>
  `${referrersPath(id)}/${ownerBookingId}/referrals` as const;

describe('GET /v0/referral-programs', () => {
  it('returns the programs of the organization only', async () => {
    const { id: organizationId } = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId });
    const { id, title, eventId, eventOccurrenceId } = await program(organizationId);
    const { body } = await api.get('/v0/referral-programs', token);
    expect(body.data).toEqual([{ id, title, eventId, eventOccurrenceId }]);
    expect((await api.get('/v0/referral-programs?title=x', token)).status).toBe(400);
  });
});

describe('GET /v0/referral-programs/{referralProgramId}/referrers', () => {
  describe('returns', () => {
    it('one referrer for each generated code, with all bookings that own it', async () => {
      const first = await makeReferrer({ owners: 2 });
      const second = await makeReferrer();
      await makeReferrer({ referralProgramId: (await program()).id });
      const { status, body } = await api.get(referrersPath());
      expect(status).toBe(200);
      expect(body.data).toEqual(
        [first, second].map(({ generatedReferralCode, inviteUrl, ownerBookingIds }) => ({
          generatedReferralCode,
          inviteUrl,
          referralCodeOwnerBookingIds: [...ownerBookingIds].sort(),
        })),
      );
      expect(body.page).toMatchObject({ totalResults: 2, next: '' });
    });

    it('an empty list for a program without referrers', async () => {
      const { status, body } = await api.get(referrersPath());
      expect([status, body.data]).toEqual([200, []]);
    });

    it('pages, with cursors that are valid for their program only', async () => {
      for (let i = 0; i < 3; i++) await makeReferrer();
      const first = (await api.get(`${referrersPath()}?page[size]=2`)).body;
      const rest = (await api.get(`${referrersPath()}?page[size]=2&page[after]=${first.page.next}`)).body;
      const whole = (await api.get(referrersPath())).body;
      expect([...first.data, ...rest.data]).toEqual(whole.data);
      const { id: another } = await program();
      expect((await api.get(`${referrersPath(another)}?page[after]=${first.page.next}`)).status).toBe(400);
    });
  });

  it.each(['page[size]=0', 'page[size]=501', 'page[after]=nonsense', 'status=ELIGIBLE'])(
    'rejects %s',
    async (parameters) => {
      expect((await api.get(`${referrersPath()}?${parameters}`)).status).toBe(400);
    },
  );

  it('returns 404 for unknown programs', async () => {
    const { id: organizationId } = await organization(api.dataSource);
    for (const id of ['malformed', newId(), (await program(organizationId)).id]) {
      expect((await api.get(referrersPath(id))).status).toBe(404);
    }
  });
});

describe('GET …/referrers/{referralCodeOwnerBookingId}/referrals', () => {
  describe('returns', () => {
    it('the entries referred with the code, the same for every owner booking', async () => {
      const { id: referrerId, ownerBookingIds } = await makeReferrer({ owners: 2 });
      const of = await booking(api.dataSource, { organizationId: api.organizationId, entries: 2 });
      const first = await makeReferral(referrerId, of);
      const second = await makeReferral(referrerId);
      await makeReferral((await makeReferrer()).id);
      for (const ownerBookingId of ownerBookingIds) {
        const { status, body } = await api.get(referralsPath(ownerBookingId));
        expect(status).toBe(200);
        expect(body.data).toEqual([
          {
            referralId: first.id,
            referredBookingId: of.id,
            startListEntryId: of.entries[0]?.id,
            eventId: of.eventId,
            eventOccurrenceId: of.eventOccurrenceId,
            status: 'ELIGIBLE',
          },
          expect.objectContaining({ referralId: second.id }),
        ]);
        expect(body.page.totalResults).toBe(2);
      }
    });

    it('an empty list for a referrer without referrals', async () => {
      const { ownerBookingIds } = await makeReferrer();
      const { status, body } = await api.get(referralsPath(ownerBookingIds[0] as string));
      expect([status, body.data]).toEqual([200, []]);
    });

    it('pages', async () => {
      const { id, ownerBookingIds } = await makeReferrer();
      for (let i = 0; i < 3; i++) await makeReferral(id);
      const path = referralsPath(ownerBookingIds[0] as string);
      const first = (await api.get(`${path}?page[size]=2`)).body;
      const rest = (await api.get(`${path}?page[size]=2&page[after]=${first.page.next}`)).body;
      expect([...first.data, ...rest.data]).toEqual((await api.get(path)).body.data);
      const back = (await api.get(`${path}?page[size]=2&page[before]=${rest.page.prev}`)).body;
      expect(back.data).toEqual(first.data);
    });
  });

  it('returns 404 for unknown programs and referrers', async () => {
    const { ownerBookingIds } = await makeReferrer();
    const owner = ownerBookingIds[0] as string;
    const { id: anotherProgram } = await program();
    const { id: noOwner } = await booking(api.dataSource, { organizationId: api.organizationId });
    for (const path of [
      referralsPath(owner, newId()),
      referralsPath(owner, 'malformed'),
      referralsPath(owner, anotherProgram),
      referralsPath(newId()),
      referralsPath('malformed'),
      referralsPath(noOwner),
    ]) {
      expect((await api.get(path)).status).toBe(404);
    }
  });
});

describe('organizations without the surface referrals', () => {
  it('get 403 for every request', async () => {
    const { id: organizationId } = await organization(api.dataSource, { surfaces: [] });
    const { token } = await key(api.dataSource, { organizationId });
    const { id } = await program(organizationId);
    const paths = [referrersPath(id), referrersPath('malformed'), referralsPath(newId(), id)];
    for (const path of ['/v0/referral-programs', ...paths]) {
      const { status, body } = await api.get(path, token);
      expect(status).toBe(403);
      expect(body.message).toContain('referrals');
    }
  });
});
