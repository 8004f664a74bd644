#!/usr/bin/env node
// Imports a start list from a CSV file as bookings, through the public API. Node 20 or later, and @startline/client.

import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { StartlineClient } from '@startline/client';

const HELP = `Usage: import-start-list.mjs <file.csv> [options]

Imports each line of a CSV file as one booking, and follows the import to its end.
The key is read from STARTLINE_API_KEY.

  --url <url>          where the API is (default http://127.0.0.1:3000)
  --occurrence <id>    the event occurrence, unless a column "eventOccurrenceId" says
  --ticket <id>        the ticket, unless a column "ticketId" says
  --booking <file>     a booking row as JSON, in which "{column}" stands for a value of the line
                       and "{column:number}" for a number; what comes out empty is left out
  --batch <rows>       rows of one request, at most 10000 (default)
  --run <name>         name this run; repeated with the same name within 24 hours, it goes on where it was
  --report <file>      where to write the rows that failed (default failed-rows.csv)
  --help               this text

Exit code: 0 when all rows are in, 1 when some failed, 2 when it could not go on.
`;

/** What a line becomes unless --booking says otherwise. */
const BOOKING = {
  externalBookingId: '{externalBookingId}',
  eventOccurrenceId: '{eventOccurrenceId}',
  booker: { email: '{email}', firstName: '{firstName}', lastName: '{lastName}', phone: '{phone}' },
  participants: [
    {
      ticketId: '{ticketId}',
      firstName: '{firstName}',
      lastName: '{lastName}',
      email: '{email}',
      dateOfBirth: '{dateOfBirth}',
      gender: '{gender}',
      bibNumber: '{bibNumber}',
    },
  ],
};

/** RFC 4180: quotes, commas and line breaks within them. Objects by the names in the first line. */
export function readCsv(text) {
  const records = [];
  let record = [];
  let value = '';
  let quoted = false;
  const endValue = () => {
    record.push(value);
    value = '';
  };
  const endRecord = () => {
    endValue();
    if (record.length > 1 || record[0] !== '') records.push(record);
    record = [];
  };
  const content = text.replace(/^\uFEFF/, '');
  for (let i = 0; i < content.length; i++) {
    const character = content[i];
    if (quoted && character === '"' && content[i + 1] === '"') value += content[++i];
    else if (character === '"') quoted = !quoted;
    else if (quoted) value += character;
    else if (character === ',') endValue();
    else if (character === '\n') endRecord();
    else if (character !== '\r') value += character;
  }
  if (value !== '' || record.length > 0) endRecord();
  const [names = [], ...lines] = records;
  return lines.map((line) => Object.fromEntries(names.map((name, i) => [name.trim(), line[i] ?? ''])));
}

const toCsv = (records) =>
  records
    .map((values) => `${values.map((value) => `"${String(value).replaceAll('"', '""')}"`).join(',')}\n`)
    .join('');

/** The template with the line's values in it; undefined where nothing is left. */
export function fill(template, line) {
  if (typeof template === 'string') {
    const number = /^\{([^{}]+):number\}$/.exec(template);
    if (number) {
      const text = line[number[1]]?.trim();
      return text ? Number(text) : undefined;
    }
    return template.replace(/\{([^{}]+)\}/g, (_, column) => line[column]?.trim() ?? '') || undefined;
  }
  if (Array.isArray(template))
    return template.map((part) => fill(part, line)).filter((part) => part !== undefined);
  if (typeof template !== 'object' || template === null) return template;
  const filled = Object.entries(template).flatMap(([key, part]) => {
    const value = fill(part, line);
    return value === undefined ? [] : [[key, value]];
  });
  return filled.length ? Object.fromEntries(filled) : undefined;
}

/**
 * Posts one batch. A row of the wrong shape refuses the whole batch and is named in the message: it goes into the
 * report, and the others are sent again.
 *
 * @returns the job, and which row of the file each row of the batch is
 */
async function post(startline, batch, idempotencyKey, failures) {
  let rows = batch;
  for (let attempt = 0; rows.length > 0; attempt++) {
    try {
      const job = await startline.post('/v0/bookings/import', {
        // The same key again is the same request: a run that goes on imports nothing twice.
        headers: { 'idempotency-key': `${idempotencyKey}/${attempt}` },
        body: { bookings: rows.map(({ booking }) => booking) },
      });
      return { job, rows };
    } catch (error) {
      const named = /^bookings\[(\d+)\]/.exec(error.message);
      if (error.status !== 400 || !named) throw error;
      const wrong = rows[Number(named[1])];
      failures.push({ ...wrong, code: 'INVALID_ROW', message: error.message });
      rows = rows.filter((row) => row !== wrong);
    }
  }
  return undefined;
}

const say = (text) => process.stderr.write(text);
const draw = (text) => process.stderr.isTTY && say(`\r\x1b[K${text}`);

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:3000' },
      occurrence: { type: 'string', default: '' },
      ticket: { type: 'string', default: '' },
      booking: { type: 'string' },
      batch: { type: 'string', default: '10000' },
      run: { type: 'string', default: randomUUID() },
      report: { type: 'string', default: 'failed-rows.csv' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const key = process.env.STARTLINE_API_KEY;
  if (positionals.length !== 1) throw new Error('Name one CSV file; --help says more.');
  if (!key) throw new Error('Set STARTLINE_API_KEY.');
  const size = Number(values.batch);
  if (!Number.isInteger(size) || size < 1 || size > 10_000) throw new Error('--batch must be 1 to 10000.');

  const startline = new StartlineClient({ baseUrl: values.url, token: key });
  const template = values.booking ? JSON.parse(readFileSync(values.booking, 'utf8')) : BOOKING;
  const all = readCsv(readFileSync(positionals[0], 'utf8')).map((line, i) => ({
    row: i + 1,
    booking: fill(template, { eventOccurrenceId: values.occurrence, ticketId: values.ticket, ...line }) ?? {},
  }));

  const failures = [];
  const sent = [];
  for (let start = 0; start < all.length; start += size) {
    draw(`sending ${Math.min(start + size, all.length)} of ${all.length}`);
    const batch = await post(startline, all.slice(start, start + size), `${values.run}/${start}`, failures);
    if (batch) sent.push(batch);
  }

  const counts = { succeededRows: 0, alreadyImportedRows: 0 };
  let before = failures.length;
  for (const { job: accepted, rows } of sent) {
    const onProgress = ({ processedRows }) => draw(`imported ${before + processedRows} of ${all.length}`);
    const job = await startline.finished(accepted, { onProgress });
    before += rows.length;
    counts.succeededRows += job.succeededRows;
    counts.alreadyImportedRows += job.alreadyImportedRows;
    for await (const { row, error } of startline.rows(job, { outcome: 'FAILED' })) {
      failures.push({ ...rows[row], code: error.code, message: error.message });
    }
    if (job.failure) throw new Error(`Job ${job.jobId} was given up: ${job.failure}`);
  }
  draw('');

  failures.sort((a, b) => a.row - b.row);
  writeFileSync(
    values.report,
    toCsv([
      ['row', 'externalBookingId', 'code', 'message'],
      ...failures.map(({ row, booking, code, message }) => [
        row,
        booking.externalBookingId ?? '',
        code,
        message,
      ]),
    ]),
  );
  const { succeededRows, alreadyImportedRows } = counts;
  process.stdout.write(
    `${all.length} rows: ${succeededRows} imported, ${alreadyImportedRows} already imported, ${failures.length} failed` +
      `${failures.length ? ` (see ${values.report})` : ''}\n`,
  );
  return failures.length ? 1 : 0;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    say(`${[error.message, error.cause?.message].filter(Boolean).join(': ')}\n`);
    process.exitCode = 2;
  },
);
