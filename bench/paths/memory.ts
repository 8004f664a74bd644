import { freePort } from '#libs/testing';
import { announce, type Options } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { bookingsBody, imported, importFixture, wipe } from '../fixtures/imports';
import { load } from '../fixtures/load';
import type { Program } from '../fixtures/program';
import { asking, spawnApi, spawnWorker, withDataSource } from '../fixtures/startline';
import type { Result } from '../report/result';
import { get, pathOf } from './reads';

const ROWS = 10_000;
const REPEATS = 9;
const SAMPLE_MS = 50;
/**
 * V8 delays garbage collection, so the minimum of the last third of the repeats is compared with that of the second
 * third.
 */
const GROWTH = 1.15;

/** The resident size of the API under lists and of the worker under imports: at rest, at most, and over repeats. */
export async function memory(databases: Databases, options: Options): Promise<Result[]> {
  const url = await databases.entries(options.entries);
  return withDataSource(url, async (dataSource) => {
    const caller = await asking(dataSource);
    const api = await spawnApi(url);
    const worker = await spawnWorker(url, await freePort());
    const others: string[] = [];
    try {
      announce('memory');
      const [apiIdle, workerIdle] = [api.residentMb(), worker.residentMb()];
      const underLists: number[] = [];
      for (let repeat = 0; repeat < REPEATS; repeat++) {
        const requests = [100, 500].flatMap((size) =>
          get(pathOf('/v0/participants', { 'page[size]': size }), caller),
        );
        const [peak] = await peaksOf([api], () =>
          load(options.tool, { url: api.url, requests, seconds: options.seconds }),
        );
        underLists.push(peak as number);
      }
      const underImports: number[] = [];
      const apiUnderImports: number[] = [];
      for (let repeat = 0; repeat < REPEATS; repeat++) {
        const to = await importFixture(dataSource);
        others.push(to.organizationId);
        const [ofWorker, ofApi] = await peaksOf([worker, api], () =>
          imported(api.url, to, 'bookings', bookingsBody(to, ROWS), ROWS),
        );
        underImports.push(ofWorker as number);
        apiUnderImports.push(ofApi as number);
      }
      return [
        resultOf('Memory of the api, lists of 100 and 500', apiIdle, underLists, 300),
        resultOf('Memory of the worker, imports of 10,000 bookings', workerIdle, underImports, 300),
        resultOf('Memory of the api, imports of 10,000 bookings', apiIdle, apiUnderImports),
      ];
    } finally {
      await worker.stop();
      await api.stop();
      for (const organizationId of others) await wipe(dataSource, organizationId);
    }
  });
}

/** @returns the maximum resident size of each process meanwhile, in MB */
async function peaksOf(programs: Program[], work: () => Promise<unknown>): Promise<number[]> {
  const peaks = programs.map(() => 0);
  const look = () =>
    programs.forEach((program, i) => {
      peaks[i] = Math.max(peaks[i] as number, program.residentMb());
    });
  const timer = setInterval(look, SAMPLE_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  look();
  return peaks;
}

function resultOf(title: string, idle: number, peaks: number[], goal?: number): Result {
  const most = Math.max(...peaks);
  return {
    path: 'memory',
    title,
    measurements: [
      { what: 'before the first request', value: idle, unit: 'MB' },
      ...peaks.map((value, i) => ({ what: `at most in repeat ${i + 1}`, value, unit: 'MB' })),
    ],
    ratios: [
      ...(goal ? [{ what: 'MB resident at most', value: most, atMost: goal }] : []),
      { what: 'lowest of the last third, of the second', value: grown(peaks), atMost: GROWTH },
    ],
  };
}

function grown(peaks: number[]): number {
  const third = Math.floor(peaks.length / 3);
  return Math.min(...peaks.slice(-third)) / Math.min(...peaks.slice(third, 2 * third));
}
