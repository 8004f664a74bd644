import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CopyRefused, type List, type SyncCommandOptions, syncCommand } from '#libs/client';
import {
  booking,
  key,
  lineItem,
  organization,
  partner,
  reservedEntryGroup,
  seeded,
  ticket,
  withDatabase,
} from '#libs/testing';
import { eventually, sharedApi, type TestApi } from '../harness';

/** `startline-client sync` (docs/syncing.md#a-copy-in-one-command): the copy equals the lists, whatever happens. */

const BIN = resolve(__dirname, '../../dist/libs/client/src/bin.js');
const LISTS: List[] = ['participants', 'applications', 'partners', 'bookings', 'line_items'];

let api: TestApi;
let folder: string;
let ofPartner: string;
let groupId: string;
beforeAll(async () => {
  api = await sharedApi();
  folder = mkdtempSync(join(tmpdir(), 'startline-sync-'));
  const { dataSource, organizationId } = api;
  const charity = await partner(dataSource, { organizationId });
  const sold = await ticket(dataSource, { organizationId });
  const group = await reservedEntryGroup(dataSource, {
    organizationId,
    partnerId: charity.id,
    ticketId: sold.id,
  });
  groupId = group.id;
  ofPartner = (await key(dataSource, { organizationId, partnerId: charity.id })).token;
  // Separators of lines for some programs, but not for JSON.
  await partner(dataSource, { organizationId, name: 'Run\u2028for\u2029fun' });
  const entries = Array.from({ length: 20 }, (_, i) => (i % 3 ? {} : { reservedEntryGroupId: group.id }));
  for (let i = 0; i < 9; i++) {
    const { id: bookingId } = await booking(dataSource, { organizationId, ticketId: sold.id, entries });
    await lineItem(dataSource, { organizationId, bookingId });
  }
});
afterAll(async () => {
  await api?.close();
  rmSync(folder, { recursive: true, force: true });
});

type Rows = Map<string, { updatedAt: string }>;

const rowsOf = (items: { id: string; updatedAt: string }[]): Rows =>
  new Map(items.map((item) => [item.id, item]));

async function listed(list: List, token = api.token): Promise<Rows> {
  const items: { id: string; updatedAt: string }[] = [];
  const query = { 'page[size]': 500 };
  const path = list === 'line_items' ? '/v0/line-items' : (`/v0/${list}` as const);
  for await (const item of api.client(token).every(path, { params: { query } })) items.push(item);
  return rowsOf(items);
}

const inFolder = (to: string) => async (list: List) =>
  rowsOf(
    readdirSync(join(to, list)).flatMap((file) =>
      readFileSync(join(to, list, file), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ),
  );

const inDatabase = (url: string) => async (list: List) =>
  rowsOf(
    await withDatabase(url, async (client) =>
      (await client.query(`SELECT data FROM startline_copy.${list}`)).rows.map(({ data }) => data),
    ),
  );

/** A new copy of each kind that this Node has, and how its owner reads it. */
const TARGETS: [kind: string, make: () => { to: string; copied: (list: List) => Promise<Rows> }][] = [
  [
    'a folder',
    () => {
      const to = mkdtempSync(join(folder, 'copy-'));
      return { to, copied: inFolder(to) };
    },
  ],
  ['PostgreSQL', () => ({ to: api.databaseUrl, copied: inDatabase(api.databaseUrl) })],
  ...(process.versions.node >= '22.13'
    ? [
        [
          'SQLite',
          () => {
            const to = join(mkdtempSync(join(folder, 'copy-')), 'copy.sqlite');
            const copied = async (list: List) => {
              const { DatabaseSync } = sqlite();
              const database = new DatabaseSync(to, { readOnly: true });
              const rows: { data: string }[] = database.prepare(`SELECT data FROM ${list}`).all();
              database.close();
              return rowsOf(rows.map(({ data }) => JSON.parse(data)));
            };
            return { to, copied };
          },
        ] as (typeof TARGETS)[number],
      ]
    : []),
];

/** Of Node 22.13 or later; its types are not those of Node 20. */
const sqlite = (): any => process.getBuiltinModule(['node', 'sqlite'].join(':'));

const SILENT = { start: () => {}, advance: () => {}, stop: () => {} };

/** What a run said, and whether the copy is equal. */
async function sync(to: string, options: Partial<SyncCommandOptions> = {}) {
  const said: { event?: string; list?: List; repaired?: number; removed?: number; equal?: boolean }[] = [];
  const equal = await syncCommand({
    ...{ url: api.url, key: api.token, to, mode: 'once', every: 1, verifyEvery: 60, progress: SILENT },
    say: (_, value) => said.push(value),
    ...options,
  });
  return { equal, said, of: (event: string) => said.filter((each) => each.event === event) };
}

const removeCopy = () =>
  withDatabase(api.databaseUrl, (client) => client.query('DROP SCHEMA IF EXISTS startline_copy CASCADE'));

/** Waits until lists by change show what was written: transactions of other tests hold it back. */
const shown = async () => {
  const writtenAt = new Date().toISOString();
  await eventually(async () => (await api.get('/v0/participants/digest')).body.watermark > writtenAt);
};

/** Changes some rows of each list. */
const change = async () => {
  for (const [table, what] of [
    ['start_list_entries', 'tags = ARRAY[md5(random()::text)]'],
    ['partners', 'description = md5(random()::text)'],
    ['bookings', 'total_value = total_value + 1'],
    ['line_items', 'name = md5(random()::text)'],
  ])
    await api.dataSource.query(
      `UPDATE ${table} SET ${what} WHERE organization_id = $1 AND id IN
         (SELECT id FROM ${table} WHERE organization_id = $1 ORDER BY random() LIMIT 50)`,
      [api.organizationId],
    );
  await shown();
};

describe.each(TARGETS)('a copy in %s', (_, make) => {
  beforeEach(removeCopy);

  it('has every row of the lists as the API shows it, and follows changes', async () => {
    const { to, copied } = make();
    for (let round = 0; round < 2; round++) {
      const { equal, of } = await sync(to);
      expect([equal, of('verified').map((each) => each.equal)]).toEqual([true, LISTS.map(() => true)]);
      for (const list of LISTS) expect(await copied(list)).toEqual(await listed(list));
      await change();
    }
    // As after a kill before the second page of a list.
    const forget = (at: string) => `UPDATE ${at}positions SET since = NULL`;
    if (to.startsWith('postgres'))
      await withDatabase(to, (client) => client.query(forget('startline_copy.')));
    if (to.endsWith('.sqlite')) {
      const { DatabaseSync } = sqlite();
      const database = new DatabaseSync(to);
      database.exec(forget(''));
      database.close();
    }
    expect((await sync(to)).equal).toBe(true);
  });

  it('reports rows that were lost, added or changed in the copy, and repairs them', async () => {
    const { to, copied } = make();
    await sync(to);
    const [lost, changed] = [...(await copied('participants')).keys()] as [string, string];
    const added = '01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b';
    const time = '2020-01-01T00:00:00.000000Z';
    if (to.startsWith('postgres')) {
      await withDatabase(to, async (client) => {
        await client.query('DELETE FROM startline_copy.participants WHERE id = $1', [lost]);
        await client.query('UPDATE startline_copy.participants SET updated_at = $2 WHERE id = $1', [
          changed,
          time,
        ]);
        await client.query(`INSERT INTO startline_copy.participants VALUES ($1, $2, '{}')`, [added, time]);
      });
    } else if (to.endsWith('.sqlite')) {
      const { DatabaseSync } = sqlite();
      const database = new DatabaseSync(to);
      database.prepare('DELETE FROM participants WHERE id = ?').run(lost);
      database.prepare('UPDATE participants SET updated_at = ? WHERE id = ?').run(time, changed);
      database.prepare(`INSERT INTO participants VALUES (?, ?, '{}')`).run(added, time);
      database.close();
    } else {
      const fileOf = (id: string) => join(to, 'participants', `${id.slice(-2)}.ndjson`);
      const edit = (id: string, edited: (lines: string[]) => string[]) => {
        const lines = readFileSync(fileOf(id), { encoding: 'utf8', flag: 'a+' }).split('\n').filter(Boolean);
        writeFileSync(
          fileOf(id),
          edited(lines)
            .map((line) => `${line}\n`)
            .join(''),
        );
      };
      edit(lost, (lines) =>
        lines.map((line) => (line.startsWith(`{"id":"${lost}"`) ? line.slice(0, 40) : line)),
      );
      edit(changed, (lines) =>
        lines.map((line) =>
          line.startsWith(`{"id":"${changed}"`)
            ? JSON.stringify({ ...JSON.parse(line), updatedAt: time })
            : line,
        ),
      );
      edit(added, (lines) => [...lines, JSON.stringify({ id: added, updatedAt: time })]);
      // Only what it wrote itself counts.
      const state = JSON.parse(readFileSync(join(to, 'startline.json'), 'utf8'));
      for (const id of [lost, changed, added]) {
        state.bytes[`participants/${id.slice(-2)}.ndjson`] = readFileSync(fileOf(id)).length;
      }
      writeFileSync(join(to, 'startline.json'), JSON.stringify(state));
    }
    const told = await sync(to, { mode: 'verify' });
    expect([told.equal, told.of('verified').map(({ equal }) => equal)]).toEqual([
      false,
      LISTS.map((list) => list !== 'participants'),
    ]);
    expect((await sync(to)).equal).toBe(true);
    expect(await copied('participants')).toEqual(await listed('participants'));
  });

  it('shows a partner only its own, and loses what the partner may no longer see', async () => {
    const { to, copied } = make();
    expect((await sync(to, { key: ofPartner })).equal).toBe(true);
    const before = await copied('participants');
    expect(before).toEqual(await listed('participants', ofPartner));
    expect(before.size).toBe(63);
    await api.dataSource.query(
      `UPDATE start_list_entries SET reserved_entry_group_id = NULL WHERE organization_id = $1 AND id IN
         (SELECT id FROM start_list_entries WHERE organization_id = $1 AND reserved_entry_group_id = $2 LIMIT 3)`,
      [api.organizationId, groupId],
    );
    expect((await sync(to, { key: ofPartner })).equal).toBe(true);
    const after = await copied('participants');
    expect(after).toEqual(await listed('participants', ofPartner));
    await api.dataSource.query(
      `UPDATE start_list_entries SET reserved_entry_group_id = $2 WHERE organization_id = $1 AND id NOT IN (SELECT unnest($3::uuid[]))
         AND participant_id = ANY($4::uuid[])`,
      [api.organizationId, groupId, [...after.keys()], [...before.keys()]],
    );
  });

  it('is refused to another organization', async () => {
    const { to } = make();
    await sync(to, { lists: ['partners'] });
    const { id: organizationId } = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId });
    await expect(sync(to, { key: token })).rejects.toThrow(CopyRefused);
  });

  it('continues after the process was killed, wherever it was', async () => {
    const { to, copied } = make();
    const random = seeded(34).next;
    for (let killed = 0; killed < 4; killed++) {
      await change();
      await syncUntilKilled(to, 1 + Math.floor(random() * 12), random());
    }
    const { equal } = await sync(to);
    expect(equal).toBe(true);
    for (const list of LISTS) expect(await copied(list)).toEqual(await listed(list));
  });
});

/** Runs the command through a proxy that kills it while a response is being sent: this one, at this part of its bytes. */
async function syncUntilKilled(to: string, response: number, part: number): Promise<void> {
  let child: ChildProcess | undefined;
  let served = 0;
  const server = createServer(async (request, answer) => {
    const headers = { authorization: `${request.headers.authorization}` };
    const from = await fetch(`${api.url}${request.url}`, { headers });
    const bytes = Buffer.from(await from.arrayBuffer());
    served++;
    const type = from.headers.get('content-type') ?? '';
    answer.writeHead(from.status, { 'content-type': type, 'content-length': bytes.length });
    if (served < response) return answer.end(bytes);
    answer.write(bytes.subarray(0, Math.ceil(part * bytes.length)), () => child?.kill('SIGKILL'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  child = spawn(process.execPath, [BIN, 'sync', '--to', to, '--once', '--json', '--url', url], {
    env: { ...process.env, STARTLINE_API_KEY: api.token },
    stdio: 'ignore',
  });
  await once(child, 'exit');
  server.closeAllConnections();
  server.close();
}

describe('a copy that is watched', () => {
  it('follows changes, waits while it can’t be written, and ends at the signal', async () => {
    const to = mkdtempSync(join(folder, 'copy-'));
    const stop = new AbortController();
    const said: { event?: string }[] = [];
    const times = (event: string) => said.filter((each) => each.event === event).length;
    const running = sync(to, {
      mode: 'watch',
      lists: ['partners'],
      signal: stop.signal,
      say: (_, value) => said.push(value),
    });
    await eventually(async () => times('following') === 1);
    // A folder where a file of the copy is to be written, as for a disk that is full: nothing can be written.
    const { id } = await partner(api.dataSource, { organizationId: api.organizationId });
    const file = join(to, 'startline.json.new');
    mkdirSync(file);
    await eventually(async () => times('changed') + times('failed') > 0);
    rmdirSync(file);
    const { id: later } = await partner(api.dataSource, { organizationId: api.organizationId });
    await eventually(async () => times('changed') > 0);
    stop.abort();
    await running.catch(() => {});
    await shown();
    const { equal } = await sync(to, { lists: ['partners'] });
    expect(equal).toBe(true);
    const rows = await inFolder(to)('partners');
    expect([rows.has(id), rows.has(later)]).toEqual([true, true]);
  });

  it('connects again after its database ended the connection', async () => {
    await removeCopy();
    const stop = new AbortController();
    const said: { event?: string }[] = [];
    const heard = (event: string) => said.some((each) => each.event === event);
    const running = sync(api.databaseUrl, {
      ...{ mode: 'watch', lists: ['partners'], signal: stop.signal },
      say: (_, value) => said.push(value),
    });
    await eventually(async () => heard('following'));
    await withDatabase(api.databaseUrl, (client) =>
      client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'startline-client' AND datname = current_database()`,
      ),
    );
    const { id } = await partner(api.dataSource, { organizationId: api.organizationId });
    await eventually(async () => (await inDatabase(api.databaseUrl)('partners')).has(id));
    expect(heard('failed')).toBe(true);
    stop.abort();
    await running.catch(() => {});
  });

  it('is open in one process', async () => {
    await removeCopy();
    await withDatabase(api.databaseUrl, async (client) => {
      await client.query(`SELECT pg_advisory_lock(hashtext('startline-client'))`);
      await expect(sync(api.databaseUrl)).rejects.toThrow('Another process has the copy open.');
    });
  });

  it('reads later what it left out, whose tag it has seen', async () => {
    const client = api.client();
    const position = {};
    const read = async (until?: string) => {
      let rows = 0;
      for await (const page of client.changesUntilNow('/v0/partners', position, { until }))
        rows += page.length;
      return rows;
    };
    expect(await read('2000-01-01T00:00:00.000000Z')).toBe(0);
    expect(await read()).toBe((await listed('partners')).size);
  });

  it('is not called complete if the command was stopped before its end', async () => {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const to = mkdtempSync(join(folder, 'copy-'));
    const child = spawn(process.execPath, [BIN, 'sync', '--to', to, '--once', '--url', url, '--key', 'k'], {
      stdio: 'ignore',
    });
    await once(silent, 'request');
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(130);
    silent.closeAllConnections();
    silent.close();
  });

  it('copies what the key may read, and says what it may not', async () => {
    const { token } = await key(api.dataSource, {
      organizationId: api.organizationId,
      permissions: ['partners:read'],
    });
    const to = mkdtempSync(join(folder, 'copy-'));
    const { equal, of } = await sync(to, { key: token });
    expect([equal, of('skipped').map(({ list }) => list), of('verified').map(({ list }) => list)]).toEqual([
      true,
      ['participants', 'applications', 'bookings', 'line_items'],
      ['partners'],
    ]);
    await expect(sync(to, { key: token, lists: ['participants'] })).rejects.toThrow('participants:read');
  });
});
