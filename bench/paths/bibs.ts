import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { freePort } from '#libs/testing';
import { announce, type Options } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { cpuMsOfTree, type Program } from '../fixtures/program';
import { postMessages, type RaceDayFixture, raceDayFixture, settled } from '../fixtures/race-day';
import { spawnApi, spawnWorker, withDataSource } from '../fixtures/startline';
import type { Result } from '../report/result';

const PARTICIPANTS = 50_000;
/** Timing messages a second that claim numbers of the plan for its participants. */
const MESSAGES_A_SECOND = 100;

const NAMES = `
  UPDATE start_list_entries SET fields = json_build_array(
    json_build_object('id', id, 'key', 'firstName', 'label', 'First name', 'type', 'TEXT', 'value', md5(id::text)),
    json_build_object('id', id, 'key', 'lastName', 'label', 'Last name', 'type', 'TEXT', 'value', md5('last' || id::text)))
  WHERE organization_id = $1`;

/**
 * A bib plan of a race with 50,000 participants, from the request to the last bib that shows, while timing messages claim the same
 * numbers; and the plan that gives bibs to those whose number was taken meanwhile.
 */
export async function bibs(databases: Databases, { postmaster }: Options): Promise<Result[]> {
  const title = `Bib plan of ${PARTICIPANTS.toLocaleString('en')} participants, at ${MESSAGES_A_SECOND} timing messages a second`;
  announce(title);
  const url = await databases.empty('bibs');
  const programs: Program[] = [];
  try {
    return await withDataSource(url, async (dataSource) => {
      const at = await raceDayFixture(dataSource, PARTICIPANTS - 1);
      await dataSource.query(NAMES, [at.organizationId]);
      const [{ raceId }] = await dataSource.query(
        'SELECT race_id AS "raceId" FROM start_list_entries WHERE participant_id = $1',
        [at.participantIds[0]],
      );
      const api = await spawnApi(url, { RATE_TIMING: '100000' });
      programs.push(api, await spawnWorker(url, await freePort()));
      const began = performance.now();
      await plan(api.url, at, raceId, true);
      const previewMs = performance.now() - began;
      const timing = claims(api.url, at);
      const cpuMs = () =>
        [cpuMsOfTree(postmaster), programs.reduce((sum, one) => sum + one.cpuMs(), 0)] as const;
      const before = cpuMs();
      const first = await timed(() => given(api.url, at, raceId)).finally(() => timing.stop());
      const after = cpuMs();
      const messages = await timing.stop();
      await settled(dataSource);
      const again = await timed(() => given(api.url, at, raceId));
      const counted = await count(dataSource, raceId);
      return [
        {
          path: 'bibs',
          title,
          measurements: [
            { what: 'preview', value: previewMs, unit: 'ms' },
            { what: 'request to last bib', value: first.ms, unit: 'ms' },
            { what: 'CPU of PostgreSQL', value: after[0] - before[0], unit: 'ms' },
            { what: 'CPU of api and worker', value: after[1] - before[1], unit: 'ms' },
            { what: 'bibs that messages had taken or given', value: first.value.others, unit: '' },
            { what: 'messages meanwhile', value: messages, unit: '' },
            { what: 'the same plan again', value: again.ms, unit: 'ms' },
            { what: 'participants with a bib', value: counted.bibs, unit: '' },
          ],
          ratios: [
            { what: 'seconds', value: first.ms / 1_000, atMost: 30 },
            { what: 'bibs that two have', value: counted.bibs - counted.numbers, atMost: 0 },
            { what: 'participants without a bib', value: PARTICIPANTS - counted.bibs, atMost: 0 },
          ],
        },
      ];
    });
  } finally {
    for (const program of programs) await program.stop();
    await databases.drop('bibs');
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const began = performance.now();
  const value = await work();
  return { value, ms: performance.now() - began };
}

const asked = async (url: string, { organizer }: RaceDayFixture, path: string, body?: object) => {
  const answer = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...organizer.headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json() as Promise<any>;
};

const plan = (url: string, at: RaceDayFixture, raceId: string, dryRun: boolean) =>
  asked(url, at, `/v0/races/${raceId}/bib-plan`, {
    ranges: [{ from: 1, to: 2 * PARTICIPANTS, order: [{ by: 'NAME' }] }],
    dryRun,
  });

async function given(url: string, at: RaceDayFixture, raceId: string): Promise<{ others: number }> {
  const { jobId } = await plan(url, at, raceId, false);
  if (!jobId) return { others: 0 };
  for (;;) {
    const job = await asked(url, at, `/v0/participant-changes/${jobId}`);
    if (job.status === 'FAILED') throw new Error(job.failure);
    if (job.status === 'COMPLETED') return { others: job.alreadyImportedRows + job.failedRows };
    await sleep(100);
  }
}

/** Every tenth of a second some participants get numbers that the plan has for others. */
function claims(url: string, at: RaceDayFixture): { stop(): Promise<number> } {
  let sent = 0;
  let isStopping = false;
  const running = (async () => {
    while (!isStopping) {
      const next = performance.now() + 100;
      const messages = Array.from({ length: MESSAGES_A_SECOND / 10 }, () => {
        const participantId = at.participantIds[(sent * 7_919) % at.participantIds.length];
        const data = { participantId, bibNumber: String(1 + ((sent++ * 104_729) % PARTICIPANTS)) };
        return { schemaVersion: '1.0', data, changedAt: new Date().toISOString() };
      });
      await postMessages(url, at, messages);
      await sleep(Math.max(0, next - performance.now()));
    }
  })();
  return {
    stop: async () => {
      isStopping = true;
      await running;
      return sent;
    },
  };
}

async function count(dataSource: DataSource, raceId: string): Promise<{ bibs: number; numbers: number }> {
  const [found] = await dataSource.query(
    'SELECT count(bib_number)::int AS bibs, count(DISTINCT bib_number)::int AS numbers FROM start_list_entries WHERE race_id = $1',
    [raceId],
  );
  return found;
}
