import { booking, organization, ticket } from '#libs/testing';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { type Browser, signedIn } from './console';

let api: TestApi;
let owner: Browser;
let desk: Browser;
beforeAll(async () => {
  api = await startApi({ RATE_SIGN_IN: '1000' });
  owner = (await signedIn(api, 'OWNER')).browser;
  desk = (await signedIn(api, 'RACE_DAY')).browser;
});
afterAll(() => api.close());

const field = (key: string, value: unknown) => ({
  id: '01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b',
  key,
  label: key,
  type: 'TEXT',
  value,
});

/** A named participant. */
async function person(
  firstName: string,
  lastName: string,
  more: { bibNumber?: string; email?: string; organizationId?: string; ticketId?: string } = {},
): Promise<string> {
  const { organizationId = api.organizationId, bibNumber, email, ticketId } = more;
  const fields = [
    field('firstName', firstName),
    field('lastName', lastName),
    field('email', email),
    field('dateOfBirth', '1815-12-10'),
  ];
  const entry = { fields, bibNumber: bibNumber ?? null, emailNormalized: email ?? null };
  const { entries } = await booking(api.dataSource, { organizationId, ticketId, entries: [entry] });
  return entries[0]?.participantId ?? '';
}

const search = async (browser: Browser, text: string, more = '') => {
  const { status, body } = await browser.ask(
    'GET',
    `/console/v1/participants?search=${encodeURIComponent(text)}${more}`,
  );
  expect(status).toBe(200);
  return body.data as { id: string; firstName: string; email: string | null; dateOfBirth: string | null }[];
};
const idsOf = (found: { id: string }[]) => found.map(({ id }) => id);

describe('search for participants', () => {
  it('finds words by prefix, ignoring case and accents', async () => {
    const id = await person('Zoë-Marie', 'Größlund', { bibNumber: 'A-77', email: 'zoe.m@example.com' });
    await person('Another', 'Runner');
    for (const typed of [
      'zoe',
      'ZOË',
      'marie',
      'größ',
      'gr zo',
      'a-77',
      'zoe.m@example',
      'zoe m exam',
      'zoe.m@exa gr',
    ])
      expect([typed, idsOf(await search(owner, typed))]).toEqual([typed, [id]]);
    expect(await search(owner, 'oe')).toEqual([]);
    expect(await search(owner, 'zoe runner')).toEqual([]);
    expect(await search(owner, 'zoe.m@another.example')).toEqual([]);
    expect(await search(owner, "'&|!:* ()")).toEqual([]);
  });

  it('hides email and birth date from the desk, and does not search them for the desk', async () => {
    const id = await person('Desk', 'Visible', { bibNumber: '4711', email: 'hidden@secret.example' });
    const [seen] = await search(desk, 'desk vis');
    expect(seen).toMatchObject({ id, email: null, dateOfBirth: null, bibNumber: '4711' });
    expect(await search(desk, 'hidden')).toEqual([]);
    expect(idsOf(await search(owner, 'hidden'))).toEqual([id]);
    expect((await desk.ask('GET', '/v0/participants')).status).toBe(403);
  });

  it('returns at most 20 results to the desk, and reports that there are more', async () => {
    await Promise.all(Array.from({ length: 21 }, (_, i) => person(`Crowd${i}`, 'Member')));
    const { body } = await desk.ask('GET', '/console/v1/participants?search=crowd');
    expect([body.data.length, body.hasMore]).toEqual([20, true]);
    expect((await owner.ask('GET', '/console/v1/participants?search=crowd')).body.hasMore).toBe(false);
  });

  it('is limited to the organization, and to the ticket', async () => {
    const other = await organization(api.dataSource);
    const { id: ticketId } = await ticket(api.dataSource, { organizationId: api.organizationId });
    await person('Foreign', 'Person', { organizationId: other.id });
    const id = await person('Foreign', 'Person', { ticketId });
    await person('Foreign', 'Person');
    expect((await search(owner, 'foreign')).length).toBe(2);
    expect(idsOf(await search(owner, 'foreign', `&ticketId=${ticketId}`))).toEqual([id]);
  });

  it('filters by status and tag', async () => {
    const [confirmed, cancelled] = [await person('Filter', 'One'), await person('Filter', 'Two')];
    await api.dataSource.query(
      "UPDATE start_list_entries SET tags = ARRAY['press', 'vip'] WHERE organization_id = $1 AND participant_id = $2",
      [api.organizationId, confirmed],
    );
    await api.dataSource.query(
      'UPDATE start_list_entries SET cancelled_at = now() WHERE organization_id = $1 AND participant_id = $2',
      [api.organizationId, cancelled],
    );
    expect(idsOf(await search(owner, 'filter', '&status=CONFIRMED'))).toEqual([confirmed]);
    expect(idsOf(await search(owner, 'filter', '&status=CANCELLED'))).toEqual([cancelled]);
    expect(idsOf(await search(owner, 'filter', '&tag=vip'))).toEqual([confirmed]);
    expect(await search(owner, 'filter', '&tag=vip&status=CANCELLED')).toEqual([]);
  });

  it('rejects a search that is too short', async () => {
    const { status, body } = await owner.ask('GET', '/console/v1/participants?search=a');
    expect([status, body.message]).toEqual([400, 'search must have at least 2 characters']);
  });

  it('uses an index', async () => {
    await api.dataSource.query('ANALYZE start_list_entries');
    const plan = await api.dataSource.query(
      `EXPLAIN SELECT id FROM start_list_entries t WHERE t.organization_id = $1 AND t.approval_status = 'APPROVED'
         AND entry_words(t.fields, t.bib_number, t.email_normalized, t.external_participant_id) @@ $2::tsquery`,
      [api.organizationId, "'zoe':*"],
    );
    expect(JSON.stringify(plan)).toContain('start_list_entries_words_idx');
  });
});

describe('a participant in the console', () => {
  it('has its race-day log, which includes updates from the desk', async () => {
    const worker = await startWorker(api);
    try {
      const id = await person('Log', 'Keeper');
      const update = { bibNumber: '88', customFields: [{ id: 'checkIn', value: true }] };
      expect((await desk.ask('PATCH', `/v0/participants/${id}/race-day`, update)).status).toBe(200);
      const shown = await eventually(async () => {
        const { body } = await desk.ask('GET', `/console/v1/participants/${id}`);
        return body.bibNumber === '88' && body;
      });
      expect(shown).toMatchObject({ checkIn: true, email: null, raceDayLog: { bibClaim: '88' } });
      expect(shown.raceDayLog.messages).toMatchObject([
        { source: 'RACE_DAY', setsBib: true, bibNumber: '88', state: 'APPLIED' },
      ]);
    } finally {
      await worker.close();
    }
  });

  it('shows the newest 500 messages of any number, and lists all of them in pages', async () => {
    const id = await person('Many', 'Messages');
    // Most share the time of others: cursors are by time, then by receipt.
    const log = (from: number, to: number) =>
      api.dataSource.query(
        `INSERT INTO race_day_log (organization_id, source, changed_at, participant_id, sets_bib, bib_number, applied_at)
         SELECT $1, 'TIMING', timestamptz '2026-01-01' + (i / 400) * interval '1 second', $2, true, i::text, now()
         FROM generate_series($3::int, $4::int) i`,
        [api.organizationId, id, from, to],
      );
    await log(1, 1_203);
    const { body } = await desk.ask('GET', `/console/v1/participants/${id}`);
    const bibs = (messages: { bibNumber: string }[]) => messages.map(({ bibNumber }) => Number(bibNumber));
    const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
    expect(body.raceDayLog.messageCount).toBe(1_203);
    expect(bibs(body.raceDayLog.messages)).toEqual(numbers(704, 1_203));
    const list = `/console/v1/participants/${id}/race-day-messages?page%5Bsize%5D=500`;
    const listed: number[] = [];
    for (let next = '', more = true; more; more = next !== '') {
      const { status, body: page } = await desk.ask(
        'GET',
        `${list}&page%5Bafter%5D=${encodeURIComponent(next)}`,
      );
      expect([status, page.page.totalResults]).toEqual([200, 1_203]);
      listed.push(...bibs(page.data));
      next = page.page.next;
    }
    expect(listed).toEqual(numbers(1, 1_203).reverse());
    const first = await desk.ask('GET', list);
    expect(first.body.data.slice().reverse()).toEqual(body.raceDayLog.messages);
    const { browser: stranger } = await signedIn(
      api,
      'OWNER',
      undefined,
      (await organization(api.dataSource)).id,
    );
    expect((await stranger.ask('GET', list)).status).toBe(404);
    await log(1_204, 10_002);
    const counted = await desk.ask('GET', `/console/v1/participants/${id}`);
    expect(counted.body.raceDayLog.messageCount).toBe(10_000);
  });

  it('can be redacted by managers of its organization only, with a record in the audit log', async () => {
    const { browser: manager } = await signedIn(api, 'MANAGER');
    const id = await person('To', 'Forget', { email: 'forget@example.com' });
    const other = await organization(api.dataSource);
    const foreign = await person('Keep', 'Me', { organizationId: other.id });
    expect((await desk.ask('POST', `/console/v1/participants/${id}/redact`)).status).toBe(403);
    expect((await manager.ask('POST', `/console/v1/participants/${foreign}/redact`)).status).toBe(404);
    const { status, body } = await manager.ask('POST', `/console/v1/participants/${id}/redact`);
    expect([status, body.changed]).toEqual([200, true]);
    expect(await search(manager, 'forget')).toEqual([]);
    const log = await manager.ask('GET', '/console/v1/audit-log?action=participant.redact');
    expect(log.body.data).toMatchObject([{ actorType: 'STAFF', objectType: 'participant' }]);
  });

  it('of another organization returns 404', async () => {
    const other = await organization(api.dataSource);
    const foreign = await person('Keep', 'Away', { organizationId: other.id });
    expect((await owner.ask('GET', `/console/v1/participants/${foreign}`)).status).toBe(404);
    expect((await owner.ask('GET', '/console/v1/participants/nothing')).status).toBe(404);
  });
});
