/**
 * Requests from the OpenAPI document, valid, nearly valid and invalid, by every kind of key and every role: none may return 5xx,
 * violate the document, take long, or return another organization's data; every operation must be answered with 200 at least once;
 * and accepted imports must finish without `INTERNAL` errors.
 *
 * npm test -- fuzz                   a short run, always with the same requests
 * npm run fuzz                       a long run with new requests; it prints its seed
 * FUZZ_SEED=… npm run fuzz           repeats that run
 * FUZZ_RUNS=5000 npm run fuzz        a shorter run
 *
 * The long run also limits each response to a second, and checks that API and worker use no more memory at the end
 * than at a third.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { INestApplicationContext } from '@nestjs/common';
import fc from 'fast-check';
import { occurrence, type WholeOrganization, wholeOrganization } from '#libs/testing';
import { isId } from '#platform/database';
import { eventually, startApi, startWorker, type TestApi, UNLIMITED } from '../harness';
import { ALL_OPERATIONS } from './document';
import { type FuzzedRequest, knownOf, requests } from './fuzz-arbitraries';
import { World } from './fuzz-world';
import { inTime } from './in-time';
import { expectErrorShape } from './refused';
import { rowsOf, Stranger } from './stranger';

const LONG = process.env.FUZZ_RUNS !== undefined;
const RUNS = Number(process.env.FUZZ_RUNS ?? 500);
const SEED = Number(process.env.FUZZ_SEED ?? (LONG ? Date.now() % 2 ** 31 : 20_261_121));
/** Of processor time. */
const SLOW_MS = LONG ? 1_000 : 10_000;
/** From a third of the requests to all of them: a leak of 500 bytes per request is detected in 50,000. */
const MOST_GROWTH = 16 * 1_048_576;

let api: TestApi;
let worker: INestApplicationContext;
let ours: WholeOrganization;
let theirs: WholeOrganization;
let stranger: Stranger;
let theirRows: Record<string, string>;
let world: World;
beforeAll(async () => {
  // Of a mail server that is away, which no answer tells.
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@example.com', PUBLIC_URL: 'http://127.0.0.1' };
  api = await startApi({ ...UNLIMITED, ...mail });
  ours = await wholeOrganization(api.dataSource, { mark: 'qwertyrunners' });
  theirs = await wholeOrganization(api.dataSource, { mark: 'zyxwvrivals' });
  const { organizationId } = ours;
  await occurrence(api.dataSource, { organizationId, title: 'Marathon' });
  world = await World.of(api, ours);
  stranger = await Stranger.of(api.dataSource, theirs.organizationId, theirs.mark);
  theirRows = await rowsOf(api.dataSource, theirs.organizationId);
});
afterAll(async () => {
  await worker?.close();
  await api.close();
});

/** The operations that random requests got 200 from. */
const answered = new Set<string>();

const kept = new Set<string>();

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
/** The memory of API, worker and this test without garbage; memory outside the heap is freed a turn later. */
async function memory(): Promise<number> {
  for (let i = 0; i < 5; i++) {
    collectGarbage();
    await nextTurn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
let sent = 0;
let memoryAtOneThird = 0;

async function send({ operation: of, caller, headers, isValid, ...given }: FuzzedRequest): Promise<void> {
  const { path, body } = isValid
    ? await world.valid(of)
    : { path: await world.withNewRecords(given.path), body: given.body };
  const answer = await inTime(SLOW_MS, () => world.send(caller, of.method, path, body, headers));
  if (++sent === Math.floor(RUNS / 3)) memoryAtOneThird = await memory();
  if (answer.status !== 200) {
    expect(answer.status).toBeLessThan(500);
    expectErrorShape(answer);
  } else answered.add(of.name);
  // Stored text may be returned again, whatever it contains.
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  if (text && answer.status === 200) for (const part of stranger.partsOf(text)) kept.add(part);
  const traces = stranger.tracesIn(answer, decoded(path) + text);
  expect(traces.filter((part) => !kept.has(part))).toEqual([]);
}

const decoded = (path: string): string => {
  try {
    return path + decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** What a client sends by mistake: the same again, nothing, and one property of several. */
it('answers a valid request of every operation, and holds against parts and repetitions of it', async () => {
  const wrong: unknown[] = [];
  // Without a worker, jobs and messages stay as they are.
  for (const of of ALL_OPERATIONS) {
    const { path, body } = await world.valid(of);
    const caller = world.callerOf(of.access);
    const parts = Object.entries(body ?? {}).map((part) => Object.fromEntries([part]));
    const others = [body, ...(of.body ? [{}, ...parts] : [])];
    const send = (each: unknown) => world.send(caller, of.method, path, each);
    const { status, text } = await send(body);
    if (status !== 200) wrong.push([of.name, status, text]);
    for (const answer of await Promise.all(others.map(send)))
      if (answer.status >= 500) wrong.push([of.name, answer.status, answer.text]);
  }
  expect(wrong).toEqual([]);
});

it(`holds against ${RUNS} requests (seed ${SEED})`, async () => {
  worker = await startWorker(api);
  const known = knownOf(ours);
  for (const [name, values] of Object.entries(knownOf(theirs))) {
    // One in three is of the other organization.
    known[name] = [...values.filter(isId), ...(known[name] ?? []), ...(known[name] ?? [])];
  }
  await fc.assert(
    fc.asyncProperty(
      requests(ours, known, (of) => world.callersOf(of)),
      send,
    ),
    {
      numRuns: RUNS,
      seed: SEED,
      endOnFailure: !LONG,
    },
  );
});

it('processes all accepted work without an unexpected error', async () => {
  // The organization's own jobs have no valid row; requests may retry or cancel them.
  const fixtures = Object.values(ours.ids).map((id) => `'${id}'`);
  const count = async (what: string): Promise<number> => {
    const [{ n }] = await api.dataSource.query(`SELECT count(*)::int AS n FROM ${what}`);
    return n;
  };
  await eventually(async () => (await count(`import_jobs WHERE status IN ('QUEUED', 'RUNNING')`)) === 0);
  await eventually(async () => (await count('race_day_log WHERE applied_at IS NULL')) === 0);
  const internal = await api.dataSource.query(
    `SELECT j.surface, r.payload, r.error_message FROM import_rows r
     JOIN import_jobs j ON j.organization_id = r.organization_id AND j.id = r.job_id
     WHERE r.error_code = 'INTERNAL' AND r.job_id::text NOT IN (${fixtures}) AND r.organization_id = $1 AND r.error_message NOT LIKE '%could not be written' LIMIT 5`,
    [ours.organizationId],
  );
  expect(internal).toEqual([]);
  expect(
    await count(
      `import_jobs WHERE status = 'FAILED' AND failure NOT LIKE '%was cancelled%' AND id::text NOT IN (${fixtures})`,
    ),
  ).toBe(0);
  expect(await count(`import_rows WHERE outcome = 'IMPORTED'`)).toBeGreaterThan(RUNS / 300);
});

it('does not change the other organization', async () => {
  expect(await rowsOf(api.dataSource, theirs.organizationId)).toEqual(theirRows);
});

if (LONG) {
  it('was answered with 200 by every operation', () => {
    expect(ALL_OPERATIONS.map(({ name }) => name).filter((name) => !answered.has(name))).toEqual([]);
  });

  it('does not grow in memory', async () => {
    const grown = (await memory()) - memoryAtOneThird;
    process.stdout.write(
      `Memory grew by ${Math.round(grown / 1024)} KiB from a third to all of ${sent} requests\n`,
    );
    expect(grown).toBeLessThan(MOST_GROWTH);
  });
}
