import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#libs/testing';
import { announce, median, type Options } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { bookingsBody, imported, importFixture, wipe } from '../fixtures/imports';
import type { Program } from '../fixtures/program';
import {
  postMessages,
  type RaceDayFixture,
  raceDayFixture,
  settled,
  someMessages,
} from '../fixtures/race-day';
import { asking, spawnApi, spawnWorker, withDataSource } from '../fixtures/startline';
import { during, type SteadySeen } from '../fixtures/steady';
import type { Result } from '../report/result';
import { participantIds } from './single';

const READ_EVERY_MS = 5;
const ROWS = 10_000;
const BIG_BODY = 20_900_000;
const REQUESTS_PER_SECOND = 10;
const MESSAGES_PER_REQUEST = 100;

interface Round {
  idle: SteadySeen;
  importing: SteadySeen;
  timing: SteadySeen;
}

/**
 * Single reads at a steady rate: idle, while 20 MB are posted and processed, and while 1,000 messages a second
 * arrive.
 */
export async function interference(databases: Databases, options: Options): Promise<Result[]> {
  const url = await databases.entries(options.entries);
  return withDataSource(url, async (dataSource) => {
    const caller = await asking(dataSource);
    const ids = await participantIds(url, caller.organizationId);
    const programs: Program[] = [];
    const others: string[] = [];
    try {
      const api = await spawnApi(url);
      programs.push(api, await spawnWorker(url, await freePort()));
      const race = await raceDayFixture(dataSource);
      others.push(race.organizationId);
      const job = {
        url: api.url,
        requests: ids.map((id) => ({ path: `/v0/participants/${id}`, headers: caller.headers })),
        everyMs: READ_EVERY_MS,
      };
      const rounds: Round[] = [];
      // The first round is for warm-up.
      for (let round = 0; round <= options.rounds; round++) {
        if (round > 0) announce(`single reads under load, round ${round}`);
        const to = await importFixture(dataSource);
        others.push(to.organizationId);
        const batch = bookingsBody(to, ROWS, BIG_BODY);
        const idle = await during(job, () => sleep(options.seconds * 1_000));
        const importing = await during(job, () => imported(api.url, to, 'bookings', batch, ROWS));
        const timing = await during(job, () => raceDay(api, race, options.seconds));
        await settled(dataSource);
        if (round > 0) rounds.push({ idle, importing, timing });
      }
      return [resultOf(rounds)];
    } finally {
      for (const program of programs) await program.stop();
      for (const organizationId of others) await wipe(dataSource, organizationId);
    }
  });
}

async function raceDay(api: Program, race: RaceDayFixture, seconds: number): Promise<void> {
  const began = performance.now();
  const posted: Promise<void>[] = [];
  for (let request = 0; request < seconds * REQUESTS_PER_SECOND; request++) {
    await sleep(Math.max(0, began + (request * 1_000) / REQUESTS_PER_SECOND - performance.now()));
    const messages = someMessages(race, MESSAGES_PER_REQUEST, request * MESSAGES_PER_REQUEST);
    posted.push(postMessages(api.url, race, messages));
  }
  await Promise.all(posted);
}

function resultOf(rounds: Round[]): Result {
  const of = (phase: keyof Round, measure: 'p50' | 'p99') =>
    median(rounds.map((round) => round[phase][measure]));
  const phases = [
    ['idle', 'idle'],
    ['importing', 'while a 20 MB import is posted and worked on'],
    ['timing', 'while 1,000 timing messages a second arrive'],
  ] as const;
  return {
    path: 'interference',
    title: `One participant, ${1_000 / READ_EVERY_MS} reads a second`,
    measurements: phases.flatMap(([phase, words]) => [
      { what: `p50 ${words}`, value: of(phase, 'p50'), unit: 'ms' },
      { what: `p99 ${words}`, value: of(phase, 'p99'), unit: 'ms' },
    ]),
    ratios: [
      {
        what: 'p99 during the import, of idle',
        value: of('importing', 'p99') / of('idle', 'p99'),
        atMost: 3,
      },
      { what: 'p99 during timing, of idle', value: of('timing', 'p99') / of('idle', 'p99'), atMost: 3 },
    ],
  };
}
