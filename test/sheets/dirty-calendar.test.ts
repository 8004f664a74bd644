import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { type CalendarTruth, dirtyCalendar, organization } from '#libs/testing';
import { type CommandLine, commandLine } from '../cli/startline';

const CALENDAR = resolve(__dirname, '../cli/fixtures/race-calendar.csv');
/** `.ci/release` takes all. */
const [FILES, COUNTS] = process.env.ALL_DIRTY_FILES
  ? [30, { rows: 595, loaded: 590, refused: 5, altered: 0 }]
  : [10, { rows: 200, loaded: 198, refused: 2, altered: 0 }];
const SEEDS = Array.from({ length: FILES }, (_, i) => 211 + i);

let cli: CommandLine;
beforeAll(async () => {
  cli = await commandLine();
});
afterAll(() => cli.close());

const known: Record<string, string>[] = parse(readFileSync(CALENDAR), { columns: true });

/** The race of a row, and where it is, as the catalogue has them. */
function expected(row: CalendarTruth) {
  const { race, date, time, distance, places, price, saleEnd, wave, waveStart, city } = row;
  return {
    ...(city !== 'NA' && { city }),
    title: race,
    startDate: date,
    ...(time !== '00:00:00' && { startTime: time }),
    ...(distance !== '0' && { distance: { value: Number(distance), unit: 'KM' } }),
    ...(places !== '0' && { maxCapacity: Number(places) }),
    waves: [{ title: wave, startDateTime: waveStart }],
    ticket: { title: 'Standard', price: { value: price, currencyCode: 'EUR' }, saleEnd },
  };
}

function actual(race: any, city?: string) {
  const { tickets, ...others } = race;
  const [{ title, price, saleEnd }] = tickets;
  return { ...(city && { city }), ...others, ticket: { title, price, saleEnd } };
}

it('alters no value of a race calendar in all the ways that people write it: each race is the known one, or refused', async () => {
  const counts = { rows: 0, loaded: 0, refused: 0, altered: 0 };
  for (const seed of SEEDS) {
    const { name, bytes, mapping, order, decimal, encoding, truth, spoiled, about } = dirtyCalendar(
      seed,
      known,
    );
    const { slug } = await organization(cli.dataSource);
    const { answer, code } = await cli.run(
      ...['catalogue', 'load', cli.file(name, Buffer.from(bytes)), '--organization', slug, '--skip-invalid'],
      ...['--accept-outside', '--map', cli.file('columns.json', JSON.stringify(mapping))],
      ...['--date-order', order, '--decimal', decimal, '--wave-day', 'same'],
      ...(encoding ? ['--encoding', encoding] : []),
    );
    expect({ about, problems: spoiled ? [] : (answer.problems ?? [answer.message]) }).toEqual({
      about,
      problems: [],
    });
    expect({ about, code }).toEqual({ about, code: spoiled ? 1 : 0 });
    const { answer: records } = await cli.run('catalogue', 'export', '--organization', slug, '--no-ids');
    const races = new Set<string>();
    for (const { record, location, races: own } of records)
      if (record === 'occurrence')
        for (const race of own) races.add(JSON.stringify(actual(race, location?.address?.city)));
    const wanted = truth.map((row) => JSON.stringify(sorted(expected(row))));
    const found = new Set([...races].map((text) => JSON.stringify(sorted(JSON.parse(text)))));
    const altered = [...found].filter((race) => !wanted.includes(race));
    expect({ about, altered }).toEqual({ about, altered: [] });
    const refused = wanted.filter((race) => !found.has(race));
    expect({ about, refused: refused.length }).toEqual({ about, refused: answer.badRows });
    counts.rows += truth.length;
    counts.loaded += found.size;
    counts.refused += refused.length;
  }
  expect(counts).toEqual(COUNTS);
});

/** With the properties in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]): [string, unknown] => [key, sorted(inner)])
      .sort(([a], [b]) => a.localeCompare(b)),
  );
}
