import { appendFileSync, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { nodeOf, organization, partner } from '#libs/testing';
import { lockCatalogue, Partner } from '#platform/database';
import { eventually } from '../harness';
import { type CommandLine, commandLine } from './startline';

let cli: CommandLine;
beforeAll(async () => {
  cli = await commandLine();
});
afterAll(() => cli.close());

const jsonLines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const FIELD = {
  record: 'bookingFormField',
  key: 'tshirt',
  label: 'T-shirt size',
  type: 'SELECT',
  options: [
    { value: 'S', label: 'Small' },
    { value: 'L', label: 'Large' },
  ],
};
const FORM = { record: 'bookingForm', title: 'Runner', fields: ['firstName', 'lastName', 'email', 'tshirt'] };
const EVENT = {
  record: 'event',
  slug: 'city-marathon',
  title: 'City Marathon',
  addOns: [
    {
      title: 'T-shirt',
      price: { value: 1500, currencyCode: 'GBP' },
      variants: [{ title: 'S' }, { title: 'L' }],
    },
  ],
};
const PARTNER = {
  record: 'partner',
  name: 'Run for Water',
  type: 'CHARITY',
  contacts: [{ firstName: 'Ada', lastName: 'Wells', email: 'ada@water.example' }],
  specificMarketings: [{ event: 'city-marathon', optInText: 'Hear from us' }],
  externalIds: { JUSTGIVING: 'run-for-water' },
};
const OCCURRENCE = {
  record: 'occurrence',
  event: 'city-marathon',
  slug: 'city-marathon-2027',
  title: 'City Marathon 2027',
  titleByLocale: { 'fr-FR': 'Marathon de la Cité 2027' },
  tags: ['marathon', 'road'],
  content: { excerpt: '<p>Through the old town.</p>' },
  startDate: '2027-05-02',
  timeZone: 'Europe/London',
  location: {
    coordinates: { latitude: 51.5, longitude: -0.12 },
    address: { city: 'London', countryCode: 'GB', countryName: 'United Kingdom' },
  },
  images: { hero: 'https://images.example/hero.jpg', all: ['https://images.example/1.jpg'] },
  published: false,
  status: 'POSTPONED',
  races: [
    {
      title: 'Marathon',
      discipline: 'RUNNING',
      distance: { value: 42.195, unit: 'KM' },
      startDate: '2027-05-02',
      startTime: '09:30:00',
      maxCapacity: 50_000,
      course: { title: 'City loop' },
      waves: [{ title: 'A', startDateTime: '2027-05-02T08:30:00Z', capacity: 1_000 }, { title: 'B' }],
      tickets: [
        {
          ticketSlug: 'standard',
          title: 'Standard',
          titleByLocale: { 'fr-FR': 'Normal' },
          description: 'For everybody',
          price: { value: 4_500, currencyCode: 'GBP' },
          saleStart: '2026-09-01T09:00:00Z',
          saleEnd: '2027-04-01T00:00:00.5Z',
          maxCapacity: 40_000,
          approval: 'BALLOT',
          bookingForms: ['Runner'],
        },
        {
          ticketSlug: 'relay',
          title: 'Relay',
          price: { value: 9_000, currencyCode: 'GBP' },
          competitorSize: 4,
          asksDonation: true,
          isDeleted: true,
        },
      ],
    },
    {
      title: 'Fun run',
      tickets: [{ ticketSlug: 'fun', title: 'Fun', price: { value: 0, currencyCode: 'ZERO' } }],
    },
  ],
  addOns: [{ title: 'Medal engraving', price: { value: 900, currencyCode: 'GBP' } }],
  referralPrograms: [{ title: 'Bring a friend' }],
  reservedEntryGroups: [
    {
      code: 'WATER',
      name: 'Run for Water',
      description: 'Charity places',
      maxCapacity: 100,
      partner: 'Run for Water',
      settings: {
        canPartnerCancel: true,
        reserveCapacity: 'IGNORE_CAPACITY',
        domainRestriction: 'water.example',
        deadline: '2026-08-01T00:00:00Z',
      },
      tickets: [
        {
          ticketSlug: 'standard',
          maxCapacity: 50,
          discount: { type: 'PERCENTAGE', amount: 50, isAppliedToBookingFee: false },
        },
        { ticketSlug: 'fun', startDateTime: '2027-01-01T00:00:00Z' },
      ],
    },
  ],
};
const WHOLE = jsonLines(FIELD, FORM, EVENT, PARTNER, OCCURRENCE);
/** For an organization without the fields that `organization create` adds. */
const BARE = WHOLE.replace('"firstName","lastName","email",', '');

const load = (path: string, slug: string, ...words: string[]) =>
  cli.run('catalogue', 'load', path, '--organization', slug, ...words);
const someone = () => organization(cli.dataSource);

const updatedAt = async (organizationId: string) =>
  cli.dataSource.query(
    `SELECT id, updated_at::text FROM event_occurrences WHERE organization_id = $1
     UNION ALL SELECT id, updated_at::text FROM races WHERE organization_id = $1
     UNION ALL SELECT id, updated_at::text FROM tickets WHERE organization_id = $1 ORDER BY id`,
    [organizationId],
  );
const sum = (tables: Record<string, Record<string, number>>, what: string) =>
  Object.values(tables).reduce((total, counts) => total + (counts[what] ?? 0), 0);

describe('catalogue load', () => {
  it('loads every kind of record, and changes nothing if it is loaded again', async () => {
    const { slug, id } = await someone();
    const path = cli.file('whole.jsonl', WHOLE.replace('"firstName","lastName","email",', ''));
    const first = await load(path, slug);
    expect(first.code).toBe(0);
    expect(first.answer).toMatchObject({ rows: 5, loadedRows: 5, badRows: 0, problems: [], warnings: [] });
    expect(first.answer.tables).toMatchObject({
      races: { created: 2 },
      waves: { created: 2 },
      tickets: { created: 3 },
      ticketForms: { created: 1 },
      addOns: { created: 2 },
      addOnVariants: { created: 2 },
      reservedEntryGroupTickets: { created: 2 },
    });
    // The record of the load is of the transaction of its first rows.
    const [recorded] = await cli.dataSource.query(
      `SELECT count(*)::int AS count FROM audit_log a JOIN events e ON e.organization_id = a.organization_id AND e.xmin = a.xmin
       WHERE a.organization_id = $1 AND a.action = 'catalogue.load'`,
      [id],
    );
    expect(recorded.count).toBe(1);
    const before = await updatedAt(id);
    const again = await load(path, slug);
    expect(again.answer.loadedRows).toBe(5);
    expect(['created', 'updated', 'removed'].map((what) => sum(again.answer.tables, what))).toEqual([
      0, 0, 0,
    ]);
    expect(await updatedAt(id)).toEqual(before);
  });

  it('changes only what differs, and keeps what the file omits', async () => {
    const { slug, id } = await someone();
    const other = {
      ...OCCURRENCE,
      slug: 'city-marathon-2028',
      startDate: '2028-05-07',
      races: [{ title: 'Marathon' }],
    };
    const bare = { ...other, referralPrograms: [], reservedEntryGroups: [], addOns: [] };
    const event = { record: 'event', slug: 'city-marathon', title: 'City Marathon' };
    await load(
      cli.file('two.jsonl', jsonLines(event, bare, { ...bare, slug: 'kept', races: [{ title: 'Kept' }] })),
      slug,
    );
    const before: { id: string }[] = await updatedAt(id);
    const changed = {
      ...bare,
      title: 'Renamed',
      races: [{ title: 'Marathon', maxCapacity: 10 }, { title: 'Half' }],
    };
    const { answer } = await load(cli.file('one.jsonl', jsonLines(changed)), slug);
    expect(answer.tables.occurrences).toMatchObject({ created: 0, updated: 1 });
    expect(answer.tables.races).toMatchObject({ created: 1, updated: 1, unchanged: 0 });
    const after = await updatedAt(id);
    expect(after).toHaveLength(before.length + 1);
    const titles = await cli.dataSource.query(
      'SELECT title FROM event_occurrences WHERE organization_id = $1 ORDER BY slug',
      [id],
    );
    expect(titles).toEqual([{ title: 'Renamed' }, { title: bare.title }]);
    const moved = after.filter(
      (row: { id: string }) => !before.some((was) => JSON.stringify(was) === JSON.stringify(row)),
    );
    expect(moved).toHaveLength(3);
  });

  it('renames by id, and rejects ids of other organizations', async () => {
    const { slug } = await someone();
    const stranger = await someone();
    const event = { record: 'event', slug: 'renamed', title: 'Before' };
    await load(cli.file('event.json', JSON.stringify(event)), slug);
    const exported = await cli.run('catalogue', 'export', '--organization', slug);
    const { id } = exported.answer.find(({ record }: { record: string }) => record === 'event');
    const renamed = cli.file(
      'renamed.json',
      JSON.stringify([{ ...event, id, slug: 'new-name', title: 'After' }]),
    );
    expect((await load(renamed, slug)).answer.tables.events).toMatchObject({ created: 0, updated: 1 });
    const refused = await load(renamed, stranger.slug);
    expect([refused.code, refused.answer.error]).toEqual([1, 'INVALID_ROWS']);
    expect(refused.answer.problems).toEqual([
      { row: 1, field: 'id', message: 'is not a known event; omit the id to create a new one' },
    ]);
  });

  it('takes no sub-partner for the partner whose name or id it was given as its name', async () => {
    const { id: organizationId, slug } = await someone();
    await load(cli.file('before.jsonl', BARE), slug);
    const { id } = await cli.dataSource
      .getRepository(Partner)
      .findOneByOrFail({ organizationId, name: PARTNER.name });
    for (const name of [PARTNER.name, id, 'Branch'])
      await partner(cli.dataSource, { organizationId, parentPartnerId: id, name });
    const occurrence = (named: string) => ({
      ...OCCURRENCE,
      reservedEntryGroups: [{ ...OCCURRENCE.reservedEntryGroups[0], partner: named }],
    });
    for (const named of [PARTNER.name, id]) {
      const path = cli.file('named.jsonl', jsonLines(PARTNER, occurrence(named)));
      const { code, answer } = await load(path, slug);
      expect([code, sum(answer.tables, 'created'), sum(answer.tables, 'updated')]).toEqual([0, 0, 0]);
    }
    const refused = await load(cli.file('branch.jsonl', jsonLines(occurrence('Branch'))), slug);
    expect(refused.answer.problems).toEqual([
      { row: 1, field: 'reservedEntryGroups[0].partner', message: 'is not a partner: "Branch"' },
    ]);
    const own = await load(
      cli.file('own.json', JSON.stringify([{ ...PARTNER, name: 'Branch', externalIds: {} }])),
      slug,
    );
    expect(own.answer.tables.partners).toMatchObject({ created: 1, updated: 0 });
  });

  it('names sub-partners by id', async () => {
    const { id: organizationId, slug } = await someone();
    await load(cli.file('parent.jsonl', BARE), slug);
    const { id } = await cli.dataSource
      .getRepository(Partner)
      .findOneByOrFail({ organizationId, name: PARTNER.name });
    const sub = await partner(cli.dataSource, { organizationId, parentPartnerId: id, name: 'North branch' });
    const [group] = OCCURRENCE.reservedEntryGroups;
    const given = { ...OCCURRENCE, reservedEntryGroups: [{ ...group, partner: sub.id }] };
    expect((await load(cli.file('sub.jsonl', jsonLines(given)), slug)).code).toBe(0);
    const exported = await cli.say('catalogue', 'export', '--organization', slug);
    expect(exported.stdout).toContain(`"subPartner":"${sub.id}"`);
    const again = await load(cli.file('exported.jsonl', exported.stdout), slug);
    expect([sum(again.answer.tables, 'created'), sum(again.answer.tables, 'updated')]).toEqual([0, 0]);
    const other = await someone();
    const bare = await cli.say('catalogue', 'export', '--organization', slug, '--no-ids');
    for (const created of [true, false]) {
      const { answer } = await load(cli.file('bare.jsonl', bare.stdout), other.slug);
      expect([sum(answer.tables, 'created') > 0, sum(answer.tables, 'updated')]).toEqual([created, 0]);
    }
    const [{ parent, group: owner }] = await cli.dataSource.query(
      `SELECT top.name AS parent, p.name AS group FROM reserved_entry_groups g
       JOIN partners p ON p.organization_id = g.organization_id AND p.id = g.partner_id
       JOIN partners top ON top.organization_id = p.organization_id AND top.id = p.parent_partner_id
       WHERE g.organization_id = $1`,
      [other.id],
    );
    expect([parent, owner]).toEqual([PARTNER.name, 'North branch']);
    const moved = { ...PARTNER, id: sub.id, name: 'North branch', externalIds: {}, parentPartner: sub.id };
    const refused = await load(cli.file('moved.jsonl', jsonLines(moved)), slug);
    expect(refused.answer.problems).toEqual([expect.objectContaining({ field: 'parentPartner' })]);
  });

  it('only validates with --dry-run', async () => {
    const { slug, id } = await someone();
    const { code, answer } = await load(cli.file('dry.jsonl', jsonLines(EVENT)), slug, '--dry-run');
    expect([code, answer.dryRun, answer.rows, answer.loadedRows]).toEqual([0, true, 1, 0]);
    expect(await cli.dataSource.query('SELECT 1 FROM events WHERE organization_id = $1', [id])).toEqual([]);
  });
});

describe('catalogue export', () => {
  it('leaves no part of a file if it fails', async () => {
    const { slug } = await organization(cli.dataSource);
    const folder = dirname(cli.file('here', ''));
    const { code } = await cli.run('catalogue', 'export', '--organization', slug, '--output', folder);
    expect([code, existsSync(`${folder}.part`)]).toEqual([1, false]);
  });

  it('writes a file that loads without changes in the same organization, and into another with new ids', async () => {
    const [one, two] = [await someone(), await someone()];
    const path = cli.file('fields.jsonl', BARE);
    await load(path, one.slug);
    const withIds = await cli.say('catalogue', 'export', '--organization', one.slug);
    const same = await load(cli.file('same.jsonl', withIds.stdout), one.slug);
    expect(['created', 'updated', 'removed'].map((what) => sum(same.answer.tables, what))).toEqual([0, 0, 0]);

    const bare = await cli.say('catalogue', 'export', '--organization', one.slug, '--no-ids');
    const lines = bare.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual({ ...OCCURRENCE, races: expect.anything() });
    expect(lines.find(({ record }) => record === 'occurrence').races).toEqual(OCCURRENCE.races);
    expect((await load(cli.file('carried.jsonl', bare.stdout), two.slug)).code).toBe(0);
    const carried = await cli.say('catalogue', 'export', '--organization', two.slug, '--no-ids');
    expect(carried.stdout).toBe(bare.stdout);
  });
});

describe('a catalogue file with errors', () => {
  it('is rejected as a whole, and every error names row, field and rule', async () => {
    const { slug, id } = await someone();
    const at = (index: number, changes: object) => ({
      ...OCCURRENCE,
      races: [],
      addOns: [],
      referralPrograms: [],
      reservedEntryGroups: [],
      slug: `mistake-${index}`,
      ...changes,
    });
    const price = { value: 100, currencyCode: 'GBP' };
    const ticket = { ticketSlug: 'a', title: 'A', price };
    const rows: [string, string, RegExp][] = [
      [JSON.stringify({ record: 'event', slug: 'city-marathon', title: 'City Marathon' }), '', /^$/],
      ['{ "record": "event", ', '', /^must be JSON/],
      ['[]', '', /^must be an object$/],
      [JSON.stringify({ record: 'festival' }), 'record', /^must be one of/],
      [JSON.stringify(at(1, { title: 5 })), 'title', /^must be text/],
      [
        JSON.stringify(at(21, { title: 'Sea', titleByLocale: { 'en-GB': 'Lake' } })),
        'titleByLocale.en-GB',
        /^is "Lake", but title is "Sea"/,
      ],
      [JSON.stringify(at(2, { colour: 'red' })), 'colour', /^is not a known property$/],
      [JSON.stringify(at(3, { startDate: '2027-02-30' })), 'startDate', /^must be a date that exists/],
      [JSON.stringify(at(4, { timeZone: 'Europe/Atlantis' })), 'timeZone', /^must be an IANA time zone/],
      [JSON.stringify(at(5, { timeZone: undefined })), 'timeZone', /^is required$/],
      [JSON.stringify(at(6, { title: 'a\0b' })), 'title', /NUL/],
      [JSON.stringify(at(7, { title: 'a' })).replace('"a"', '"\\ud800"'), 'title', /surrogates/],
      [JSON.stringify(at(8, { event: 'nowhere' })), 'event', /^is not an event: "nowhere"$/],
      [JSON.stringify(at(9, { slug: 'twice' })), '', /^$/],
      [JSON.stringify(at(9, { slug: 'twice' })), 'slug', /^repeats the value of row 14$/],
      [
        JSON.stringify(at(10, { races: [{ title: 'A' }, { title: 'A' }] })),
        'races[1].title',
        /^repeats "A"$/,
      ],
      [
        JSON.stringify(at(11, { races: [{ title: 'A', distance: { value: 'far' } }] })),
        'races[0].distance.value',
        /^must be a number/,
      ],
      [
        JSON.stringify(
          at(12, {
            races: [
              { title: 'A', tickets: [ticket] },
              { title: 'B', tickets: [ticket] },
            ],
          }),
        ),
        'races[1].tickets[0].ticketSlug',
        /^repeats "a"$/,
      ],
      [
        JSON.stringify(
          at(13, {
            races: [
              {
                title: 'A',
                tickets: [ticket, { ...ticket, ticketSlug: 'b', price: { value: 1, currencyCode: 'EUR' } }],
              },
            ],
          }),
        ),
        'races[0].tickets[1].price.currencyCode',
        /^must be GBP/,
      ],
      [
        JSON.stringify(
          at(14, {
            races: [{ title: 'A', tickets: [{ ...ticket, price: { value: 1, currencyCode: 'ZERO' } }] }],
          }),
        ),
        'races[0].tickets[0].price.value',
        /^must be 0/,
      ],
      [
        JSON.stringify(at(15, { races: [{ title: 'A', tickets: [{ ...ticket, bookingForms: ['None'] }] }] })),
        'races[0].tickets[0].bookingForms[0]',
        /^is not a booking form: "None"$/,
      ],
      [
        JSON.stringify(
          at(16, { reservedEntryGroups: [{ code: 'A', name: 'A', maxCapacity: 1, partner: 'Nobody' }] }),
        ),
        'reservedEntryGroups[0].partner',
        /^is not a partner/,
      ],
      [
        JSON.stringify(at(17, { id: '01900000-0000-7000-8000-000000000000' })),
        'id',
        /^is not a known occurrence/,
      ],
      [
        JSON.stringify(at(18, { location: { address: { countryCode: 'UK' } } })),
        'location.address.countryCode',
        /ISO 3166/,
      ],
      [JSON.stringify(at(90, {})).replace('{', '{"title":"Lake",'), 'title', /^is a duplicate property/],
    ];
    const bad = cli.file(
      'bad.jsonl',
      Buffer.concat([
        Buffer.from(`${rows.map(([line]) => line).join('\n')}\n`),
        Buffer.from([0x22, 0xff, 0x22, 0x0a]),
      ]),
    );
    const { code, answer } = await load(bad, slug);
    expect([code, answer.error, answer.rows, answer.loadedRows]).toEqual([
      1,
      'INVALID_ROWS',
      rows.length + 1,
      0,
    ]);
    const wrong = rows
      .map(([, field, rule], index) => ({ row: index + 1, field, rule }))
      .filter(({ rule }) => rule.source !== '^$');
    for (const { row, field, rule } of wrong) {
      const named = answer.problems.filter((problem: { row: number }) => problem.row === row);
      expect(named).toEqual([expect.objectContaining({ row, field, message: expect.stringMatching(rule) })]);
    }
    expect(answer.problems).toContainEqual({
      row: rows.length + 1,
      field: '',
      code: 'INVALID_JSON',
      message: 'must be UTF-8',
    });
    expect(answer.badRows).toBe(wrong.length + 1);
    expect(await cli.dataSource.query('SELECT 1 FROM events WHERE organization_id = $1', [id])).toEqual([]);

    const skipping = await load(bad, slug, '--skip-invalid');
    expect([skipping.code, skipping.answer.loadedRows, skipping.answer.badRows]).toEqual([
      1,
      2,
      wrong.length + 1,
    ]);
    const loaded = await cli.dataSource.query(
      'SELECT slug FROM event_occurrences WHERE organization_id = $1',
      [id],
    );
    expect(loaded).toEqual([{ slug: 'twice' }]);
  });

  it('is rejected if it moves a ticket to another race or currency, or an occurrence to another event', async () => {
    const { slug } = await someone();
    const ticket = { ticketSlug: 'a', title: 'A', price: { value: 100, currencyCode: 'GBP' } };
    const bare = { record: 'occurrence', event: 'one', slug: 'o', title: 'O', timeZone: 'UTC' };
    const events = ['one', 'two'].map((name) => ({ record: 'event', slug: name, title: name }));
    const races = [{ title: 'A', tickets: [ticket] }, { title: 'B' }];
    await load(cli.file('stay.jsonl', jsonLines(...events, { ...bare, races })), slug);
    const euro = { ...ticket, ticketSlug: 'b', price: { value: 1, currencyCode: 'EUR' } };
    const attempts = [
      { ...bare, event: 'two' },
      { ...bare, races: [{ title: 'B', tickets: [ticket] }] },
      { ...bare, races: [{ title: 'A', tickets: [euro] }] },
    ];
    const fields = [];
    for (const attempt of attempts) {
      const { answer } = await load(cli.file('moved.jsonl', jsonLines(attempt)), slug);
      fields.push(answer.problems?.map(({ field }: { field: string }) => field));
    }
    expect(fields).toEqual([
      ['event'],
      ['races[0].tickets[0].ticketSlug'],
      ['races[0].tickets[0].price.currencyCode'],
    ]);
  });

  it('is reported if it cannot be read', async () => {
    const { slug } = await someone();
    const outcomes = await Promise.all([
      load(cli.file('broken.json', '[{ "record": "event",\n oops }]'), slug),
      load(cli.file('large.json', `[${' '.repeat(20 * 1024 * 1024)}]`), slug),
      load(cli.file('catalogue.xml', '<catalogue/>'), slug),
      load('/nowhere/at-all.jsonl', slug),
    ]);
    expect(outcomes.map(({ code, answer }) => [code, answer.error])).toEqual([
      [1, 'INVALID_FILE'],
      [1, 'INVALID_FILE'],
      [1, 'INVALID_FILE'],
      [1, 'NOT_FOUND'],
    ]);
    expect(outcomes[0]?.answer.message).toMatch(/line 2/);
    expect(outcomes[1]?.answer.message).toMatch(/JSON Lines/);
  });

  it('names doubled properties of a record in an array, whatever their names', async () => {
    const { slug } = await someone();
    const doubled = cli.file('doubled.json', `[${JSON.stringify(EVENT).replace('{', '{"5":1,"5":2,')}]`);
    expect((await load(doubled, slug)).answer.problems).toEqual([
      expect.objectContaining({ row: 1, field: '[5]', code: 'DUPLICATE' }),
    ]);
  });

  it('is reported if it changes between its two readings', async () => {
    const { slug, id } = await someone();
    const events = Array.from({ length: 250 }, (_, n) => ({ ...EVENT, slug: `event-${n}`, addOns: [] }));
    const path = cli.file('changing.jsonl', jsonLines(...events));
    let loading: ReturnType<typeof load> | undefined;
    const node = await nodeOf(cli.dataSource, id);
    await node.transaction(async (manager) => {
      await lockCatalogue(manager, id);
      loading = load(path, slug);
      await eventually(async () =>
        manager
          .query(
            `SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
             WHERE l.locktype = 'advisory' AND NOT l.granted AND d.datname = current_database()`,
          )
          .then((rows) => rows[0]),
      );
      appendFileSync(path, jsonLines({ ...EVENT, slug: 'late', addOns: [] }));
    });
    const { code, answer } = (await loading) as Awaited<typeof loading> & object;
    expect([code, answer.error, answer.message]).toEqual([
      1,
      'INVALID_FILE',
      expect.stringContaining('was changed while it was read'),
    ]);
    expect((await load(path, slug)).answer.loadedRows).toBe(251);
    if (node !== cli.dataSource) await node.destroy();
  });

  it('is read in constant memory', async () => {
    const { slug } = await someone();
    const excerpt = 'words '.repeat(5_000);
    const lines = Array.from({ length: 3_000 }, (_, n) =>
      jsonLines({
        ...OCCURRENCE,
        slug: `large-${n}`,
        content: { excerpt },
        races: [],
        addOns: [],
        reservedEntryGroups: [],
      }),
    );
    const path = cli.file('large.jsonl', [jsonLines({ ...EVENT, addOns: [] }), ...lines].join(''));
    const { code, answer } = await cli.spawn(
      ['--max-old-space-size=90'],
      ...['catalogue', 'load', path, '--organization', slug, '--dry-run'],
    );
    expect([code, answer.rows, answer.badRows]).toEqual([0, 3_001, 0]);
  });
});

describe('the maxima of a catalogue', () => {
  const price = { value: 1, currencyCode: 'GBP' };
  const bare = { record: 'occurrence', event: 'e', slug: 'e-1', title: 'E', timeZone: 'Europe/London' };
  const races = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ title: `R${from + n}` }));
  const problemsOf = async (slug: string, ...records: object[]) => {
    const { answer } = await load(cli.file('maxima.jsonl', jsonLines(...records)), slug);
    return (answer.problems ?? []).map(({ field, message }: any) => `${field} ${message}`);
  };

  it('count what is stored with what the file adds, and let what is stored be loaded again', async () => {
    const { slug, id } = await organization(cli.dataSource);
    const event = { record: 'event', slug: 'e', title: 'E' };
    expect(await problemsOf(slug, event, { ...bare, races: races(0, 50) })).toEqual([]);
    expect(await problemsOf(slug, { ...bare, races: races(50, 30) })).toEqual([]);
    expect(await problemsOf(slug, { ...bare, races: races(80, 1) })).toEqual([
      'races[0].title is one too many: at most 80 (race), stored ones included',
    ]);
    expect(await problemsOf(slug, { ...bare, races: races(0, 80) })).toEqual([]);
    expect(await problemsOf(slug, { ...bare, races: races(0, 81) })).toEqual([
      'races must be a list of at most 80',
    ]);
    expect(
      await cli.dataSource.query('SELECT count(*)::int AS n FROM races WHERE organization_id = $1', [id]),
    ).toEqual([{ n: 80 }]);
  });

  it('count the waves of races and the tickets of groups that a record leaves out', async () => {
    const { slug } = await organization(cli.dataSource);
    const many = <T>(count: number, each: (n: number) => T) =>
      Array.from({ length: count }, (_, n) => each(n));
    const waves = many(200, (n) => ({ title: `W${n}` }));
    const tickets = many(51, (n) => ({ ticketSlug: `t${n}`, title: 'T', price }));
    const withWaves = [{ title: 'R0', tickets, waves }, ...races(1, 9).map((race) => ({ ...race, waves }))];
    const group = (given: object[]) => ({
      ...{ code: 'G', name: 'G', maxCapacity: 1 },
      tickets: given.map((ticket) => ({ ticketSlug: (ticket as { ticketSlug: string }).ticketSlug })),
    });
    const first = { ...bare, races: withWaves, reservedEntryGroups: [group(tickets.slice(0, 50))] };
    expect(await problemsOf(slug, { record: 'event', slug: 'e', title: 'E' }, first)).toEqual([]);
    const more = {
      ...{ ...bare, races: [{ title: 'R10', waves: waves.slice(0, 1) }] },
      reservedEntryGroups: [group(tickets.slice(50))],
    };
    expect(await problemsOf(slug, more)).toEqual([
      'races would have 2001 waves, stored ones included, and must not have more than 2000',
      'reservedEntryGroups[0].tickets would have 51 tickets, stored ones included, and must not have more than 50',
    ]);
    expect(await problemsOf(slug, first)).toEqual([]);
  });

  it('count the fields of an organization and the groups of an event over all records of a file', async () => {
    const { slug } = await organization(cli.dataSource);
    const fields = Array.from({ length: 1_001 }, (_, n) => ({
      record: 'bookingFormField',
      key: `k${n}`,
      label: 'K',
      type: 'TEXT',
    }));
    expect(await problemsOf(slug, ...fields)).toEqual([
      ' is one too many: an organization has at most 1000 booking form fields',
    ]);
    expect(await problemsOf(slug, ...fields.slice(0, 1_000))).toEqual([]);
    const group = (n: number) => ({ code: `G${n}`, name: 'G', maxCapacity: 1 });
    const occurrence = (n: number, count: number) => ({
      ...{ ...bare, slug: `e-${n}` },
      reservedEntryGroups: Array.from({ length: count }, (_, i) => group(i)),
    });
    const event = { record: 'event', slug: 'e', title: 'E' };
    expect(await problemsOf(slug, event, occurrence(1, 1_200), occurrence(2, 801))).toEqual([
      'reservedEntryGroups[800] is one too many: an event has at most 2000 reserved entry groups',
    ]);
  });

  it('limit the bytes of records, in any script', async () => {
    const { slug } = await organization(cli.dataSource);
    const event = { record: 'event', slug: 'e', title: 'E' };
    const ticket = { ticketSlug: 'a', title: 'A', price };
    const [title, text] = ['東'.repeat(160), '東'.repeat(13_400)];
    const titled = Array.from({ length: 50 }, (_, n) => ({ title: `${title}${n}` }));
    const found = [
      ...(await problemsOf(slug, event)),
      ...(await problemsOf(slug, { ...bare, title: '東'.repeat(200) })),
      ...(await problemsOf(slug, event, { ...bare, races: titled })),
      ...(await problemsOf(slug, event, {
        ...bare,
        races: [{ title: 'R', tickets: [{ ...ticket, description: text }] }],
      })),
      ...(await problemsOf(slug, event, { ...bare, content: { excerpt: text, travel: text } })),
      ...(await problemsOf(slug, event, {
        ...bare,
        titleByLocale: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`en-A${10 + n}`, 'E'])),
      })),
    ];
    expect(found).toEqual([
      'title must be text of 1 to 500 characters and at most 500 bytes',
      expect.stringMatching(/^races have titles of \d+ bytes, and must not have more than 21500$/),
      expect.stringMatching(
        /^races\[0\]\.tickets\[0\] has \d+ bytes of JSON, and must not have more than 40000$/,
      ),
      expect.stringMatching(/^ has \d+ bytes of JSON, and must not have more than 62000$/),
      'titleByLocale must be an object of at most 50 locales',
    ]);
  });
});
