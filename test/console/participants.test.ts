import { workOnPerson } from '#domain/participants';
import { booking, organization, ticket } from '#libs/testing';
import { newId } from '#platform/database';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { type Browser, signedIn, workDone } from './console';

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

describe('the export of chosen participants', () => {
  it('has exactly those of the own organization, in both formats, and is recorded', async () => {
    const chosen = [await person('Ada', 'Chosen'), await person('Grace', 'Chosen')];
    await person('Mary', 'Not chosen');
    const { id: other } = await organization(api.dataSource, {});
    const foreign = await person('Ada', 'Foreign', { organizationId: other });
    const asked = { participantIds: [...chosen, foreign, newId()] };
    const path = '/console/v1/participants/export';
    const { status, text } = await owner.ask('POST', path, { ...asked, format: 'ndjson' });
    expect([status, text]).toEqual([200, expect.stringContaining('"end":true')]);
    const lines = text.trimEnd().split('\n');
    expect(lines.slice(0, -1).map((line) => JSON.parse(line).id)).toEqual(chosen);
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ end: true, rows: 2 });
    const csv = (await owner.ask('POST', path, asked)).text;
    expect(csv).toMatch(/#end,2\r\n$/);
    expect(csv).toContain('Grace');
    const [record] = (await owner.ask('GET', '/console/v1/audit-log?action=participant.export')).body.data;
    expect(record).toMatchObject({ details: { format: 'csv', filters: ['participantIds'] } });
    expect((await desk.ask('POST', path, asked)).status).toBe(403);
  });
});

describe('search for participants', () => {
  it('finds whole ids: of the participant, its booking, and those of other systems', async () => {
    const { organizationId } = api;
    const externalBookingId = `order ${crypto.randomUUID()}`;
    const externalAssignmentId = `place/${crypto.randomUUID()}`;
    const made = await booking(api.dataSource, {
      organizationId,
      externalBookingId,
      entries: [{ externalAssignmentId }, {}],
    });
    const ids = made.entries.map(({ participantId }) => participantId);
    const [first = ''] = ids;
    const found = async (text: string, more = '') => idsOf(await search(owner, text, more)).sort();
    expect(await found(externalBookingId)).toEqual([...ids].sort());
    expect(await found(made.id)).toEqual([...ids].sort());
    expect(await found(first)).toEqual([first]);
    expect(await found(` ${made.entries[0]?.id} `)).toEqual([first]);
    expect(await found(externalAssignmentId)).toEqual([first]);
    expect(await found(made.id, '&status=CANCELLED')).toEqual([]);
    expect(idsOf(await search(desk, externalBookingId))).toEqual([]);
    const { id: other } = await organization(api.dataSource, {});
    const { id: foreign } = await booking(api.dataSource, { organizationId: other });
    expect(await found(foreign)).toEqual([]);
  });

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

  it.each([
    ['Łukasz', ['lukasz', 'ŁUKASZ', 'łuk']],
    ['Søren', ['soren', 'soeren', 'Søren', 'SÖREN']],
    ['Müller', ['muller', 'mueller', 'Müller', 'MU\u0308LLER']],
    ['Muellerova', ['müllerova', 'muellerova']],
    ['Großmann', ['grossmann', 'GROSSMANN', 'großmann', 'GROẞMANN']],
    ['Ångström', ['angstrom', 'aangstroem', 'ångström']],
    ['Þórarinn', ['thorarinn', 'þór']],
    ['Işık', ['isik', 'IŞIK', 'ışık']],
    ['ΠΑΠΑΔΟΠΟΥΛΟΣ', ['ΠΑΠΑΔΟΠΟΥΛΟΣ', 'Παπαδόπουλος', 'παπαδ']],
    ['Γεωργίου-Ρήγας', ['ΡΗΓΑΣ', 'Ρήγας', 'ρηγα']],
    ['रामेश्वर', ['रामेश्वर', 'राम']],
    ['กิตติ', ['กิตติ', 'กิ']],
  ])('finds %s by what people type', async (lastName, typed) => {
    const id = await person('Typed', lastName);
    for (const text of typed) {
      expect([text, idsOf(await search(owner, `typed ${text}`))]).toEqual([text, [id]]);
      expect([text, idsOf(await search(desk, text))]).toEqual([text, [id]]);
    }
  });

  it('hides email and birth date from the desk, and does not search them for the desk', async () => {
    const id = await person('Desk', 'Visible', { bibNumber: '4711', email: 'hidden@secret.example' });
    const [seen] = await search(desk, 'desk vis');
    expect(seen).toMatchObject({ id, email: null, dateOfBirth: null, bibNumber: '4711' });
    expect(await search(desk, 'hidden')).toEqual([]);
    expect(idsOf(await search(owner, 'hidden'))).toEqual([id]);
    expect((await desk.ask('GET', '/v0/participants')).status).toBe(403);
  });

  it('is required at the desk, where birth dates and emails are hidden in every order', async () => {
    const { status, body } = await desk.ask('GET', '/console/v1/participants');
    expect([status, body.message]).toEqual([400, 'search is required for the role RACE_DAY']);
    await person('Crowd', 'Member', { email: 'crowd@example.com' });
    for (const by of ['name', 'bib', 'createdAt']) {
      const found = await search(desk, 'crowd', `&sort[${by}]=1`);
      expect(found).toMatchObject([{ email: null, dateOfBirth: null }]);
    }
  });

  it('has pages in each order, with filters and a total', async () => {
    const { id: ticketId, raceId } = await ticket(api.dataSource, { organizationId: api.organizationId });
    const people: string[] = [];
    for (const lastName of ['Eta', 'Delta', 'Zeta', 'Alpha', 'Beta'])
      people.push(await person('Paged', lastName, { ticketId, email: `${lastName}.paged@example.com` }));
    await person('Paged', 'Elsewhere');
    const inOrder = async (query: string) => {
      const found: string[] = [];
      let next = '';
      do {
        const asked = `/console/v1/participants?page[size]=2&raceId=${raceId}&${query}&page[after]=${next}`;
        const { status, body } = await owner.ask('GET', asked);
        expect([status, body.page.totalResults]).toEqual([200, 5]);
        expect(Boolean(body.page.prev)).toBe(next !== '');
        found.push(...body.data.map(({ id }: { id: string }) => people.indexOf(id)));
        next = body.page.next;
      } while (next);
      return found.join('');
    };
    expect(await inOrder('search=paged')).toBe('43210');
    expect(await inOrder('search=paged&sort[createdAt]=1')).toBe('01234');
    expect(await inOrder('search=paged&sort[name]=1')).toBe('34102');
    expect(await inOrder('search=paged&sort[wave]=1')).toHaveLength(5);
    expect(await inOrder('search=paged@example&sort[name]=-1')).toBe('20143');
    expect(await inOrder(`search=paged&ticketId=${ticketId}&status=CONFIRMED`)).toBe('43210');
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

  it.each([
    ['4711', '88'],
    ['A-77', 'Größe 12'],
    ['Zoë', null],
    [null, 'ada'],
  ])('finds bib %s no more after it became %s, and the name still', async (before, after) => {
    const id = await person('Ada', 'Zoë', { bibNumber: before ?? undefined });
    await api.dataSource.query('UPDATE start_list_entries SET bib_number = $2 WHERE participant_id = $1', [
      ...[id, after],
    ]);
    const [{ words }] = await api.dataSource.query(
      `SELECT search_words = entry_words(fields, email_normalized, external_participant_id) || bib_words($2) AS words
       FROM start_list_entries WHERE participant_id = $1`,
      [id, after],
    );
    expect(words).toBe(true);
    if (after) expect(idsOf(await search(desk, `ada ${after}`))).toContain(id);
  });
});

describe('the list of participants', () => {
  let browser: Browser;
  let shown: Record<string, string>;
  let filters: Record<string, string>;
  beforeAll(async () => {
    const { id: organizationId } = await organization(api.dataSource);
    browser = (await signedIn(api, 'VIEWER', undefined, organizationId)).browser;
    const one = await ticket(api.dataSource, { organizationId });
    filters = { eventOccurrenceId: one.eventOccurrenceId, raceId: one.raceId, ticketId: one.id };
    const people: [string, string, string?][] = [
      ['Zoë', 'Ötzi', '10'],
      ['ada', 'ötzi', '2'],
      ['Ada', 'Young', 'A10'],
      ['', '', '007'],
      ['Max', 'Groß', 'A2'],
      ['Max', 'Grosz', undefined],
      ['Ada', 'Young', '11'],
    ];
    shown = {};
    for (const [i, [first, last, bibNumber]] of people.entries()) {
      const id = await person(first, last, { bibNumber, organizationId, ticketId: one.id });
      shown[id] = `${i}`;
    }
    await person('Bea', 'Elsewhere', { organizationId, bibNumber: '5' });
    const [, second = '', third = '', , fifth = ''] = Object.keys(shown);
    const run = (sql: string, ...values: unknown[]) => api.dataSource.query(sql, [organizationId, ...values]);
    const wave = async (title: string, at: string, ids: string[]) => {
      const id = newId();
      await run(
        'INSERT INTO waves (organization_id, id, race_id, title, start_date_time) VALUES ($1, $2, $3, $4, $5)',
        ...[id, one.raceId, title, at],
      );
      await run(
        'UPDATE start_list_entries SET wave_id = $2 WHERE organization_id = $1 AND participant_id = ANY ($3)',
        ...[id, ids],
      );
    };
    await wave('A late', '2026-06-01T11:00:00Z', [second]);
    await wave('B early', '2026-06-01T09:00:00Z', [third, fifth]);
    await run(
      "UPDATE start_list_entries SET tags = '{vip}' WHERE organization_id = $1 AND participant_id = ANY ($2)",
      ...[[third, second]],
    );
  });

  /** The places of the people in the list above, read in pages of two there and back. */
  async function walked(query: Record<string, string>): Promise<string> {
    const read = async (more: Record<string, string>) => {
      const asked = new URLSearchParams({ 'page[size]': '2', ...query, ...more });
      const { status, body } = await browser.ask('GET', `/console/v1/participants?${asked}`);
      expect(status).toBe(200);
      return body as {
        data: { id: string }[];
        page: Record<'next' | 'prev', string> & { totalResults: number };
      };
    };
    const there: string[] = [];
    let at = await read({});
    for (;;) {
      there.push(...at.data.map(({ id }) => id));
      expect(at.page.totalResults).toBeGreaterThanOrEqual(there.length);
      if (!at.page.next) break;
      at = await read({ 'page[after]': at.page.next });
    }
    expect(at.page.totalResults).toBe(there.length);
    const back = at.data.map(({ id }) => id);
    while (at.page.prev) {
      at = await read({ 'page[before]': at.page.prev });
      back.unshift(...at.data.map(({ id }) => id));
    }
    expect(back).toEqual(there);
    return there.map((id) => shown[id] ?? '*').join('');
  }

  it('is sorted by last name, without case and accents, and by the first name', async () => {
    expect(await walked({ 'sort[name]': '1' })).toBe('*4510263');
    expect(await walked({ 'sort[name]': '-1', ...filters })).toBe('3620154');
  });

  it('is sorted by bib, with digits as a number', async () => {
    expect(await walked({ 'sort[bib]': '1' })).toBe('1*306425');
    expect(await walked({ 'sort[bib]': '-1', raceId: filters.raceId ?? '' })).toBe('5246031');
  });

  it('is sorted by the start of the wave, within an event or race', async () => {
    for (const filter of ['eventOccurrenceId', 'raceId'])
      expect(await walked({ 'sort[wave]': '1', [filter]: filters[filter] ?? '' })).toBe('2410356');
    expect(await walked({ 'sort[wave]': '-1', ...filters, tag: 'vip' })).toBe('12');
    const { status, body } = await browser.ask('GET', '/console/v1/participants?sort[wave]=1');
    expect([status, body.message]).toEqual([400, 'sort[wave] requires eventOccurrenceId or raceId']);
  });

  it('has each filter in each order', async () => {
    for (const by of ['name', 'bib', 'createdAt', 'updatedAt']) {
      expect(await walked({ [`sort[${by}]`]: '1', tag: 'vip' })).toHaveLength(2);
      expect(await walked({ [`sort[${by}]`]: '-1', ...filters, status: 'CONFIRMED' })).toHaveLength(7);
      expect(await walked({ [`sort[${by}]`]: '1', status: 'CANCELLED' })).toBe('');
    }
  });

  it('rejects a cursor of another order, and two orders', async () => {
    const ask = (query: string) => browser.ask('GET', `/console/v1/participants?page[size]=2&${query}`);
    const { body } = await ask('sort[name]=1');
    expect((await ask(`sort[name]=1&page[after]=${body.page.next}`)).status).toBe(200);
    for (const other of ['sort[name]=-1', 'sort[bib]=1', 'sort[name]=1&search=ada', ''])
      expect((await ask(`${other}&page[after]=${body.page.next}`)).status).toBe(400);
    expect((await ask('sort[name]=1&sort[bib]=1')).body.message).toBe(
      "sort[name] and sort[bib] can't be given together",
    );
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
    await workOnPerson(api.dataSource, api.organizationId, {});
    const { redaction } = await workDone(manager, body);
    expect([status, redaction.changed]).toEqual([200, true]);
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
