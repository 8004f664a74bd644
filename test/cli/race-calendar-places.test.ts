import { readFileSync } from 'node:fs';
import { Calendars } from './calendars';

let calendars: Calendars;
beforeAll(async () => {
  calendars = await Calendars.start();
});
beforeEach(() => calendars.begin());
afterAll(() => calendars.cli.close());

const mapped = (matches: object, columns: object) =>
  calendars.cli.file(`${calendars.slug}.map.json`, JSON.stringify({ columns, matches }));

describe('a race calendar', () => {
  it('has an occurrence for each city, also when it is loaded again', async () => {
    const rows = ['Veranstaltung;Rennen;Datum;Ort;Land', 'Abendlauf;8 km;31.12.2027;Trier;Deutschland'];
    const werl = 'Abendlauf;8 km;31.12.2027;Werl;GER';
    expect((await calendars.load(rows)).answer.tables.occurrences).toMatchObject({ created: 1 });
    const { answer } = await calendars.load([...rows, werl]);
    expect(answer.tables.occurrences).toMatchObject({ created: 1, updated: 0, unchanged: 1 });
    expect((await calendars.load([...rows, werl])).answer.tables.races).toMatchObject({
      created: 0,
      unchanged: 2,
    });
    const cities = (await calendars.occurrences()).map(({ location }: any) => location.address);
    expect(cities).toMatchObject([
      { city: 'Trier', countryCode: 'DE' },
      { city: 'Werl', countryCode: 'DE', countryName: 'Germany' },
    ]);
  });

  it('asks for the time zone of a city in a country with several, and knows states from countries', async () => {
    const rows = ['Event,Race,Date,Country,Start time', 'Peachtree,10K,2027-07-04,"Savannah, Georgia",06:25'];
    const { code, answer } = await calendars.load(rows);
    expect([code, answer.message]).toEqual([
      3,
      expect.stringContaining('"US/Georgia" is in a country with several'),
    ]);
    const columns = {
      ...{ Event: 'event.title', Race: 'race.title', Date: 'race.startDate', 'Start time': 'race.startTime' },
      Country: 'occurrence.location.address.countryName',
    };
    const map = mapped({ timeZone: { 'US/Georgia': 'America/New_York' } }, columns);
    expect((await calendars.load(rows, '--map', map)).code).toBe(0);
    expect(await calendars.occurrences()).toMatchObject([
      {
        timeZone: 'America/New_York',
        location: { address: { city: 'Savannah', countryCode: 'US', countyLine: 'Georgia' } },
      },
    ]);
  });

  it('asks for the time zone of a country that is not known, or of which no zone is', async () => {
    const rows = ['Event,Race,Date,Country', 'Deep Run,10K,2027-07-04,Atlantis', 'Ice Run,10K,2027-07-05,AQ'];
    const refused = await calendars.load(rows);
    expect([refused.code, refused.answer.message]).toEqual([
      3,
      expect.stringMatching(/"Atlantis" is .* none that is known .*\n"AQ" is in a country with several/),
    ]);
    expect(await calendars.occurrences()).toEqual([]);
    const columns = {
      ...{ Event: 'event.title', Race: 'race.title', Date: 'race.startDate' },
      Country: 'occurrence.location.address.countryName',
    };
    const zones = { Atlantis: 'Atlantic/Azores', AQ: 'Antarctica/Casey' };
    expect((await calendars.load(rows, '--map', mapped({ timeZone: zones }, columns))).code).toBe(0);
    const found = (await calendars.occurrences()).map(({ timeZone }: any) => timeZone);
    expect(found.sort()).toEqual(['Antarctica/Casey', 'Atlantic/Azores']);
  });

  it('asks what decimals and the letter M are, and for distances that are unlikely', async () => {
    const rows = (...distances: string[]) => [
      'Event;Race;Date;Distance',
      ...distances.map((distance, i) => `A;${i};2027-05-02;${distance}`),
    ];
    const refused = async (...distances: string[]) =>
      (await calendars.load(rows(...distances))).answer.message;
    expect(await refused('42.195 km', '10,5 km')).toContain('--reading "Distance=."');
    expect(await refused('100M', '13.1mi')).toContain('--reading "Distance=miles"');
    expect(await refused('42195 km')).toContain('a distance of up to 1,200 km');
    const { answer } = await calendars.load(
      rows('100M', '13.1mi'),
      '--reading',
      'Distance=miles',
      '--dry-run',
    );
    expect(answer.conversions).toContainEqual(
      expect.objectContaining({
        column: 'Distance',
        changes: expect.arrayContaining([{ which: 'first', from: '100M', to: '100 MI' }]),
      }),
    );
    expect(answer.badRows).toBe(0);
  });

  it('takes a distance and a price for every row', async () => {
    const rows = ['Event,Race,Date,Time zone,Ticket', 'A,10K,2027-05-02,Europe/Oslo,Standard'];
    const values = ['race.distance.value=10 km', 'ticket.price=25.00', 'ticket.price.currencyCode=EUR'];
    const { code } = await calendars.load(rows, ...values.flatMap((value) => ['--set', value]));
    const [{ races }] = await calendars.occurrences();
    expect([code, races]).toMatchObject([
      0,
      [{ distance: { value: 10, unit: 'KM' }, tickets: [{ price: { value: 2500, currencyCode: 'EUR' } }] }],
    ]);
  });

  it('changes only what it has columns for, and creates drafts', async () => {
    const header = 'Event,Race,Date,Time zone';
    await calendars.load([
      `${header},Capacity,occurrence.status`,
      'A,10K,2027-05-02,Europe/Oslo,100,CANCELLED',
    ]);
    expect(await calendars.occurrences()).toMatchObject([{ published: false, status: 'CANCELLED' }]);
    await calendars.cli.dataSource.query('UPDATE event_occurrences SET published = true');
    const { answer } = await calendars.load([header, 'A,10K,2027-05-02,Europe/Oslo']);
    expect(answer.tables.races).toMatchObject({ updated: 0, unchanged: 1 });
    const [whole] = await calendars.occurrences();
    expect(whole).toMatchObject({ status: 'CANCELLED', races: [{ maxCapacity: 100 }] });
    expect(whole.published).toBeUndefined();
    await calendars.load([
      `${header},occurrence.status,occurrence.published`,
      'A,10K,2027-05-02,Europe/Oslo,,no',
    ]);
    const [changed] = await calendars.occurrences();
    expect([changed.status, changed.published]).toEqual([undefined, false]);
  });

  it('neither publishes nor withdraws an occurrence whose cell for that is empty', async () => {
    const load = (...published: string[]) =>
      calendars.load([
        'Event,Race,Date,Time zone,Published',
        ...published.map((cell, i) => `${'AB'[i]},10K,2027-05-02,Europe/Oslo,${cell}`),
      ]);
    await load('', 'yes');
    const { answer } = await load('', '');
    expect(answer.tables.occurrences).toMatchObject({ updated: 0, unchanged: 2 });
    expect((await calendars.occurrences()).map(({ published }: any) => published)).toEqual([
      false,
      undefined,
    ]);
  });

  it('keeps the title and the time zone of an occurrence without columns for them', async () => {
    const first = 'Event,City,Race,Date,Time zone,occurrence.title';
    await calendars.load([first, 'Run,London,10K,2027-05-02,Europe/London,Run 2027 - 10th edition']);
    const { code, answer } = await calendars.load([
      'Event,City,Country,Race,Date,Capacity',
      'Run,London,,10K,2027-05-02,800',
    ]);
    expect([code, answer.tables.occurrences, answer.tables.races]).toEqual([
      0,
      expect.objectContaining({ updated: 0, unchanged: 1 }),
      expect.objectContaining({ updated: 1 }),
    ]);
    const country = ['Event,City,Country,Race,Date', 'Run,London,Germany,10K,2027-05-02'];
    await calendars.load(country);
    expect(await calendars.occurrences()).toMatchObject([
      { title: 'Run 2027 - 10th edition', timeZone: 'Europe/Berlin', races: [{ maxCapacity: 800 }] },
    ]);
  });

  it('empties the coordinates of an occurrence whose cells are empty', async () => {
    const place = ['latitude', 'longitude'].map((name) => `occurrence.location.coordinates.${name}`);
    const load = (cells: string) =>
      calendars.load([
        ['Event,City,Race,Date,Time zone', ...place].join(),
        `Run,Oslo,10K,2027-05-02,Europe/Oslo,${cells}`,
      ]);
    await load('59.9,10.7');
    const coordinates = async () => (await calendars.occurrences())[0].location.coordinates;
    expect(await coordinates()).toEqual({ latitude: 59.9, longitude: 10.7 });
    expect((await load(',')).code).toBe(0);
    expect(await coordinates()).toBeUndefined();
  });

  it('asks whether an occurrence at another date has moved', async () => {
    const rows = (day: string) => ['Event,Race,Date,City,Country', `Harbour,10K,${day},Bristol,UK`];
    await calendars.load(rows('2027-05-02'));
    const { code, answer } = await calendars.load(rows('2027-05-09'));
    expect([code, answer.message]).toEqual([3, expect.stringContaining('"Harbour, Bristol, 2027-05-09"')]);
    const columns = {
      ...{ Event: 'event.title', Race: 'race.title', Date: 'race.startDate' },
      ...{ City: 'occurrence.location.address.city', Country: 'occurrence.location.address.countryName' },
    };
    const said = (id: string) => mapped({ occurrence: { 'Harbour, Bristol, 2027-05-09': id } }, columns);
    await calendars.load(rows('2027-05-09'), '--map', said('harbour-2027'));
    expect((await calendars.occurrences()).map(({ startDate }: any) => startDate)).toEqual(['2027-05-09']);
    await calendars.load(
      rows('2027-05-16'),
      '--map',
      mapped({ occurrence: { 'Harbour, Bristol, 2027-05-16': 'new' } }, columns),
    );
    expect((await calendars.occurrences()).map(({ slug: own }: any) => own)).toEqual([
      'harbour-2027',
      'harbour-2027-05',
    ]);
  });

  it('writes failed rows to a file, which corrected adds them to what the others became', async () => {
    const head = 'Event;Race;Date;City;occurrence.tags;Start time';
    const first = 'Reed Run;10K;2031-05-03;Kiel;coast;0930';
    const { answer } = await calendars.load(
      [head, first, 'REED RUN;5K;soon;Kiel;family;1045', 'Reed Run;5K;soon;Ely;;1100'],
      '--skip-invalid',
    );
    const [before] = await calendars.occurrences();
    const failed = readFileSync(answer.failedFile, 'utf8');
    expect([answer.loadedRows, failed.trimEnd().split('\n').length]).toEqual([1, 3]);
    const corrected = calendars.cli.file('corrected.csv', failed.replaceAll('soon', '2031-05-04'));
    const again = await calendars.cli.run('catalogue', 'load', corrected, '--organization', calendars.slug);
    expect(again.answer).toMatchObject({ loadedRows: 2, problemCount: 0, failedFile: null });
    expect(again.answer.tables).toMatchObject({ races: { created: 2, updated: 0 } });
    expect(again.answer.tables.events).toBeUndefined();
    const [kiel, ely] = await calendars.occurrences();
    const race = { title: '5K', startDate: '2031-05-04', startTime: '10:45:00' };
    expect(kiel).toEqual({ ...before, races: [...before.races, expect.objectContaining(race)] });
    expect(ely).toMatchObject({ slug: 'reed-run-ely-2031', races: [{ startTime: '11:00:00' }] });
  });

  it('writes all failed rows, also when they are more than the report has', async () => {
    const rows = Array.from({ length: 1_100 }, (_, at) => `Fen Run;${at} m;soon`);
    const { answer } = await calendars.load(['Event;Race;Date', ...rows]);
    expect([answer.problemCount, answer.problems.length]).toEqual([1_100, 1_000]);
    expect(readFileSync(answer.failedFile, 'utf8').trimEnd().split('\n')).toHaveLength(1_101);
  });

  it('writes failed rows to a file, and loads an export of the catalogue unchanged', async () => {
    const { answer } = await calendars.load(
      ['Event,Race,Date', 'A,10K,2027-05-02', 'B,5K,soon'],
      '--skip-invalid',
    );
    expect(answer.failedFile).toMatch(/failed-rows\.csv$/);
    const exported = await calendars.cli.say('catalogue', 'export', '--organization', calendars.slug);
    const again = await calendars.cli.run(
      ...[
        'catalogue',
        'load',
        calendars.cli.file('export.jsonl', exported.stdout),
        '--organization',
        calendars.slug,
      ],
    );
    for (const counts of Object.values(again.answer.tables))
      expect(counts).toMatchObject({ created: 0, updated: 0, removed: 0 });
  });
});
