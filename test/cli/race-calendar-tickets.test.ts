import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { organization } from '#libs/testing';
import { type CommandLine, commandLine } from './startline';

let cli: CommandLine;
beforeAll(async () => {
  cli = await commandLine();
});
afterAll(() => cli.close());

const HEADER =
  'event.title,race.title,race.startDate,occurrence.timeZone,race.maxCapacity,ticket.title,ticket.ticketSlug,ticket.price.value,ticket.price.currencyCode,ticket.saleEnd';
const load = (slug: string, rows: string[], ...words: string[]) => {
  const path = cli.file(`${slug}.csv`, [HEADER, ...rows, ''].join('\n'));
  return cli.run('catalogue', 'load', path, '--organization', slug, ...words);
};
const occurrencesOf = async (slug: string) => {
  const { answer } = await cli.run('catalogue', 'export', '--organization', slug, '--no-ids');
  return answer.filter(({ record }: { record: string }) => record === 'occurrence');
};

describe('tickets of a race calendar', () => {
  it('are created from the rows of their race, with prices, and load again without changes', async () => {
    const { slug, id } = await organization(cli.dataSource);
    const rows = [
      'City Run,10K,2027-05-02,Europe/London,500,Standard,,3200,GBP,2027-05-01T12:00:00Z',
      'City Run,5K,2027-05-02,Europe/London,,Standard,,1500,GBP,',
      'City Run,10K,2027-05-02,Europe/London,,Early bird,early,2500,GBP,',
      'City Run,1K,2027-05-01,Europe/London,,Kids,,0,,',
      'City Run,Walk,2027-05-01,Europe/London,,,,,,',
    ];
    const first = await load(slug, rows);
    expect(first.answer).toMatchObject({ rows: 5, loadedRows: 5, badRows: 0, warnings: [] });
    const [{ title, races }] = await occurrencesOf(slug);
    expect(title).toBe('City Run');
    expect(races).toMatchObject([
      { title: '1K', tickets: [{ ticketSlug: '1k-kids', price: { value: 0, currencyCode: 'ZERO' } }] },
      { title: 'Walk' },
      {
        title: '10K',
        maxCapacity: 500,
        tickets: [
          {
            ticketSlug: '10k-standard',
            title: 'Standard',
            price: { value: 3200, currencyCode: 'GBP' },
            saleEnd: '2027-05-01T12:00:00Z',
          },
          { ticketSlug: 'early', title: 'Early bird', price: { value: 2500, currencyCode: 'GBP' } },
        ],
      },
      { title: '5K', tickets: [{ ticketSlug: '5k-standard', price: { value: 1500, currencyCode: 'GBP' } }] },
    ]);
    expect(races[1]).not.toHaveProperty('tickets');
    const again = await load(slug, rows);
    expect(again.answer.tables).toMatchObject({
      races: { created: 0, updated: 0, unchanged: 4 },
      tickets: { created: 0, updated: 0, unchanged: 4 },
    });

    const dearer = await load(slug, [rows[0]?.replace('3200', '3300') as string, ...rows.slice(1)]);
    expect(dearer.answer.tables.tickets).toMatchObject({ created: 0, updated: 1, unchanged: 3 });
    const prices = await cli.dataSource.query(
      'SELECT price_value::int AS value FROM tickets WHERE organization_id = $1 ORDER BY 1',
      [id],
    );
    expect(prices.map(({ value }: { value: number }) => value)).toEqual([0, 1500, 2500, 3300]);
  });

  it('are rejected by row and column if any is invalid, and nothing is loaded', async () => {
    const { slug } = await organization(cli.dataSource);
    const at = 'A,10K,2027-05-02,Europe/London';
    const { code, answer } = await load(slug, [
      `${at},500,Standard,,3200,GBP,`,
      `${at},500,Decimal,,25.00,GBP,`,
      `${at},500,No price,,,,`,
      `${at},500,No currency,,100,,`,
      `${at},500,,no-title,100,GBP,`,
      `${at},600,Other capacity,,100,GBP,`,
      `${at},500,Standard,,3200,GBP,`,
      `${at},500,,,,,`,
      `B,10K,2027-05-02,Europe/London,,Standard,,100,GBP,`,
      `B,5K,2027-05-02,Europe/London,,Standard,,100,EUR,`,
    ]);
    expect([code, answer.error]).toEqual([1, 'INVALID_ROWS']);
    const problems = answer.problems.toSorted((a: { row: number }, b: { row: number }) => a.row - b.row);
    expect(problems).toEqual([
      {
        row: 3,
        field: 'ticket.price.value',
        message: expect.stringContaining('must be a whole number of minor units'),
      },
      { row: 4, field: 'ticket.price.value', message: 'is required' },
      { row: 5, field: 'ticket.price.currencyCode', message: 'is required' },
      { row: 6, field: 'ticket.title', message: 'is required' },
      {
        row: 7,
        field: 'race.maxCapacity',
        message: 'differs from row 2, which has the same race "10K"',
      },
      {
        row: 8,
        field: 'ticket.ticketSlug',
        message: '"10k-standard" is already a ticket of this event occurrence, in row 2',
      },
      {
        row: 9,
        field: 'race.title',
        message: '"10K" is already a race of this event occurrence, in row 2',
      },
      { row: 10, field: '', message: 'belongs to the same event occurrence as the invalid row 11' },
      {
        row: 11,
        field: 'ticket.price.currencyCode',
        message: 'must be GBP, as in row 10: an event occurrence has one currency',
      },
    ]);
    expect(await occurrencesOf(slug)).toEqual([]);
  });

  it('are not created if only constant values of the columns file belong to a ticket', async () => {
    const { slug } = await organization(cli.dataSource);
    const columns = cli.file(
      'prices.columns.json',
      JSON.stringify({
        columns: {
          event: 'event.title',
          race: 'race.title',
          date: 'race.startDate',
          price: 'ticket.price.value',
        },
        values: {
          'occurrence.timeZone': 'Europe/Oslo',
          'ticket.title': 'Standard',
          'ticket.price.currencyCode': 'EUR',
        },
      }),
    );
    const path = cli.file('prices.csv', 'event,race,date,price\nA,10K,2027-05-02,\nA,5K,2027-05-02,20000\n');
    const { answer } = await cli.run(
      ...['catalogue', 'load', path, '--organization', slug, '--map', columns],
    );
    expect(answer).toMatchObject({ loadedRows: 2, badRows: 0 });
    const [{ races }] = await occurrencesOf(slug);
    expect(races).toMatchObject([
      { title: '10K' },
      { title: '5K', tickets: [{ title: 'Standard', price: { value: 20000, currencyCode: 'EUR' } }] },
    ]);
    expect(races[0]).not.toHaveProperty('tickets');
  });

  it('are in the template, which loads unchanged', async () => {
    const { slug } = await organization(cli.dataSource);
    const output = join(dirname(cli.file('here', '')), 'template.csv');
    expect((await cli.run('catalogue', 'template', '--output', output)).answer).toEqual({ output });
    const { stdout } = await cli.say('catalogue', 'template');
    expect(stdout).toBe(readFileSync(output, 'utf8'));
    const { answer } = await cli.run('catalogue', 'load', output, '--organization', slug);
    expect(answer).toMatchObject({ rows: 4, loadedRows: 4, badRows: 0, warnings: [] });
    const [{ races }] = await occurrencesOf(slug);
    expect(
      races.map(({ tickets }: { tickets: { title: string }[] }) => tickets.map((each) => each.title)),
    ).toEqual([['Kids'], ['Early bird', 'Standard'], ['Standard']]);
    const twice = await cli.run('catalogue', 'template', '--output', output);
    expect([twice.code, twice.answer.error]).toEqual([1, 'ALREADY_EXISTS']);
  });
});
