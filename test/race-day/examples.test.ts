import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedApi, type TestApi } from '../harness';
import { at, message, RaceDay } from './race-day';

let api: TestApi;
let raceDay: RaceDay;
beforeAll(async () => {
  api = await sharedApi();
  raceDay = await RaceDay.of(api);
});
afterAll(async () => {
  await api?.close();
});

/** The rows of the table in the comment of a file, without its head. */
function example(file: string): string[][] {
  const text = readFileSync(join(__dirname, '../../libs/domain/race-day/src', file), 'utf8');
  const lines = [...text.matchAll(/^ \* \|(.*)\|$/gm)].map(([, cells = '']) => cells.split('|'));
  return lines.slice(2).map((cells) => cells.map((cell) => cell.trim()));
}

const claim = (participantId: string, bibNumber: string | null, hour: number) =>
  message({ participantId, bibNumber }, at(hour));
const apply = async (messages: object[]) => {
  await raceDay.accepted(messages);
  await raceDay.settled();
};

it('the holders of a bib are those of the example', async () => {
  const rows = example('claims.ts');
  expect(rows.map(([who]) => who)).toEqual(['S', 'P', 'Q', 'R']);
  const ids = await raceDay.participants(rows.length);
  const claims = rows.map(([, from, until], row) => [
    claim(ids[row] ?? '', '7', Number(from)),
    ...(until ? [claim(ids[row] ?? '', null, Number(until))] : []),
  ]);
  const holds = async () => {
    const held = await api.dataSource.query(
      `SELECT array_position($1::uuid[], participant_id) - 1 AS row, extract(hour FROM held_from AT TIME ZONE 'UTC')::int AS since,
         CASE WHEN held_until < 'infinity' THEN extract(hour FROM held_until AT TIME ZONE 'UTC')::int END AS until
       FROM bib_claims WHERE participant_id = ANY ($1) AND bib_number = '7' AND held_from IS NOT NULL`,
      [ids],
    );
    const shown: string[] = rows.map(() => '');
    for (const { row, since, until } of held) shown[row] = until ? `${since} to ${until}` : `from ${since}`;
    return shown;
  };
  const [newcomer = [], ...others] = claims;
  await apply(others.flat());
  expect(await holds()).toEqual(rows.map((row) => row[3]));
  await apply(newcomer);
  expect(await holds()).toEqual(rows.map((row) => row[4]));
});

it('the bibs of participants are those of the example', async () => {
  const rows = example('projection.ts');
  expect(rows.map(([who]) => who)).toEqual(['P', 'Q', 'R']);
  const ids = await raceDay.participants(rows.length);
  const claims = rows.map(([, text = ''], row) =>
    text.split(', ').map((each) => {
      const [bib = '', hour] = each.split(' at ');
      return claim(ids[row] ?? '', bib, Number(hour));
    }),
  );
  const bibs = async () => (await raceDay.bibs(ids)).map((bib) => bib ?? '');
  await apply(claims.map(([first]) => first as object));
  expect(await bibs()).toEqual(rows.map((row) => row[2]));
  await apply(claims.flatMap(([, ...later]) => later));
  expect(await bibs()).toEqual(rows.map((row) => row[3]));
});
