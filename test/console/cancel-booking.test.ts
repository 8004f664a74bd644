import { booking, discountCode, organization, referral, referralProgram, referrer } from '#libs/testing';
import { newId, StartListEntry } from '#platform/database';
import { type CommandLine, commandLine } from '../cli/startline';
import { sharedApi, type TestApi } from '../harness';
import { type Browser, signedIn } from './console';

let api: TestApi;
let cli: CommandLine;
let owner: Browser;
let manager: Browser;
let memberId: string;
beforeAll(async () => {
  api = await sharedApi();
  cli = await commandLine(api.databaseUrl);
  owner = (await signedIn(api, 'OWNER')).browser;
  ({ browser: manager, memberId } = await signedIn(api, 'MANAGER'));
});
afterAll(async () => {
  await cli.close();
  await api.close();
});

const make = (given: Partial<Parameters<typeof booking>[1]> = {}) =>
  booking(api.dataSource, { organizationId: api.organizationId, ...given });
const cancel = (id: string, browser = manager) => browser.ask('DELETE', `/v0/bookings/${id}`);
const read = async (id: string) => (await api.get(`/v0/bookings/${id}`)).body;
const entriesOf = (bookingId: string) => api.dataSource.getRepository(StartListEntry).findBy({ bookingId });
const records = async (id: string) =>
  (await owner.ask('GET', `/console/v1/audit-log?objectId=${id}`)).body.data;

/** Cancels a booking, whoever asks. */
const WAYS = {
  'the console': async (id: string) => (await cancel(id)).status === 200,
  'the command line': async (id: string) => (await cli.run('booking', 'cancel', id)).code === 0,
};

describe.each(Object.entries(WAYS))('a booking that is cancelled through %s', (_, cancelled) => {
  it.each(['WEBSITE', 'DASHBOARD', 'API'] as const)('may have the source %s', async (source) => {
    const { id } = await make({ source, entries: 2 });
    expect(await cancelled(id)).toBe(true);
    expect(await read(id)).toMatchObject({ id, source, status: 'CANCELLED' });
    for (const { cancelledAt, statusDetails } of await entriesOf(id)) {
      expect(cancelledAt).not.toBeNull();
      expect(statusDetails).toMatchObject([
        { status: 'CANCELLED', reason: 'The organizer cancelled the booking.' },
      ]);
    }
  });

  it('frees places, bibs, uses of codes and the external id, and its referral does not count', async () => {
    const { organizationId } = api;
    const { id: discountCodeId } = await discountCode(api.dataSource, { organizationId });
    const { id: referralProgramId } = await referralProgram(api.dataSource, { organizationId });
    const { id: referrerId, ownerBookingIds } = await referrer(api.dataSource, {
      organizationId,
      referralProgramId,
    });
    const made = await make({
      source: 'WEBSITE',
      discountCodeId,
      discountUses: 1,
      entries: [{ bibNumber: '17', bibClaim: '17' }],
    });
    const [entry] = made.entries;
    await referral(api.dataSource, { organizationId, referrerId, of: made });
    expect(await cancelled(made.id)).toBe(true);
    const [after] = await entriesOf(made.id);
    expect([after?.bibNumber, after?.bibClaim]).toEqual([null, null]);
    const [{ places, uses }] = await api.dataSource.query(
      `SELECT tally($1, 'racePlaces', $2)::int AS places,
         (SELECT usage_count FROM discount_codes WHERE organization_id = $1 AND id = $3) AS uses`,
      [organizationId, entry?.raceId, discountCodeId],
    );
    expect([places, uses]).toEqual([0, 0]);
    const referrals = await api.get(
      `/v0/referral-programs/${referralProgramId}/referrers/${ownerBookingIds[0]}/referrals`,
    );
    expect(referrals.body.data).toMatchObject([{ referredBookingId: made.id, status: 'CANCELLED' }]);
    await make({ externalBookingId: made.externalBookingId });
  });

  it('is a change event, and in the audit log once', async () => {
    await api.get('/v0/change-events');
    const { id } = await make({ source: 'DASHBOARD' });
    expect(await cancelled(id)).toBe(true);
    await cancelled(id);
    expect(await records(id)).toMatchObject([{ action: 'booking.cancel', objectType: 'booking' }]);
    const events = await api.dataSource.query(
      `SELECT type FROM change_events WHERE organization_id = $1 AND subject_id = $2 AND type LIKE 'booking.%'`,
      [api.organizationId, id],
    );
    expect(events.map(({ type }: { type: string }) => type)).toContain('booking.cancelled');
  });
});

describe('DELETE /v0/bookings/{id} by staff', () => {
  it('names the member in the audit log', async () => {
    const { id } = await make({ source: 'WEBSITE' });
    await cancel(id);
    expect(await records(id)).toMatchObject([{ actorType: 'STAFF', actorId: memberId }]);
  });

  it('answers a repeated request with the same booking', async () => {
    const { id } = await make({ source: 'WEBSITE' });
    const first = await cancel(id);
    const again = await cancel(id);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await entriesOf(id)).toMatchObject([{ statusDetails: [{ status: 'CANCELLED' }] }]);
  });

  it('cancels once for many at the same time, a key among them', async () => {
    const { id } = await make();
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => cancel(id)),
      api.send('DELETE', `/v0/bookings/${id}`, undefined),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await entriesOf(id))[0]?.statusDetails).toHaveLength(1);
  });

  it('leaves a key its 403', async () => {
    const { id } = await make({ source: 'WEBSITE' });
    await cancel(id);
    expect((await api.send('DELETE', `/v0/bookings/${id}`, undefined)).status).toBe(403);
  });

  it('does not find another organization’s booking, or none', async () => {
    const other = await organization(api.dataSource);
    const foreign = await make({ organizationId: other.id });
    for (const id of [foreign.id, newId(), 'nothing']) expect((await cancel(id)).status).toBe(404);
    const [{ status }] = await api.dataSource.query('SELECT status FROM bookings WHERE id = $1', [
      foreign.id,
    ]);
    expect(status).toBe('CONFIRMED');
  });

  it('refuses viewers, the race-day desk and requests of other sites', async () => {
    const { id } = await make({ source: 'WEBSITE' });
    for (const role of ['VIEWER', 'RACE_DAY'] as const)
      expect((await cancel(id, (await signedIn(api, role)).browser)).status).toBe(403);
    for (const site of ['cross-site', 'same-site', 'none']) {
      const answer = await manager.ask('DELETE', `/v0/bookings/${id}`, undefined, {
        'sec-fetch-site': site,
      });
      expect(answer.status).toBe(403);
    }
    expect((await read(id)).status).toBe('CONFIRMED');
  });
});

describe('startline booking cancel', () => {
  it('says that a booking was cancelled before, and when', async () => {
    const { id } = await make();
    const first = await cli.run('booking', 'cancel', id);
    expect(first.answer).toMatchObject({ id, status: 'CANCELLED' });
    const { code, answer } = await cli.run('booking', 'cancel', id);
    expect([code, answer.error]).toEqual([1, 'CANCELLED']);
    expect(answer.message).toContain(`already cancelled at ${first.answer.cancelledAt}`);
    expect(await records(id)).toMatchObject([{ actorType: 'COMMAND_LINE' }]);
  });

  it('does not find what is not there', async () => {
    for (const id of [newId(), 'nothing'])
      expect((await cli.run('booking', 'cancel', id)).answer.error).toBe('NOT_FOUND');
  });
});
