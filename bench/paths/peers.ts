import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '#libs/testing';
import { announce, type Candidate, compare, type Options, ratio } from '../fixtures/compare';
import { benchHome, type Databases } from '../fixtures/database';
import { log } from '../fixtures/log';
import { Program } from '../fixtures/program';
import { asking, spawnApi, withDataSource } from '../fixtures/startline';
import type { Result } from '../report/result';
import { get, pathOf } from './reads';
import { participantIds } from './single';

/** The last release with declared support for Node 20. */
const DIRECTUS = 'directus@11.1.2';
const DATABASE = 'peers';
const REFERENCES = {
  booking_id: 'bookings',
  ticket_id: 'tickets',
  race_id: 'races',
  event_id: 'events',
  event_occurrence_id: 'event_occurrences',
  wave_id: 'waves',
};
/** Of related records, the fields of our responses; of the entry itself, all fields. */
const FIELDS = [
  '*',
  ...['transaction_id', 'source', 'booker_type', 'tracking', 'referral_codes', 'booker_first_name'].map(
    (name) => `booking_id.${name}`,
  ),
  ...['booker_last_name', 'booker_email', 'booker_phone'].map((name) => `booking_id.${name}`),
  ...['title', 'unit_size'].map((name) => `ticket_id.${name}`),
  ...['title', 'discipline', 'distance_value', 'distance_unit', 'start_date', 'start_time'].map(
    (name) => `race_id.${name}`,
  ),
  'event_id.title',
  ...['latitude', 'longitude', 'address'].map((name) => `event_occurrence_id.${name}`),
  ...['id', 'title', 'start_date_time'].map((name) => `wave_id.${name}`),
].join(',');

/**
 * Directus over a copy of the same tables. It ignores tables whose primary key has two columns, so the keys of the
 * copy are the ids only; the indexes stay.
 */
export async function peers(databases: Databases, options: Options): Promise<Result[]> {
  const url = await databases.entries(options.entries);
  const folder = installed();
  const copy = await databases.copy(url, DATABASE);
  const programs: Program[] = [];
  try {
    await singleKeys(copy);
    const token = randomBytes(32).toString('hex');
    const directus = await startDirectus(folder, copy, token);
    programs.push(directus);
    const caller = await withDataSource(url, (dataSource) => asking(dataSource));
    const api = await spawnApi(url);
    programs.push(api);
    const ids = await participantIds(url, caller.organizationId);
    const its = { authorization: `Bearer ${token}` };
    const theirs = (size: number, more: Record<string, string>) => [
      {
        path: pathOf('/items/start_list_entries', {
          limit: size,
          fields: FIELDS,
          sort: 'created_at,participant_id',
          'filter[organization_id][_eq]': caller.organizationId,
          'filter[approval_status][_eq]': 'APPROVED',
          ...more,
        }),
        headers: its,
      },
    ];
    const results: Result[] = [];
    for (const [size, goal] of [
      [100, 4],
      [500, 3],
    ] as const)
      results.push(
        await against(
          `List of ${size} participants, beside a peer`,
          [
            {
              name: 'Startline',
              program: api,
              requests: get(pathOf('/v0/participants', { 'page[size]': size }), caller),
            },
            {
              name: 'Directus with total',
              program: directus,
              requests: theirs(size, { meta: 'filter_count' }),
              patience: 3,
            },
            { name: 'Directus without', program: directus, requests: theirs(size, {}), patience: 3 },
          ],
          goal,
          options,
        ),
      );
    const idOf = await entryIds(copy, ids);
    results.push(
      await against(
        'One participant, beside a peer',
        [
          {
            name: 'Startline',
            program: api,
            requests: ids.map((id) => ({ path: `/v0/participants/${id}`, headers: caller.headers })),
          },
          {
            name: 'Directus',
            program: directus,
            requests: idOf.map((id) => ({
              path: pathOf(`/items/start_list_entries/${id}`, { fields: FIELDS }),
              headers: its,
            })),
          },
        ],
        1.5,
        options,
      ),
    );
    return results;
  } finally {
    for (const program of programs) await program.stop();
    await databases.drop(DATABASE);
  }
}

async function against(
  title: string,
  candidates: Candidate[],
  goal: number,
  options: Options,
): Promise<Result> {
  announce(title);
  const measured = await compare(candidates, options);
  return {
    path: 'peers',
    title,
    candidates: measured,
    ratios: measured.slice(1).map(({ name }) => ({
      what: `times ${name}`,
      value: ratio(measured, 'Startline', name),
      // The target applies to the peer that returns totals.
      ...(name.endsWith('without') ? {} : { atLeast: goal }),
    })),
  };
}

/** @returns the folder that it is installed in, outside of the repository's packages */
function installed(): string {
  const folder = join(benchHome(), DIRECTUS.replace('@', '-'));
  if (existsSync(join(folder, 'installed'))) return folder;
  log(`installing ${DIRECTUS} in ${folder}; it is big`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', DIRECTUS], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`${DIRECTUS} could not be installed.`);
  writeFileSync(join(folder, 'installed'), '');
  return folder;
}

/** Removes the second column of every key; foreign keys with both columns use the id only. */
async function singleKeys(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`SET maintenance_work_mem = '512MB'`);
  for (const table of ['start_list_entries', ...Object.values(REFERENCES)])
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey CASCADE, ADD PRIMARY KEY (id)`);
  for (const [column, table] of Object.entries(REFERENCES))
    await client.query(
      `ALTER TABLE start_list_entries ADD FOREIGN KEY (${column}) REFERENCES ${table} (id) NOT VALID`,
    );
  await client.query('ANALYZE');
  await client.end();
}

async function startDirectus(folder: string, url: string, token: string): Promise<Program> {
  const environment = {
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: url,
    DB_POOL__MAX: '20',
    SECRET: randomBytes(32).toString('hex'),
    ADMIN_EMAIL: 'bench@example.com',
    ADMIN_PASSWORD: randomBytes(16).toString('hex'),
    TELEMETRY: 'false',
    WEBSOCKETS_ENABLED: 'false',
    // Its timeout would reject requests on a busy machine.
    PRESSURE_LIMITER_ENABLED: 'false',
    LOG_LEVEL: 'warn',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://127.0.0.1',
  };
  const cli = join(folder, 'node_modules/directus/cli.js');
  const { status, stderr, stdout } = spawnSync(process.execPath, [cli, 'bootstrap'], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: String(await freePort()), ...environment },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Directus does not bootstrap: ${stdout}${stderr}`.slice(0, 2_000));
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('UPDATE directus_users SET token = $1', [token]);
  await client.end();
  return Program.start('directus', [cli, 'start'], environment, '/server/ping', folder);
}

async function entryIds(url: string, participants: string[]): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM start_list_entries WHERE participant_id = ANY ($1)',
    [participants],
  );
  await client.end();
  return rows.map(({ id }) => id);
}
