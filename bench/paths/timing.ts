import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import {
  APPEND_TIMING,
  hasRaceDayWork,
  type ReadMessage,
  raceDayRound,
  readTimingMessages,
  timingValues,
} from '#domain/race-day';
import { freePort, ownRedis } from '#libs/testing';
import { newId, StartListEntry } from '#platform/database';
import { announce, median, type Options } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { log } from '../fixtures/log';
import type { Program } from '../fixtures/program';
import {
  message,
  postMessages,
  type RaceDayFixture,
  raceDayFixture,
  settled,
  someMessages,
} from '../fixtures/race-day';
import { spawnApi, spawnWorker, withDataSource } from '../fixtures/startline';
import type { Result } from '../report/result';

const BATCHES_PER_ROUND = 15;
const BATCH = 500;
const REQUESTS_PER_SECOND = 10;
const MESSAGES_PER_REQUEST = 100;
const PROJECTED = 5_000;
const SAVED_ONE_BY_ONE = 500;
const FLOOD = 50_000;
const SENDERS = 4;

/**
 * Race day: batches of 500, compared with plain multi-row INSERTs of the same rows; 1,000 messages a second, from
 * acceptance to visibility; 50,000 as fast as they are accepted; the worker's projection, compared with save() for each row.
 */
export async function timing(databases: Databases, options: Options): Promise<Result[]> {
  const url = await databases.empty('timing');
  const redis = await ownRedis().catch(() => undefined);
  if (!redis) log('SKIPPED: accepted to visible with the queue on Redis; there is no redis-server here');
  try {
    return await withDataSource(url, async (dataSource) => {
      const results = [await projection(dataSource)];
      const at = await raceDayFixture(dataSource);
      results.push(await ingest(url, dataSource, at, options));
      for (const [queue, environment] of [
        ['PostgreSQL', {}],
        ['Redis', redis && { REDIS_URL: redis.url }],
      ] as const) {
        if (environment) results.push(await visible(url, dataSource, at, queue, environment, options));
      }
      results.push(await flood(url, dataSource, at));
      return results;
    });
  } finally {
    await redis?.stop();
    await databases.drop('timing');
  }
}

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

/** The same rows by INSERT … VALUES (…), (…), as a program without an API would write them. */
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

async function ingest(
  url: string,
  dataSource: DataSource,
  at: RaceDayFixture,
  options: Options,
): Promise<Result> {
  const title = `Timing, batches of ${BATCH}, durable before the answer`;
  announce(title);
  const api = await spawnApi(url);
  try {
    const [posted, bare, ratios]: number[][] = [[], [], []];
    for (let batch = -2; batch < BATCHES_PER_ROUND * options.rounds; batch++) {
      const messages = someMessages(at, BATCH, (batch + 2) * BATCH);
      const rows = readTimingMessages(messages);
      let began = performance.now();
      await postMessages(api.url, at, messages);
      const postedMs = performance.now() - began;
      began = performance.now();
      await bareInsert(dataSource, at.organizationId, rows);
      const bareMs = performance.now() - began;
      if (batch < 0) continue;
      posted?.push(postedMs);
      bare?.push(bareMs);
      ratios?.push(bareMs / postedMs);
    }
    return {
      path: 'timing',
      title,
      measurements: [
        { what: 'Startline', value: median(posted ?? []), unit: 'ms' },
        { what: 'bare multi-row INSERT', value: median(bare ?? []), unit: 'ms' },
      ],
      ratios: [{ what: 'of bare multi-row INSERT', value: median(ratios ?? []), atLeast: 0.5 }],
    };
  } finally {
    await api.stop();
  }
}

async function visible(
  url: string,
  dataSource: DataSource,
  at: RaceDayFixture,
  queue: string,
  environment: Record<string, string>,
  { seconds, rounds }: Options,
): Promise<Result> {
  const rate = REQUESTS_PER_SECOND * MESSAGES_PER_REQUEST;
  const title = `Timing at ${rate.toLocaleString('en')} messages a second, accepted to visible, queue on ${queue}`;
  announce(title);
  const programs: Program[] = [];
  try {
    const api = await spawnApi(url, environment);
    programs.push(api, await spawnWorker(url, await freePort(), environment));
    await settled(dataSource);
    const times = await freshness(api.url, at, queue, seconds * rounds);
    const part = (of: number) => times[Math.floor((times.length - 1) * of)] ?? 0;
    return {
      path: 'timing',
      title,
      measurements: [
        { what: 'p50', value: part(0.5), unit: 'ms' },
        { what: 'p99', value: part(0.99), unit: 'ms' },
        { what: 'worst', value: part(1), unit: 'ms' },
      ],
      ratios: [{ what: 'p99 in seconds', value: part(0.99) / 1_000, atMost: 1 }],
    };
  } finally {
    for (const program of programs) await program.stop();
  }
}

/** 50,000 messages of one organization, each about another participant than the one before, as fast as they are accepted. */
async function flood(url: string, dataSource: DataSource, at: RaceDayFixture): Promise<Result> {
  const title = `Timing, ${FLOOD.toLocaleString('en')} messages of one organization at once`;
  announce(title);
  const programs: Program[] = [];
  try {
    const api = await spawnApi(url);
    programs.push(api, await spawnWorker(url, await freePort()));
    await settled(dataSource);
    let next = 0;
    const send = async (): Promise<void> => {
      for (let from = next; from < FLOOD; from = next) {
        next += BATCH;
        await postMessages(api.url, at, someMessages(at, BATCH, 4_000_000 + from));
      }
    };
    const began = performance.now();
    await Promise.all(Array.from({ length: SENDERS }, send));
    const accepted = performance.now();
    await settled(dataSource);
    const seconds = (performance.now() - accepted) / 1_000;
    return {
      path: 'timing',
      title,
      measurements: [{ what: 'until the last answer', value: accepted - began, unit: 'ms' }],
      ratios: [{ what: 'seconds from the last answer until all show', value: seconds, atMost: 10 }],
    };
  } finally {
    for (const program of programs) await program.stop();
  }
}

/**
 * Posts at a steady rate, and polls the participant of each request's last message with GET until the message shows.
 * The watched participants get no other messages.
 */
async function freshness(url: string, at: RaceDayFixture, run: string, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const watching: Promise<void>[] = [];
  const requests = Math.round(seconds * REQUESTS_PER_SECOND);
  const began = performance.now();
  for (let request = 0; request < requests; request++) {
    await sleep(Math.max(0, began + (request * 1_000) / REQUESTS_PER_SECOND - performance.now()));
    const from = 1_000_000 + request * MESSAGES_PER_REQUEST;
    const messages = someMessages(at, MESSAGES_PER_REQUEST, from, requests);
    const participantId = at.participantIds[request] as string;
    const trackingNumber = `${run}-${request}`;
    const last = {
      ...message(participantId, 0),
      data: { participantId, shipping: { shippedAt: '2026-05-04T08:00:00Z', trackingNumber } },
    };
    const one = postMessages(url, at, [...messages.slice(1), last]).then(async () => {
      const accepted = performance.now();
      while ((await trackingNumberOf(url, at, participantId)) !== trackingNumber) await sleep(5);
      times.push(performance.now() - accepted);
    });
    watching.push(one);
  }
  await Promise.all(watching);
  return times.sort((a, b) => a - b);
}

async function trackingNumberOf(url: string, { organizer }: RaceDayFixture, participantId: string) {
  const answer = await fetch(`${url}/v0/participants/${participantId}`, { headers: organizer.headers });
  const { raceDayDetails } = (await answer.json()) as {
    raceDayDetails: { shipping: { trackingNumber: string } | null };
  };
  return raceDayDetails.shipping?.trackingNumber;
}

/** Milliseconds per message: by the worker, and one by one. */
async function projection(dataSource: DataSource): Promise<Result> {
  const title = 'Race-day projection';
  announce(title);
  const at = await raceDayFixture(dataSource);
  const { organizationId } = at;
  const caller = { organizationId, keyId: newId(), eventOccurrenceIds: null };
  for (let from = 0; from < PROJECTED; from += BATCH) {
    const messages = readTimingMessages(someMessages(at, BATCH, 2_000_000 + from));
    await APPEND_TIMING.run(dataSource, timingValues(caller, messages));
  }
  const began = performance.now();
  do await raceDayRound((step) => dataSource.transaction(step), organizationId, 1_000);
  while (await hasRaceDayWork(dataSource.manager, organizationId));
  const set = (performance.now() - began) / PROJECTED;
  const single = await savedOneByOne(dataSource, at);
  return {
    path: 'timing',
    title,
    measurements: [
      { what: 'the worker', value: set, unit: 'ms a message' },
      { what: 'save() one by one', value: single, unit: 'ms a message' },
    ],
    ratios: [{ what: 'times save() one by one', value: single / set, atLeast: 10 }],
  };
}

async function savedOneByOne(dataSource: DataSource, at: RaceDayFixture): Promise<number> {
  const entries = dataSource.getRepository(StartListEntry);
  const messages = readTimingMessages(someMessages(at, SAVED_ONE_BY_ONE, 3_000_000));
  const began = performance.now();
  for (const said of messages) {
    const entry = await entries.findOneByOrFail({
      organizationId: at.organizationId,
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
  return (performance.now() - began) / SAVED_ONE_BY_ONE;
}
