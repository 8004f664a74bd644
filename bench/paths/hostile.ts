import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { freePort, partner } from '#libs/testing';
import { ATTACKS, type Attack, type Attacker, attacker } from '../fixtures/attacks';
import { announce, median, type Options } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { wipe } from '../fixtures/imports';
import type { Program } from '../fixtures/program';
import { asking, spawnApi, spawnWorker, withDataSource } from '../fixtures/startline';
import { during, type SteadyJob, type SteadySeen } from '../fixtures/steady';
import type { Result } from '../report/result';
import { participantIds } from './single';

const EVERY_MS = 20;
const MANY = 10;
const REST_MS = 100;
const RESTS = 10;
/** Writes of one row wait for one another, which would measure the quiet organization's own queue. */
const PARTNERS = 50;

type Round = Record<'idle' | 'one' | 'many', SteadySeen>;

/** Reads and small writes of a quiet organization beside one hostile organization, and beside ten. */
export async function hostile(databases: Databases, options: Options): Promise<Result[]> {
  const url = await databases.entries(options.entries);
  return withDataSource(url, async (dataSource) => {
    const quiet = await asking(dataSource);
    const ids = await participantIds(url, quiet.organizationId);
    const partnerIds: string[] = [];
    while (partnerIds.length < PARTNERS) {
      const { id } = await partner(dataSource, { organizationId: quiet.organizationId });
      partnerIds.push(id);
    }
    announce(`what ${MANY} hostile organizations need`);
    const attackers: Attacker[] = [];
    while (attackers.length < MANY) attackers.push(await attacker(dataSource));
    try {
      const results: Result[] = [];
      for (const [name, attack] of Object.entries(ATTACKS)) {
        const api = await spawnApi(url, DEFAULT_RATES);
        const worker = await spawnWorker(url, await freePort(), {});
        const job: SteadyJob = {
          url: api.url,
          everyMs: EVERY_MS,
          mayFail: true,
          requests: ids.slice(0, 100).flatMap((id, n) => [
            { path: `/v0/participants/${id}`, headers: quiet.headers },
            {
              path: `/v0/partners/${partnerIds[n % PARTNERS]}`,
              method: 'PATCH' as const,
              headers: { ...quiet.headers, 'content-type': 'application/json' },
              body: JSON.stringify({ name: `Partner ${id}` }),
            },
          ]),
        };
        try {
          const rounds: Round[] = [];
          for (let round = 1; round <= options.rounds; round++) {
            announce(`${name}, round ${round}`);
            const seen = (by: Attacker[]) =>
              beside(api, job, attack, by, options.seconds * 1_000, () => workerIdle(dataSource));
            const idle = await seen([]);
            rounds.push({ idle, one: await seen(attackers.slice(0, 1)), many: await seen(attackers) });
          }
          results.push(resultOf(name, rounds));
        } finally {
          await worker.stop();
          await api.stop();
        }
      }
      return results;
    } finally {
      for (const { importing, timing } of attackers)
        for (const { organizationId } of [importing, timing]) await wipe(dataSource, organizationId);
    }
  });
}

/** An attack at the product's default rate limits, not at those of the benchmark. */
const DEFAULT_RATES = {
  RATE_IMPORT: '60',
  RATE_REGISTRATION_STATUS: '300',
  RATE_TIMING: '600',
  RATE_WIDE: '30000',
};

/** The quiet organization warms up before the attack starts, because a warm-up under attack could take minutes. */
async function beside(
  { url }: Program,
  job: SteadyJob,
  attack: Attack,
  by: Attacker[],
  ms: number,
  idle: () => Promise<void>,
): Promise<SteadySeen> {
  const stop = new AbortController();
  let attacking: Promise<void>[] = [];
  const seen = await during(job, async () => {
    attacking = by.map((one) => attack(url, one, stop.signal));
    await sleep(ms);
    stop.abort();
  });
  await Promise.all(attacking);
  await idle();
  return seen;
}

/** Resolves when the worker was idle for a second, so that work left by an attack does not affect the next measurement. */
async function workerIdle(dataSource: DataSource): Promise<void> {
  for (let rests = 0; rests < RESTS; rests++) {
    await sleep(REST_MS);
    const [{ busy }] = await dataSource.query(
      `SELECT count(*)::int AS busy FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'startline worker' AND state <> 'idle'`,
    );
    if (busy > 0) rests = 0;
  }
}

function resultOf(attack: string, rounds: Round[]): Result {
  const p99 = (phase: keyof Round) => median(rounds.map((round) => round[phase].p99));
  const refused = rounds.reduce((sum, { one, many }) => sum + one.errors + many.errors, 0);
  const ratio = median(rounds.map(({ one, many }) => many.p99 / one.p99));
  return {
    path: 'hostile',
    title: `A quiet organization beside ${attack}`,
    measurements: [
      { what: 'p99 idle', value: p99('idle'), unit: 'ms' },
      { what: 'p99 beside one hostile organization', value: p99('one'), unit: 'ms' },
      { what: `p99 beside ${MANY}`, value: p99('many'), unit: 'ms' },
    ],
    ratios: [
      { what: `p99 beside ${MANY}, of beside one`, value: ratio, atMost: 1.5 },
      { what: 'requests that were refused or failed', value: refused, atMost: 0 },
    ],
  };
}
