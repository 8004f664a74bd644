import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { INestApplicationContext } from '@nestjs/common';
import { newId, type Ticket } from '#libs/database';
import { bookingForm, bookingFormField, key, organization, ticket } from '#libs/testing';
import { installClient } from '../client/package';
import { startApi, startWorker, type TestApi } from '../harness';

const EXAMPLE = resolve(__dirname, '../../docs/examples/import-start-list');

let api: TestApi;
let worker: INestApplicationContext;
/** The example as its reader has it: with the client installed beside it. */
let folder: string;
let sold: Ticket;
beforeAll(async () => {
  api = await startApi();
  worker = await startWorker(api);
  folder = mkdtempSync(join(tmpdir(), 'startline-example-'));
  cpSync(EXAMPLE, folder, { recursive: true });
  await installClient(folder);
  sold = await ticket(api.dataSource, { organizationId: api.organizationId });
}, 300_000);
afterAll(async () => {
  await worker.close();
  await api.close();
  rmSync(folder, { recursive: true });
});

/** Runs the example as its reader would. */
const run = (words: string[], token = api.token, url = api.url) =>
  new Promise<{ code: number; stdout: string; stderr: string; report: string[] }>((done) => {
    const report = join(folder, 'failed.csv');
    const where = ['--url', url, '--occurrence', sold.eventOccurrenceId, '--ticket', sold.id];
    execFile(
      process.execPath,
      [join(folder, 'import-start-list.mjs'), ...words, ...where, '--report', report],
      { env: { STARTLINE_API_KEY: token } },
      (error, stdout, stderr) => {
        const code = Number(error?.code ?? 0);
        const lines =
          code < 2 && stdout.includes('rows:') ? readFileSync(report, 'utf8').trim().split('\n') : [];
        done({ code, stdout, stderr, report: lines });
      },
    );
  });
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

describe('the example that imports a start list', () => {
  it('brings the file beside it in, and says the second time that all are there', async () => {
    const words = [join(EXAMPLE, 'start-list.csv'), '--booking', join(EXAMPLE, 'booking.json')];
    const first = await run(words);
    expect(first).toMatchObject({
      code: 0,
      stdout: '3 rows: 3 imported, 0 already imported, 0 failed\n',
      report: ['"row","externalBookingId","code","message"'],
    });
    const { body } = await api.get('/v0/participants?extendMetadata=true');
    expect(body.data.map(({ bibNumber, metadata }: any) => [bibNumber, metadata.shirt])).toEqual([
      ['101', 'M'],
      ['102', 'S'],
      ['103', undefined],
    ]);
    expect(body.data[1].booker.lastName).toBe('Hopper, "Amazing"');
    expect(await run(words)).toMatchObject({
      code: 0,
      stdout: '3 rows: 0 imported, 3 already imported, 0 failed\n',
    });
  });

  it('reports the spoilt rows and only those, in batches', async () => {
    const { organizationId } = api;
    const { id: field } = await bookingFormField(api.dataSource, { organizationId });
    await bookingForm(api.dataSource, { organizationId, fieldIds: [field], ticketIds: [sold.id] });
    const line = (
      i: number,
      given: { ticket?: string; field?: string; bib?: string; currency?: string; mail?: string },
    ) =>
      [
        `B-${i}`,
        given.mail ?? `runner-${i}@example.com`,
        given.ticket ?? sold.id,
        given.field ?? field,
        given.bib ?? `7${i}`,
        given.currency ?? 'GBP',
      ].join(',');
    const spoilt = new Map([
      [2, { ticket: newId() }],
      [5, { field: newId() }],
      [9, { bib: '70' }],
      [11, { currency: 'USD' }],
      [13, { mail: 'nobody' }],
    ]);
    const lines = Array.from({ length: 20 }, (_, i) => line(i, spoilt.get(i) ?? {}));
    const csv = file('spoilt.csv', ['id,mail,ticket,field,bib,currency', ...lines].join('\r\n'));
    const participant = {
      ticketId: '{ticket}',
      firstName: 'Runner',
      lastName: '{id}',
      email: '{mail}',
      bibNumber: '{bib}',
      price: { value: 4500, currencyCode: '{currency}' },
      fields: [{ id: '{field}', value: 'M' }],
    };
    const booking = {
      externalBookingId: '{id}',
      eventOccurrenceId: '{eventOccurrenceId}',
      booker: { email: '{mail}', firstName: 'Runner', lastName: '{id}' },
      participants: [participant],
    };
    const template = file('booking.json', JSON.stringify(booking));
    const { code, stdout, report } = await run([csv, '--booking', template, '--batch', '5']);
    expect(stdout).toContain('20 rows: 15 imported, 0 already imported, 5 failed');
    expect(code).toBe(1);
    const codes = report.slice(1).map((each) => each.split(',').slice(0, 3).join(' '));
    expect(codes).toEqual([
      '"3" "B-2" "TICKET_NOT_FOUND"',
      '"6" "B-5" "FIELD_NOT_FOUND"',
      '"10" "B-9" "BIB_NUMBER_TAKEN"',
      '"12" "B-11" "CURRENCY_MISMATCH"',
      '"14" "B-13" "INVALID_ROW"',
    ]);
  });

  it('waits as long as a 429 says, and asks again when an answer got lost', async () => {
    const answers: ((answer: ServerResponse) => void)[] = [
      (answer) => answer.writeHead(429, { 'retry-after': '1' }).end('{"message": "Slow down"}'),
      (answer) => answer.destroy(),
    ];
    const times: number[] = [];
    const keys: unknown[] = [];
    const between = createServer(async (request, answer) => {
      if (request.method === 'POST') {
        times.push(Date.now());
        keys.push(request.headers['idempotency-key']);
      }
      const body = await buffer(request);
      const spoil = request.method === 'POST' && answers.shift();
      if (spoil && answers.length === 1) return void spoil(answer);
      const { 'content-type': type = '', 'idempotency-key': idempotencyKey = '' } = request.headers;
      const headers = {
        authorization: `${request.headers.authorization}`,
        ...(body.length && { 'content-type': type, 'idempotency-key': `${idempotencyKey}` }),
      };
      const init = { method: request.method, headers, ...(body.length && { body: new Uint8Array(body) }) };
      const response = await fetch(`${api.url}${request.url}`, init);
      const text = await response.text();
      if (spoil) return void spoil(answer);
      answer.writeHead(response.status, { 'content-type': 'application/json' }).end(text);
    }).listen(0, '127.0.0.1');
    await once(between, 'listening');
    const { port } = between.address() as AddressInfo;
    const csv = file('wait.csv', 'externalBookingId,email,firstName,lastName\nD-1,d@example.com,D,One\n');
    const { stdout } = await run([csv], api.token, `http://127.0.0.1:${port}`);
    between.close();
    expect(stdout).toBe('1 rows: 1 imported, 0 already imported, 0 failed\n');
    expect(times).toHaveLength(3);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect(new Set(keys).size).toBe(1);
  });

  it('repeats a run without importing anything anew', async () => {
    const csv = file('run.csv', 'externalBookingId,email,firstName,lastName\nC-1,c@example.com,C,One\n');
    const jobs = async () => (await api.get('/v0/import-jobs')).body.page.totalResults;
    await run([csv, '--run', 'monday']);
    const before = await jobs();
    const again = await run([csv, '--run', 'monday']);
    expect(again.stdout).toBe('1 rows: 1 imported, 0 already imported, 0 failed\n');
    expect(await jobs()).toBe(before);
  });

  it('says in a sentence why it can’t go on, and ends with 2', async () => {
    const { id: organizationId } = await organization(api.dataSource, { surfaces: [] });
    const { token } = await key(api.dataSource, { organizationId });
    const list = join(EXAMPLE, 'start-list.csv');
    const refused = await run([list], token);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('bookingsImport') });
    expect(await run([list, '--batch', '0'])).toMatchObject({
      code: 2,
      stderr: '--batch must be 1 to 10000.\n',
    });
    expect(await run([])).toMatchObject({ code: 2, stderr: 'Name one CSV file; --help says more.\n' });
    expect(await run([list], '')).toMatchObject({ code: 2, stderr: 'Set STARTLINE_API_KEY.\n' });
  });

  it('explains itself', async () => {
    const { code, stdout } = await run(['--help']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Usage: import-start-list.mjs')]);
  });
});
