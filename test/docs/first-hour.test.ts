import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '#libs/testing';
import { eventually } from '../harness';

/** The first hour of a new user: every command is taken unchanged from the documents. */

const ROOT = resolve(__dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const RUNNERS = 25;

let home: string;
let port: number;
let server: ChildProcess | undefined;
let said = '';
const shells = new Set<ChildProcess>();

/** The commands of a section, or of the whole document. */
function commandsOf(file: string, heading?: string): string[] {
  const text = read(file);
  const section = heading === undefined ? text : text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0];
  if (section === undefined) throw new Error(`${file} has no section "${heading}"`);
  return [...section.matchAll(/^```(?:sh)?\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

const environment = () => {
  const { DATABASE_URL: _, REDIS_URL: __, SIGNING_SECRETS: ___, ...inherited } = process.env;
  return { ...inherited, NODE_ENV: 'production', STARTLINE_HOME: home, PORT: String(port) };
};

/** @returns the output; throws if a command fails */
async function shell(script: string): Promise<string> {
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd: ROOT, env: environment() });
  shells.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
  const [code] = await once(child, 'close');
  shells.delete(child);
  if (code !== 0) throw new Error(`exit code ${code} of:\n${script}\n\n${output}`);
  return output;
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'startline-first-hour-'));
  port = await freePort();
  // `npm ci` has already run, because the test runs.
  const [start = ''] = commandsOf('README.md', 'Quick start').map((block) => block.trim());
  expect(start).toBe('npm ci && npm start');
  const { scripts } = JSON.parse(read('package.json'));
  server = spawn('bash', ['-c', scripts.start], { cwd: ROOT, env: environment() });
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (part) => (said += part));
  await eventually(async () => {
    if (server?.exitCode !== null) throw new Error(said);
    return said.includes('Startline is ready');
  });
});
afterAll(async () => {
  for (const child of shells) child.kill('SIGKILL');
  if (server && server.exitCode === null) {
    server.kill('SIGTERM');
    await once(server, 'close');
  }
  rmSync(home, { recursive: true, force: true });
});

/** Documents contain the default port of `npm start`. */
const here = (script: string) =>
  script
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replaceAll('--to start-list', `--to ${join(home, 'start-list')}`);

it('the first calls of README work with the key that the start printed', async () => {
  const key = /export KEY=(\S+)/.exec(said)?.[1];
  expect(key).toBeDefined();
  const [calls = ''] = commandsOf('README.md', 'First requests');
  const output = await shell(`export KEY=${key}\n${here(calls.replaceAll('curl -s ', 'curl -sf '))}`);
  expect(output.match(/"totalResults"/g)).toHaveLength(2);
  expect(output).toContain('"organiserId"');
});

it('the quickstart works from an organization to an exported start list and a CSV import', async () => {
  const [start, ...commands] = commandsOf('docs/quickstart.md');
  expect(start?.trim()).toBe('npm ci && npm start');
  const csv = mkdtempSync(join(tmpdir(), 'startline-csv-'));
  const rows = Array.from(
    { length: RUNNERS },
    (_, n) => `B-${n},runner${n}@example.com,Ünï ${n},O'Runner ${n}`,
  );
  writeFileSync(join(csv, 'list.csv'), `order,email,first,last\n${rows.join('\n')}\n`);
  const body = `
    const [, ...lines] = require('fs').readFileSync('${csv}/list.csv', 'utf8').trim().split('\\n');
    const bookings = lines.map((line) => line.split(',')).map(([externalBookingId, email, firstName, lastName]) => ({
      externalBookingId, eventOccurrenceId: process.argv[1], booker: { email, firstName, lastName },
      participants: [{ ticketId: process.argv[2], firstName, lastName, email }] }));
    console.log(JSON.stringify({ bookings }));`;
  const [post = '', follow = ''] = [
    commands.find((block) => block.includes('/v0/bookings/import" --data')),
    commands.find((block) => block.startsWith('until [ ')),
  ];
  // The documented request, with the rows of the file instead of its single row.
  const many = post.replace(/--data '.*' \|/s, `--data @${csv}/bookings.json |`);
  expect(many).toContain('bookings.json');
  const output = await shell(
    here(
      [
        ...commands,
        `node -e ${quoted(body)} "$OCCURRENCE" "$TICKET" > ${csv}/bookings.json`,
        many,
        follow,
        commands.at(-1),
        'npm run --silent startline -- doctor',
      ].join('\n'),
    ),
  );
  rmSync(csv, { recursive: true });
  expect(output).toMatch(/"succeededRows": ?1,/);
  expect(output).toMatch(new RegExp(`"succeededRows": ?${RUNNERS},`));
  expect(output).toContain('#end,1\r\n');
  expect(output).toContain(`#end,${RUNNERS + 1}\r\n`);
  expect(output).toContain("O'Runner 7");
  expect(output).toContain('"1042"');
});

it('the race-day guide gives a timing company its participants and takes its messages', async () => {
  const commands = commandsOf('docs/race-day.md');
  const commandWith = (part: string): string => {
    const found = commands.find((block) => block.includes(part));
    if (found === undefined) throw new Error(`docs/race-day.md has no command with ${part}`);
    return found.trim();
  };
  const create = commandWith('key create');
  const list = commandWith('/timing-inbound/v1/participants?');
  const file = commandWith('> participants.csv');
  const send = commandWith('"bibNumber": "1042"');
  // The files that commands write.
  const folder = mkdtempSync(join(tmpdir(), 'startline-race-day-'));
  const occurrence = (key: string) =>
    `curl -sf -H "Authorization: Bearer ${key}" '${here('http://127.0.0.1:3000')}/v0/event-occurrences' | field 'data[0].id'`;
  const script = [
    ...commandsOf('docs/quickstart.md').filter((block) => block.includes('field()')),
    'KEY=$(npm run --silent startline -- key create --organization city-runs --name race-day --json | field token)',
    `OCCURRENCE=$(${occurrence('$KEY')})`,
    `TIMING_KEY=$(${create.replace('npm run', 'npm run --silent').replace('<id>', '$OCCURRENCE')} --json | field token)`,
    `PARTICIPANT=$(${list.replace('curl -s ', 'curl -sf ')} | field 'data[1].participantId')`,
    send.replace('curl -s ', 'curl -sf ').replace('<id>', `'"$PARTICIPANT"'`).replace('"1042"', '"7007"'),
    `until ${list} | grep -q '"bibNumber":"7007"'; do sleep 1; done`,
    `cd ${folder} && ${file.replace('curl -s ', 'curl -sf ')}`,
  ].join('\n');
  expect(await shell(here(script))).toContain('"success":true');
  expect(readFileSync(join(folder, 'participants.csv'), 'utf8')).toContain('"7007"');
  rmSync(folder, { recursive: true });
});

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
