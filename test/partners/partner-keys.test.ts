import type { EntityManager } from 'typeorm';
import {
  booking,
  bookingFormField,
  discountCode,
  key,
  organization,
  partner,
  referral,
  referralProgram,
  referrer,
  reservedEntryGroup,
  SIGNING_SECRETS,
  ticket,
} from '#libs/testing';
import { createKey, Tokens } from '#platform/access';
import { ApiKey, newId, ReferrerOwnerBooking, ReservedEntryGroup } from '#platform/database';
import { MAXIMA } from '#platform/validation';
import { signedIn } from '../console/console';
import { eventually, sharedApi, startApi, type TestApi } from '../harness';
import { errorsOf, finished, importRows } from '../imports/import';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const PATH = 'reserved-entries/participants/import';
let serial = 0;
const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });

/** A partner with a group, a key, and rows that assign its places. */
async function charity({
  parentPartnerId,
  ...given
}: { parentPartnerId?: string } & Partial<ReservedEntryGroup> = {}) {
  const { id } = await partner(
    api.dataSource,
    mine({ parentPartnerId, canCreateSubPartners: !parentPartnerId }),
  );
  const sold = await ticket(api.dataSource, mine({}));
  const group = await reservedEntryGroup(
    api.dataSource,
    mine({ partnerId: id, ticketId: sold.id, maxCapacity: 100, reallocateOnCancel: true, ...given }),
  );
  const { token } = await key(api.dataSource, mine({ partnerId: id }));
  const row = (more: object = {}) => ({
    externalAssignmentId: `place-${++serial}`,
    reservedEntryGroupId: group.id,
    ticketSlug: sold.slug,
    participant: { firstName: 'Grace', lastName: 'Hopper', email: `grace-${++serial}@example.com` },
    ...more,
  });
  const assign = (rows: object[] = [row()], whose = token) =>
    importRows(api, PATH, { assignments: rows }, { token: whose });
  return { id, token, group, ticket: sold, row, assign };
}

const listed = async (path: string, token: string) => {
  const { status, body } = await api.get(path, token);
  expect(status).toBe(200);
  expect(body.page.totalResults).toBe(body.data.length);
  return body.data as any[];
};
const idsOf = async (path: string, token: string): Promise<string[]> =>
  (await listed(path, token)).map(({ id }) => id).sort();
const participantsIn = (job: { results: any[] }) =>
  job.results.map(({ participantId }) => participantId).sort();

describe('a key of a partner', () => {
  it('assigns places of its groups, and sees its participants', async () => {
    const { id, token, group, assign, row } = await charity();
    await (await charity()).assign();
    const job = await assign([row(), row()]);
    expect(errorsOf(job)).toEqual([]);
    expect(await idsOf('/v0/participants', token)).toEqual(participantsIn(job));
    expect(await listed('/v0/applications', token)).toHaveLength(2);
    const [entry] = await listed('/v0/participants?extendMetadata=true', token);
    expect(entry).toMatchObject({
      bookerType: 'PARTNER',
      metadata: { startline: { importJobId: job.jobId } },
    });
    const found = await api.get(`/v0/bookings/${entry.bookingId}`, token);
    expect(found.body).toMatchObject({ id: entry.bookingId, participantIds: [entry.id] });
    const [shown] = await listed(`/v0/event-occurrences/${group.eventOccurrenceId}/reserved-entries`, token);
    expect(shown).toMatchObject({ id: group.id, partnerId: id, usedCapacity: 2 });
    expect((await api.get('/identity', token)).body).toMatchObject({
      partnerId: id,
      restricted: true,
      permissions: expect.arrayContaining(['participants:read', 'reservedEntries:import']),
    });
  });

  it('sees the participants of sub-partners, which do not see those of each other or of the parent', async () => {
    const parent = await charity();
    const [first, second] = [
      await charity({ parentPartnerId: parent.id }),
      await charity({ parentPartnerId: parent.id }),
    ];
    const jobs = [
      await parent.assign(),
      await first.assign(),
      await second.assign([second.row(), second.row()]),
    ];
    expect(await idsOf('/v0/participants', parent.token)).toEqual(jobs.flatMap(participantsIn).sort());
    for (const [sub, job] of [
      [first, jobs[1]],
      [second, jobs[2]],
    ] as const) {
      expect(await idsOf('/v0/participants', sub.token)).toEqual(participantsIn(job as never));
      // Transactions of other tests hold a list by change back.
      await eventually(async () => {
        const { body } = await api.get('/v0/applications?sort[updatedAt]=1', sub.token);
        return body.data.length === job?.totalRows && body.page.totalResults === job.totalRows;
      });
      expect(await idsOf('/v0/partners', sub.token)).toEqual([sub.id]);
    }
    expect(await idsOf('/v0/partners', parent.token)).toEqual([parent.id, first.id, second.id].sort());
    // A parent assigns places of its sub-partners too.
    expect(errorsOf(await parent.assign([first.row()]))).toEqual([]);
    expect(errorsOf(await first.assign([parent.row()]))).toEqual([[0, 'INVALID_ASSIGNMENT']]);
  });

  it('does not see how many places others have taken', async () => {
    const { token, ticket: sold } = await charity();
    for (const path of [`/v0/tickets/${sold.id}`, `/v0/races/${sold.raceId}`]) {
      expect((await api.get(path, token)).body.usedCapacity).toBeNull();
      expect((await api.get(path)).body.usedCapacity).toBe(0);
    }
  });

  it('sees ticket and race of an entry that moved to one that its group does not have', async () => {
    const { token, assign } = await charity();
    const other = await charity();
    const moved = await ticket(api.dataSource, mine({}));
    const { results } = await assign();
    const read = async (path: string, whose = token) => (await api.get(path, whose)).status;
    const paths = [
      `/v0/tickets/${moved.id}`,
      `/v0/races/${moved.raceId}`,
      `/v0/event-occurrences/${moved.eventOccurrenceId}`,
      `/v0/events/${moved.eventId}/tickets`,
    ];
    for (const path of paths) expect([path, await read(path)]).toEqual([path, 404]);
    await api.dataSource.query(
      `UPDATE start_list_entries SET ticket_id = $2, race_id = $3, event_occurrence_id = $4, event_id = $5 WHERE participant_id = $1`,
      [results[0].participantId, moved.id, moved.raceId, moved.eventOccurrenceId, moved.eventId],
    );
    for (const path of paths) {
      expect([path, await read(path)]).toEqual([path, 200]);
      expect([path, await read(path, other.token)]).toEqual([path, 404]);
    }
    const [shown] = await listed('/v0/participants', token);
    expect([shown.ticketTitle, shown.raceName]).not.toContain(null);
  });

  it('does not see a booking with entries of others, nor its booker', async () => {
    const { id, token, group, ticket: sold } = await charity();
    const made = await booking(
      api.dataSource,
      mine({
        ticketId: sold.id,
        metadata: { shop: 'A' },
        entries: [
          { reservedEntryGroupId: group.id, partnerId: id, metadata: { startline: { ofBooking: 0 } } },
          {},
        ],
      }),
    );
    const [entry, ...rest] = await listed('/v0/participants?extendMetadata=true', token);
    expect(rest).toEqual([]);
    expect(entry.metadata).toEqual({ startline: {} });
    expect(entry).toMatchObject({
      bookingId: made.id,
      booker: { firstName: null, lastName: null, email: null, phone: null },
      tracking: {},
      bookerType: null,
      bookingSource: null,
    });
    // An entry without an address has the booker's.
    await api.dataSource.query(
      `UPDATE start_list_entries SET fields = '[]', email_normalized = 'hidden@example.com' WHERE id = $1`,
      [entry.applicationId],
    );
    const status = `/v0/event-occurrences/${sold.eventOccurrenceId}/registration-status`;
    for (const [whose, found] of [
      [token, 0],
      [api.token, 1],
    ] as const) {
      expect(await listed('/v0/participants?email=hidden@example.com', whose)).toHaveLength(found);
      const { body } = await api.send('POST', status, { email: 'hidden@example.com' }, whose);
      expect(body.registered).toBe(found === 1);
    }
    expect((await api.get(`/v0/bookings/${made.id}`, token)).status).toBe(404);
    expect((await api.send('DELETE', `/v0/bookings/${made.id}`, undefined, token)).status).toBe(404);
    expect(await listed(`/v0/bookings/external/${made.externalBookingId}`, token)).toEqual([]);
  });

  it('sees the imports of its own keys and of its sub-partners, not those of others', async () => {
    const [ours, others] = [await charity(), await charity()];
    const sub = await charity({ parentPartnerId: ours.id });
    const [own, ofSub, ofOrganizer] = [
      await ours.assign(),
      await sub.assign(),
      await ours.assign([ours.row()], api.token),
    ] as const;
    const shown = async ({ results: [{ bookingId }] }: { results: any[] }) =>
      (await api.get(`/v0/bookings/${bookingId}?extendMetadata=true`, ours.token)).body;
    const jobsOf = async (job: { results: any[] }) => (await shown(job)).metadata.startline.importJobId;
    expect([await jobsOf(own), await jobsOf(ofSub), await jobsOf(ofOrganizer)]).toEqual([
      own.jobId,
      ofSub.jobId,
      undefined,
    ]);
    expect((await shown(own)).partnerId).toBe(ours.id);
    await api.dataSource.query('UPDATE bookings SET partner_id = $1 WHERE id = $2', [
      others.id,
      own.results[0].bookingId,
    ]);
    expect((await shown(own)).partnerId).toBeNull();
  });

  it('corrects and imports its own jobs, and neither those of others nor of the organizer', async () => {
    const [ours, others] = [await charity(), await charity()];
    const wrong = () => ours.row({ ticketSlug: 'no-such-ticket' });
    const [own, ofOrganizer] = [
      await ours.assign([wrong()]),
      await ours.assign([wrong()], api.token),
    ] as any[];
    const dryRun: any = await importRows(
      api,
      `${PATH}?dryRun=true`,
      { assignments: [wrong()] },
      { token: ours.token },
    );
    expect([own, ofOrganizer, dryRun].map(({ failedRows }) => failedRows)).toEqual([1, 1, 1]);
    const correct = (jobId: string, token: string, query = '') =>
      api.send(
        'POST',
        `/v0/${PATH}${query}`,
        { assignments: [ours.row()], corrects: { jobId, rows: [0] } },
        token,
      );
    for (const [jobId, token] of [
      [own.jobId, others.token],
      [ofOrganizer.jobId, ours.token],
    ]) {
      const { status, body } = await correct(jobId, token);
      expect([status, (body as any).problems[0].path]).toEqual([400, 'corrects.jobId']);
    }
    const { body: correction } = (await correct(own.jobId, ours.token)) as any;
    await api.client(ours.token).finished(correction, { everyMs: 10 });
    expect((await api.get(`/v0/${PATH}/${own.jobId}`, ours.token)).body).toMatchObject({
      correctedRows: 1,
      correctedBy: [correction.jobId],
    });
    const { body: tried } = (await correct(dryRun.jobId, ours.token, '?dryRun=true')) as any;
    await api.client(ours.token).finished(tried, { everyMs: 10 });
    const apply = (token: string) =>
      api.send('POST', `/v0/import-jobs/${dryRun.jobId}/apply`, undefined, token) as Promise<any>;
    expect((await apply(others.token)).status).toBe(404);
    const { body: applied } = await apply(api.token);
    expect((await apply(ours.token)).body.jobId).toBe(applied.jobId);
    // As the partner that tried it, whoever asks for it.
    const done: any = await api.client(ours.token).finished(applied, { everyMs: 10 });
    expect(done.succeededRows).toBe(1);
    expect((await api.get(`/v0/participants/${done.results[0].participantId}`, ours.token)).status).toBe(200);
  });

  it('keeps its import, and the ids of its rows, where the organizer corrects it', async () => {
    const ours = await charity();
    const { jobId } = await ours.assign([ours.row({ ticketSlug: 'no-such-ticket' })]);
    const row = ours.row();
    const sent = { assignments: [row], corrects: { jobId, rows: [0] } };
    const { body: accepted } = (await api.send('POST', `/v0/${PATH}`, sent)) as any;
    const correction: any = await api.client(ours.token).finished(accepted, { everyMs: 10 });
    expect((await api.get(`/v0/${PATH}/${jobId}`, ours.token)).body).toMatchObject({
      ...{ correctedRows: 1, openRows: 0, correctedBy: [correction.jobId] },
    });
    const again: any = await ours.assign([row]);
    expect(again.results[0]).toMatchObject({
      outcome: 'ALREADY_IMPORTED',
      participantId: correction.results[0].participantId,
    });
  });

  it('sees of opt-ins and codes only what is its own', async () => {
    const [ours, others] = [await charity(), await charity()];
    const code = (partnerId: string) =>
      discountCode(api.dataSource, mine({ partnerId, code: `CODE-${++serial}` }));
    const optIns = [ours, others].map(({ id }) => ({ partnerId: id, optedIn: true }));
    const entry = { reservedEntryGroupId: ours.group.id, partnerMarketingOptIns: optIns };
    const codes = [await code(ours.id), await code(others.id)];
    for (const { id } of codes)
      await booking(
        api.dataSource,
        mine({ ticketId: ours.ticket.id, discountCodeId: id, discountUses: 3, entries: [entry] }),
      );
    const seen = await listed('/v0/participants', ours.token);
    for (const { partnerMarketingOptIns, charityOptIn } of seen)
      expect([partnerMarketingOptIns, charityOptIn.length]).toEqual([[optIns[0]], 1]);
    expect(seen.flatMap(({ bookingCodesUsed }) => bookingCodesUsed.discountCodes)).toEqual([codes[0]?.code]);
    const { body } = await api.get(`/v0/partners/${ours.id}`, ours.token);
    expect(body.codeUses).toBe(3);
    expect((await api.get(`/v0/partners/${ours.id}`)).body).not.toHaveProperty('codeUses');
  });

  it('counts what its participants referred', async () => {
    const ours = await charity();
    const job = await ours.assign();
    const { id: referralProgramId } = await referralProgram(api.dataSource, mine({ codesComplete: true }));
    const referred: string[] = [];
    for (const bookingId of [job.results[0].bookingId, (await booking(api.dataSource, mine({}))).id]) {
      const { id: referrerId } = await referrer(api.dataSource, mine({ referralProgramId, owners: 0 }));
      await api.dataSource.getRepository(ReferrerOwnerBooking).insert(mine({ referrerId, bookingId }));
      for (const of of await Promise.all([1, 2].map(() => booking(api.dataSource, mine({})))))
        referred.push((await referral(api.dataSource, mine({ referrerId, of }))).referredBookingId);
    }
    const count = async () => (await api.get(`/v0/partners/${ours.id}`, ours.token)).body.referralCount;
    expect(await count()).toBe(2);
    // Nobody writes the status of a referral when its entry is cancelled.
    await api.dataSource.query(
      'UPDATE start_list_entries SET cancelled_at = clock_timestamp() WHERE booking_id = $1',
      [referred[0]],
    );
    expect(await count()).toBe(1);
  });

  it('checks registrations of its own entries', async () => {
    const { token, ticket: sold, row, assign } = await charity();
    await assign([row({ participant: { firstName: 'A', lastName: 'B', email: 'ours@example.com' } })]);
    await booking(
      api.dataSource,
      mine({ ticketId: sold.id, entries: [{ emailNormalized: 'others@example.com' }] }),
    );
    const path = `/v0/event-occurrences/${sold.eventOccurrenceId}/registration-status`;
    const registered = async (email: string) =>
      (await api.send('POST', path, { email }, token)).body.registered;
    expect([await registered('ours@example.com'), await registered('others@example.com')]).toEqual([
      true,
      false,
    ]);
  });

  it('sees a group, its entries and bookings from the moment that the group is its own', async () => {
    const [former, present] = [await charity(), await charity()];
    const job = await former.assign();
    await api.dataSource
      .getRepository(ReservedEntryGroup)
      .update({ organizationId: api.organizationId, id: former.group.id }, { partnerId: present.id });
    const path = `/v0/bookings/${job.results[0].bookingId}`;
    expect(await idsOf('/v0/participants', former.token)).toEqual([]);
    expect((await api.get(path, former.token)).status).toBe(404);
    expect(await idsOf('/v0/participants', present.token)).toEqual(participantsIn(job));
    expect((await api.get(path, present.token)).status).toBe(200);
  });

  it('stops with its partner’s last permission, and with its revocation', async () => {
    const { id } = await charity();
    const reading = await key(api.dataSource, mine({ partnerId: id, permissions: ['partners:read'] }));
    expect((await api.get('/v0/partners', reading.token)).status).toBe(200);
    expect((await api.get('/v0/participants', reading.token)).status).toBe(403);
    await api.dataSource.getRepository(ApiKey).update({ id: reading.id }, { revokedAt: new Date() });
    await eventually(async () => (await api.get('/v0/partners', reading.token)).status === 401);
  });
});

describe('answers', () => {
  it('to questions that no form of the ticket has fail as those to unknown ones', async () => {
    const { row, assign } = await charity();
    const { id, key: known } = await bookingFormField(api.dataSource, mine({ key: `salary-${++serial}` }));
    const participant = { firstName: 'A', lastName: 'B', email: 'answers@example.com' };
    const failure = async (answer: object, whose?: string) => {
      const { errors } = await assign([row({ participant: { ...participant, fields: [answer] } })], whose);
      return [errors[0].code, errors[0].message];
    };
    expect(await failure({ key: known, value: 'x' })).toEqual(await failure({ key: 'nothing', value: 'x' }));
    expect(await failure({ id, value: 'x' })).toEqual(await failure({ id: newId(), value: 'x' }));
    expect((await failure({ id, value: 'x' }))[0]).toBe('FIELD_NOT_FOUND');
    expect((await failure({ id, value: 'x' }, api.token))[0]).toBe('INVALID_ANSWER');
  });
});

describe('external ids of assignments', () => {
  it('are separate for each partner and the organizer', async () => {
    const [one, other] = [await charity(), await charity()];
    const externalAssignmentId = `same-${++serial}`;
    const rows = [one, other].map(({ row }) => row({ externalAssignmentId }));
    const jobs = [
      await one.assign([rows[0] as object]),
      await other.assign([rows[1] as object]),
      await one.assign([rows[0] as object], api.token),
    ];
    expect(jobs.map(({ results: [result] }) => result.outcome)).toEqual(['IMPORTED', 'IMPORTED', 'IMPORTED']);
    const again = await one.assign([rows[0] as object]);
    expect(again.results[0]).toMatchObject({
      outcome: 'ALREADY_IMPORTED',
      participantId: jobs[0]?.results[0].participantId,
    });
  });

  it('are separate in idempotency keys too, and so are jobs', async () => {
    const [one, other] = [await charity(), await charity()];
    const headers = { 'Idempotency-Key': 'monday' };
    const body = { assignments: [one.row()] };
    const send = async (token: string) =>
      (await api.send('POST', `/v0/${PATH}`, body, token, headers)).body.jobId;
    const jobs = [
      await send(one.token),
      await send(one.token),
      await send(other.token),
      await send(api.token),
    ];
    expect([jobs[0], new Set(jobs).size]).toEqual([jobs[1], 3]);
    for (const path of [`/v0/${PATH}/${jobs[0]}`, `/v0/import-jobs/${jobs[0]}/rows`])
      expect((await api.get(path, other.token)).status).toBe(404);
    expect((await listed('/v0/import-jobs', one.token)).map(({ jobId }) => jobId)).toEqual([jobs[0]]);
    for (const jobId of new Set(jobs)) await finished(api, PATH, jobId);
  });
});

describe('cancelling', () => {
  const cancel = (id: unknown, token: string) => api.send('DELETE', `/v0/bookings/${id}`, undefined, token);

  it('is for partners of groups that permit it', async () => {
    for (const canPartnerCancel of [false, true]) {
      const { token, assign, group } = await charity({ canPartnerCancel });
      const { results } = await assign();
      const { status, body } = await cancel(results[0].bookingId, token);
      expect([status, body.status ?? body.message]).toEqual(
        canPartnerCancel ? [200, 'CANCELLED'] : [403, expect.stringContaining('canPartnerCancel')],
      );
      const [shown] = await listed(
        `/v0/event-occurrences/${group.eventOccurrenceId}/reserved-entries`,
        token,
      );
      expect(shown.usedCapacity).toBe(canPartnerCancel ? 0 : 1);
    }
  });

  it('obeys the rule of the source', async () => {
    const { token, group, ticket: sold } = await charity({ canPartnerCancel: true });
    const made = await booking(
      api.dataSource,
      mine({ ticketId: sold.id, source: 'WEBSITE', entries: [{ reservedEntryGroupId: group.id }] }),
    );
    expect((await cancel(made.id, token)).status).toBe(403);
  });

  it('counts and announces as that of the organizer', async () => {
    const { assign, token, ticket: sold } = await charity({ canPartnerCancel: true });
    const { results } = await assign();
    const places = async () => (await api.get(`/v0/tickets/${sold.id}`)).body.usedCapacity;
    expect(await places()).toBe(1);
    const { body } = await cancel(results[0].bookingId, token);
    expect(await places()).toBe(0);
    const after = (await api.get(`/v0/participants/${results[0].participantId}`)).body;
    expect(after.statusDetails.at(-1)).toMatchObject({
      status: 'CANCELLED',
      reason: expect.stringMatching(/partner/),
    });
    expect((await cancel(results[0].bookingId, token)).body).toEqual(body);
  });
});

/** What committed while the request waited for a lock holds. */
describe('what changes while a partner waits', () => {
  const waiting = () =>
    eventually(async () => {
      const [{ count }] = await api.dataSource.query(
        `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return count > 0;
    });
  const groups = (manager: EntityManager) => manager.getRepository(ReservedEntryGroup);

  it.each([
    ['the permission to cancel', () => ({ canPartnerCancel: false }), 403],
    ['the partner of the group', async () => ({ partnerId: (await charity()).id }), 404],
  ] as const)('decides over a cancellation: %s', async (_, change, status) => {
    const { assign, token, group } = await charity({ canPartnerCancel: true });
    const { results } = await assign();
    const { bookingId } = results[0];
    const changes = await change();
    const answer = await api.dataSource.transaction(async (manager) => {
      await manager.query('SELECT FROM bookings WHERE id = $1 FOR UPDATE', [bookingId]);
      const asked = api.send('DELETE', `/v0/bookings/${bookingId}`, undefined, token);
      await waiting();
      await groups(manager).update({ organizationId: api.organizationId, id: group.id }, changes);
      return { asked };
    });
    expect((await answer.asked).status).toBe(status);
    expect((await api.get(`/v0/bookings/${bookingId}`)).body.status).toBe('CONFIRMED');
  });

  it('decides over an assignment: the partner of the group', async () => {
    const [ours, other] = [await charity(), await charity()];
    const { job } = await api.dataSource.transaction(async (manager) => {
      await groups(manager).update(
        { organizationId: api.organizationId, id: ours.group.id },
        { partnerId: other.id },
      );
      const assigned = ours.assign();
      await waiting();
      return { job: assigned };
    });
    expect(errorsOf(await job)).toEqual([[0, 'INVALID_ASSIGNMENT']]);
    expect(await listed('/v0/participants', other.token)).toEqual([]);
  });
});

describe('the import bytes of a day', () => {
  it('are not used up by one partner and its sub-partners, nor by all partners', async () => {
    const limited = await startApi({ IMPORT_BYTES_PER_DAY: '10000', RATE_IMPORT: '100000' });
    const of = { organizationId: limited.organizationId };
    const keyOf = async (parentPartnerId?: string) => {
      const { id } = await partner(limited.dataSource, { ...of, parentPartnerId });
      return { id, token: (await key(limited.dataSource, { ...of, partnerId: id })).token };
    };
    const participant = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };
    const row = { reservedEntryGroupId: newId(), ticketSlug: 'run', participant };
    const send = async (whose: string) => {
      const assignments = Array.from({ length: 8 }, () => ({ externalAssignmentId: `${++serial}`, ...row }));
      return (await limited.send('POST', `/v0/${PATH}`, { assignments }, whose)).status;
    };
    const first = await keyOf();
    const sub = await keyOf(first.id);
    // About 1,400 bytes each, which count as two kilobytes.
    expect([await send(first.token), await send(sub.token), await send(first.token)]).toEqual([
      200, 429, 429,
    ]);
    const sent: number[] = [];
    for (let others = 0; others < 5; others++) sent.push(await send((await keyOf()).token));
    expect(sent).toEqual([200, 200, 429, 429, 429]);
    expect(await send(limited.token)).toBe(200);
    await limited.close();
  });
});

describe('sub-partners', () => {
  const NEW = { name: 'North branch', contacts: [{ firstName: 'A', lastName: 'B', email: 'a@example.com' }] };
  const create = (token: string, more: object = {}) =>
    api.send('POST', '/v0/partners', { ...NEW, ...more }, token);

  it('are created by a partner that may, below itself', async () => {
    const { id, token } = await charity();
    const { status, body } = await create(token);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ parentPartnerId: id, canCreateSubPartners: false }),
    ]);
    expect((await api.get(`/v0/partners/${body.id}`, token)).status).toBe(200);
    expect((await create(token, { parentPartnerId: id })).status).toBe(200);
    await api.dataSource.query(
      `INSERT INTO partners (organization_id, id, name, parent_partner_id)
       SELECT $1, uuid_v7(), 'Branch', $2 FROM generate_series(1, ${MAXIMA.subPartners - 3})`,
      [api.organizationId, id],
    );
    const last = await Promise.all([create(token), create(token, { parentPartnerId: id })]);
    expect(last.map((answer) => answer.status).sort()).toEqual([200, 400]);
  });

  it('never create sub-partners themselves, whoever permits it, and however', async () => {
    const { id } = await charity();
    const { id: sub } = await charity({ parentPartnerId: id });
    const { status, body } = await api.send('PATCH', `/v0/partners/${sub}`, { canCreateSubPartners: true });
    expect([status, body.problems]).toEqual([
      400,
      [expect.objectContaining({ path: 'canCreateSubPartners', code: 'INVALID_VALUE' })],
    ]);
    expect((await api.get(`/v0/partners/${sub}`)).body.canCreateSubPartners).toBe(false);
  });

  it('are created once for each Idempotency-Key, which belongs to the partner', async () => {
    const [one, other] = [await charity(), await charity()];
    const once = async ({ token }: { token: string }) => {
      const { status, body } = await api.send('POST', '/v0/partners', NEW, token, {
        'idempotency-key': 'north',
      });
      expect(status).toBe(200);
      return body.id;
    };
    const [first, same, theirs] = [await once(one), await once(one), await once(other)];
    expect(same).toBe(first);
    expect(theirs).not.toBe(first);
    expect(await once(other)).toBe(theirs);
  });

  it.each<[string, object, number]>([
    ['another parent', { parentPartnerId: newId() }, 400],
    ['external ids', { externalIds: { ENTHUSE: 'x' } }, 400],
    ['sub-partners of its own', { canCreateSubPartners: true }, 400],
  ])('are not created with %s', async (_, more, status) => {
    expect((await create((await charity()).token, more)).status).toBe(status);
  });

  it('are not created by a partner that may not, or by a sub-partner', async () => {
    const parent = await charity();
    const sub = await charity({ parentPartnerId: parent.id });
    const plain = await partner(api.dataSource, mine({}));
    await api.dataSource.query('UPDATE partners SET can_create_sub_partners = true WHERE id = $1', [sub.id]);
    for (const partnerId of [plain.id, sub.id])
      expect((await create((await key(api.dataSource, mine({ partnerId }))).token)).status).toBe(403);
  });

  it('are created by the organizer, one level deep', async () => {
    const { id } = await charity();
    const { status, body } = await create(api.token, { parentPartnerId: id });
    expect([status, body.parentPartnerId]).toEqual([200, id]);
    expect((await create(api.token, { parentPartnerId: body.id })).status).toBe(400);
    expect((await create(api.token, { parentPartnerId: newId() })).status).toBe(400);
    const stranger = await organization(api.dataSource);
    const theirs = await partner(api.dataSource, { organizationId: stranger.id });
    expect((await create(api.token, { parentPartnerId: theirs.id })).status).toBe(400);
  });
});

describe('creating a key of a partner', () => {
  const create = (more: object) =>
    api.dataSource.transaction((manager) =>
      createKey(
        manager,
        new Tokens([{ kid: 'test', secret: 'x'.repeat(32) }]),
        mine({ name: 'Charity', kind: 'ORGANIZER' as const, ...more }),
        { type: 'CLI', id: null, name: 'test' } as never,
      ),
    );

  it('is refused for other kinds, unknown partners, and permissions that no partner has', async () => {
    const { id: partnerId } = await charity();
    await expect(create({ partnerId: newId() })).rejects.toThrow('no partner');
    await expect(create({ partnerId, kind: 'TIMING' })).rejects.toThrow('ORGANIZER');
    await expect(create({ partnerId, permissions: ['credits:read'] })).rejects.toThrow('a key of a partner');
    const { key: made } = await create({ partnerId, permissions: ['participants:read'] });
    expect(made).toMatchObject({ partnerId, permissions: ['participants:read'] });
  });
});

describe('the endpoints of a key of a partner', () => {
  it('are all that it reaches', async () => {
    const { id: partnerId, ticket: sold } = await charity();
    const asked = { name: 'Check', kind: 'ORGANIZER' as const, partnerId, endpoints: ['registrationStatus'] };
    const { key: made, token } = await api.dataSource.transaction((manager) =>
      createKey(manager, new Tokens(SIGNING_SECRETS), mine(asked), {
        type: 'CLI',
        id: null,
        name: 'test',
      } as never),
    );
    expect(made.endpoints).toEqual(['registrationStatus']);
    expect((await api.get('/identity', token)).body.endpoints).toEqual(['registrationStatus']);
    const path = `/v0/event-occurrences/${sold.eventOccurrenceId}/registration-status`;
    expect((await api.send('POST', path, { email: 'a@example.com' }, token)).status).toBe(200);
    expect((await api.get('/v0/participants', token)).status).toBe(403);
  });
});

describe('the last place', () => {
  it('goes to one of forty assignments by keys of the partner, of the organizer, and from the console', async () => {
    const parent = await charity();
    const sub = await charity({ parentPartnerId: parent.id, maxCapacity: 1 });
    const { browser } = await signedIn(api, 'MANAGER');
    const senders = [
      ...[parent.token, sub.token, api.token].map(
        (token) => (body: object) => api.send('POST', `/v0/${PATH}`, body, token),
      ),
      (body: object) => browser.ask('POST', `/v0/${PATH}`, body),
    ];
    const accepted = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const send = senders[n % senders.length] as (typeof senders)[0];
        const { status, body } = await send({ assignments: [sub.row()] });
        expect(status).toBe(200);
        return body.jobId as string;
      }),
    );
    const outcomes: string[] = [];
    for (const jobId of accepted) {
      const { results } = await finished(api, PATH, jobId);
      outcomes.push(results[0].error?.code ?? results[0].outcome);
    }
    expect(outcomes.filter((outcome) => outcome === 'IMPORTED')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'NO_CAPACITY_REMAINING')).toHaveLength(39);
    expect(await listed('/v0/participants', sub.token)).toHaveLength(1);
  });
});
