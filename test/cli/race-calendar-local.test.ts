import { gzipSync } from 'node:zlib';
import { workbook } from '#libs/testing';
import { Calendars } from './calendars';

let calendars: Calendars;
beforeAll(async () => {
  calendars = await Calendars.start();
});
beforeEach(() => calendars.begin());
afterAll(() => calendars.cli.close());

const problemsOf = ({ answer }: { answer: { problems: { row: number; message: string }[] } }) =>
  answer.problems.map(({ row, message }) => `${row}: ${message}`);
const PLAIN = 'Event;Race;Date';

describe('a race calendar that people wrote', () => {
  it('has waves, in rows of their own or together with tickets', async () => {
    const header = `${PLAIN};Startzeit;Zeitzone;Ticket;Preis;Welle;Wave start;Wave capacity`;
    const rows = [
      'Hafenlauf;10 km;2. Mai 2027;9.30 Uhr;Europe/Berlin;Normal;25,00 €;Blau;9.30 Uhr;200',
      'Hafenlauf;10 km;2. Mai 2027;;Europe/Berlin;Normal;25,00 €;Rot;9.45 Uhr;150',
      'Hafenlauf;10 km;2. Mai 2027;;Europe/Berlin;Team;1.045,00 €;Rot;9.45 Uhr;150',
      'Hafenlauf;10 km;2. Mai 2027;;Europe/Berlin;;;Schwarz;;',
      'Hafenlauf;5 km;2. Mai 2027;;Europe/Berlin;;;;;',
    ];
    const first = await calendars.load([header, ...rows]);
    expect(first.answer).toMatchObject({ rows: 5, loadedRows: 5, badRows: 0 });
    const [{ races }] = await calendars.occurrences();
    const price = (value: number) => ({ value, currencyCode: 'EUR' });
    expect(races).toEqual([
      {
        ...{ title: '10 km', startDate: '2027-05-02', startTime: '09:30:00' },
        tickets: [
          expect.objectContaining({ title: 'Normal', price: price(2_500) }),
          expect.objectContaining({ title: 'Team', price: price(104_500) }),
        ],
        waves: [
          { title: 'Blau', startDateTime: '2027-05-02T07:30:00Z', capacity: 200 },
          { title: 'Rot', startDateTime: '2027-05-02T07:45:00Z', capacity: 150 },
          { title: 'Schwarz' },
        ],
      },
      { title: '5 km', startDate: '2027-05-02' },
    ]);
    const again = await calendars.load([header, ...rows]);
    expect(again.answer.tables.waves).toEqual({ created: 0, updated: 0, unchanged: 3, removed: 0 });
  });

  it('is refused where waves contradict or add nothing', async () => {
    const at = 'A;10K;2027-05-02;Europe/Berlin';
    const refused = await calendars.load([
      `${PLAIN};Zeitzone;Wave;Wave start;Wave capacity`,
      ...[`${at};Red;09:00;100`, `${at};Red;09:10;100`, `${at};Red;09:00;100`, `${at};Blue;09:00;-2`],
    ]);
    expect(problemsOf(refused)).toEqual([
      '5: must be a whole number from 0',
      '3: "Red" is already a wave of this race, in row 2',
      '4: "Red" is already a wave of this race, in row 2',
    ]);
  });

  it('has waves after midnight, if the command says so', async () => {
    const rows = [
      `${PLAIN};Start time;Zeitzone;Wave;Wave start`,
      'A;10K;2027-05-02;23:30;Europe/Berlin;Red;00:15',
      'B;10K;2027-05-02;;Europe/Berlin;Red;00:15',
    ];
    const refused = await calendars.load(rows, '--skip-invalid');
    expect(refused.answer.problems).toMatchObject([{ row: 2, code: 'WAVE_BEFORE_RACE' }]);
    expect(await calendars.occurrences()).toHaveLength(1);
    await calendars.load(rows, '--wave-day', 'next');
    const starts = (await calendars.occurrences()).map(
      ({ races: [{ waves }] }: any) => waves[0].startDateTime,
    );
    expect(starts.sort()).toEqual(['2027-05-01T22:15:00Z', '2027-05-02T22:15:00Z']);
    expect((await calendars.load(rows, '--wave-day', 'later')).code).not.toBe(0);
  });

  it('has times of sales in the time of the occurrence, and refuses those that are not certain', async () => {
    const header = `${PLAIN};Country;Ticket;Price;Sale start;Sale end`;
    const at = (country: string) => `A ${country};10K;02/05/2027;${country};Normal;£45`;
    const report = await calendars.load(
      [
        header,
        `${at('United Kingdom')};1.3.2027;30.04.2027, 23:59`,
        `${at('Deutschland')};;2027-04-30 21:59Z`.replace('£', '€ '),
        `${at('')};;30.04.2027 23:59`.replace('£', 'USD '),
        `${at('Frankreich')};;28.03.2027 02:30`.replace('£', 'EUR '),
        `${at('Ireland')};;30.04.2027`.replace('£', '€'),
      ],
      ...['--skip-invalid', '--date-order', 'dmy'],
    );
    expect(problemsOf(report)).toEqual([
      '6: "30.04.2027" must be a date with a time, such as 23:59: a day alone leaves it open',
      '4: needs an offset such as +01:00, or a column for occurrence.timeZone: the time zone is not certain',
      '5: does not exist in Europe/Paris, because clocks change: write 2027-03-28T03:30:00+02:00 or 2027-03-28T01:30:00+01:00',
    ]);
    const sold = (await calendars.occurrences()).map(({ timeZone, races: [race] }: any) => [
      timeZone,
      race.tickets[0],
    ]);
    expect(sold).toEqual([
      [
        'Europe/London',
        expect.objectContaining({
          price: { value: 4_500, currencyCode: 'GBP' },
          ...{ saleStart: '2027-03-01T00:00:00Z', saleEnd: '2027-04-30T22:59:00Z' },
        }),
      ],
      [
        'Europe/Berlin',
        expect.objectContaining({
          price: { value: 4_500, currencyCode: 'EUR' },
          saleEnd: '2027-04-30T21:59:00Z',
        }),
      ],
    ]);
  });

  it.each([
    ['Date', '03/04/2027', /\("03\/04\/2027"\).*day and month\?.*--reading "Date=dmy"/],
    ['Price', '1.045', /\("1.045"\).*decimals\?.*--reading "Price=,"/],
    ['race.distance.value', '21,097', /\("21,097"\).*decimals\?.*--reading "race.distance.value=,"/],
  ])('is refused if its column %s leaves open what %s is', async (column, value, message) => {
    const date = column === 'Date' ? value : '2027-04-03';
    const others = column === 'Date' ? ['', ''] : [`;${column}`, `;${value}`];
    const { answer } = await calendars.load([`Event;Race;Date${others[0]}`, `A;10K;${date}${others[1]}`]);
    expect(answer).toMatchObject({ error: 'UNDECIDED', message: expect.stringMatching(message) });
    expect(await calendars.occurrences()).toEqual([]);
  });

  it('has distances with their units, and disciplines as people write them', async () => {
    const { answer } = await calendars.load([
      `${PLAIN};Distanz;Disziplin`,
      'A;1;2027-05-02;10,5 km;Running',
      'A;2;2027-05-02;400 m;road cycling',
      'A;3;2027-05-02;5 Meilen;Laufen',
    ]);
    expect(answer.message).toMatch(/^Column "Disziplin": no record has exactly the name "Laufen"/);
    await calendars.load([
      `${PLAIN};Distanz;Disziplin`,
      'A;1;2027-05-02;10,5 km;Running',
      'A;2;2027-05-02;400 m;road cycling',
    ]);
    expect((await calendars.occurrences())[0].races).toMatchObject([
      { distance: { value: 10.5, unit: 'KM' }, discipline: 'RUNNING' },
      { distance: { value: 400, unit: 'M' }, discipline: 'ROAD_CYCLING' },
    ]);
    const other = await calendars.load([`${PLAIN};Distance;Unit`, 'B;1;2027-05-02;10 mi;km']);
    expect(problemsOf(other)).toEqual(['2: "10 mi" is not in KM']);
  });

  it('has units, currencies and the order of day and month in the names of its columns', async () => {
    const header = 'Event;Rennen;Datum (TT/MM/JJJJ);Distanz (km);Land;Ticket;Startgeld in EUR';
    const rows = [
      'A;1;02/05/2027;10,5;Deutschland;Normal;25,00',
      'A;2;02/05/2027;5 km;Deutschland;Normal;€ 1.045,00',
      'A;3;02/05/2027;5 mi;Deutschland;Normal;25,00',
      'A;4;02/05/2027;5;Deutschland;Normal;£25,00',
    ];
    const report = await calendars.load([header, ...rows], '--skip-invalid');
    expect(problemsOf(report)).toEqual([
      '4: "5 mi" is not in KM',
      '5: "£" is not EUR, which is the currency of the row',
    ]);
    const price = (value: number) => ({ value, currencyCode: 'EUR' });
    expect((await calendars.occurrences())[0].races).toMatchObject([
      { startDate: '2027-05-02', distance: { value: 10.5, unit: 'KM' }, tickets: [{ price: price(2_500) }] },
      { startDate: '2027-05-02', distance: { value: 5, unit: 'KM' }, tickets: [{ price: price(104_500) }] },
    ]);
    const other = await calendars.load([`${PLAIN};Distanz (km);Unit`, 'B;1;2027-05-02;10;mi']);
    expect(problemsOf(other)).toEqual(['2: "10" is not in MI']);
  });

  it('may be a compressed workbook with several sheets', async () => {
    const bytes = gzipSync(
      workbook({
        Notes: [['Our races']],
        Races: [
          ['Event', 'Race', 'Date', 'Start time', 'Capacity'],
          ['Hafenlauf', '10 km', { day: '2027-05-02' }, '9.30 Uhr', 2000],
        ],
      }),
    );
    const file = calendars.cli.file('races.xlsx.gz', bytes);
    const words = ['catalogue', 'load', file, '--organization', calendars.slug];
    const wrong = await calendars.cli.run(...words, '--sheet', 'Rennen');
    expect(wrong.answer.message).toContain(
      'The workbook has no sheet "Rennen". Its sheets are "Notes", "Races".',
    );
    expect((await calendars.cli.run(...words, '--sheet', 'Races')).answer).toMatchObject({
      loadedRows: 1,
      badRows: 0,
    });
    expect((await calendars.occurrences())[0].races).toEqual([
      { title: '10 km', startDate: '2027-05-02', startTime: '09:30:00', maxCapacity: 2_000 },
    ]);
    const lines = calendars.cli.file('lines.jsonl', '{"record":"event","slug":"a","title":"A"}\n');
    const { answer } = await calendars.cli.run(
      'catalogue',
      'load',
      lines,
      '--organization',
      calendars.slug,
      '--decimal',
      ',',
    );
    expect(answer.error).toBe('INVALID_COMMAND');
  });

  it('prints with --skip-invalid what was created and what was left', async () => {
    const file = calendars.cli.file('some.csv', 'Event,Race,Date\nA,10K,2027-05-02\nB,5K,soon\n');
    const said = await calendars.cli.say(
      'catalogue',
      'load',
      file,
      '--organization',
      calendars.slug,
      '--skip-invalid',
    );
    expect(said.code).toBe(1);
    expect(said.stdout.split('\n').map((line) => line.trim().replace(/ +/g, ' '))).toEqual([
      'created updated unchanged removed',
      'events 1 0 0 0',
      'occurrences 1 0 0 0',
      'races 1 0 0 0',
      '',
    ]);
    expect(said.stderr).toContain('row 3: Date "soon" must be a date');
    expect(said.stderr).toContain('1 of 2 rows are invalid. Loaded the other 1.');
  });
});
