import type { DataSource } from 'typeorm';
import { freePort, HOSTILE_SHAPES, openApiDocument, withJsonAt } from '#libs/testing';
import { announce, median, type Options } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { type Asking, asking, spawnApi, withDataSource } from '../fixtures/startline';
import type { Result } from '../report/result';

/** Slightly less than the limits of bodies and imports. */
const [ORDINARY, IMPORT] = [1_040_000, 20_900_000];
const LONGEST_MS = 50;
/** A body without work, as the baseline of the machine. */
const SMALL = 'a small body, to compare';

interface Target {
  what: string;
  method: string;
  path: string;
  caller: Asking;
  bytes: number;
  body(json: string): string;
}

/** For each shape of body, the longest block of the api's event loop. */
export async function hostileBodies(databases: Databases, options: Options): Promise<Result[]> {
  const url = await databases.entries(options.entries);
  return withDataSource(url, async (dataSource) => {
    const metricsPort = await freePort();
    const api = await spawnApi(url, { METRICS_PORT: String(metricsPort) });
    try {
      const longest = async () => longestBlock(`http://127.0.0.1:${metricsPort}/metrics`);
      const results: Result[] = [];
      for (const target of await targetsOf(dataSource)) {
        const blocks = new Map<string, number>();
        announce(`${target.what}: a small body`);
        blocks.set(SMALL, await blockOf(options.rounds, longest, () => post(api.url, target, '{}')));
        for (const [shape, make] of Object.entries(HOSTILE_SHAPES)) {
          announce(`${target.what}: ${shape}`);
          const body = target.body(make(target.bytes));
          blocks.set(shape, await blockOf(options.rounds, longest, () => post(api.url, target, body)));
        }
        results.push(resultOf(target.what, blocks));
      }
      return results;
    } finally {
      await api.stop();
    }
  });
}

/** The longest block during the work, in ms: the median of the rounds. */
async function blockOf(
  rounds: number,
  longest: () => Promise<number>,
  work: () => Promise<void>,
): Promise<number> {
  const blocks: number[] = [];
  // The first round is for warm-up.
  for (let round = 0; round <= rounds; round++) {
    await longest();
    await work();
    blocks.push(await longest());
  }
  return median(blocks.slice(1));
}

async function targetsOf(dataSource: DataSource): Promise<Target[]> {
  const organizer = await asking(dataSource);
  const timing = await asking(dataSource, 'TIMING');
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, any>> };
  const target = (what: string, method: string, route: string, place: (string | number)[]): Target => {
    const { example } = (paths[route] as Record<string, any>)[method].requestBody.content['application/json'];
    const isImport = route.endsWith('/import');
    return {
      what,
      method: method.toUpperCase(),
      path: route.replace('{id}', example.id ?? '01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b'),
      caller: route.startsWith('/timing') ? timing : organizer,
      bytes: isImport ? IMPORT : ORDINARY,
      body: (json) => withJsonAt(example, place, json),
    };
  };
  return [
    target('Registration check, 1 MB', 'post', '/v0/event-occurrences/{id}/registration-status', []),
    target('New partner, 1 MB of contacts', 'post', '/v0/partners', ['contacts']),
    target('Race-day update, 1 MB of a value', 'patch', '/v0/participants/{id}/race-day', [
      'customFields',
      0,
      'value',
    ]),
    target('Timing, 1 MB of what no schema names', 'post', '/timing-inbound/v1', ['data', 'more']),
    target('Bookings import, 20 MB of metadata', 'post', '/v0/bookings/import', ['bookings', 0, 'metadata']),
    target('Credits import, 20 MB of rows', 'post', '/v0/credits/import', ['credits']),
  ];
}

async function post(url: string, { method, path, caller }: Target, body: string): Promise<void> {
  const answer = await fetch(url + path, {
    method,
    headers: { ...caller.headers, 'content-type': 'application/json', connection: 'close' },
    body,
  });
  const answered = await answer.text();
  if (answer.status >= 500 && answer.status !== 503) throw new Error(`${answer.status}: ${answered}`);
}

/** The longest delay of the event loop since the last call, in ms. */
async function longestBlock(metrics: string): Promise<number> {
  // A kept connection would be closed while the next body is created.
  const answer = await fetch(metrics, { headers: { connection: 'close' } });
  const text = await answer.text();
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds(?:\{.*\})? (\S+)$/m.exec(text) ?? [];
  return Number(seconds) * 1_000;
}

function resultOf(what: string, blocks: Map<string, number>): Result {
  return {
    path: 'hostile-bodies',
    title: `${what}: longest block of the event loop`,
    measurements: [...blocks].map(([shape, value]) => ({ what: shape, value, unit: 'ms' })),
    ratios: [{ what: 'ms at most', value: Math.max(...blocks.values()), atMost: LONGEST_MS }],
  };
}
