import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { createDataSource, migrate, newId, StartListEntry, startEmbeddedPostgres } from '#libs/database';
import {
  APPEND_TIMING,
  applyPending,
  lockRaceDay,
  type ReadMessage,
  readTimingMessages,
  timingValues,
} from '#libs/race-day';
import { booking, key, organization, ownRedis, SIGNING_SECRETS, ticket } from '#libs/testing';

/**
 * Race day, through a real api and a real worker on a durable PostgreSQL: batches of 500 posted, beside bare
 * multi-row INSERTs of the same rows; 1,000 messages a second, from accepted to visible; the worker's fold, beside
 * one-by-one save() of TypeORM.
 *
 *   node -C source -r @swc-node/register bench/timing.ts
 */
const PARTICIPANTS = 10_000;
const BATCHES = 40;
const BATCH = 500;
const SECONDS = 20;
const REQUESTS_PER_SECOND = 10;
const MESSAGES_PER_REQUEST = 100;
/** Participants of whom nothing else is said than what is watched. */
const WATCHED = SECONDS * REQUESTS_PER_SECOND;
const FOLDED = 5_000;
const SAVED_ONE_BY_ONE = 500;

interface Meeting {
  organizationId: string;
  timingToken: string;
  token: string;
  participantIds: string[];
}

const say = (text: string) => process.stdout.write(`${text}\n`);
const median = (values: number[]) => percentile(values, 0.5);
const percentile = (values: number[], part: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] as number;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

const start = (app: 'api' | 'worker', environment: Record<string, string>): ChildProcess =>
  spawn(process.execPath, ['-C', 'source', '-r', '@swc-node/register', `apps/${app}/src/main.ts`], {
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: 'warn',
      RATE_TIMING: '1000000',
      RATE_WIDE: '1000000',
      SIGNING_SECRETS: SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });

const ready = async (url: string): Promise<void> => {
  const ok = await fetch(`${url}/health/ready`).then(
    (answer) => answer.ok,
    () => false,
  );
  if (ok) return;
  await sleep(100);
  return ready(url);
};

async function meeting(dataSource: DataSource): Promise<Meeting> {
  const { id: organizationId } = await organization(dataSource);
  const { token: timingToken } = await key(dataSource, { organizationId, kind: 'TIMING' });
  const { token } = await key(dataSource, { organizationId });
  const { id: ticketId } = await ticket(dataSource, { organizationId });
  const { entries } = await booking(dataSource, { organizationId, ticketId, entries: 1 });
  const { createdAt: _, updatedAt: __, ...like } = entries[0] as StartListEntry;
  const participantIds = Array.from({ length: PARTICIPANTS }, () => newId());
  for (let from = 0; from < PARTICIPANTS; from += 500) {
    const some = participantIds.slice(from, from + 500);
    const rows = some.map((participantId) => ({ ...like, id: newId(), participantId }));
    await dataSource.getRepository(StartListEntry).insert(rows as never);
  }
  await dataSource.query('ANALYZE');
  return { organizationId, timingToken, token, participantIds };
}

let clock = Date.parse('2026-05-04T06:00:00Z');
/** One in two says a bib, the other shipping news. */
const message = (participantId: string, n: number) => ({
  schemaVersion: '1.0',
  data:
    n % 2
      ? { participantId, bibNumber: String(n) }
      : {
          participantId,
          shipping: { shippedAt: '2026-05-04T08:00:00Z', carrier: 'Post', trackingNumber: `RM${n}` },
        },
  changedAt: new Date(clock++).toISOString(),
});

const post = async (url: string, { timingToken }: Meeting, messages: unknown[]): Promise<void> => {
  const answer = await fetch(`${url}/timing-inbound/v1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${timingToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(messages),
  });
  if (!answer.ok) throw new Error(await answer.text());
  await answer.arrayBuffer();
};

const someMessages = ({ participantIds }: Meeting, count: number, from = 0) =>
  Array.from({ length: count }, (_, n) =>
    message(participantIds[WATCHED + (((from + n) * 7_919) % (PARTICIPANTS - WATCHED))] as string, from + n),
  );

const INSERT_COLUMNS = [
  'participant_id',
  'sets_bib',
  'bib_number',
  'shipping_status',
  'shipped_at',
  'shipping_carrier',
  'tracking_number',
  'changed_at',
] as const;

/** The same rows by INSERT … VALUES (…), (…), as a program without an api would write them. */
async function bareInsert(
  dataSource: DataSource,
  organizationId: string,
  rows: ReadMessage[],
): Promise<void> {
  const width = INSERT_COLUMNS.length + 1;
  const places = rows.map(
    (_, row) =>
      `('TIMING', ${Array.from({ length: width }, (_, n) => `$${row * width + n + 1}`).join(', ')})`,
  );
  await dataSource.query(
    `INSERT INTO race_day_log (source, organization_id, ${INSERT_COLUMNS.join(', ')}) VALUES ${places.join(', ')}`,
    rows.flatMap((row) => [organizationId, ...INSERT_COLUMNS.map((column) => row[column])]),
  );
}

/** @returns messages per second, posted and bare, in turns so that both see the same machine */
async function ingest(url: string, dataSource: DataSource, meeting: Meeting) {
  const posted: number[] = [];
  const bare: number[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const messages = someMessages(meeting, BATCH, batch * BATCH);
    const rows = readTimingMessages(messages);
    let began = performance.now();
    await post(url, meeting, messages);
    posted.push(performance.now() - began);
    began = performance.now();
    await bareInsert(dataSource, meeting.organizationId, rows);
    bare.push(performance.now() - began);
  }
  return { posted: median(posted), bare: median(bare) };
}

/** Posts at a steady pace; each request's last message is watched by GET until it shows. */
async function freshness(url: string, meeting: Meeting): Promise<number[]> {
  const times: number[] = [];
  const watched: Promise<void>[] = [];
  const { token, participantIds } = meeting;
  const headers = { authorization: `Bearer ${token}` };
  const began = performance.now();
  for (let request = 0; request < WATCHED; request++) {
    await sleep(Math.max(0, began + (request * 1_000) / REQUESTS_PER_SECOND - performance.now()));
    const messages = someMessages(meeting, MESSAGES_PER_REQUEST, 1_000_000 + request * MESSAGES_PER_REQUEST);
    const participantId = participantIds[request] as string;
    const trackingNumber = `WATCHED-${request}`;
    const last = {
      ...message(participantId, 0),
      data: { participantId, shipping: { shippedAt: '2026-05-04T08:00:00Z', trackingNumber } },
    };
    const one = post(url, meeting, [...messages.slice(1), last]).then(async () => {
      const accepted = performance.now();
      for (;;) {
        const answer = await fetch(`${url}/v0/participants/${participantId}`, { headers });
        const { raceDayDetails } = (await answer.json()) as {
          raceDayDetails: { shipping: { trackingNumber: string } | null };
        };
        if (raceDayDetails.shipping?.trackingNumber === trackingNumber) break;
        await sleep(5);
      }
      times.push(performance.now() - accepted);
    });
    watched.push(one);
  }
  await Promise.all(watched);
  return times;
}

/** @returns milliseconds per message: the worker's way, and one by one */
async function fold(dataSource: DataSource, given: Meeting) {
  const { organizationId } = given;
  const caller = { organizationId, keyId: newId(), eventOccurrenceIds: null };
  for (let from = 0; from < FOLDED; from += BATCH) {
    const messages = readTimingMessages(someMessages(given, BATCH, 2_000_000 + from));
    await dataSource.query(APPEND_TIMING, timingValues(caller, messages));
  }
  let began = performance.now();
  let taken = 0;
  do {
    taken = await dataSource.transaction(async (manager) => {
      await lockRaceDay(manager, organizationId);
      return applyPending(manager, organizationId, 1_000);
    });
  } while (taken > 0);
  const set = (performance.now() - began) / FOLDED;

  const entries = dataSource.getRepository(StartListEntry);
  const messages = readTimingMessages(someMessages(given, SAVED_ONE_BY_ONE, 3_000_000));
  began = performance.now();
  for (const said of messages) {
    const entry = await entries.findOneByOrFail({
      organizationId,
      participantId: said.participant_id as string,
    });
    const changedAt = new Date(said.changed_at);
    if (said.sets_bib && (!entry.bibChangedAt || entry.bibChangedAt <= changedAt)) {
      const bibNumber = said.bib_number;
      Object.assign(entry, { bibNumber, bibClaim: bibNumber, bibChangedAt: changedAt });
    }
    if (said.shipping_status && (!entry.shippingChangedAt || entry.shippingChangedAt <= changedAt)) {
      entry.shippingStatus = said.shipping_status;
      entry.shippingCarrier = said.shipping_carrier ?? entry.shippingCarrier;
      entry.trackingNumber = said.tracking_number ?? entry.trackingNumber;
      entry.shippingChangedAt = changedAt;
    }
    await entries.save(entry);
  }
  return { set, single: (performance.now() - began) / SAVED_ONE_BY_ONE };
}

async function main(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'startline-bench-'));
  const server = await startEmbeddedPostgres({ home, durable: true });
  const running: ChildProcess[] = [];
  const stop = async () => {
    for (const child of running.splice(0)) {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
  };
  const redis = await ownRedis().catch(() => undefined);
  await migrate(server.url);
  const dataSource = await createDataSource({ url: server.url, applicationName: 'bench' }).initialize();
  try {
    const at = await meeting(dataSource);
    const { set, single } = await fold(dataSource, await meeting(dataSource));
    say(
      `Fold: ${set.toFixed(3)} ms a message; one-by-one save(): ${single.toFixed(3)} ms; ${(single / set).toFixed(1)} ×`,
    );

    for (const [name, backend] of [
      ['PostgreSQL', {}],
      ['Redis', redis && { REDIS_URL: redis.url }],
    ] as const) {
      if (!backend) continue;
      const PORT = String(await freePort());
      const url = `http://127.0.0.1:${PORT}`;
      const environment = { DATABASE_URL: server.url, PORT, ...backend };
      running.push(start('api', environment));
      await ready(url);
      if (name === 'PostgreSQL') {
        const { posted, bare } = await ingest(url, dataSource, at);
        say(
          `Ingest of ${BATCH}: ${posted.toFixed(1)} ms (${Math.round((BATCH / posted) * 1_000)} messages/s); bare INSERT: ${bare.toFixed(1)} ms; ${(bare / posted).toFixed(2)} of it`,
        );
      }
      running.push(start('worker', environment));
      while ((await dataSource.query('SELECT FROM race_day_log WHERE applied_at IS NULL LIMIT 1')).length > 0)
        await sleep(100);
      const times = await freshness(url, at);
      say(
        `Accepted to visible at ${REQUESTS_PER_SECOND * MESSAGES_PER_REQUEST} messages/s, queue on ${name}: p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms`,
      );
      await stop();
    }
  } finally {
    await stop();
    await dataSource.destroy();
    await redis?.stop();
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

void main();
