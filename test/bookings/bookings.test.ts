import { booking, discountCode, key, organization, partner, reservedEntryGroup } from '#libs/testing';
import { newId } from '#platform/database';
import { eventually, sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const make = (given: Partial<Parameters<typeof booking>[1]> = {}) =>
  booking(api.dataSource, { organizationId: api.organizationId, ...given });

describe('GET /v0/bookings', () => {
  it('has the bookings of an occurrence, a status or an external id, and follows changes of what it shows', async () => {
    const sold = await make();
    const cancelled = await make({ status: 'CANCELLED', eventOccurrenceId: sold.eventOccurrenceId });
    await make();
    const listed = async (query: string) => (await api.get(`/v0/bookings?${query}`)).body.data;
    const ids = async (query: string) => (await listed(query)).map(({ id }: { id: string }) => id);
    const ofOccurrence = `eventOccurrenceId=${sold.eventOccurrenceId}`;
    expect(await ids(ofOccurrence)).toEqual([sold.id, cancelled.id]);
    expect(await ids(`${ofOccurrence}&status=CANCELLED`)).toEqual([cancelled.id]);
    expect(await ids(`${ofOccurrence}&sort[createdAt]=-1`)).toEqual([cancelled.id, sold.id]);
    const [found] = await listed(`externalBookingId=${sold.externalBookingId}`);
    const { body: whole } = await api.get(`/v0/bookings/${sold.id}`);
    expect(whole).toMatchObject(found);
    await api.send('DELETE', `/v0/bookings/${sold.id}`, undefined);
    const changed = await eventually(async () => {
      const later = await listed(`${ofOccurrence}&updatedAt[after]=${found.updatedAt}`);
      return later.find(({ id }: { id: string }) => id === sold.id);
    });
    expect(changed).toMatchObject({ status: 'CANCELLED', total: found.total });
  });

  it('shows a partner the bookings whose entries are all its own', async () => {
    const { organizationId } = api;
    const { id: partnerId } = await partner(api.dataSource, { organizationId });
    const { token } = await key(api.dataSource, { organizationId, partnerId });
    const group = await reservedEntryGroup(api.dataSource, { organizationId, partnerId });
    const own = { reservedEntryGroupId: group.id };
    const [{ ticket_id: ticketId }] = await api.dataSource.query(
      'SELECT ticket_id FROM reserved_entry_group_tickets WHERE reserved_entry_group_id = $1',
      [group.id],
    );
    const whole = await make({ ticketId, entries: [own, own] });
    await make({ ticketId, entries: [own, {}] });
    const { data, page } = (await api.get('/v0/bookings', token)).body;
    expect([data.map(({ id }: { id: string }) => id), page.totalResults]).toEqual([[whole.id], 1]);
    expect((await api.get('/v0/line-items', token)).status).toBe(403);
  });
});

describe('GET /v0/bookings/{id}', () => {
  describe('returns', () => {
    it('every field of a booking', async () => {
      const { organizationId } = api;
      const { id: partnerId } = await partner(api.dataSource, { organizationId });
      const code = await discountCode(api.dataSource, { organizationId });
      const made = await make({
        entries: 2,
        bookerType: 'PARTNER',
        partnerId,
        bookerPhone: '+44 20 7946 0018',
        discountCodeId: code.id,
        totalValue: '7650',
        tracking: { source: 'newsletter' },
        bookedAt: new Date('2026-02-03T04:05:06Z'),
      });
      const { status, body } = await api.get(`/v0/bookings/${made.id}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        id: made.id,
        externalBookingId: made.externalBookingId,
        source: 'API',
        status: 'CONFIRMED',
        eventId: made.eventId,
        eventOccurrenceId: made.eventOccurrenceId,
        booker: {
          firstName: 'Ada',
          lastName: made.bookerLastName,
          email: made.bookerEmail,
          phone: '+44 20 7946 0018',
        },
        bookerType: 'PARTNER',
        partnerId,
        currencyCode: 'GBP',
        total: { value: 7650, currencyCode: 'GBP' },
        participantIds: made.entries.map(({ participantId }) => participantId),
        applicationIds: made.entries.map(({ id }) => id),
        discountCode: code.code,
        tracking: { source: 'newsletter' },
        createdAt: expect.stringMatching(/\.\d{6}Z$/),
        updatedAt: expect.stringMatching(/\.\d{6}Z$/),
        bookedAt: '2026-02-03T04:05:06.000000Z',
        cancelledAt: null,
      });
    });

    it('the metadata of its import row with extendMetadata, for entries that are not redacted', async () => {
      const shown = { shop: 'Covent Garden', startline: { importRow: 3, source: 'Box office' } };
      const { startline, ...metadata } = shown;
      const made = await make({
        metadata,
        entries: [{ metadata: {}, gdprRedacted: true }, { metadata: { startline } }],
      });
      const read = async (id: string) => (await api.get(`/v0/bookings/${id}?extendMetadata=true`)).body;
      expect((await read(made.id)).metadata).toEqual(shown);
      const website = await make({ source: 'WEBSITE' });
      expect(await read(website.id)).toMatchObject({ bookedAt: null, metadata: { startline: {} } });
      const redacted = await make({ entries: [{ metadata: {}, gdprRedacted: true }] });
      expect((await read(redacted.id)).metadata).toEqual({ startline: {} });
      expect((await api.get(`/v0/bookings/${made.id}`)).body).not.toHaveProperty('metadata');
      expect((await api.get(`/v0/bookings/${made.id}?extendMetadata=1`)).status).toBe(400);
    });

    it('entries that are not approved under applications only, in the order of the booking', async () => {
      const made = await make({
        source: 'WEBSITE',
        externalBookingId: null,
        entries: [
          { participantIndex: 2 },
          { participantIndex: 1, approvalStatus: 'PENDING' },
          { participantIndex: 0 },
        ],
      });
      const [last, middle, first] = made.entries.map(({ id, participantId }) => ({ id, participantId }));
      const { body } = await api.get(`/v0/bookings/${made.id}`);
      expect(body).toMatchObject({ source: 'WEBSITE', externalBookingId: null, partnerId: null });
      expect(body.applicationIds).toEqual([first?.id, middle?.id, last?.id]);
      expect(body.participantIds).toEqual([first?.participantId, last?.participantId]);
    });
  });
});

describe('GET /v0/bookings/external/{externalBookingId}', () => {
  const path = (externalBookingId: string) =>
    `/v0/bookings/external/${encodeURIComponent(externalBookingId)}` as const;

  describe('returns', () => {
    it('summaries, oldest first, including cancelled bookings', async () => {
      const externalBookingId = 'ORDER-1041';
      const ids: string[] = [];
      for (const status of ['CANCELLED', 'CANCELLED', 'CONFIRMED'] as const) {
        ids.push((await make({ externalBookingId, status })).id);
      }
      await make({ externalBookingId: 'order-1041' });
      const { status, body } = await api.get(path(externalBookingId));
      expect(status).toBe(200);
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
      expect(body.page.totalResults).toBe(3);
      expect(Object.keys(body.data[0]).sort()).toEqual(
        'createdAt eventId eventOccurrenceId externalBookingId id source status total updatedAt'.split(' '),
      );
    });

    it('an empty list if nothing matches', async () => {
      const { status, body } = await api.get(path('nobody-has-this'));
      expect(status).toBe(200);
      expect(body).toEqual({ data: [], page: { totalResults: 0, first: '', last: '', prev: '', next: '' } });
    });

    it.each(['a/b', '50% off', 'Zoë 🏃', 'import', 'line-items', '?q=1', newId(), "'; --"])(
      'the bookings for any text as id: %j',
      async (externalBookingId) => {
        const { id } = await make({ externalBookingId });
        const { status, body } = await api.get(path(externalBookingId));
        expect(status).toBe(200);
        expect(body.data).toMatchObject([{ id, externalBookingId }]);
      },
    );

    it('pages in both directions', async () => {
      const externalBookingId = 'many';
      for (let i = 0; i < 5; i++)
        await make({ externalBookingId, status: i < 4 ? 'CANCELLED' : 'CONFIRMED' });
      const whole = (await api.get(path(externalBookingId))).body.data;
      const first = (await api.get(`${path(externalBookingId)}?page[size]=2`)).body;
      expect(first.data).toEqual(whole.slice(0, 2));
      const second = (await api.get(`${path(externalBookingId)}?page[size]=2&page[after]=${first.page.next}`))
        .body;
      expect(second.data).toEqual(whole.slice(2, 4));
      const back = (await api.get(`${path(externalBookingId)}?page[size]=2&page[before]=${second.page.prev}`))
        .body;
      expect(back.data).toEqual(first.data);
      expect((await api.get(`${path('another')}?page[after]=${first.page.next}`)).status).toBe(400);
    });
  });

  describe('invalid input', () => {
    it('returns 404 for text that cannot be an external id', async () => {
      const { status } = await api.get(path('a\0b'));
      expect(status).toBe(404);
      expect((await api.get('/v0/bookings/external/%E0%A4%A')).status).toBe(404);
    });
  });

  describe('other organizations', () => {
    it('have their own lists', async () => {
      const other = await organization(api.dataSource);
      const { token } = await key(api.dataSource, { organizationId: other.id });
      const theirs = await make({ organizationId: other.id, externalBookingId: 'SAME' });
      const ours = await make({ externalBookingId: 'SAME' });
      expect((await api.get(path('SAME'))).body.data).toMatchObject([{ id: ours.id }]);
      expect((await api.get(path('SAME'), token)).body.data).toMatchObject([{ id: theirs.id }]);
    });
  });
});
