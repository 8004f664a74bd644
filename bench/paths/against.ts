import { freePort } from '#libs/testing';
import { against as built } from '../fixtures/against';
import {
  announce,
  type Candidate,
  type CandidateResult,
  compare,
  median,
  type Options,
  ratio,
} from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { ASKING_SLUG, CATALOGUE } from '../fixtures/entries';
import { bookingsBody, imported, type SoldTicket } from '../fixtures/imports';
import type { Program } from '../fixtures/program';
import { asking, spawnApi, spawnWorker, withDataSource } from '../fixtures/startline';
import type { Result } from '../report/result';
import { pathOf } from './reads';
import { registrationRequests } from './register';
import { participantIds } from './single';

const LIST = '/v0/participants';
const ROWS = 10_000;
const READS_FLOOR = 0.85;
const IMPORT_FLOOR = 0.95;

/** One of the two commits, on its own schema. */
interface Side {
  name: string;
  /** Of the data set, and of a database with the catalogue only. */
  url: string;
  emptyUrl: string;
  headers: (url: string) => Promise<Record<string, string>>;
  api: (url: string, name: string) => Promise<Program>;
  worker: (url: string) => Promise<Program>;
}

/** This commit and another one in turns: lists, single reads, registration checks and an import. */
export async function against(databases: Databases, options: Options): Promise<Result[]> {
  if (!options.against) throw new Error('Name the other commit: --against <commit>.');
  const other = built(options.against);
  const { root } = other;
  const ours: Side = {
    name: 'this commit',
    url: await databases.entries(options.entries),
    emptyUrl: await databases.empty('against_ours'),
    headers: (url) => withDataSource(url, async (dataSource) => (await asking(dataSource)).headers),
    api: (url, name) => spawnApi(url, {}, { name }),
    worker: async (url) => spawnWorker(url, await freePort()),
  };
  const theirs: Side = {
    name: other.commit,
    url: await databases.entries(options.entries, other),
    emptyUrl: await databases.empty('against_theirs', other),
    headers: async (url) => other.asking(url),
    api: (url, name) => spawnApi(url, {}, { root, name: `against-${name}` }),
    worker: async (url) => spawnWorker(url, await freePort(), {}, { root, name: 'against-worker' }),
  };
  const programs: Program[] = [];
  const started = async (program: Promise<Program>) => {
    programs.push(await program);
    return program;
  };
  try {
    return [
      ...(await reads([ours, theirs], options, started)),
      await imports([ours, theirs], options, started),
    ];
  } finally {
    for (const program of programs) await program.stop();
    for (const name of ['against_ours', 'against_theirs']) await databases.drop(name);
  }
}

type Load = Pick<Candidate, 'program' | 'requests'>;
type Started = (program: Promise<Program>) => Promise<Program>;

async function reads(sides: Side[], options: Options, started: Started): Promise<Result[]> {
  const loads: { name: string; of: Record<string, Load> }[] = [];
  for (const { name, url, headers: headersOf, api } of sides) {
    const headers = await headersOf(url);
    const organizationId = await organizationOf(url);
    const one = [await started(api(url, 'api-1'))];
    const two = [...one, await started(api(url, 'api-2'))];
    const list = (query: Record<string, string | number>, program = one) => ({
      program,
      requests: [{ path: pathOf(LIST, query), headers }],
    });
    const ids = await participantIds(url, organizationId);
    const { requests: checks } = await registrationRequests(url, organizationId, headers);
    loads.push({
      name,
      of: {
        'List of 100 participants': list({ 'page[size]': 100 }),
        'List of 500 participants': list({ 'page[size]': 500 }),
        'List of 100, last changed first': list({ 'page[size]': 100, 'sort[updatedAt]': '-1' }),
        'One participant': { program: one, requests: ids.map((id) => ({ path: `${LIST}/${id}`, headers })) },
        'Registration check': { program: one, requests: checks },
        'List of 100 participants, two processes of each': list({ 'page[size]': 100 }, two),
      },
    });
  }
  const [ours, theirs] = sides as [Side, Side];
  const results: Result[] = [];
  for (const what of Object.keys(loads[0]?.of ?? {})) {
    const title = `${what}, beside ${theirs.name}`;
    announce(title);
    const measured = await compare(
      loads.map(({ name, of }) => ({ name, ...(of[what] as Load) })),
      options,
    );
    const of = (measure: 'nodeMs' | 'databaseMs') => {
      const [we, they] = measured as [CandidateResult, CandidateResult];
      return we.median[measure] / they.median[measure];
    };
    results.push({
      path: 'against',
      title,
      candidates: measured,
      ratios: [
        { what: 'times the requests', value: ratio(measured, ours.name, theirs.name), atLeast: READS_FLOOR },
        { what: "of the api's CPU", value: of('nodeMs') },
        { what: "of PostgreSQL's CPU", value: of('databaseMs') },
      ],
    });
  }
  return results;
}

async function imports(sides: Side[], { rounds }: Options, started: Started): Promise<Result> {
  const title = `Import of ${ROWS.toLocaleString('en')} bookings`;
  announce(title);
  const importers: { api: Program; ticket: SoldTicket; headers: Record<string, string>; ms: number[] }[] = [];
  for (const side of sides) {
    const url = side.emptyUrl;
    const ticket = await withDataSource(url, async (dataSource) => {
      await dataSource.query(CATALOGUE.replace('$surfaces$', `'{bookingsImport}'::text[]`));
      const [one] = await dataSource.query(
        `SELECT id, event_occurrence_id AS "eventOccurrenceId" FROM tickets WHERE organization_id = $1 LIMIT 1`,
        [await organizationOf(url)],
      );
      return one;
    });
    const api = await started(side.api(url, 'api'));
    await started(side.worker(url));
    importers.push({ api, ticket, headers: await side.headers(url), ms: [] });
  }
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const { api, ticket, headers, ms } of importers) {
      const body = bookingsBody({ ticket }, ROWS).replaceAll('"order-', `"order-${round}-`);
      const { finishedMs } = await imported(api.url, { headers }, 'bookings', body, ROWS);
      if (round > 0) ms.push(finishedMs);
    }
  }
  const [ours, theirs] = importers.map(({ ms }) => ms) as [number[], number[]];
  return {
    path: 'against',
    title: `${title}, beside ${sides[1]?.name}`,
    measurements: sides.map(({ name }, i) => ({
      what: name,
      value: median(importers[i]?.ms ?? []),
      unit: 'ms',
    })),
    ratios: [
      {
        what: 'times the rows',
        value: median(ours.map((ms, i) => (theirs[i] as number) / ms)),
        atLeast: IMPORT_FLOOR,
      },
    ],
  };
}

/** The measured organization. */
const organizationOf = (url: string): Promise<string> =>
  withDataSource(url, async (dataSource) => {
    const [{ id }] = await dataSource.query('SELECT id FROM organizations WHERE slug = $1', [ASKING_SLUG]);
    return id;
  });
