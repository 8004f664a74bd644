import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import timers from 'node:timers/promises';
import { bookingFormField, freePort, organization, key as restrictedKey, ticket } from '#libs/testing';
import { newId, type Ticket } from '#platform/database';
import { type CommandLine, commandLine } from '../cli/startline';
import { faultyProxy, says } from '../client/faulty-proxy';
import { installClient } from '../client/package';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
let cli: CommandLine;
/** Installs the client like its users. */
let folder: string;
let sold: Ticket;
beforeAll(async () => {
  api = await sharedApi();
  cli = await commandLine(api.databaseUrl);
  folder = mkdtempSync(join(tmpdir(), 'startline-send-'));
  await installClient(folder);
  sold = await ticket(api.dataSource, { organizationId: api.organizationId });
});
afterAll(async () => {
  await cli.close();
  await api.close();
  rmSync(folder, { recursive: true });
});

const sleep = timers.setTimeout;
/** The client asks for a job each second, and waits longer between its tries. */
beforeEach(() => {
  jest.spyOn(timers, 'setTimeout').mockImplementation((ms = 0, ...given) => sleep(ms / 50, ...given));
});
afterEach(() => jest.restoreAllMocks());

const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const bin = () => join(folder, 'node_modules/@startline/client/dist/client/src/bin.js');
const keyed = (url = api.url, token = api.token) => ['--url', url, '--key', token];
const send = (...words: string[]) => cli.run('import', 'send', ...words, ...keyed());
const inOccurrence = () => ['--set', `eventOccurrenceId=${sold.eventOccurrenceId}`];
const count = async (table: string) => {
  const sql = `SELECT count(*)::int AS n FROM ${table} WHERE organization_id = $1`;
  return (await api.dataSource.query(sql, [api.organizationId]))[0].n;
};

/** Runs the command of the package as a process. */
const runBin = (words: string[], started: (child: ChildProcess) => void = () => {}) =>
  new Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>((done) => {
    const child = execFile(process.execPath, [bin(), ...words], (_, stdout, stderr) =>
      done({ code: child.exitCode, signal: child.signalCode, stdout, stderr }),
    );
    started(child);
  });

/** A proxy between the command and the API. `spoil` can end a response itself. */
async function between(spoil: (posts: { status: number }, answer: ServerResponse) => boolean) {
  const keys: string[] = [];
  const server = createServer(async (request, answer) => {
    const body = await buffer(request);
    const { 'content-type': type = '', 'idempotency-key': idempotencyKey } = request.headers;
    const headers = {
      authorization: `${request.headers.authorization}`,
      ...(idempotencyKey && { 'content-type': type, 'idempotency-key': `${idempotencyKey}` }),
    };
    if (idempotencyKey) keys.push(`${idempotencyKey}`);
    const init = { method: request.method, headers, ...(body.length && { body: new Uint8Array(body) }) };
    const response = await fetch(`${api.url}${request.url}`, init);
    const text = await response.text();
    if (request.method === 'POST' && spoil(response, answer)) return;
    answer.writeHead(response.status, { 'content-type': 'application/json' }).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, keys, close: () => server.close() };
}

describe('import send', () => {
  it('sends 1,000 rows with duplicates and errors, continues after a kill, and sends corrected rows', async () => {
    const unknown = newId();
    const long = 'A'.repeat(300);
    const lineOf = (i: number): string => {
      if (i % 40 === 10) return lineOf(i - 1);
      // Four bookings have a second participant, 60 rows after the first.
      const order = i % 200 === 7 && i > 200 ? `O-${i - 60}` : `O-${i}`;
      const first = i % 10 === 3 ? long : 'Ada';
      const born = i % 100 === 11 ? '31.02.1990' : '1990-12-31';
      const ticketId = i % 200 === 21 ? unknown : sold.id;
      return [order, first, `"Lovelace; ${i}"`, `r${i}@example.com`, born, ticketId, 'no remark'].join(';');
    };
    const header = 'Order;Vorname;Nachname;E-Mail;Geburtsdatum;Ticket ID;Remarks';
    const lines = Array.from({ length: 1_000 }, (_, i) => lineOf(i));
    const path = file('list.csv', `\uFEFF${[header, ...lines].join('\r\n')}\r\n`);

    let accepted = 0;
    let running: ChildProcess | undefined;
    const proxy = await between(({ status }) => {
      if (status === 200) accepted += 1;
      // Its response is lost with the process.
      return status === 200 && accepted === 2 && running?.kill('SIGKILL') === true;
    });
    const words = ['import', 'send', 'bookings', path, ...keyed(proxy.url), ...inOccurrence()];
    const options = [...words, '--batch', '700', '--yes', '--json', '--reading', 'Order=copies'];
    const killed = await runBin(options, (child) => {
      running = child;
    });
    expect(killed.signal).toBe('SIGKILL');
    const lost = proxy.keys.at(-1);

    const { code, stdout, stderr } = await runBin(options);
    proxy.close();
    expect(stderr).toContain('Columns that are not sent: Remarks.');
    expect(stderr).toContain(
      '1000 rows: 961 to send, 25 skipped as duplicates, 10 invalid, sent as 10 failed rows of the import.',
    );
    expect(code).toBe(1);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      ...{ rows: 1_000, duplicateRows: 25, sent: 971, unread: 10, succeeded: 856 },
      ...{ resumed: true, alreadyImported: 0, failedRows: 115 },
      failures: { INVALID_VALUE: 10, INVALID_ROW: 100, TICKET_NOT_FOUND: 5 },
    });
    // Only the batch without a response was repeated, with its key.
    expect(proxy.keys.filter((each, i) => proxy.keys.indexOf(each) !== i)).toEqual([lost]);
    expect(new Set(proxy.keys).size).toBe(2);
    expect(await count('bookings')).toBe(856);
    expect((await api.get('/v0/participants')).body.page.totalResults).toBe(860);
    // Rows that can't be read, and those that the API finds invalid, are failed rows of the import.
    const [counts] = await api.dataSource.query(
      'SELECT sum(total_rows)::int AS total, sum(failed_rows)::int AS failed FROM import_jobs WHERE organization_id = $1',
      [api.organizationId],
    );
    expect(counts).toEqual({ total: 971, failed: 115 });
    expect(existsSync(`${path}.import-state.json`)).toBe(false);

    const failedPath = join(folder, 'list.failed-rows.csv');
    const failed = readFileSync(failedPath, 'utf8');
    const rows = failed.trim().split('\r\n');
    expect(rows[0]).toBe(`#startline;importRow;importCode;importMessage;${header}`);
    expect(rows).toHaveLength(116);
    expect(rows.find((each) => each.startsWith(';5;'))).toBe(
      `;5;INVALID_ROW;"Column ""Vorname"" must not be longer than 255 characters. participants[0].firstName must not be longer than 255 characters";${lineOf(3)}`,
    );
    expect(rows.find((each) => each.startsWith(';13;'))).toBe(
      `;13;INVALID_VALUE;"Column ""Geburtsdatum"": ""31.02.1990"" must be a date, best as YYYY-MM-DD.";${lineOf(11)}`,
    );
    expect(rows.find((each) => each.startsWith(';23;'))).toContain(`;23;TICKET_NOT_FOUND;`);

    const mended = failed.replaceAll(`;${long};`, ';Ada;').replaceAll(';31.02.1990;', ';1990-12-31;');
    writeFileSync(failedPath, mended);
    const again = await send('bookings', path, '--only-failed', ...inOccurrence());
    expect(again).toMatchObject({
      code: 1,
      answer: { error: 'INVALID_ROWS', succeeded: 110, failedRows: 5 },
    });
    writeFileSync(failedPath, readFileSync(failedPath, 'utf8').replaceAll(unknown, sold.id));
    const last = await send('bookings', path, '--only-failed', ...inOccurrence());
    expect(last).toMatchObject({ code: 0, answer: { succeeded: 5, failedRows: 0, failedFile: null } });
    expect(existsSync(failedPath)).toBe(false);
    expect(await count('bookings')).toBe(971);
    expect(await send('bookings', path, '--only-failed', ...inOccurrence())).toMatchObject({
      answer: { error: 'NOT_FOUND' },
    });
  });

  it('sends a booking as a whole or not at all', async () => {
    const header = 'externalBookingId,firstName,lastName,email,ticketId,bib,discountCode';
    const path = file(
      'parties.csv',
      [
        header,
        `P-1,Ada,L,a@example.com,${sold.id},501,`,
        `P-2,Alan,T,t@example.com,${sold.id},502,`,
        `P-1,Grace,H,nobody,${sold.id},503,`,
        `P-3,Mary,S,m@example.com,${sold.id},504,A`,
        `P-3,Anne,L,n@example.com,${sold.id},505,B`,
        `P-4,Ann,L,l@example.com,${sold.id},506,`,
        `P-4,Bob,L,l@example.com,${sold.id},507,,vegan`,
      ].join('\n'),
    );
    chmodSync(path, 0o640);
    const { answer } = await send('bookings', path, ...inOccurrence());
    expect(answer).toMatchObject({ sent: 4, unread: 3, succeeded: 1, failedRows: 6 });
    expect(statSync(answer.failedFile).mode & 0o777).toBe(0o640);
    const rows = readFileSync(answer.failedFile, 'utf8').trim().split('\r\n').slice(1);
    expect(rows.map((row) => row.split(',').slice(1, 4).join(','))).toEqual([
      '2,SAME_BOOKING,Row 4 of the same booking has a mistake.',
      expect.stringMatching(/^4,INVALID_VALUE,"Column ""email""/),
      '5,SAME_BOOKING,Row 6 of the same booking has a mistake.',
      '6,BOOKING_DIFFERS,"Column ""discountCode"" is not the same as in row 5 of the same booking."',
      '7,SAME_BOOKING,Row 8 of the same booking has a mistake.',
      expect.stringMatching(/^8,UNREADABLE,/),
    ]);
    expect(rows.at(-1)).toMatch(/ Beyond them: ""vegan"".",P-4,Bob,L,l@example.com,[^,]+,507,,vegan$/);
  });

  it('reads the file of failed rows as it wrote it, however the list is read', async () => {
    const path = file('latin.club.csv', '');
    const rows = [`J-1;Jürgen;+Böhm;nobody;${sold.id}`, `J-2;Ann;Lee;a@example.com;${sold.id}`];
    const lines = ['Club 2027', 'Order;First;Last;Email;Ticket', ...rows];
    writeFileSync(path, lines.join('\n'), 'latin1');
    const options = ['--encoding', 'windows-1252', '--header', '2', ...inOccurrence()];
    const { answer } = await send('bookings', path, ...options);
    expect(answer).toMatchObject({ succeeded: 1, failures: { INVALID_VALUE: 1 } });
    const failed = readFileSync(answer.failedFile, 'utf8');
    writeFileSync(answer.failedFile, failed.replace(';nobody;', ';j@example.com;'));
    expect(await send('bookings', path, '--only-failed', ...options)).toMatchObject({
      ...{ code: 0, answer: { succeeded: 1, failedFile: null } },
    });
    const { body } = await api.get('/v0/bookings?externalBookingId=J-1');
    const { booker } = (await api.get(`/v0/bookings/${body.data[0].id}`)).body;
    expect(booker).toMatchObject({ firstName: 'Jürgen', lastName: '+Böhm' });
  });

  it('says that a number is another booking, unless corrections are asked for', async () => {
    const words = (...rows: string[]) =>
      file('zz.csv', ['Order,First,Last,Email,Ticket', ...rows.map((row) => `${row},${sold.id}`)].join('\n'));
    const first = words('ZZ-9,Ann,Lee,ann@example.com');
    expect(await send('bookings', first, ...inOccurrence())).toMatchObject({ code: 0 });
    expect(await send('bookings', first, ...inOccurrence())).toMatchObject({
      ...{ code: 0, answer: { alreadyImported: 1, failedRows: 0 } },
    });
    const other = words('ZZ-9,Zoe,Zed,zoe@example.com', 'ZZ-10,Bo,Po,bo@example.com');
    for (const dryRun of [['--dry-run'], []]) {
      const { code, answer } = await send('bookings', other, ...dryRun, ...inOccurrence());
      expect([code, answer]).toMatchObject([
        1,
        { succeeded: 1, alreadyImported: 0, failures: { DIFFERS: 1 } },
      ]);
      expect(readFileSync(answer.failedFile, 'utf8')).toContain('booker.firstName');
    }
    const corrected = words('ZZ-9,Ann,Leeds,ann@example.com', 'ZZ-11,Cy,Qu,cy@example.com');
    expect(await send('bookings', corrected, '--correct', ...inOccurrence())).toMatchObject({
      ...{ code: 0, answer: { succeeded: 2, failedRows: 0 } },
    });
    expect(await send('credits', corrected, '--correct')).toMatchObject({
      answer: { error: 'INVALID_COMMAND' },
    });
  });

  it('gives bookings without a number the same one at each load', async () => {
    const rows = [`Ann,Lee,a@example.com,1990-04-12,${sold.id}`, `Bo,Po,b@example.com,1991-04-12,${sold.id}`];
    const path = file('club.2027.csv', ['First,Last,Email,DOB,Ticket', ...rows].join('\n'));
    for (const number of ['row', 'person']) {
      const options = ['--number', number, ...inOccurrence()];
      expect(await send('bookings', path, ...options)).toMatchObject({ answer: { succeeded: 2 } });
      expect(await send('bookings', path, ...options)).toMatchObject({ answer: { alreadyImported: 2 } });
    }
    const [{ ids }] = await api.dataSource.query(
      `SELECT array_agg(external_booking_id ORDER BY external_booking_id) AS ids FROM bookings
       WHERE external_booking_id LIKE 'club-%' AND organization_id = $1`,
      [api.organizationId],
    );
    expect(ids).toEqual(['club-2', 'club-3', 'club-annlee-1990-04-12', 'club-bopo-1991-04-12']);
  });

  it('writes a mapping to edit, and uses it', async () => {
    const path = file('odd.csv', `nr,who,E-Mail,shirt\nM-1,Ada,ada@example.com,L\n`);
    expect(await send('bookings', path)).toMatchObject({
      answer: { error: 'INVALID_FILE', message: expect.stringContaining('--map init') },
    });
    const { answer } = await send('bookings', path, '--map', 'init');
    expect(answer).toEqual({ output: `${path}.map.json`, unmatched: ['nr', 'who', 'shirt'] });
    const written = JSON.parse(readFileSync(answer.output, 'utf8'));
    expect(written.columns).toEqual({ nr: null, who: null, 'E-Mail': 'participants[0].email', shirt: null });
    expect(Object.keys(written.values)).toContain('eventOccurrenceId');
    const mapping = {
      columns: {
        ...written.columns,
        ...{ nr: 'externalBookingId', who: 'participants[0].firstName', shirt: 'metadata.shirt' },
      },
      values: {
        ...{ eventOccurrenceId: sold.eventOccurrenceId, 'participants[0].ticketId': sold.id },
        'participants[0].lastName': 'Unknown',
      },
    };
    writeFileSync(answer.output, JSON.stringify(mapping));
    const dry = await send('bookings', path, '--map', answer.output, '--dry-run');
    expect(dry).toMatchObject({ code: 0, answer: { dryRun: true, succeeded: 1 } });
    const before = await count('bookings');
    const sent = await send('bookings', path, '--map', answer.output);
    expect(sent).toMatchObject({ code: 0, answer: { succeeded: 1 } });
    expect(await count('bookings')).toBe(before + 1);
    const { body } = await api.get('/v0/participants?extendMetadata=true&externalBookingId=M-1');
    expect(body.data[0]).toMatchObject({ metadata: { shirt: 'L' } });

    // A cancelled booking is not restored without an option of the command.
    const [{ id }] = await api.dataSource.query(
      `SELECT id FROM bookings WHERE external_booking_id = 'M-1' AND organization_id = $1`,
      [api.organizationId],
    );
    await api.client().delete('/v0/bookings/{id}', { params: { path: { id } } });
    const skipped = await send('bookings', path, '--map', answer.output);
    expect(skipped).toMatchObject({ code: 0, answer: { succeeded: 0, cancelledBefore: 1 } });
    const revived = await send('bookings', path, '--map', answer.output, '--cancelled', 'import');
    expect(revived).toMatchObject({ answer: { succeeded: 1 } });
  });

  it('knows the questions of booking forms in a new mapping and in the plan', async () => {
    const { organizationId } = api;
    await bookingFormField(api.dataSource, { organizationId, key: 'phone', label: 'Phone' });
    await bookingFormField(api.dataSource, { organizationId, key: 'shirt_7', label: 'Shirt size' });
    const row = (name: string) => `Q-1,${name},L,${name}@example.com,${sold.id},+49 151 2,L\n`;
    const header = 'Order,First name,Last name,E-Mail,Ticket,Telefon,Shirt size\n';
    const path = file('answers.csv', header + row('ada') + row('bob'));
    const { answer } = await send('bookings', path, '--map', 'init');
    expect(answer.unmatched).toEqual([]);
    expect(JSON.parse(readFileSync(answer.output, 'utf8')).columns).toMatchObject({
      Telefon: 'participants[0].fields.phone',
      'Shirt size': 'participants[0].fields.shirt_7',
    });
    const words = ['import', 'send', 'bookings', path, '--map', answer.output, ...keyed(), ...inOccurrence()];
    const { code, stderr } = await cli.say(...words);
    expect(stderr).toMatch(/^Telefon +Answer: Phone +\+49 151 2$/m);
    expect(stderr).toMatch(/^Shirt size +Answer: Shirt size +L$/m);
    expect(stderr).toContain('1 booking joins people with different addresses or names');
    expect(code).toBe(3);
  });

  it('sends JSON Lines, and writes the failed rows as JSON Lines', async () => {
    const credit = (id: string, value: unknown) =>
      JSON.stringify({
        externalCreditId: id,
        email: 'ada@example.com',
        amount: { value, currencyCode: 'GBP' },
      });
    const lines = [
      credit('C-1', 100),
      credit('C-1', 100),
      credit('C-2', 'much'),
      credit('C-1', 5),
      '{',
      credit('C-3', '\0'),
    ];
    const path = file('credits.jsonl', lines.join('\n'));
    const { answer } = await send('credits', path);
    expect(answer).toMatchObject({ rows: 6, duplicateRows: 1, succeeded: 1, failedRows: 4 });
    const failed = readFileSync(join(folder, 'credits.failed-rows.jsonl'), 'utf8').trim().split('\n');
    expect(
      failed.map((line) => JSON.parse(line)).map(({ importRow, importCode }) => [importRow, importCode]),
    ).toEqual([
      [4, 'DUPLICATE'],
      [5, 'UNREADABLE'],
      // It can't be stored: the others are sent again, without those that the API names.
      [6, 'UNUSABLE_TEXT'],
      [3, 'INVALID_TYPE'],
    ]);
    file('credits.failed-rows.jsonl', (failed[3] ?? '').replace('"much"', '7'));
    expect(await send('credits', path, '--only-failed')).toMatchObject({ code: 0, answer: { succeeded: 1 } });
  });

  it('sends the text of JSON Lines as it is, so that the API refuses what it would lose', async () => {
    const line = (id: string, amount: string, more = '') =>
      `{"externalCreditId":"${id}", "email":"eve@example.com","amount":{"value":${amount},"currencyCode":"GBP"}${more}}`;
    const lines = [
      line('X-1', '100'),
      line('X-2', '0.30000000000000001'),
      line('X-3', '12345678901234567890'),
      line('X-4', '100', ',"email":"bob@example.com"'),
      line('J\xfcrgen', '100'),
      '{}',
    ];
    const path = file('exact.jsonl', '');
    writeFileSync(path, lines.join('\n'), 'latin1');
    const failures = { DUPLICATE: 1, INEXACT_NUMBER: 2, REQUIRED: 1, UNREADABLE: 1 };
    const sent = await send('credits', path);
    expect(sent.answer).toMatchObject({ succeeded: 1, failedRows: 5, failures });
    const failedPath = join(folder, 'exact.failed-rows.jsonl');
    const failed = readFileSync(failedPath, 'utf8');
    expect(failed).toContain(
      '{"importRow":5,"importCode":"UNREADABLE","importMessage":"The line is not UTF-8."',
    );
    for (const each of lines.slice(1, 4)) expect(failed).toContain(`,${each.slice(1)}\n`);

    // Those that nobody corrected are no others in the file of failed rows.
    const again = await send('credits', path, '--only-failed');
    const { DUPLICATE, INEXACT_NUMBER } = failures;
    expect(again.answer).toMatchObject({ succeeded: 0, failures: { DUPLICATE, INEXACT_NUMBER } });
    const moved = readFileSync(failedPath, 'utf8').replace(/^\{"importRow":2,/gm, '{ "importRow" : 2,');
    writeFileSync(failedPath, moved.replace('0.30000000000000001', '30'));
    expect((await send('credits', path, '--only-failed')).answer).toMatchObject({ succeeded: 1 });
  });

  it('sends line items, and discount codes with common column names', async () => {
    const items = file(
      'items.csv',
      'externalLineItemId,externalBookingId,itemType,name,amount,currency\nL-1,P-2,BOOKING_FEE,Parking,500,GBP\nL-2,none,BOOKING_FEE,Parking,500,GBP\n',
    );
    const { answer } = await send('lineItems', items);
    expect(answer).toMatchObject({ succeeded: 1, failures: { BOOKING_NOT_FOUND: 1 } });
    const codes = file(
      'codes.csv',
      'Voucher\tdiscount.type\tdiscount.amount\nSPRING\tPERCENTAGE\t10\nspring\tPERCENTAGE\t20\n',
    );
    const sent = await send('discountCodes', codes, '--set', 'discount.isAppliedToBookingFee=no');
    expect(sent).toMatchObject({ answer: { succeeded: 1, failures: { DUPLICATE: 1 } } });
  });

  it('begins an interrupted dry run anew if it is too old to be continued', async () => {
    const path = file('old.csv', 'externalCreditId,email,amount,currency\nD-1,d@example.com,1,GBP\n');
    const proxy = await faultyProxy(api.url);
    const words = ['import', 'send', 'credits', path, '--dry-run', ...keyed(proxy.url)];
    const statePath = `${path}.import-state.json`;
    const interrupted = async () => {
      proxy.faults.push([/import\/.+/, says(403)]);
      expect((await cli.run(...words)).code).toBe(4);
      return JSON.parse(readFileSync(statePath, 'utf8'));
    };
    await interrupted();
    expect((await cli.run(...words)).answer).toMatchObject({ resumed: true, succeeded: 1 });
    const state = await interrupted();
    writeFileSync(statePath, JSON.stringify({ ...state, startedAt: state.startedAt - 13 * 3_600_000 }));
    // Its job has been deleted.
    proxy.faults.push([new RegExp(Object.values<any>(state.batches)[0].job.jobId), says(404)]);
    const { code, stderr } = await cli.say(...words);
    proxy.close();
    expect([code, stderr]).toEqual([0, expect.stringContaining('too old to be continued')]);
  });

  it('waits for the duration that a 429 names', async () => {
    let posts = 0;
    const proxy = await between((_, answer) => {
      if (++posts > 1) return false;
      answer.writeHead(429, { 'retry-after': '97' }).end('{"message": "Slow down"}');
      return true;
    });
    const waits: number[] = [];
    jest.spyOn(timers, 'setTimeout').mockImplementation(async (ms, ...given) => {
      if (ms !== 97_000) return sleep(10, ...given) as never;
      waits.push(posts);
      return undefined as never;
    });
    const path = file('wait.csv', 'externalCreditId,email,amount,currency\nW-1,d@example.com,100,GBP\n');
    const { stdout } = await cli.say('import', 'send', 'credits', path, ...keyed(proxy.url));
    proxy.close();
    expect(stdout).toBe('1 row: 1 sent as credits, of which 1 imported, 0 already imported.\n');
    // One wait, between the two requests.
    expect([waits, posts]).toEqual([[1], 2]);
    expect(new Set(proxy.keys).size).toBe(1);
    const again = await runBin(['import', 'credits', path, ...keyed()]);
    expect(again.stdout).toBe(
      '1 row: 1 sent as credits, of which 0 imported, 1 already imported.\n' +
        '1 row has a number that exists: it was not compared with what is stored, and changed nothing.\n',
    );
  });

  it('explains in a sentence why it cannot continue', async () => {
    const path = file('no.csv', 'externalCreditId,email,amount,currency\nN-1,d@example.com,100,GBP\n');
    const { id: organizationId } = await organization(api.dataSource, { surfaces: [] });
    const { token } = await restrictedKey(api.dataSource, { organizationId });
    const refused = await runBin(['import', 'send', 'credits', path, ...keyed(api.url, token)]);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('creditsImport') });
    const errors: [string[], string][] = [
      [['parties', path], 'INVALID_COMMAND'],
      [['credits', `${path}x`], 'NOT_FOUND'],
      [['credits', file('latin.csv', 'x')], 'INVALID_FILE'],
      [['credits', path, '--set', 'nothing=1'], 'INVALID_COMMAND'],
    ];
    errors.push([['credits', path, '--batch', '0'], 'INVALID_COMMAND']);
    errors.push([['credits', path, '--cancelled', 'x'], 'INVALID_COMMAND']);
    for (const [words, error] of errors)
      expect(await send(...words)).toMatchObject({ code: 2, answer: { error } });
    expect(await cli.run('import', 'send', 'credits', path)).toMatchObject({ code: 2 });
    const closed = file('closed.csv', readFileSync(path, 'utf8'));
    mkdirSync(join(folder, 'closed.failed-rows.csv.part'));
    expect((await send('credits', closed)).answer.message).toContain('EISDIR');
    const away = ['credits', path, '--url', `http://127.0.0.1:${await freePort()}`, '--key', 'key'];
    expect((await cli.run('import', 'send', ...away)).answer).toMatchObject({
      error: 'API_UNREACHABLE',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    const help = await runBin(['--help']);
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('reservedEntries') });
  });
});
