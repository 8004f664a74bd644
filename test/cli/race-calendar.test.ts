import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { organization } from '#libs/testing';
import { type CommandLine, commandLine } from './startline';

const CALENDAR = resolve(__dirname, 'fixtures/race-calendar.csv');
const EXAMPLE = resolve(__dirname, '../../docs/examples/race-calendar.map.json');

let cli: CommandLine;
/** The example, with the time zone of a country that is not known. */
let map: string;
beforeAll(async () => {
  cli = await commandLine();
  const example = JSON.parse(readFileSync(EXAMPLE, 'utf8'));
  Object.assign(example.matches.timeZone, { Atlantis: 'Atlantic/Azores' });
  map = cli.file('map.json', JSON.stringify(example));
});
afterAll(() => cli.close());

const load = (path: string, slug: string, ...words: string[]) =>
  cli.run('catalogue', 'load', path, '--organization', slug, '--map', map, '--accept-outside', ...words);
const exported = async (slug: string) => {
  const { answer } = await cli.run('catalogue', 'export', '--organization', slug, '--no-ids');
  return (kind: string) => answer.filter(({ record }: { record: string }) => record === kind);
};

describe('a race calendar', () => {
  it('loads every row, and changes nothing if it is loaded again', async () => {
    const { slug, id } = await organization(cli.dataSource);
    const rows = readFileSync(CALENDAR, 'utf8').trimEnd().split('\n').length - 1;
    const first = await load(CALENDAR, slug);
    expect([first.code, first.answer.message]).toEqual([0, undefined]);
    expect(first.answer).toMatchObject({ rows, loadedRows: rows, badRows: 0 });
    expect(first.answer.tables.races.created).toBe(rows);
    const [races] = await cli.dataSource.query('SELECT count(*)::int FROM races WHERE organization_id = $1', [
      id,
    ]);
    expect(races.count).toBe(rows);
    const again = await load(CALENDAR, slug);
    expect(again.answer.tables).toEqual({
      events: { created: 0, updated: 0, unchanged: first.answer.tables.events.created, removed: 0 },
      occurrences: { created: 0, updated: 0, unchanged: first.answer.tables.occurrences.created, removed: 0 },
      races: { created: 0, updated: 0, unchanged: rows, removed: 0 },
    });
  });

  it('becomes events, occurrences and races as documented', async () => {
    const { slug } = await organization(cli.dataSource);
    await load(CALENDAR, slug);
    const records = await exported(slug);
    const occurrences = new Map(records('occurrence').map((each: { slug: string }) => [each.slug, each]));

    expect(records('event')).toContainEqual({ record: 'event', slug: 'utx', title: 'UTX®' });
    expect(records('event')).toContainEqual({ record: 'event', slug: '東京-100', title: '東京 100' });
    expect([...occurrences.keys()].filter((name) => String(name).startsWith('utx'))).toEqual([
      'utx-2020',
      'utx-2021',
    ]);
    expect(occurrences.get('grand-tour-des-pyrenees-2021')).toEqual({
      record: 'occurrence',
      event: 'grand-tour-des-pyrenees',
      slug: 'grand-tour-des-pyrenees-2021',
      title: 'Grand Tour des Pyrénées',
      tags: ['solo', 'team'],
      startDate: '2021-08-20',
      timeZone: 'Europe/Paris',
      location: { address: { city: 'vielle-Aube', countryCode: 'FR', countryName: 'France' } },
      published: false,
      races: [
        {
          title: 'Ultra Tour 160',
          discipline: 'RUNNING',
          distance: { value: 167, unit: 'KM' },
          startDate: '2021-08-20',
          startTime: '05:00:00',
          maxCapacity: 600,
        },
        {
          title: 'Ultra Tour 80',
          discipline: 'RUNNING',
          distance: { value: 80, unit: 'KM' },
          startDate: '2021-08-21',
        },
      ],
    });
    expect(occurrences.get('bayou-100-2021')).toMatchObject({
      timeZone: 'America/Chicago',
      location: { address: { countryCode: 'US', countryName: 'United States', countyLine: 'LA' } },
      races: [{ title: '100 Mile', discipline: 'RUNNING', startDate: '2021-02-06' }],
    });
    expect(occurrences.get('harbour-162-2021')).toMatchObject({
      startDate: '2021-02-26',
      location: { address: { countryCode: 'HK', countryName: 'Hong Kong, China' } },
      races: [{ title: 'H162 Relay' }, { title: 'H162' }],
    });
    expect(occurrences.get('mount-fudo-100-2019')).toMatchObject({
      timeZone: 'Asia/Tokyo',
      location: { address: { city: 'Myogi', countryCode: 'JP', countryName: 'Japan', countyLine: 'Myogi' } },
    });
    expect(occurrences.get('spring-and-autumn-100-2020')).toMatchObject({ startDate: '2020-04-10' });
    expect(occurrences.get('spring-and-autumn-100-2020-11')).toMatchObject({ startDate: '2020-11-13' });
    expect(occurrences.get('nowhere-trail-2019')).toMatchObject({ timeZone: 'UTC' });
    expect(occurrences.get('nowhere-trail-2019')).not.toHaveProperty('location');
    expect(occurrences.get('atlantis-100-2018')).toMatchObject({ timeZone: 'Atlantic/Azores' });
    expect(occurrences.get('bohemian-100-2019')).toMatchObject({ timeZone: 'Europe/Prague', tags: ['solo'] });
  });

  it('reports how each value was interpreted, by row and column', async () => {
    const { slug } = await organization(cli.dataSource);
    const { answer } = await load(CALENDAR, slug);
    expect(answer.warnings).toContainEqual({
      ...{ row: 14, field: 'country', message: 'has no country; a new occurrence gets the time zone UTC' },
    });
    expect(answer.conversions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          column: 'city',
          changed: 2,
          changes: [{ which: 'first', from: 'NA', to: '' }],
        }),
        expect.objectContaining({
          ...{ column: 'participation', conversion: 'lowerCase', changed: 2 },
          changes: [{ which: 'first', from: 'Solo', to: 'solo' }],
        }),
      ]),
    );
  });

  it('is rejected with every invalid row by column and reason, or loaded without these rows', async () => {
    const { slug } = await organization(cli.dataSource);
    const header = readFileSync(CALENDAR, 'utf8').split('\n')[0];
    const path = cli.file(
      'bad.csv',
      [
        header,
        '1,Good,100K,Spa,Belgium,2021-08-14,07:00:00,solo,100,0,0,0,10',
        '2,Bad date,100K,Spa,Belgium,2021-02-30,07:00:00,solo,100,0,0,0,10',
        '3,Bad time,100K,Spa,Belgium,2021-08-14,25:00:00,solo,100,0,0,0,10',
        '4,Bad distance,100K,Spa,Belgium,2021-08-14,07:00:00,solo,far,0,0,0,10',
        '5,Bad places,100K,Spa,Belgium,2021-08-14,07:00:00,solo,100,0,0,0,-3',
        '6,,100K,Spa,Belgium,2021-08-14,07:00:00,solo,100,0,0,0,10',
        '7,®,100K,Spa,Belgium,2021-08-14,07:00:00,solo,100,0,0,0,10',
        '8,No race,,Spa,Belgium,2021-08-14,07:00:00,solo,100,0,0,0,10',
        '9,Short,100K,Spa',
        '10,Good,100K,Spa,Belgium,2021-08-14,09:00:00,solo,100,0,0,0,10',
        '11,Good,50K,Spa,Belgium,2021-08-15,09:00:00,solo,50,0,0,0,10',
        '12,No date,50K,Spa,Belgium,,09:00:00,solo,50,0,0,0,10',
        '13,"Open quote,50K,Spa,Belgium,2021-08-15,09:00:00,solo,50,0,0,0,10',
        '',
      ].join('\n'),
    );
    const { code, answer } = await load(path, slug);
    expect([code, answer.error, answer.rows, answer.loadedRows, answer.badRows]).toEqual([
      1,
      'INVALID_ROWS',
      13,
      0,
      11,
    ]);
    expect(answer.problems.map(({ row, field }: { row: number; field: string }) => [row, field])).toEqual(
      expect.arrayContaining([
        [3, 'date'],
        [4, 'start_time'],
        [5, 'distance'],
        [6, 'participants'],
        [7, 'event'],
        [8, 'event'],
        [9, 'race'],
        [10, ''],
        [11, 'race'],
        [13, 'date'],
        [14, ''],
      ]),
    );
    expect(answer.problems).toHaveLength(11);
    expect((await exported(slug))('event')).toEqual([]);

    const skipping = await load(path, slug, '--skip-invalid');
    expect([skipping.code, skipping.answer.loadedRows, skipping.answer.badRows]).toEqual([1, 2, 11]);
    expect((await exported(slug))('occurrence')).toEqual([
      expect.objectContaining({ slug: 'good-2021', races: [expect.anything(), expect.anything()] }),
    ]);
  });

  it('is rejected for unknown, missing and duplicate columns, by name', async () => {
    const { slug } = await organization(cli.dataSource);
    const [header = '', ...rows] = readFileSync(CALENDAR, 'utf8').split('\n');
    const with_ = (name: string, changed: string) =>
      load(cli.file(name, [changed, ...rows].join('\n')), slug);
    const refused = await Promise.all([
      with_('unknown.csv', header.replace('city', 'town')),
      with_('missing.csv', header.replace(',participants', '')),
      with_('twice.csv', header.replace('city', 'country')),
      with_('none.csv', ''),
    ]);
    expect(refused.map(({ code, answer }) => [code, answer.error])).toEqual(
      Array(4).fill([2, 'INVALID_FILE']),
    );
    expect(refused[0]?.answer.message).toBe(
      `The mapping names the column "city", which the file doesn't have.`,
    );
    expect(refused[1]?.answer.message).toContain('"participants"');
    expect(refused[2]?.answer.message).toContain('The file has the column "country" twice.');
  });

  it('needs no columns file if its column names match the fields', async () => {
    const { slug } = await organization(cli.dataSource);
    const path = cli.file(
      'named.csv',
      'event.title,race.title,race.startDate,occurrence.timeZone\nSpring Run,10K,2027-03-20,Europe/Oslo\n',
    );
    const { answer } = await cli.run('catalogue', 'load', path, '--organization', slug);
    expect(answer).toMatchObject({ rows: 1, loadedRows: 1, warnings: [] });
  });

  it('is rejected if required columns are missing, with all unknown ones and the nearest known names', async () => {
    const { slug } = await organization(cli.dataSource);
    const refused = async (name: string, header: string, ...words: string[]) => {
      const path = cli.file(name, `${header}\n`);
      const { code, answer } = await cli.run('catalogue', 'load', path, '--organization', slug, ...words);
      expect([code, answer.error]).toEqual([2, 'INVALID_FILE']);
      return answer.message;
    };
    expect(await refused('names.csv', 'event.titel,race.titel,race.startDate,Prise,elevation')).toMatch(
      /^No column matches event.title, race.title\. These columns match nothing: "event.titel" \(did you mean "event.title"\?\), .*"Prise" \(did you mean "ticket.price"\?\), "elevation"\. .*--map init/,
    );
    expect(await refused('few.csv', 'race.startTime')).toMatch(
      /^No column matches event.title, race.title, race.startDate\./,
    );
  });

  it('lists the columns that go nowhere, among them those of an organizer', async () => {
    const { slug } = await organization(cli.dataSource);
    const path = cli.file(
      'more.csv',
      'Event,Race,Date,Time zone,Prise,First name,E-mail,Notes\nSpring Run,10K,2027-03-20,Europe/Oslo,25,Ada,ada@example.com,=1\n',
    );
    const said = await cli.say('catalogue', 'load', path, '--organization', slug);
    expect(said.code).toBe(0);
    for (const name of ['First name', 'E-mail', 'Notes'])
      expect(said.stderr).toContain(`warning: row 1: ${name} is not loaded: no field has this name`);
    expect(said.stderr).toContain(
      'Prise is not loaded: no field has this name (did you mean "ticket.price"?)',
    );
    expect((await exported(slug))('occurrence')[0].races).toEqual([
      { title: '10K', startDate: '2027-03-20' },
    ]);
  });

  it('is distinguished from a start list, and a start list from a calendar', async () => {
    const { slug } = await organization(cli.dataSource);
    const load = async (group: string, name: string, text: string) => {
      const path = cli.file(name, text);
      const { code, answer } = await cli.run(group, 'load', path, '--organization', slug);
      expect(code).toBeGreaterThan(0);
      return answer;
    };
    for (const header of [
      'externalBookingId,eventOccurrenceId,booker.email,participant.ticketId',
      'Bib No.,First name,Surname,Race',
    ]) {
      const { error, message } = await load('catalogue', 'list.csv', `${header}\n`);
      expect([error, message]).toEqual(['INVALID_FILE', expect.stringMatching(/looks like a start list/)]);
      expect(message).toContain(`"${header.split(',')[0]}"`);
      expect(message).toContain('"start-list load"');
    }
    const { problems } = await load('catalogue', 'list.jsonl', '{"externalBookingId":"a"}\n');
    expect(problems[0].message).toContain('"start-list load"');
    const calendar = await load('start-list', 'calendar.csv', 'event.title,race.title,race.startDate\n');
    expect(calendar.error).toBe('INVALID_FILE');
    expect(calendar.message).toMatch(/looks like a race calendar.*"race\.title".*"catalogue load"/);
    const mistyped = await load('start-list', 'typed.csv', 'externalBokingID,participant.frstname\n');
    expect(mistyped.message).toMatch(
      /"externalBokingID" \(did you mean "externalBookingId"\?\), "participant.frstname" \(did you mean "participants\[0\].firstName"\?\)/,
    );
  });

  it('is split into parts if it is too large for memory, without splitting an event', async () => {
    const { slug } = await organization(cli.dataSource);
    const [header] = readFileSync(CALENDAR, 'utf8').split('\n');
    const filler = 'x'.repeat(480);
    const rows = Array.from({ length: 10_000 }, (_, n) => {
      const race = n % 4;
      return `${n},Event ${n % 500} ${filler},Race ${Math.floor(n / 500)} ${race},Spa,Belgium,2021-08-14,07:00:00,solo,100,0,0,0,10`;
    });
    const path = cli.file('large.csv', [header, ...rows].join('\n'));
    const { answer } = await load(path, slug, '--dry-run');
    expect([answer.rows, answer.badRows, answer.records]).toEqual([10_000, 0, 1_000]);
  });
});
