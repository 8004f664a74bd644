import type { DataSource } from 'typeorm';
import { freePort } from '#libs/testing';
import {
  announce,
  type Candidate,
  type CandidateResult,
  compare,
  median,
  type Options,
} from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { bookingsBody, imported, importFixture, wipe } from '../fixtures/imports';
import type { Program } from '../fixtures/program';
import { type Asking, asking, spawnApi, spawnWorker, withDataSource } from '../fixtures/startline';
import type { Result } from '../report/result';
import { get, pathOf } from './reads';
import { participantIds } from './single';

const SIZES = [10_000, 100_000, 1_000_000, 5_000_000];
const ROWS = 10_000;

interface Place {
  entries: number;
  url: string;
  api: Program;
  caller: Asking;
}

/** List, single read and import at each size, in alternation. */
export async function scale(databases: Databases, options: Options): Promise<Result[]> {
  const sizes = SIZES.filter((size) => size <= options.largest);
  const places: Place[] = [];
  try {
    for (const entries of sizes) {
      const url = await databases.entries(entries);
      const caller = await withDataSource(url, (dataSource) => asking(dataSource));
      places.push({ entries, url, caller, api: await spawnApi(url) });
    }
    return [
      await reads('Listing 100 participants', 1.2, places, options, async ({ caller }) =>
        get(pathOf('/v0/participants', { 'page[size]': 100 }), caller),
      ),
      await reads('Reading one participant', undefined, places, options, async ({ url, caller }) =>
        (await participantIds(url, caller.organizationId)).map((id) => ({
          path: `/v0/participants/${id}`,
          headers: caller.headers,
        })),
      ),
      await imports(places, options),
    ];
  } finally {
    for (const { api } of places) await api.stop();
  }
}

const nameOf = ({ entries }: Place): string => `${entries.toLocaleString('en')} entries`;

async function reads(
  title: string,
  goal: number | undefined,
  places: Place[],
  options: Options,
  requestsOf: (place: Place) => Promise<Candidate['requests']>,
): Promise<Result> {
  announce(`${title}, by entries in the database`);
  const candidates: Candidate[] = [];
  for (const place of places)
    candidates.push({ name: nameOf(place), program: place.api, requests: await requestsOf(place) });
  const measured = await compare(candidates, options);
  const ms = (result: CandidateResult, round: number) => 1_000 / (result.rounds[round]?.perSecond ?? 0);
  const [smallest, largest] = [measured[0], measured.at(-1)] as [CandidateResult, CandidateResult];
  const value = median(smallest.rounds.map((_, round) => ms(largest, round) / ms(smallest, round)));
  return {
    path: 'scale',
    title,
    candidates: measured,
    ratios: [{ what: 'cost at the largest, of the smallest', value, ...(goal && { atMost: goal }) }],
  };
}

async function imports(places: Place[], options: Options): Promise<Result> {
  const title = `Importing ${ROWS.toLocaleString('en')} bookings`;
  announce(`${title}, by entries in the database`);
  const times = new Map<Place, number[]>(places.map((place) => [place, []]));
  const workers: Program[] = [];
  try {
    for (const { url } of places) workers.push(await spawnWorker(url, await freePort()));
    for (let round = 0; round <= options.rounds; round++) {
      for (const place of places) {
        const ms = await withDataSource(place.url, (dataSource) => importOnce(place, dataSource));
        if (round > 0) times.get(place)?.push(ms);
      }
    }
  } finally {
    for (const worker of workers) await worker.stop();
  }
  const medians = [...times.values()].map((all) => median(all));
  return {
    path: 'scale',
    title,
    measurements: places.map((place, i) => ({ what: nameOf(place), value: medians[i] ?? 0, unit: 'ms' })),
    ratios: [
      { what: 'cost at the largest, of the smallest', value: (medians.at(-1) ?? 0) / (medians[0] ?? 1) },
    ],
  };
}

/** Into a separate organization, which is deleted afterwards. */
async function importOnce({ api }: Place, dataSource: DataSource): Promise<number> {
  const to = await importFixture(dataSource);
  try {
    return (await imported(api.url, to, 'bookings', bookingsBody(to, ROWS), ROWS)).finishedMs;
  } finally {
    await wipe(dataSource, to.organizationId);
  }
}
