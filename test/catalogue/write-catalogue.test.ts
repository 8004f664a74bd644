import fc from 'fast-check';
import { Query } from 'pg';
import { booking, key, partner, reservedEntryGroup, ticket, wholeOrganization } from '#libs/testing';
import { newId } from '#platform/database';
import { MOST_BYTES, readLocal } from '#platform/validation';
import { type Browser, signedIn } from '../console/console';
import { eventually, startApi, startWorker, type TestApi } from '../harness';

let api: TestApi;
let browser: Browser;
beforeAll(async () => {
  api = await startApi({ RATE_IMPORT: '100000' });
  ({ browser } = await signedIn(api, 'MANAGER'));
});
afterAll(() => api.close());

type Json = Record<string, any>;
const put = (records: unknown[], more: Json = {}, token?: string) =>
  api.send('PUT', '/v0/catalogue', { records, ...more }, token);
const outcomes = (body: Json) => body.records.map(({ outcome }: Json) => outcome);

let serial = 0;
/** A small event: two records. */
const small = (slug = `run-${++serial}`, of: Json = {}): [Json, Json] => [
  { record: 'event', slug, title: 'Run' },
  {
    record: 'occurrence',
    event: slug,
    slug: `${slug}-2030`,
    title: 'Run 2030',
    startDate: '2030-05-04',
    timeZone: 'Europe/London',
    races: [
      {
        title: '10K',
        maxCapacity: 100,
        waves: [{ title: 'A', capacity: 50 }],
        tickets: [
          {
            ticketSlug: 'adult',
            title: 'Adult',
            price: { value: 2500, currencyCode: 'GBP' },
            maxCapacity: 80,
          },
        ],
      },
    ],
    ...of,
  },
];
const partOf = async (id: string): Promise<Json[]> =>
  (await browser.ask('GET', `/console/v1/catalogue/event-occurrences/${id}`)).body.records;
const occurrenceOf = (states: Json[]): Json =>
  states.find(({ record }) => record.record === 'occurrence') as Json;
const created = async (of: Json = {}): Promise<Json> => {
  const { body } = await put(small(undefined, of));
  return occurrenceOf(await partOf(body.records[1].id));
};
const problemsOf = ({ body }: { body: any }) => body.problems.map(({ path, code }: Json) => [path, code]);

describe('writing a part of the catalogue', () => {
  it('reads times without a zone in that of the occurrence', async () => {
    const [event, occurrence] = small(undefined, { timeZone: 'Asia/Kolkata' });
    const [race] = occurrence.races;
    const local = { saleStart: '2030-01-01T00:00:00', saleEnd: '2030-04-30T23:59:59' };
    race.waves = [{ title: 'A', startDateTime: '2030-05-04T06:00:00' }];
    race.tickets = [{ ...race.tickets[0], ...local }];
    occurrence.reservedEntryGroups = [
      {
        ...{ code: `LOCAL-${event.slug}`, name: 'Local', maxCapacity: 5 },
        settings: { deadline: '2030-04-01T12:00:00' },
        tickets: [{ ticketSlug: 'adult', startDateTime: '2030-02-01T00:00:00' }],
      },
    ];
    const { body } = await put([event, occurrence]);
    const stored = occurrenceOf(await partOf(body.records[1].id)).record;
    expect(stored).toMatchObject({
      races: [
        {
          waves: [{ startDateTime: '2030-05-04T00:30:00Z' }],
          tickets: [{ saleStart: '2029-12-31T18:30:00Z', saleEnd: '2030-04-30T18:29:59Z' }],
        },
      ],
      reservedEntryGroups: [
        {
          settings: { deadline: '2030-04-01T06:30:00Z' },
          tickets: [{ startDateTime: '2030-01-31T18:30:00Z' }],
        },
      ],
    });
    expect(outcomes((await put([event, occurrence])).body)).toEqual(['UNCHANGED', 'UNCHANGED']);
  });

  it('refuses occurrences of a table that have any other shape', async () => {
    const { record } = await created();
    const races = [null, 5, {}, [null], [5], [{ title: '10K', tickets: [null], waves: 5 }]];
    const others: Json[] = [{ slug: 5 }, { slug: ['a', 'b'] }, { slug: 'a\0' }, { location: 5 }];
    const columns = ['race.startDate', 'occurrence.__proto__.hasOwnProperty'];
    const statuses: number[] = [];
    for (const wrong of [...races.map((given) => ({ races: given })), ...others]) {
      const body = { records: [{ ...record, ...wrong }], columns, dryRun: true };
      statuses.push((await browser.ask('PUT', '/console/v1/catalogue', body)).status);
    }
    expect(statuses).toEqual([200, ...Array(9).fill(400)]);
    // biome-ignore lint/suspicious/noPrototypeBuiltins: the columns name it
    expect({ a: 1 }.hasOwnProperty('a')).toBe(true);
  });

  it('leaves races and tickets that it does not contain in their places', async () => {
    const ticket = (ticketSlug: string) => ({
      ticketSlug,
      title: 'A',
      price: { value: 1, currencyCode: 'GBP' },
    });
    const race = (title: string) => ({ title, tickets: [ticket(title.toLowerCase())] });
    const { id, record } = await created({ races: ['A', 'B', 'C'].map(race) });
    const { id: _, ...named } = record;
    const orderAfter = async (...titles: string[]) => {
      expect((await put([{ ...named, races: titles.map(race) }])).status).toBe(200);
      const { races } = occurrenceOf(await partOf(id)).record;
      const slugs = await api.dataSource.query(
        'SELECT slug FROM tickets WHERE event_occurrence_id = $1 ORDER BY position',
        [id],
      );
      return [races, slugs.map(({ slug }: Json) => ({ title: slug.toUpperCase() }))].map((rows) =>
        rows.map(({ title }: Json) => title).join(''),
      );
    };
    expect(await orderAfter('C')).toEqual(['ABC', 'ABC']);
    expect(await orderAfter('D')).toEqual(['ABCD', 'ABCD']);
    expect(await orderAfter('B', 'E')).toEqual(['ABCDE', 'ABCDE']);
    expect(await orderAfter('E', 'D', 'C', 'B', 'A')).toEqual(['EDCBA', 'EDCBA']);
  });

  it('leaves variants, waves and tickets of a group that it does not contain in their places, too', async () => {
    const price = { value: 1, currencyCode: 'GBP' };
    const named = (...names: string[]) => names.map((title) => ({ title }));
    const listed = (...names: string[]) => ({
      races: [
        {
          title: 'R',
          waves: named(...names),
          tickets: ['s', 'm', 'l', 'xl'].map((ticketSlug) => ({ ticketSlug, title: 'A', price })),
        },
      ],
      addOns: [{ title: 'Shirt', price, variants: named(...names) }],
      reservedEntryGroups: [
        {
          ...{ code: `PLACES-${serial}`, name: 'G', maxCapacity: 5 },
          tickets: names.map((name) => ({ ticketSlug: name.toLowerCase() })),
        },
      ],
    });
    const [event, occurrence] = small();
    const { body } = await put([event, { ...occurrence, ...listed('S', 'M', 'L') }]);
    const orderAfter = async (...names: string[]) => {
      expect((await put([{ ...occurrence, ...listed(...names) }])).status).toBe(200);
      const { record } = occurrenceOf(await partOf(body.records[1].id));
      return [record.races[0].waves, record.addOns[0].variants, record.reservedEntryGroups[0].tickets].map(
        (rows) => rows.map(({ title, ticketSlug }: Json) => title ?? ticketSlug.toUpperCase()).join(),
      );
    };
    expect(await orderAfter('L')).toEqual(Array(3).fill('S,M,L'));
    expect(await orderAfter('XL')).toEqual(Array(3).fill('S,M,L,XL'));
    expect(await orderAfter('XL', 'L', 'M', 'S')).toEqual(Array(3).fill('XL,L,M,S'));
  });

  it('keeps the keys of questions by which people are named', async () => {
    const question = { record: 'bookingFormField', key: 'firstName', label: 'First name', type: 'TEXT' };
    const { id } = (await put([question])).body.records[0];
    const answer = await put([{ ...question, id, key: 'vorname' }]);
    expect([problemsOf(answer), answer.body.message]).toEqual([
      [['records[0].key', 'INVALID_VALUE']],
      expect.stringContaining('must stay "firstName"'),
    ]);
    expect((await put([{ ...question, id, label: 'Vorname' }])).status).toBe(200);
  });

  it('refuses a question or a ticket that is named twice, in two ways', async () => {
    const question = { record: 'bookingFormField', key: 'shirt', label: 'Shirt', type: 'TEXT' };
    const { id } = (await put([question])).body.records[0];
    const form = { record: 'bookingForm', title: 'Shirts', fields: ['shirt', id] };
    expect(problemsOf(await put([form], { dryRun: true }))).toEqual([
      ['records[0].fields[1]', 'INVALID_VALUE'],
    ]);
    const { record } = await created();
    const [race] = record.races;
    const renamed = { ...record, races: [{ ...race, tickets: [{ ...race.tickets[0], ticketSlug: 'new' }] }] };
    const tickets = [{ ticketSlug: 'adult' }, { ticketSlug: 'new' }];
    const answer = await put([
      { ...renamed, reservedEntryGroups: [{ code: 'TWICE', name: 'Twice', maxCapacity: 5, tickets }] },
    ]);
    expect(problemsOf(answer)).toEqual([
      ['records[0].reservedEntryGroups[0].tickets[1].ticketSlug', 'INVALID_VALUE'],
    ]);
    const slug = record.event;
    const marketing = { event: slug, optInText: 'May we write to you?' };
    const charity = {
      record: 'partner',
      name: `Charity ${slug}`,
      specificMarketings: [marketing, marketing],
    };
    expect(problemsOf(await put([charity]))).toEqual([
      ['records[0].specificMarketings[1].event', 'INVALID_VALUE'],
    ]);
  });

  it('has one currency with what stays, and free prices are 0', async () => {
    const EUR = { value: 100, currencyCode: 'EUR' };
    const [event, occurrence] = small();
    const [race] = occurrence.races;
    const [ticket] = race.tickets;
    const ticketsIn = (price: object) => [{ ...race, tickets: [{ ...ticket, price }] }];
    const group = (price: object) => ({
      ...{ code: `G-${event.slug}`, name: 'Group', maxCapacity: 5 },
      tickets: [{ ticketSlug: 'adult', discount: { type: 'FLAT_RATE', price } }],
    });
    const races = ticketsIn(EUR);
    const addOns = [{ title: 'Shirt', price: EUR }];
    const reservedEntryGroups = [group(EUR)];
    const free = await put([
      event,
      { ...occurrence, races, reservedEntryGroups: [group({ ...EUR, currencyCode: 'ZERO' })] },
    ]);
    const priceOfGroup = 'records[1].reservedEntryGroups[0].tickets[0].discount.price';
    expect(problemsOf(free)).toEqual([[`${priceOfGroup}.value`, 'INVALID_VALUE']]);
    expect((await put([event, { ...occurrence, races, addOns, reservedEntryGroups }])).status).toBe(200);
    const USD = { value: 100, currencyCode: 'USD' };
    const inDollars = async (more: object) =>
      (await put([{ ...occurrence, races: ticketsIn(USD), ...more }])).body.problems?.map(
        ({ message }: Json) => message,
      );
    expect(await inDollars({})).toEqual([expect.stringContaining('EUR, as for the add-on "Shirt"')]);
    const shirts = { addOns: [{ title: 'Shirt', price: USD }] };
    expect(await inDollars(shirts)).toEqual([
      expect.stringContaining('EUR, as for the reserved entry group "G-'),
    ]);
    expect(await inDollars({ ...shirts, reservedEntryGroups: [group(USD)] })).toBeUndefined();
  });

  it('refuses times whose instant is after the year 9999', async () => {
    const [event, occurrence] = small();
    const [race] = occurrence.races;
    const until = (saleEnd: string) =>
      put([event, { ...occurrence, races: [{ ...race, tickets: [{ ...race.tickets[0], saleEnd }] }] }]);
    expect(problemsOf(await until('9999-12-31T23:59:59-05:00'))).toEqual([
      ['records[1].races[0].tickets[0].saleEnd', 'INVALID_VALUE'],
    ]);
    expect((await until('9999-12-31T23:59:59Z')).status).toBe(200);
  });

  it('refuses time zones that PostgreSQL reads otherwise, and keeps stored ones', async () => {
    const names: { name: string; at: string }[] = await api.dataSource.query(`
      SELECT n.name, to_char(timestamp '2030-07-04 09:00' AT TIME ZONE n.name AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI') AS at
      FROM pg_timezone_names n JOIN pg_timezone_abbrevs a ON a.abbrev = upper(n.name)`);
    const others = names.filter(
      ({ name, at }) => !readLocal('2030-07-04T09:00:00', name).instant.startsWith(at),
    );
    expect(others.map(({ name }) => name)).toContain('CET');
    for (const { name } of others) {
      const { status, body } = await put(small(undefined, { timeZone: name }));
      expect([name, status, body.problems?.[0]]).toEqual([
        ...[name, 400],
        expect.objectContaining({
          path: 'records[1].timeZone',
          message: expect.stringContaining('such as Europe/'),
        }),
      ]);
    }
    const { id, record } = await created();
    await api.dataSource.query(`UPDATE event_occurrences SET time_zone = 'CET' WHERE id = $1`, [id]);
    const kept = { ...record, timeZone: 'CET', title: 'Changed' };
    expect((await put([kept])).status).toBe(200);
    expect((await put([{ ...kept, timeZone: 'Europe/Brussels' }])).status).toBe(200);
    expect((await put([kept])).status).toBe(400);
  });

  it('refuses deadlines and starts that exist twice or not at all, because clocks change', async () => {
    const [event, occurrence] = small(undefined, { timeZone: 'Europe/Berlin' });
    const race = { ...occurrence.races[0], title: 'Night', startDate: '2030-03-31', startTime: '02:30:00' };
    race.tickets = [{ ...race.tickets[0], saleEnd: '2029-10-28T02:30:00' }];
    race.waves = [{ title: 'A', startDateTime: '2030-03-31T02:30:00' }];
    const night = { ...occurrence, races: [race] };
    const refused = await put([event, night]);
    const skipped = '2030-03-31T03:30:00+02:00 or 2030-03-31T01:30:00+01:00';
    expect(refused.body.problems.map(({ path, code, message }: Json) => [path, code, message])).toEqual([
      [
        'records[1].races[0].waves[0].startDateTime',
        'AMBIGUOUS_TIME',
        expect.stringContaining(`does not exist in Europe/Berlin, because clocks change: write ${skipped}`),
      ],
      [
        'records[1].races[0].tickets[0].saleEnd',
        'AMBIGUOUS_TIME',
        expect.stringContaining(
          'exists twice in Europe/Berlin, because clocks change: write 2029-10-28T02:30:00+02:00 or 2029-10-28T02:30:00+01:00',
        ),
      ],
      ['records[1].races[0].startTime', 'AMBIGUOUS_TIME', expect.stringContaining(`(${skipped})`)],
    ]);
    race.startTime = '03:30:00';
    race.tickets[0].saleEnd += '+01:00';
    race.waves[0].startDateTime += '+01:00';
    expect((await put([event, night])).status).toBe(200);
  });

  it('answers a repetition with the records as they are now, and what others have changed since', async () => {
    const [event, occurrence] = small();
    const headers = { 'idempotency-key': event.slug };
    const send = () => api.send('PUT', '/v0/catalogue', { records: [event, occurrence] }, undefined, headers);
    const { body: first } = await send();
    const { body: other } = await put([{ ...occurrence, title: 'Night run' }]);
    const { body: again } = await send();
    expect(again).toMatchObject({
      dryRun: false,
      records: [
        { ...(first as Json).records[0], outcome: 'UNCHANGED', changes: [], changeCount: 0 },
        { id: other.records[0].id, version: other.records[0].version, outcome: 'CHANGED' },
      ],
    });
    expect((again as Json).records[1].changes).toContainEqual({
      ...{ path: 'title', of: '', before: JSON.stringify(occurrence.title), after: '"Night run"' },
    });
    expect(occurrenceOf(await partOf(other.records[0].id)).record.title).toBe('Night run');
  });

  it('tells what it would create and change, and writes nothing, with dryRun', async () => {
    const [event, occurrence] = small();
    const before = await api.get('/v0/event-occurrences');
    const tried = await put([event, occurrence], { dryRun: true });
    expect([tried.status, outcomes(tried.body)]).toEqual([200, ['CREATED', 'CREATED']]);
    expect(tried.body.records[0]).toMatchObject({
      record: 'event',
      name: event.slug,
      id: null,
      version: null,
    });
    expect((await api.get('/v0/event-occurrences')).body.page.totalResults).toBe(
      before.body.page.totalResults,
    );

    const written = await put([event, occurrence]);
    const { id, version } = written.body.records[1] as Json;
    const renamed = { ...occurrence, title: 'Night run' };
    const again = await put([event, renamed], { dryRun: true });
    expect(outcomes(again.body)).toEqual(['UNCHANGED', 'CHANGED']);
    expect(again.body.records[1]).toMatchObject({
      id,
      version,
      changes: [{ path: 'title', of: '', before: '"Run 2030"', after: '"Night run"' }],
    });
    expect((await api.get(`/v0/event-occurrences/${id}`)).body.title).toBe('Run 2030');
  });

  it('writes all records or none, and names every field that is wrong as the file does', async () => {
    const [event, occurrence] = small();
    (occurrence.races[0].tickets as Json[]).push({ ticketSlug: 'child', title: '', prize: 5 });
    const answer = await put([event, occurrence, { record: 'event', slug: 'A B' }]);
    expect([answer.status, problemsOf(answer)]).toEqual([
      400,
      expect.arrayContaining([
        ['records[1].races[0].tickets[1].title', 'INVALID_VALUE'],
        ['records[1].races[0].tickets[1].price', 'REQUIRED'],
        ['records[1].races[0].tickets[1].prize', 'UNKNOWN_PROPERTY'],
        ['records[2].slug', 'INVALID_VALUE'],
        ['records[2].title', 'REQUIRED'],
      ]),
    ]);
    expect(outcomes((await put([event], { dryRun: true })).body)).toEqual(['CREATED']);
  });

  it('refuses many wrong values with a small response', async () => {
    const [event, occurrence] = small();
    const tags = Array.from({ length: 50_000 }, (_, i) => i);
    const answer = await put([
      event,
      { ...occurrence, tags, ['x'.repeat(100_000)]: '\u0001'.repeat(100_000) },
    ]);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body).length).toBeLessThan(256_000);
  });

  it('refuses keys of organizations without the surface, and of partners', async () => {
    const partnerId = (await partner(api.dataSource, { organizationId: api.organizationId })).id;
    const { token } = await key(api.dataSource, { organizationId: api.organizationId, partnerId });
    expect((await put(small(), {}, token)).status).toBe(403);
    const off = await wholeOrganization(api.home, { mark: 'switched-off', surfaces: [] });
    const { token: other } = await key(api.home, { organizationId: off.organizationId });
    const answer = await put(small(), {}, other);
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('catalogueWrite')]);
    expect((await browser.ask('PUT', '/console/v1/catalogue', { records: small() })).status).toBe(200);
  });

  it('cannot reach records of other organizations, by id or by name', async () => {
    const other = await wholeOrganization(api.home, { mark: `other-${newId()}` });
    const { ids } = other;
    expect(
      (await browser.ask('GET', `/console/v1/catalogue/event-occurrences/${ids['event-occurrences']}`))
        .status,
    ).toBe(404);
    const [, occurrence] = small();
    for (const record of [
      { ...occurrence, event: other.mark },
      { record: 'event', id: ids.events, slug: 'mine', title: 'Mine' },
      { record: 'bookingForm', title: 'Form', fields: [ids['booking-form-fields']] },
    ])
      expect((await put([record])).status).toBe(400);
    const versions = { [ids['event-occurrences'] as string]: 'x' };
    const answer = await put(small(), { versions });
    expect([answer.status, answer.text]).toEqual([400, expect.not.stringContaining(other.mark)]);
  });

  it('is recorded in the audit log, with ids only', async () => {
    const [event] = small();
    const { body } = await put([{ ...event, title: 'Ada Lovelace' }]);
    const rows = await api.dataSource.query(
      `SELECT details FROM audit_log WHERE action = 'catalogue.write' AND details::text LIKE $1`,
      [`%${(body.records[0] as Json).id}%`],
    );
    expect(rows).toEqual([{ details: { created: 1, changed: 0, ids: [(body.records[0] as Json).id] } }]);
  });
});

describe('large records', () => {
  /** Counts the bytes of rows that the database sends. */
  const bytesRead = () => {
    const counted = { bytes: 0 };
    const queries: { handleDataRow(row: { length: number }): void } = Query.prototype as never;
    const take = queries.handleDataRow;
    jest.spyOn(queries, 'handleDataRow').mockImplementation(function (this: Query, row) {
      counted.bytes += row.length;
      return take.call(this as never, row);
    });
    return counted;
  };
  // A tenth of the real ones.
  const [record, records] = [400_000, 1_000_000];
  beforeEach(() => {
    jest.replaceProperty(MOST_BYTES, 'record', record as never);
    jest.replaceProperty(MOST_BYTES, 'records', records as never);
  });
  afterEach(() => jest.restoreAllMocks());

  const RACE = { title: '10K', discipline: 'RUNNING' };
  /** Tickets of the largest size, from the place on. */
  const tickets = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      ticketSlug: `t-${from + n}`,
      title: 'T',
      description: 'x'.repeat(MOST_BYTES.ticket - 1_000),
      price: { value: 0, currencyCode: 'ZERO' },
    }));
  const HALF = 5;

  it('are refused when they have grown too large with what they had, and stay as they were', async () => {
    const [event, occurrence] = small();
    const of = (from: number) => ({ ...occurrence, races: [{ ...RACE, tickets: tickets(from, HALF) }] });
    expect((await put([event, of(0)])).status).toBe(200);
    const largest = await put([of(HALF)]);
    const before = await partOf(largest.body.records[0].id);
    expect(occurrenceOf(before).record.races[0].tickets).toHaveLength(2 * HALF);
    const beyond = await put([of(2 * HALF)]);
    expect([beyond.status, problemsOf(beyond)]).toEqual([400, [['records[0]', 'TOO_LARGE']]]);
    expect(await partOf(largest.body.records[0].id)).toEqual(before);
    // Its own fields can still change.
    const { record: stored, id, version } = occurrenceOf(before);
    const renamed = await put([{ ...stored, races: [], title: 'Renamed' }], { versions: { [id]: version } });
    expect(outcomes(renamed.body)).toEqual(['CHANGED']);
  });

  it('are not read beyond the limit of a request, however many a small body names', async () => {
    const ids: string[] = [];
    const named: Json[] = [];
    while (named.length <= records / record) {
      const [event, occurrence] = small();
      const races = [{ ...RACE, tickets: tickets(0, 2 * HALF) }];
      const { body } = await put([event, { ...occurrence, races }]);
      ids.push(body.records[1].id);
      named.push({ ...occurrence, races: [] });
    }
    const few = named.slice(0, Math.floor(records / record));
    expect(outcomes((await put(few)).body)).toEqual(few.map(() => 'UNCHANGED'));
    // Of those that changed, the response has those that are small enough for one.
    const { id: light } = await created();
    const old = Object.fromEntries([...ids.slice(0, few.length), light].map((id) => [id, 'old']));
    const { problems } = (await put(small(), { versions: old })).body;
    expect(problems.map(({ current }: Json) => current?.id)).toEqual([...few.map(() => undefined), light]);

    const counted = bytesRead();
    const versions = Object.fromEntries(ids.map((id) => [id, 'old']));
    for (const [ask, field] of [
      [() => put(named, { dryRun: true }), 'records'],
      [() => put(small(), { versions }), 'versions'],
    ] as const) {
      counted.bytes = 0;
      expect(problemsOf(await ask())).toEqual([[field, 'TOO_LARGE']]);
      expect(counted.bytes).toBeLessThan(1.1 * (records + record));
    }
  });
});

describe('two writers', () => {
  it('tells the second what the record is now, and writes nothing of it', async () => {
    const { id, version, record } = await created();
    const first = await put([{ ...record, title: 'First' }], { versions: { [id]: version } });
    expect(outcomes(first.body)).toEqual(['CHANGED']);
    const second = await put([{ ...record, title: 'Second' }], { versions: { [id]: version } });
    expect([second.status, problemsOf(second)]).toEqual([400, [[`versions.${id}`, 'CHANGED_MEANWHILE']]]);
    const { current } = second.body.problems[0];
    expect(current).toEqual({
      id,
      version: (first.body.records[0] as Json).version,
      record: { ...record, title: 'First' },
    });
    const third = await put([{ ...current.record, title: 'Second' }], {
      versions: { [id]: current.version },
    });
    expect(outcomes(third.body)).toEqual(['CHANGED']);
  });

  it('lets exactly one of many through who saw the same version', async () => {
    const { id, version, record } = await created();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        put([{ ...record, title: `Writer ${n}` }], { versions: { [id]: version } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
  });
});

describe('a capacity below its use', () => {
  const lowered = (
    record: Json,
    to: { race?: number | null; wave?: number | null; ticket?: number | null },
  ) => {
    const changed = structuredClone(record);
    const [race] = changed.races;
    if ('race' in to) race.maxCapacity = to.race;
    if ('wave' in to) race.waves[0].capacity = to.wave;
    if ('ticket' in to) race.tickets[0].maxCapacity = to.ticket;
    return changed;
  };

  it('is refused with the number that is used', async () => {
    const { record } = await created();
    const [race] = record.races;
    await booking(api.dataSource, {
      organizationId: api.organizationId,
      ticketId: race.tickets[0].id,
      entries: Array.from({ length: 5 }, () => ({ waveId: race.waves[0].id })),
    });
    const answer = await put([lowered(record, { race: 4, wave: 4, ticket: 4 })]);
    expect([
      answer.status,
      answer.body.problems?.map(({ path, code, used }: Json) => [path, code, used]),
    ]).toEqual([
      400,
      [
        ['records[0].races[0].maxCapacity', 'BELOW_USE', 5],
        ['records[0].races[0].tickets[0].maxCapacity', 'BELOW_USE', 5],
        ['records[0].races[0].waves[0].capacity', 'BELOW_USE', 5],
      ],
    ]);
    expect((await put([lowered(record, { race: 5, wave: 5, ticket: 5 })])).status).toBe(200);
  });

  it.each(['APPROVED', 'PENDING'] as const)(
    'is neither: the competitorSize of a ticket with an entry that is %s stays',
    async (approvalStatus) => {
      const { record } = await created();
      const sized = (competitorSize?: number) => {
        const [race] = record.races;
        return { ...record, races: [{ ...race, tickets: [{ ...race.tickets[0], competitorSize }] }] };
      };
      const statusOf = async (size?: number) => (await put([sized(size)])).status;
      expect([await statusOf(4), await statusOf(2)]).toEqual([200, 200]);
      const { entries } = await booking(api.dataSource, {
        organizationId: api.organizationId,
        ticketId: record.races[0].tickets[0].id,
        entries: [{ approvalStatus }],
      });
      const answer = await put([sized()]);
      expect(problemsOf(answer)).toEqual([
        ['records[0].races[0].tickets[0].competitorSize', 'INVALID_VALUE'],
      ]);
      expect(answer.body.message).toContain('must stay 2: the ticket has entries');
      expect([await statusOf(2), await statusOf(3)]).toEqual([200, 400]);
      await api.dataSource.query('UPDATE start_list_entries SET cancelled_at = now() WHERE id = $1', [
        entries[0]?.id,
      ]);
      expect(await statusOf(3)).toBe(200);
    },
  );

  it('can be kept and raised where it is overbooked', async () => {
    const { record } = await created();
    const [race] = record.races;
    await put([lowered(record, { race: 2, wave: 2, ticket: 2 })]);
    await booking(api.dataSource, {
      organizationId: api.organizationId,
      ticketId: race.tickets[0].id,
      entries: Array.from({ length: 5 }, () => ({ waveId: race.waves[0].id })),
    });
    for (const to of [2, 3, null])
      expect((await put([lowered(record, { race: to, wave: to, ticket: to })])).status).toBe(200);
    expect((await put([lowered(record, { ticket: 4 })])).status).toBe(400);
  });

  it('is refused for a reserved entry group, and for one of its tickets', async () => {
    const of = { organizationId: api.organizationId };
    const group = await reservedEntryGroup(api.dataSource, of);
    await booking(api.dataSource, {
      ...of,
      ticketId: group.ticketId,
      entries: Array.from({ length: 3 }, () => ({
        reservedEntryGroupId: group.id,
        holdsReservedPlace: true,
      })),
    });
    const { record } = occurrenceOf(await partOf(group.eventOccurrenceId));
    const [stored] = record.reservedEntryGroups;
    const answer = await put([
      {
        ...record,
        reservedEntryGroups: [
          { ...stored, maxCapacity: 2, tickets: [{ ...stored.tickets[0], maxCapacity: 1 }] },
        ],
      },
    ]);
    expect(problemsOf(answer)).toEqual([
      ['records[0].reservedEntryGroups[0].maxCapacity', 'BELOW_USE'],
      ['records[0].reservedEntryGroups[0].tickets[0].maxCapacity', 'BELOW_USE'],
    ]);
  });

  it('is refused when an import that is not committed yet takes the places', async () => {
    const { id, record } = await created();
    const ticketId = record.races[0].tickets[0].id;
    const importing = api.dataSource.createQueryRunner();
    await importing.startTransaction();
    await booking(
      { ...api.dataSource, getRepository: importing.manager.getRepository.bind(importing.manager) } as never,
      {
        organizationId: api.organizationId,
        ticketId,
        entries: 5,
      },
    );
    let isOver = false;
    const answer = put([lowered(record, { ticket: 4 })]).finally(() => {
      isOver = true;
    });
    await eventually(async () => {
      const [{ waiting }] = await api.dataSource.query(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return isOver || waiting > 0;
    });
    await importing.commitTransaction();
    await importing.release();
    expect(problemsOf(await answer)).toEqual([['records[0].races[0].tickets[0].maxCapacity', 'BELOW_USE']]);
    expect(occurrenceOf(await partOf(id)).record).toEqual(record);
  });

  it('never comes out of writers and imports of reserved entries that race each other', async () => {
    const worker = await startWorker(api);
    const of = { organizationId: api.organizationId };
    const slug = `group-${newId()}`;
    const { id: ticketId } = await ticket(api.dataSource, { ...of, slug });
    const group = await reservedEntryGroup(api.dataSource, { ...of, ticketId, maxCapacity: 40 });
    const { record } = occurrenceOf(await partOf(group.eventOccurrenceId));
    const assignments = (n: number) =>
      Array.from({ length: 5 }, (_, at) => ({
        externalAssignmentId: `${slug}-${n}-${at}`,
        reservedEntryGroupId: group.id,
        ticketSlug: slug,
        participant: { firstName: 'Ada', lastName: 'Wells', email: `p-${n}-${at}@example.com` },
      }));
    const path = '/v0/reserved-entries/participants/import';
    const jobs = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        const { body } = await api.send('POST', path, { assignments: assignments(n) });
        await put([
          { ...record, reservedEntryGroups: [{ ...record.reservedEntryGroups[0], maxCapacity: 25 - 4 * n }] },
        ]);
        return body.jobId;
      }),
    );
    for (const job of jobs)
      await eventually(async () => (await api.get(`${path}/${job}`)).body.status === 'COMPLETED');
    const [{ most, used }] = await api.dataSource.query(
      'SELECT max_capacity AS most, used_capacity AS used FROM reserved_entry_groups WHERE id = $1',
      [group.id],
    );
    expect(used).toBeLessThanOrEqual(most);
    await worker.close();
  });
});

describe('what was sold', () => {
  it('stays as it was when the price changes, and readable when the ticket is deleted', async () => {
    const { record } = await created();
    const [sold] = record.races[0].tickets;
    const { entries } = await booking(api.dataSource, {
      organizationId: api.organizationId,
      ticketId: sold.id,
    });
    const read = async () => (await api.get(`/v0/participants/${entries[0]?.participantId}`)).body;
    const before = await read();
    const changed = structuredClone(record);
    Object.assign(changed.races[0].tickets[0], {
      price: { value: 9900, currencyCode: 'GBP' },
      isDeleted: true,
    });
    expect((await put([changed])).status).toBe(200);
    expect((await read()).originalTicketPrice).toEqual(before.originalTicketPrice);
    expect((await api.get(`/v0/tickets/${sold.id}`)).body).toMatchObject({
      isDeleted: true,
      price: { value: 9900 },
    });
    expect(await read()).toMatchObject({ ticketId: sold.id, ticketTitle: 'Adult' });
  });
});

describe('an export that is written again', () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .map((value) => `T${value.replaceAll('\0', '')}`);
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const capacity = maybe(fc.nat(1000));
  const instant = maybe(
    fc
      .date({ min: new Date('2027-01-01'), max: new Date('2029-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  );
  const unique = (names: fc.Arbitrary<Json[]>, property: string) =>
    names.map((rows) => rows.map((row, at) => ({ ...row, [property]: `${row[property]}-${at}` })));
  const ticketOf = fc.record({
    title: text,
    titleByLocale: maybe(fc.constant({ 'de-DE': 'Karte' })),
    description: maybe(text),
    price: fc.record({ value: fc.nat(100_000), currencyCode: fc.constant('EUR') }),
    saleStart: instant,
    maxCapacity: capacity,
    approval: maybe(fc.constantFrom('INSTANT', 'BALLOT', 'MANUAL')),
    competitorSize: maybe(fc.integer({ min: 1, max: 8 })),
    asksDonation: maybe(fc.boolean()),
    isDeleted: maybe(fc.boolean()),
  });
  const raceOf = fc.record({
    title: text,
    distance: maybe(fc.record({ value: maybe(fc.nat(1000)), unit: maybe(fc.constantFrom('KM', 'MIN')) })),
    startDate: maybe(fc.constant('2030-05-04')),
    startTime: maybe(fc.constant('09:30:00')),
    maxCapacity: capacity,
    course: maybe(fc.record({ title: text })),
    waves: maybe(
      unique(
        fc.array(fc.record({ title: text, startDateTime: instant, capacity }), { maxLength: 3 }),
        'title',
      ),
    ),
    tickets: maybe(fc.array(ticketOf, { maxLength: 4 })),
  });
  const occurrenceWith = fc.record({
    title: text,
    tags: maybe(fc.array(text, { maxLength: 3 })),
    content: maybe(
      fc.dictionary(
        fc.constantFrom('excerpt', 'travel', 'spectators'),
        fc.oneof(text, fc.string({ unit: fc.constantFrom('<', '>', '&', 'b', '"', ' ', '/', ';', 'p') })),
      ),
    ),
    location: maybe(
      fc.record({ address: maybe(fc.record({ city: maybe(text), countryCode: maybe(fc.constant('DE')) })) }),
    ),
    images: maybe(
      fc.record({
        hero: maybe(fc.constant('https://example.com/a.jpg')),
        all: maybe(fc.constant(['https://example.com/b.jpg'])),
      }),
    ),
    published: maybe(fc.boolean()),
    discoverable: maybe(fc.boolean()),
    status: maybe(fc.constantFrom('POSTPONED', 'CANCELLED')),
    races: maybe(unique(fc.array(raceOf, { maxLength: 3 }), 'title')),
    addOns: maybe(
      unique(
        fc.array(
          fc.record({
            title: text,
            price: fc.constant({ value: 5, currencyCode: 'EUR' }),
            variants: maybe(unique(fc.array(fc.record({ title: text }), { maxLength: 2 }), 'title')),
          }),
          { maxLength: 2 },
        ),
        'title',
      ),
    ),
    referralPrograms: maybe(unique(fc.array(fc.record({ title: text }), { maxLength: 2 }), 'title')),
    reservedEntryGroups: maybe(
      unique(
        fc.array(
          fc.record({
            code: text,
            name: text,
            maxCapacity: fc.nat(100),
            url: maybe(fc.constant('https://example.com/g')),
          }),
          { maxLength: 2 },
        ),
        'code',
      ),
    ),
  });

  it('changes nothing, and keeps every version', async () => {
    await fc.assert(
      fc.asyncProperty(occurrenceWith, async (given: Json) => {
        let at = 0;
        for (const race of given.races ?? [])
          for (const one of race.tickets ?? []) one.ticketSlug = `t-${++at}`;
        const [event, occurrence] = small(undefined, { races: undefined, ...given });
        const { status, body } = await put([event, occurrence]);
        expect([status, body.message]).toEqual([200, undefined]);
        const states = await partOf((body.records[1] as Json).id);
        const again = await put(
          states.map(({ record }) => record),
          { versions: Object.fromEntries(states.map(({ id, version }) => [id, version])) },
        );
        expect(again.body).toEqual({
          dryRun: false,
          records: states.map(({ id, version }) =>
            expect.objectContaining({ id, version, outcome: 'UNCHANGED', changes: [], changeCount: 0 }),
          ),
        });
        expect(await partOf((body.records[1] as Json).id)).toEqual(states);
      }),
      { numRuns: 25 },
    );
  });

  it('keeps sub-partners and their groups', async () => {
    const [event, occurrence] = small();
    const name = `Charity ${newId()}`;
    const file = [
      event,
      { record: 'partner', name },
      { record: 'partner', name: 'Branch', parentPartner: name },
      {
        ...occurrence,
        reservedEntryGroups: [{ code: 'B', name: 'B', maxCapacity: 5, partner: name, subPartner: 'Branch' }],
      },
    ];
    const written = await put(file);
    expect([written.status, written.body.message]).toEqual([200, undefined]);
    expect(outcomes((await put(file)).body)).toEqual(Array(4).fill('UNCHANGED'));
    const { record } = occurrenceOf(await partOf((written.body.records[3] as Json).id));
    expect(record.reservedEntryGroups[0]).toMatchObject({
      partner: name,
      subPartner: (written.body.records[2] as Json).id,
    });
    expect(outcomes((await put([record])).body)).toEqual(['UNCHANGED']);
  });

  it('gives a group to a sub-partner of its partner only, and to the partner without one', async () => {
    const [event, occurrence] = small();
    const [own, other] = [`Own ${newId()}`, `Other ${newId()}`];
    const { body } = await put([
      event,
      { record: 'partner', name: own },
      { record: 'partner', name: other },
      { record: 'partner', name: 'Branch', parentPartner: other },
      occurrence,
    ]);
    const [, ownId, otherId, branchId, id] = body.records.map((record: Json) => record.id);
    const given = (group: Json) =>
      put([
        {
          ...occurrence,
          reservedEntryGroups: [{ code: `OF-${event.slug}`, name: 'G', maxCapacity: 5, ...group }],
        },
      ]);
    const holderOf = async (group: Json) => {
      expect((await given(group)).status).toBe(200);
      const { partner, subPartner } = occurrenceOf(await partOf(id)).record.reservedEntryGroups[0];
      return [partner, subPartner];
    };
    expect(await holderOf({ partner: other, subPartner: branchId })).toEqual([other, branchId]);
    for (const subPartner of [branchId, otherId, ownId])
      expect(problemsOf(await given({ partner: own, subPartner }))).toEqual([
        ['records[0].reservedEntryGroups[0].subPartner', 'INVALID_VALUE'],
      ]);
    expect(await holderOf({ partner: own, subPartner: '' })).toEqual([own, undefined]);
    expect(await holderOf({ partner: otherId, subPartner: branchId })).toEqual([other, branchId]);
    expect(await holderOf({ partner: branchId })).toEqual([other, branchId]);
    expect(await holderOf({ partner: own })).toEqual([own, undefined]);
  });
});
