import type { DataSource } from 'typeorm';
import { freePort } from '#libs/testing';
import { announce, compare, type Options } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { bookingsBody, imported, importFixture } from '../fixtures/imports';
import type { Program } from '../fixtures/program';
import { type Asking, asking, spawnApi, spawnWorker, withDataSource } from '../fixtures/startline';
import { triggerOverhead } from '../fixtures/trigger-overhead';
import type { Result } from '../report/result';
import { pathOf } from './reads';
import { participantIds } from './single';

const ROWS = 10_000;
const FULL = 'without If-None-Match';
const UNCHANGED = 'with If-None-Match';

/** Pollers that send their ETag while nothing changes, and what the triggers of versions cost an import. */
export async function etags(databases: Databases, options: Options): Promise<Result[]> {
  return [...(await polling(databases, options)), await importOverhead(databases, options)];
}

async function polling(databases: Databases, options: Options): Promise<Result[]> {
  const url = await databases.entries(options.entries);
  const caller = await withDataSource(url, (dataSource) => asking(dataSource));
  const [id] = await participantIds(url, caller.organizationId);
  const api = await spawnApi(url);
  try {
    const results: Result[] = [];
    for (const [title, path] of Object.entries({
      'Polling one participant': `/v0/participants/${id}`,
      'Polling a list of 100': pathOf('/v0/participants', { 'page[size]': 100 }),
      'Polling for changes': pathOf('/v0/participants', {
        'sort[updatedAt]': 1,
        'updatedAt[after]': new Date().toISOString(),
      }),
    })) {
      announce(title);
      const conditional = { ...caller.headers, 'if-none-match': await etagOf(api, path, caller) };
      const status = async () => (await fetch(api.url + path, { headers: conditional })).status;
      if ((await status()) !== 304) throw new Error(`${path} does not answer 304`);
      const candidates = await compare(
        [
          { name: UNCHANGED, program: api, requests: [{ path, headers: conditional }] },
          { name: FULL, program: api, requests: [{ path, headers: caller.headers }] },
        ],
        options,
      );
      if ((await status()) !== 304) throw new Error(`${path} did not answer 304 all the time`);
      const cost = (name: string) =>
        candidates.find((candidate) => candidate.name === name)?.median.databaseMs ?? 0;
      const value = cost(UNCHANGED) / cost(FULL);
      results.push({
        path: 'etags',
        title,
        candidates,
        ratios: [{ what: `of PostgreSQL's CPU ${FULL}`, value }],
      });
    }
    return results;
  } finally {
    await api.stop();
  }
}

async function etagOf(api: Program, path: string, { headers }: Asking): Promise<string> {
  const etag = (await fetch(api.url + path, { headers })).headers.get('etag');
  if (!etag) throw new Error(`${path} has no ETag`);
  return etag;
}

const VERSIONED = `SELECT c.relname AS table, array_agg(t.tgname::text) AS names
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE t.tgname LIKE 'version\\_%' GROUP BY 1`;

async function importOverhead(databases: Databases, options: Options): Promise<Result> {
  const title = `Import of ${ROWS.toLocaleString('en')} bookings, with the triggers of versions`;
  announce(title);
  const url = await databases.empty('etags');
  const programs: Program[] = [];
  try {
    return await withDataSource(url, async (dataSource: DataSource) => {
      const api = await spawnApi(url);
      const worker = await spawnWorker(url, await freePort());
      programs.push(api, worker);
      const found: { table: string; names: string[] }[] = await dataSource.query(VERSIONED);
      const on = Object.fromEntries(found.map(({ table, names }) => [table, names]));
      const cost = await triggerOverhead(
        dataSource,
        options,
        () => api.cpuMs() + worker.cpuMs(),
        { on, runs: { 'with triggers': false } },
        async () => {
          const to = await importFixture(dataSource);
          return async () => void (await imported(api.url, to, 'bookings', bookingsBody(to, ROWS), ROWS));
        },
      );
      return { path: 'etags', title, ...cost };
    });
  } finally {
    for (const program of programs) await program.stop();
    await databases.drop('etags');
  }
}
