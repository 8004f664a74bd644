import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bookingFormField, event, occurrence, race, ticket, workbook } from '#libs/testing';
import { endWithUs } from '../../libs/testing/src/end-with-us';
import { eventually, sharedApi, type TestApi } from '../harness';

const BIN = resolve(__dirname, '../../dist/libs/client/src/bin.js');
/** A pseudo-terminal of util-linux. */
const hasTerminal = spawnSync('script', ['--version']).status === 0;

/** What moves the cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by them.
const CONTROLS = /\u001b\[[\d;]*[A-Z]/gi;

let api: TestApi;
let folder: string;
beforeAll(async () => {
  api = await sharedApi();
  await bookingFormField(api.dataSource, { organizationId: api.organizationId, key: 'dateOfBirth' });
  folder = mkdtempSync(join(tmpdir(), 'startline-terminal-'));
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

/** Runs the command on a terminal: as soon as it shows a text, its answer is typed. */
async function talk(words: string[], talks: [shown: string | RegExp, typed: string][]) {
  const command = [process.execPath, BIN, 'import', 'send', ...words].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { ...process.env, STARTLINE_URL: api.url, STARTLINE_API_KEY: api.token },
  });
  endWithUs(child.pid as number);
  let screen = '';
  child.stdout.on('data', (bytes) => {
    screen += String(bytes).replace(CONTROLS, '').replaceAll('\r', '');
  });
  let from = 0;
  for (const [shown, typed] of talks) {
    await eventually(async () => {
      const rest = screen.slice(from);
      return (typeof shown === 'string' ? rest.includes(shown) : shown.test(rest)) || child.exitCode !== null;
    });
    from = screen.length;
    child.stdin.write(`${typed}\r`);
  }
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode, screen };
}

async function sale() {
  const { organizationId, dataSource } = api;
  const { id: eventId } = await event(dataSource, { organizationId });
  const { id: eventOccurrenceId } = await occurrence(dataSource, {
    organizationId,
    eventId,
    title: `Hafenlauf ${eventId.slice(-4)}`,
  });
  const { id: raceId } = await race(dataSource, { organizationId, eventOccurrenceId, title: '10 km' });
  const mine = { organizationId, eventOccurrenceId, raceId, currencyCode: 'EUR' as const };
  const early = await ticket(dataSource, { ...mine, title: 'Frühbucher' });
  await ticket(dataSource, { ...mine, title: 'Nachmeldung' });
  return { eventOccurrenceId, early };
}

const HEADER = ['Bestellnummer', 'Vorname', 'Nachname', 'E-Mail', 'Geboren', 'Ticket', 'Preis', 'Zimmer'];
const ROWS = [
  ['T-1', 'Ada', 'Lovelace', 'ada@example.com', '03/04/1990', 'Frühbuher', '1.045', '7'],
  ['T-2', 'Zoë', 'Müller', 'zoe@example.com', '05/06/1991', 'Frühbucher', '1.200', ''],
  ['T-3', 'Jo', 'Doe', 'jo@example.com', '07/08/1992', 'Ehrenkarte', '1.300', ''],
];
const stored = async (externalIds: string[]) =>
  api.dataSource.query(
    `SELECT b.external_booking_id AS id, e.ticket_id AS ticket, l.amount_value::int AS paid,
       (SELECT f -> 'value' FROM jsonb_array_elements(e.fields::jsonb) f WHERE f ->> 'key' = 'dateOfBirth') AS born
     FROM bookings b JOIN start_list_entries e ON e.organization_id = b.organization_id AND e.booking_id = b.id
     JOIN line_items l ON l.organization_id = b.organization_id AND l.booking_id = b.id
     WHERE b.organization_id = $1 AND b.external_booking_id = ANY($2) ORDER BY 1`,
    [api.organizationId, externalIds],
  );

(hasTerminal ? describe : describe.skip)('import send on a terminal', () => {
  it('asks what a workbook leaves open, sends what was agreed, and keeps the answers', async () => {
    const { early } = await sale();
    const path = join(folder, 'list.xlsx');
    writeFileSync(path, workbook({ Liste: [HEADER, ...ROWS] }));
    const { code, screen } = await talk(
      ['bookings', path],
      [
        [/No column matches "Event"[\s\S]*or Enter to stop: $/, '1'],
        [
          /Column "Geboren" \("03\/04\/1990"[\s\S]*Month first: 03\/04\/1990 is 1990-03-04[\s\S]*stop: $/,
          '2',
        ],
        [/Column "Preis" \("1.045"[\s\S]*The comma: 1.045,00: 1.045 is 1045.00[\s\S]*stop: $/, '9'],
        [/Type a number from 1 to 2[\s\S]*stop: $/, '2'],
        [/"Frühbuher" \(1 row\)[\s\S]*1 {2}10 km: Frühbucher \(similar\)[\s\S]*stop: $/, '1'],
        [/"Ehrenkarte" \(1 row\)[\s\S]*3 {2}None of these: its rows fail[\s\S]*stop: $/, '3'],
        [/for --map\? \[y\/N\] $/, 'y'],
        [/Send 2 import rows and 1 failed row\? \[y\/N\] $/, 'y'],
      ],
    );
    expect(screen).toContain('Zimmer         (not sent)');
    expect({ code, screen }).toEqual({
      code: 1,
      screen: expect.stringContaining('1 row failed: 1 NO_MATCH.'),
    });
    expect(await stored(['T-1', 'T-2', 'T-3'])).toEqual([
      { id: 'T-1', ticket: early.id, paid: 104_500, born: '1990-03-04' },
      { id: 'T-2', ticket: early.id, paid: 120_000, born: '1991-05-06' },
    ]);
    const kept = JSON.parse(readFileSync(`${path}.map.json`, 'utf8'));
    expect(kept).toMatchObject({
      columns: { Preis: 'participants[0].price' },
      matches: { ticketId: { Frühbuher: early.id } },
    });
    expect(kept).not.toHaveProperty('readings');
  });

  it('keeps how columns are written if the mapping says it', async () => {
    await sale();
    const path = join(folder, 'written.csv');
    writeFileSync(path, `${HEADER.join(';')}\r\n${ROWS[1]?.join(';')}\r\n`);
    const map = join(folder, 'written.json');
    const readings = { Geboren: { dateOrder: 'dmy' }, Preis: { decimal: ',' } };
    writeFileSync(map, JSON.stringify({ columns: {}, readings }));
    await talk(
      ['bookings', path, '--map', map, '--dry-run'],
      [
        [/No column matches "Event"[\s\S]*or Enter to stop: $/, '1'],
        [/for --map\? \[y\/N\] $/, 'y'],
      ],
    );
    expect(JSON.parse(readFileSync(map, 'utf8'))).toMatchObject({ readings, values: expect.anything() });
  });

  it('sends nothing if a question is not answered, or the plan is not agreed to', async () => {
    const { eventOccurrenceId } = await sale();
    const path = join(folder, 'other.csv');
    writeFileSync(
      path,
      `${HEADER.join(';')}\r\nT-9;Ada;Lovelace;a@example.com;1990-04-03;Frühbucher;45,00;\r\n`,
    );
    const unanswered = await talk(['bookings', path], [[/or Enter to stop: $/, '']]);
    expect(unanswered).toEqual({
      code: 3,
      screen: expect.stringContaining('No column matches eventOccurrenceId'),
    });
    const refused = await talk(
      ['bookings', path, '--set', `eventOccurrenceId=${eventOccurrenceId}`],
      [[/Send 1 import row\? \[y\/N\] $/, 'n']],
    );
    expect(refused).toEqual({ code: 3, screen: expect.stringContaining('Nothing was sent.') });
    expect(await stored(['T-9'])).toEqual([]);
    expect(existsSync(`${path}.map.json`)).toBe(false);
    const agreed = await talk(
      ['bookings', path, '--set', `eventOccurrenceId=${eventOccurrenceId}`],
      [[/Send 1 import row\? \[y\/N\] $/, 'y']],
    );
    expect(agreed.code).toBe(0);
    expect(await stored(['T-9'])).toMatchObject([{ paid: 4_500 }]);
  });

  it('asks nothing with --json or --yes, which are for programs', async () => {
    const path = join(folder, 'third.csv');
    writeFileSync(path, `${HEADER.join(';')}\r\n${ROWS[0]?.join(';')}\r\n`);
    for (const flag of ['--json', '--yes']) {
      const { code, screen } = await talk(['bookings', path, flag], []);
      expect({ code, screen }).toEqual({ code: 2, screen: expect.stringContaining('--set <field>=<value>') });
    }
  });
});
