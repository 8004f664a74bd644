import { gzipSync } from 'node:zlib';
import { booking, event, occurrence, ticket, workbook } from '#libs/testing';
import { sharedApi, type TestApi } from '../harness';
import { type Browser, signedIn } from './console';

let api: TestApi;
let browser: Browser;
beforeAll(async () => {
  api = await sharedApi();
  ({ browser } = await signedIn(api, 'MANAGER'));
});
afterAll(() => api.close());

const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });

describe('the entries of an event by day', () => {
  it('are counted by source and by the day at the event, beside the edition before', async () => {
    const { id: eventId } = await event(api.dataSource, mine({}));
    const [earlier, now] = await Promise.all(
      ['2029-05-05', '2030-05-04'].map((startDate) =>
        occurrence(api.dataSource, mine({ eventId, startDate, timeZone: 'America/New_York' })),
      ),
    );
    const made = async (of: string | undefined, source: 'WEBSITE' | 'API', createdAt: string) => {
      const { id: ticketId } = await ticket(api.dataSource, mine({ eventOccurrenceId: of }));
      await booking(
        api.dataSource,
        mine({ ticketId, source, entries: [{ createdAt: new Date(createdAt) }] }),
      );
    };
    await made(now?.id, 'WEBSITE', '2030-01-02T03:00:00Z');
    await made(now?.id, 'API', '2030-01-01T12:00:00Z');
    await made(now?.id, 'API', '2030-01-02T12:00:00Z');
    await made(earlier?.id, 'WEBSITE', '2029-01-02T12:00:00Z');
    const { status, body } = await browser.ask(
      'GET',
      `/console/v1/event-occurrences/${now?.id}/entries-by-day`,
    );
    expect([status, body]).toEqual([
      200,
      {
        startDate: '2030-05-04',
        days: [
          { day: '2030-01-01', website: 1, api: 1, dashboard: 0 },
          { day: '2030-01-02', website: 0, api: 1, dashboard: 0 },
        ],
        previous: expect.objectContaining({
          id: earlier?.id,
          startDate: '2029-05-05',
          days: [{ day: '2029-01-02', website: 1, api: 0, dashboard: 0 }],
        }),
      },
    ]);
  });
});

describe('a file of events', () => {
  const CALENDAR = [
    'event.title,race.title,race.startDate,ticket.title,ticket.price,occurrence.location.address.countryName',
    'Dune Run,10K,4 May 2030,Adult,€25.00,Germany',
    'Dune Run,5K,4 May 2030,Adult,€1x,Germany',
  ].join('\n');
  const read = (name: string, bytes: Buffer) =>
    browser.ask('POST', '/console/v1/catalogue/files', { name, content: bytes.toString('base64') });

  it('is read as records that can be written, with the rows that cannot be read', async () => {
    const { status, body } = await read('calendar.csv.gz', gzipSync(CALENDAR));
    expect([status, body.records.map(({ record }: Record<string, any>) => record)]).toEqual([
      200,
      ['event', 'occurrence'],
    ]);
    expect([body.problemCount, body.problems[0].row]).toEqual([1, 3]);
    const written = await browser.ask('PUT', '/console/v1/catalogue', { records: body.records });
    expect(written.body.records.map(({ outcome }: Record<string, any>) => outcome)).toEqual([
      'CREATED',
      'CREATED',
    ]);
  });

  it('is read as the person says, where its values leave it open', async () => {
    const text = ['Event;Race;Begins;Price;Ticket', 'Fjord Run;10K;03/04/2030;1.045 €;Adult'].join('\n');
    const file = { name: 'a.csv', content: Buffer.from(text).toString('base64') };
    const asked = await browser.ask('POST', '/console/v1/catalogue/files', file);
    expect([asked.body.records, asked.body.calendar.questions]).toEqual([
      [],
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'field',
          field: expect.objectContaining({ path: 'race.startDate' }),
        }),
        expect.objectContaining({ kind: 'reading', open: 'decimal', column: 'Price' }),
      ]),
    ]);
    const { status, body } = await browser.ask('POST', '/console/v1/catalogue/files', {
      ...{ ...file, delimiter: ';', header: 1 },
      mapping: {
        columns: { Begins: 'race.startDate' },
        readings: { Begins: { dateOrder: 'dmy' }, Price: { decimal: ',' } },
      },
      corrections: [{ line: 2, column: 'Ticket', text: 'Senior' }],
    });
    expect([status, body.problems]).toEqual([200, []]);
    expect(body.records[1]).toMatchObject({
      startDate: '2030-04-03',
      races: [{ tickets: [{ title: 'Senior', price: { value: 104_500, currencyCode: 'EUR' } }] }],
    });
  });

  it('creates drafts, shows all their values, and leaves the status and what it has no column for', async () => {
    const load = async (rows: string[], more: object = {}) => {
      const content = Buffer.from(['Event;Race;Date;City', ...rows].join('\n')).toString('base64');
      const { body } = await browser.ask('POST', '/console/v1/catalogue/files', {
        ...{ name: 'a.csv', content },
        ...more,
      });
      const { records, filled: columns } = body;
      return records.length > 0
        ? browser.ask('PUT', '/console/v1/catalogue', { records, columns })
        : { body };
    };
    const made = (await load(['Reed Run;10K;2031-05-04;Kiel'])).body.records[1];
    expect(made).toMatchObject({ outcome: 'CREATED', name: 'reed-run-2031' });
    expect(made.changes).toEqual(
      expect.arrayContaining([
        { path: 'published', of: '', before: null, after: 'false' },
        { path: 'races[0].startDate', of: '10K', before: null, after: '"2031-05-04"' },
      ]),
    );
    const path = `/console/v1/catalogue/event-occurrences/${made.id}`;
    const { record } = (await browser.ask('GET', path)).body.records.at(-1);
    const kept = { status: 'POSTPONED', tags: ['coast'] };
    await browser.ask('PUT', '/console/v1/catalogue', { records: [{ ...record, ...kept, published: true }] });
    expect((await load(['Reed Run;10K;2031-05-04;KIEL'])).body.records[1].changes).toEqual([
      { path: 'location.address.city', of: '', before: '"Kiel"', after: '"KIEL"' },
    ]);
    const { published = true, ...now } = (await browser.ask('GET', path)).body.records.at(-1).record;
    expect([published, now]).toEqual([true, expect.objectContaining(kept)]);
  });

  it('asks whether an event at another date has moved or is new', async () => {
    const file = (date: string) => ({
      name: 'a.csv',
      content: Buffer.from(['Event;Race;Date;City', `Fen Run;10K;${date};Ely`].join('\n')).toString('base64'),
    });
    const read = (body: object) => browser.ask('POST', '/console/v1/catalogue/files', body);
    const { records, filled: columns } = (await read(file('2031-05-04'))).body;
    await browser.ask('PUT', '/console/v1/catalogue', { records, columns });
    const asked = (await read(file('2031-06-08'))).body;
    const [match] = asked.calendar.matches.occurrence;
    expect([asked.records.length, asked.problemCount, match.text]).toEqual([
      1,
      1,
      'Fen Run, Ely, 2031-06-08',
    ]);
    expect(asked.calendar.candidates.occurrence.map(({ id }: { id: string }) => id)).toEqual([
      'fen-run-2031',
      'new',
    ]);
    const mapping = { columns: {}, matches: { occurrence: { [match.key]: 'fen-run-2031' } } };
    const moved = (await read({ ...file('2031-06-08'), mapping })).body;
    expect(moved.records[1]).toMatchObject({ slug: 'fen-run-2031', startDate: '2031-06-08' });
  });

  it('asks on which day a wave starts whose time is before its race', async () => {
    const text = [
      'Event;Race;Date;Start time;Zeitzone;Wave;Wave start;wave.capacity',
      'Night Run;10K;2030-05-04;23:30;Europe/Berlin;Red;23:30;10',
      'Night Run;10K;2030-05-04;;Europe/Berlin;Blue;00:15;10',
    ].join('\n');
    const file = { name: 'night.csv', content: Buffer.from(text).toString('base64') };
    const asked = await browser.ask('POST', '/console/v1/catalogue/files', file);
    expect(asked.body.problems).toEqual([
      {
        ...{ row: 3, field: 'Wave start', code: 'WAVE_BEFORE_RACE' },
        message: expect.stringMatching(/^is 00:15:00, before its race at 23:30:00: give its date/),
      },
    ]);
    const startsOf = async (waveDay: string) => {
      const { body } = await browser.ask('POST', '/console/v1/catalogue/files', { ...file, waveDay });
      const written = await browser.ask('PUT', '/console/v1/catalogue', { records: body.records });
      const { id } = written.body.records[1];
      const [race] = (await browser.ask('GET', `/v0/event-occurrences/${id}/races`)).body.data;
      const { waves } = (await browser.ask('GET', `/v0/races/${race.id}`)).body;
      return waves.map(({ startDateTime }: Record<string, any>) => startDateTime);
    };
    expect(await startsOf('next')).toEqual(['2030-05-04T21:30:00.000000Z', '2030-05-04T22:15:00.000000Z']);
    expect(await startsOf('same')).toEqual(['2030-05-03T22:15:00.000000Z', '2030-05-04T21:30:00.000000Z']);
    // With its date, a wave can start before its race.
    const dated = text
      .replace('Wave start', 'wave.startDateTime')
      .replace(';23:30;10', ';2030-05-04 23:30;10')
      .replace('00:15', '2030-05-04 00:15');
    const { body } = await browser.ask('POST', '/console/v1/catalogue/files', {
      ...{ name: 'dated.csv', content: Buffer.from(dated).toString('base64') },
    });
    expect([body.problemCount, body.records[1].races[0].waves[1].startDateTime]).toEqual([
      0,
      '2030-05-04T00:15:00',
    ]);
  });

  it.each([
    [
      'a.csv.gz',
      () => gzipSync(Buffer.alloc(40_000_000, 'a,b\n'), { level: 1 }),
      /expands to more than 16 MB/,
    ],
    ['a.xlsx', () => workbook({ Calendar: [['x'.repeat(20_000_000)]] }), /expands to more than 16 MB/],
  ] as const)('that expands to more than it may is refused: %s', async (name, bytes, message) => {
    const { status, body } = await read(name, Buffer.from(bytes()));
    expect([status, body.problems[0]]).toEqual([
      400,
      expect.objectContaining({ path: 'content', message: expect.stringMatching(message) }),
    ]);
  });

  it.each([
    ['cells far away', '<row r="2"><c r="ZZZZZZZZZ2" t="inlineStr">$1</c></row>', /is damaged/],
    [
      'rows far away',
      '<row r="99999999999999"><c r="A99999999999999" t="inlineStr">$1</c></row>',
      /is damaged/,
    ],
    [
      'the last cell of a sheet',
      '<row r="1048576"><c r="XFD1048576" t="inlineStr">$1</c></row>',
      /row 1048576 and column 16384/,
    ],
    [
      'cells far away in other quotes',
      `<row r="2"><c r='ZZZZZZZZZ2' t="inlineStr">$1</c></row>`,
      /is damaged/,
    ],
  ])('with %s is refused, and the API goes on', async (_, row, message) => {
    const bytes = workbook(
      { Calendar: [['a'], ['b']] },
      {
        edit: (rows) => rows.replace(/<row r="2">.*?(<is>.*?<\/is>).*<\/row>/, row),
      },
    );
    const { status, body } = await read('a.xlsx', Buffer.from(bytes));
    expect([status, body.problems[0].message]).toEqual([400, expect.stringMatching(message)]);
  });

  it('with values that are no records lists them with their rows', async () => {
    const deep = `{"record":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const { status, body } = await read(
      'a.jsonl',
      Buffer.from(['{"record":"event"}', '[1]', deep].join('\n')),
    );
    expect([status, body.records, body.problems]).toEqual([
      200,
      [{ record: 'event' }],
      [
        { row: 2, field: '', message: 'is not an object', code: null },
        {
          ...{ row: 3, field: 'record[0][0][0][0][0][0][0]', code: 'TOO_COMPLEX' },
          message: 'must not be nested deeper than 60 levels',
        },
      ],
    ]);
    const other = await read('a.jsonl', Buffer.from('{\n'.repeat(100_000)));
    expect([other.status, other.body.message]).toEqual([
      400,
      expect.stringContaining('more than 10000 problems'),
    ]);
  });

  it('that is not a workbook inside is refused in words of ours', async () => {
    // Of a list of texts that the workbook does not have.
    const bytes = workbook(
      { Calendar: [['a']] },
      {
        edit: (rows) => rows.replace(/<c .*<\/c>/, '<c r="A1" t="s"><v>7</v></c>'),
      },
    );
    const { body } = await read('a.xlsx', Buffer.from(bytes));
    expect(body.problems[0].message).toMatch(/^content The workbook is damaged and can't be read\. Open it/);
  });

  it('can have 3 MB', async () => {
    const one = JSON.stringify([{ record: 'event', slug: 'large', title: 'Large' }]);
    const { status, body } = await read('catalogue.json', Buffer.from(one.padEnd(3_000_000)));
    expect([status, body.records]).toMatchObject([200, [{ slug: 'large' }]]);
  });

  it('with very many rows does not keep other requests waiting', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => `Run,Race ${n},2030-05-04`);
    let isRead = false;
    const reading = read(
      'calendar.csv',
      Buffer.from(['event.title,race.title,race.startDate', ...rows].join('\n')),
    ).finally(() => {
      isRead = true;
    });
    let answered = 0;
    while (!isRead) {
      await api.get('/identity');
      answered += 1;
    }
    expect((await reading).status).toBe(200);
    // While its body is sent and its response, some can be; while its rows are read on the event loop, none.
    expect(answered).toBeGreaterThan(50);
  });

  it.each([
    ['calendar.pdf', 'name', 'x'],
    ['catalogue.json', 'content', '{"record"'],
    ['catalogue.json', 'content', JSON.stringify(Array.from({ length: 1_001 }, () => ({})))],
  ])('is refused as %s, for its %s', async (name, path, text) => {
    const { status, body } = await read(name, Buffer.from(text));
    expect([status, body.problems[0].path]).toEqual([400, path]);
  });
});
