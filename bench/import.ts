import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import {
  Booking,
  createDataSource,
  LineItem,
  migrate,
  newId,
  StartListEntry,
  startEmbeddedPostgres,
  type Ticket,
} from '#libs/database';
import { key, organization, SIGNING_SECRETS, ticket } from '#libs/testing';

/**
 * Imports 10,000 bookings (booking, entry and line item each) from post to finished, through a real api and a real
 * worker on a durable PostgreSQL; beside it bare set-based SQL that writes the same rows, with the same indexes and
 * triggers, and one-by-one save() of TypeORM. Then single reads, idle and while 20 MB are posted and worked on.
 *
 *   node -C source -r @swc-node/register bench/import.ts
 */
const ROWS = Number(process.env.BENCH_ROWS ?? 10_000);
const ROUNDS = 3;
const SAVED_ONE_BY_ONE = 300;
const READ_SECONDS = 5;
/** Single reads arrive at this pace, however long each takes. */
const READ_EVERY_MS = 5;
const BIG_BODY = 20_900_000;

interface Sale {
  organizationId: string;
  token: string;
  ticket: Ticket;
}

const say = (text: string) => process.stdout.write(`${text}\n`);
const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] as number;
const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
const rate = (ms: number, rows = ROWS) => `${Math.round(rows / (ms / 1_000))} rows/s`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

function start(app: 'api' | 'worker', environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['-C', 'source', '-r', '@swc-node/register', `apps/${app}/src/main.ts`], {
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: 'warn',
      SIGNING_SECRETS: SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

async function answering(url: string): Promise<void> {
  while (
    !(await fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(100);
}

async function sale(dataSource: DataSource): Promise<Sale> {
  const { id: organizationId } = await organization(dataSource);
  const { token } = await key(dataSource, { organizationId });
  return { organizationId, token, ticket: await ticket(dataSource, { organizationId }) };
}

const body = ({ ticket: { id: ticketId, eventOccurrenceId } }: Sale, padding = '') =>
  JSON.stringify({
    bookings: Array.from({ length: ROWS }, (_, i) => ({
      externalBookingId: `order-${i}`,
      eventOccurrenceId,
      booker: { email: `runner-${i}@example.com`, firstName: 'Ada', lastName: `Lovelace ${i}` },
      participants: [
        {
          ticketId,
          firstName: 'Ada',
          lastName: `Lovelace ${i}`,
          email: `runner-${i}@example.com`,
          gender: 'FEMALE',
        },
      ],
      ...(padding && { metadata: { padding } }),
    })),
  });

/** @returns milliseconds from the post to the job's end */
async function imported(url: string, { token }: Sale, batch: string): Promise<number> {
  const authorization = `Bearer ${token}`;
  const began = performance.now();
  const answer = await fetch(`${url}/v0/bookings/import`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: batch,
  });
  const { jobId, message } = (await answer.json()) as { jobId: string; message?: string };
  if (!answer.ok) throw new Error(message);
  const accepted = performance.now() - began;
  for (;;) {
    const response = await fetch(`${url}/v0/bookings/import/${jobId}`, { headers: { authorization } });
    const job = (await response.json()) as { finishedAt: string | null; succeededRows: number };
    if (job.finishedAt) {
      if (job.succeededRows !== ROWS) throw new Error(`Only ${job.succeededRows} rows were imported`);
      const ms = performance.now() - began;
      say(`  import: ${seconds(ms)}, of which ${seconds(accepted)} until accepted`);
      return ms;
    }
    await sleep(50);
  }
}

const TABLES = ['bookings', 'start_list_entries', 'line_items'];
const CATALOGUE = ['events', 'event_occurrences', 'races', 'tickets'];

/** The rows that an import wrote, once more for another organization, from tables made ready before. */
async function bareSql(dataSource: DataSource, { organizationId }: Sale): Promise<number> {
  const { id: other } = await organization(dataSource);
  const runner = dataSource.createQueryRunner();
  const copy = async (table: string, into: string) => {
    await runner.query(`DROP TABLE IF EXISTS bench_${table}`);
    await runner.query(
      `CREATE UNLOGGED TABLE bench_${table} AS SELECT * FROM ${table} WHERE organization_id = $1`,
      [organizationId],
    );
    await runner.query(`UPDATE bench_${table} SET organization_id = $1`, [other]);
    return `INSERT INTO ${into} SELECT * FROM bench_${table}`;
  };
  for (const table of CATALOGUE) await runner.query(await copy(table, table));
  const inserts: string[] = [];
  for (const table of TABLES) inserts.push(await copy(table, table));
  await runner.query('CHECKPOINT');
  const began = performance.now();
  await runner.startTransaction();
  for (const insert of inserts) await runner.query(insert);
  await runner.commitTransaction();
  const ms = performance.now() - began;
  await runner.release();
  say(`  bare SQL: ${seconds(ms)}`);
  return ms;
}

/** @returns milliseconds for all rows, had they all been saved */
async function oneByOne(dataSource: DataSource, { organizationId }: Sale): Promise<number> {
  const { ticket: to, organizationId: other } = await sale(dataSource);
  const where = { organizationId };
  const bookings = await dataSource.getRepository(Booking).find({ where, take: SAVED_ONE_BY_ONE });
  const entries = await dataSource.getRepository(StartListEntry).find({ where });
  const items = await dataSource.getRepository(LineItem).find({ where });
  const moved = { organizationId: other, eventId: to.eventId, eventOccurrenceId: to.eventOccurrenceId };
  const entryOf = new Map(entries.map((entry) => [entry.bookingId, entry]));
  const itemOf = new Map(items.map((item) => [item.bookingId, item]));
  const began = performance.now();
  for (const booking of bookings) {
    const { id } = booking;
    await dataSource.getRepository(Booking).save({ ...booking, ...moved });
    await dataSource
      .getRepository(StartListEntry)
      .save({ ...(entryOf.get(id) as StartListEntry), ...moved, raceId: to.raceId, ticketId: to.id });
    await dataSource
      .getRepository(LineItem)
      .save({ ...(itemOf.get(id) as LineItem), id: newId(), organizationId: other });
  }
  return ((performance.now() - began) / bookings.length) * ROWS;
}

/** Asks for `GET /identity` at a steady pace until told to stop. @returns the 50th and 99th percentile in ms */
function readSteadily(url: string, token: string): () => Promise<{ p50: number; p99: number; n: number }> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const open = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const began = performance.now();
    const one = new Promise<void>((resolve, reject) => {
      get(`${url}/identity`, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
        answer.resume().on('end', () => {
          times.push(performance.now() - began);
          resolve();
        });
      }).on('error', reject);
    });
    open.add(one);
    void one.finally(() => open.delete(one));
  }, READ_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await Promise.all(open);
    agent.destroy();
    times.sort((a, b) => a - b);
    const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
    return { p50: at(0.5), p99: at(0.99), n: times.length };
  };
}

async function main(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'startline-bench-'));
  const server = await startEmbeddedPostgres({ home });
  const processes: ChildProcess[] = [];
  try {
    await migrate(server.url);
    const dataSource = await createDataSource({ url: server.url, applicationName: 'bench' }).initialize();
    const PORT = String(await freePort());
    processes.push(
      start('api', { DATABASE_URL: server.url, PORT }),
      start('worker', { DATABASE_URL: server.url }),
    );
    const url = `http://127.0.0.1:${PORT}`;
    await answering(url);
    const warm = await sale(dataSource);
    await imported(url, warm, body(warm));

    const [ours, bare]: [number[], number[]] = [[], []];
    for (let round = 1; round <= ROUNDS; round++) {
      say(`round ${round}`);
      const to = await sale(dataSource);
      ours.push(await imported(url, to, body(to)));
      bare.push(await bareSql(dataSource, to));
    }
    const saved = await oneByOne(dataSource, warm);

    const stopIdle = readSteadily(url, warm.token);
    await sleep(READ_SECONDS * 1_000);
    const idle = await stopIdle();
    const big = await sale(dataSource);
    const padding = 'x'.repeat(Math.floor((BIG_BODY - body(big).length) / ROWS) - 30);
    const batch = body(big, padding);
    say(`a batch of ${(batch.length / 1e6).toFixed(1)} MB`);
    const stopBusy = readSteadily(url, warm.token);
    await imported(url, big, batch);
    const busy = await stopBusy();

    const [import_, sql] = [median(ours), median(bare)];
    const lines = [
      `import of ${ROWS} bookings, posted to finished: ${seconds(import_)}, ${rate(import_)}`,
      `bare set-based SQL of the same rows: ${seconds(sql)}, ${rate(sql)}`,
      `TypeORM save() one by one: ${seconds(saved)}, ${rate(saved)} (from ${SAVED_ONE_BY_ONE} rows)`,
      `import against bare SQL: ${(sql / import_).toFixed(2)} (goal 0.4)`,
      `import against save(): ${(saved / import_).toFixed(1)} times (goal 10)`,
      `GET /identity idle: p50 ${idle.p50.toFixed(1)} ms, p99 ${idle.p99.toFixed(1)} ms (${idle.n})`,
      `while 20 MB are posted and worked on: p50 ${busy.p50.toFixed(1)} ms, p99 ${busy.p99.toFixed(1)} ms (${busy.n})`,
      `p99 against idle: ${(busy.p99 / idle.p99).toFixed(1)} times (goal 3 at most)`,
    ];
    for (const line of lines) say(line);
    await dataSource.destroy();
  } finally {
    for (const child of processes) {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
    await server.stop();
    rmSync(home, { recursive: true });
  }
}

void main();
