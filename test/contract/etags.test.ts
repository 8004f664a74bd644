import { Client } from 'pg';
import { key, organization, partner } from '#libs/testing';
import { Database, newId, Watermark } from '#platform/database';
import { operationsOf } from '#platform/http';
import { type Answer, eventually } from '../harness';
import { type Asker, startAsker } from './asker';
import { OPERATIONS, operation, pathOf } from './document';

/** ETags (docs/interface.md#etags): which responses have one, and that a 304 is never the response to a changed page. */

let asker: Asker;
let tagged: string[];
beforeAll(async () => {
  asker = await startAsker({});
  tagged = operationsOf(asker.api.app).flatMap(({ name, etag }) => (etag ? [name] : []));
});
afterAll(() => asker?.api.close());
afterEach(() => jest.restoreAllMocks());

const etagOf = ({ headers }: Answer) => headers.get('etag') as string;
const get = <Path extends string>(path: Path, etag?: string | null, token = asker.api.token) =>
  asker.api.send('GET', path, undefined, token, etag ? { 'if-none-match': etag } : {});

/** The API's own statements of data, by the text that PostgreSQL gets: workers of other files run in this process. */
async function statementsOf(work: () => Promise<unknown>): Promise<{ text: string; values?: unknown[] }[]> {
  const spy = jest.spyOn(Object.getPrototypeOf(Database.prototype) as Database, 'execute');
  spy.mockClear();
  await work();
  const { pool } = asker.api.app.get(Database);
  return spy.mock.calls
    .filter((_, i) => (spy.mock.contexts[i] as Database).pool === pool)
    .map(([query]) => query as { text: string; values?: unknown[] })
    .filter(
      ({ text }) =>
        !/\b(api_keys|horizon|organization_versions|record_requests|rate_windows|change_event_feeds)\b/.test(
          text,
        ),
    );
}

interface PlanNode {
  'Relation Name'?: string;
  Plans?: PlanNode[];
}
const relationsOf = (node: PlanNode): string[] => [
  ...(node['Relation Name'] ? [node['Relation Name']] : []),
  ...(node.Plans ?? []).flatMap(relationsOf),
];

const VERSIONED = `SELECT c.relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE t.tgname LIKE 'version\\_%' GROUP BY 1 HAVING count(*) = CASE c.relname WHEN 'organizations' THEN 1 ELSE 3 END`;

describe('a response with an ETag', () => {
  it('depends only on tables whose changes are counted, and not on the clock', async () => {
    const { dataSource } = asker.api;
    const versioned = (await dataSource.query(VERSIONED)).map(({ name }: { name: string }) => name);
    // Changed in the statement that changes entries or events; compacting does not change sums.
    const permitted = new Set([...versioned, 'tallies']);
    const wrong: object[] = [];
    for (const name of tagged) {
      const found = await statementsOf(() => asker.ask(operation(name)));
      expect([name, found.length]).not.toEqual([name, 0]);
      for (const { text, values = [] } of found) {
        const clock = /\b(now\(|current_(date|time)|\w+_timestamp\()/i.exec(text)?.[0];
        const given = values.map((value) =>
          value === null
            ? 'NULL'
            : `'${String(Array.isArray(value) ? `{${value}}` : value).replaceAll("'", "''")}'`,
        );
        const runner = dataSource.createQueryRunner();
        await runner.query(`PREPARE asked AS ${text}`);
        const [row] = await runner.query(
          `EXPLAIN (FORMAT JSON) EXECUTE asked ${given.length ? `(${given})` : ''}`,
        );
        await runner.query('DEALLOCATE asked');
        await runner.release();
        const others = relationsOf(row['QUERY PLAN'][0].Plan).filter((table) => !permitted.has(table));
        if (clock || others.length) wrong.push({ name, clock, others, text });
      }
    }
    expect(wrong).toEqual([]);
    expect(tagged.length).toBeGreaterThan(25);
  });

  it('is answered 304 without a body and without reading data, until something is written', async () => {
    const { dataSource } = asker.api;
    for (const name of tagged) {
      const of = operation(name);
      const again = (etag: string) => get(pathOf(of, asker.whole.ids), etag, asker.tokenFor(of));
      // Lists that end at the watermark have none before it has passed.
      const etag = await eventually(async () => etagOf(await asker.ask(of)) ?? undefined);
      let answer = {} as Answer;
      const read = await statementsOf(async () => {
        answer = await again(etag);
      });
      expect([name, answer.status, answer.text, etagOf(answer), read]).toEqual([name, 304, '', etag, []]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      await dataSource.query('UPDATE waves SET title = title WHERE organization_id = $1', [
        asker.whole.organizationId,
      ]);
      const changed = await again(etag);
      expect([name, changed.status, etagOf(changed) === etag]).toEqual([name, 200, false]);
    }
  });

  it('is the only one that has an ETag', async () => {
    for (const of of OPERATIONS.filter(({ name, method }) => method === 'GET' && !tagged.includes(name)))
      expect([of.name, etagOf(await asker.ask(of))]).toEqual([of.name, null]);
  });
});

describe('an ETag', () => {
  const PARTNERS = '/v0/partners';
  const OTHER = '"other"';

  it('is compared weakly, in lists, and is the same for every encoding', async () => {
    const etag = etagOf(await get(PARTNERS));
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
    for (const known of [etag.slice(2), `"other", ${etag}`, `${etag},"x"`])
      expect((await get(PARTNERS, known)).status).toBe(304);
    for (const known of [OTHER, etag.slice(0, -2), etag.slice(3, -1)])
      expect((await get(PARTNERS, known)).status).toBe(200);
    for (const encoding of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': encoding };
      expect(etagOf(await asker.api.send('GET', PARTNERS, undefined, asker.api.token, headers))).toBe(etag);
    }
  });

  it('is matched by `*`, if there is a response', async () => {
    const { id } = await partner(asker.api.dataSource, { organizationId: asker.api.organizationId });
    for (const path of [PARTNERS, `${PARTNERS}/${id}`]) {
      const { status, text, headers } = await get(path, '*');
      expect([path, status, text, headers.get('etag')]).toEqual([path, 304, '', expect.any(String)]);
    }
    expect((await get(`${PARTNERS}/${newId()}`, '*')).status).toBe(404);
    expect((await get('/v0/event-occurrences', '*')).status).toBe(200);
  });

  it('comes with the same headers in a 304 as in the response that it stands for', async () => {
    const full = await get(PARTNERS);
    const { status, headers } = await get(PARTNERS, etagOf(full));
    expect(status).toBe(304);
    for (const name of ['vary', 'etag', 'cache-control'])
      expect([name, headers.get(name)]).toEqual([name, full.headers.get(name)]);
    expect(headers.get('vary')).toBe('accept-encoding');
  });

  it('is that of one URL, one organization, and what the key may read', async () => {
    const { dataSource } = asker.api;
    const other = (await organization(dataSource)).id;
    const token = async (given: Parameters<typeof key>[1]) => (await key(dataSource, given)).token;
    const timing = { organizationId: other, kind: 'TIMING' } as const;
    const occurrence = asker.whole.ids['event-occurrences'] as string;
    const tokens = [
      await token(timing),
      await token({ ...timing, reads: ['names'] }),
      await token({ ...timing, eventOccurrenceIds: [occurrence] }),
    ];
    const path = '/timing-inbound/v1/participants';
    const etags = [
      etagOf(await get(PARTNERS)),
      etagOf(await get(`${PARTNERS}?page[size]=1`)),
      etagOf(await get(PARTNERS, null, await token({ organizationId: other }))),
      ...(await Promise.all(tokens.map(async (each) => etagOf(await get(path, null, each))))),
    ];
    expect(new Set(etags).size).toBe(etags.length);
    expect(etags.every(Boolean)).toBe(true);
    const same = await token(timing);
    expect((await get(path, etags[3], same)).status).toBe(304);
  });

  it('is absent while a list by `updatedAt` does not show the last change, and on a page whose total was counted earlier', async () => {
    const { dataSource, databaseUrl, app, organizationId } = asker.api;
    const list = `${PARTNERS}?sort[updatedAt]=-1`;
    const writer = new Client({ connectionString: databaseUrl });
    await writer.connect();
    await writer.query('BEGIN');
    await writer.query('SELECT pg_current_xact_id()');
    const { id, updatedAt } = (await partner(dataSource, { organizationId })) as unknown as {
      id: string;
      updatedAt: Date;
    };
    expect(app.get(Watermark).now() < updatedAt.toISOString()).toBe(true);
    // With any tag, so that the version is not one of the last second.
    const before = await get(list, OTHER);
    expect(before.body.data.map((each: { id: string }) => each.id)).not.toContain(id);
    expect([etagOf(before), etagOf(await get(`${PARTNERS}/${id}`, OTHER))]).toEqual([
      null,
      expect.any(String),
    ]);
    await writer.query('COMMIT');
    await writer.end();
    const after = await eventually(async () => {
      const answer = await get(list, OTHER);
      return etagOf(answer) ? answer : undefined;
    });
    expect(after.body.data.map((each: { id: string }) => each.id)).toContain(id);

    await partner(dataSource, { organizationId });
    const filtered = `${PARTNERS}?createdAt[after]=2000-01-01T00:00:00Z&page[size]=1`;
    const first = await get(filtered);
    const second = await get(`${filtered}&page[after]=${encodeURIComponent(first.body.page.next)}`);
    expect([etagOf(first), etagOf(second)]).toEqual([expect.any(String), null]);
  });
});

describe('pollers that send their last ETag', () => {
  const WRITERS = 4;
  const ROUNDS = 30;

  it('never get 304 for a page that has changed, while writers commit and roll back', async () => {
    const { dataSource, databaseUrl, app, organizationId } = asker.api;
    const ids: string[] = [];
    for (let i = 0; i < WRITERS; i++) ids.push((await partner(dataSource, { organizationId })).id);
    const committed = new Map(ids.map((id) => [id, 0]));
    let writing = true;

    const write = async (id: string) => {
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      for (let round = 1; round <= ROUNDS; round++) {
        const commits = round === ROUNDS || Math.random() < 0.8;
        await client.query('BEGIN');
        await client.query('UPDATE partners SET description = $3 WHERE organization_id = $1 AND id = $2', [
          organizationId,
          id,
          commits ? round : 'rolled back',
        ]);
        await client.query('SELECT pg_sleep(random() * 0.03)');
        await client.query(commits ? 'COMMIT' : 'ROLLBACK');
        if (commits) committed.set(id, round);
        await client.query('SELECT pg_sleep(random() * 0.03)');
      }
      await client.end();
    };

    /** What a client has: the last body, and its tag. */
    class Poller {
      private etag: string | null = null;
      private data: { id: string; description: string }[] = [];
      notModified = 0;

      constructor(readonly path: string) {}

      async poll(): Promise<Map<string, number>> {
        const { status, body, headers } = await get(this.path, this.etag);
        if (status === 304) this.notModified++;
        else {
          expect(status).toBe(200);
          this.etag = headers.get('etag');
          this.data = body.data ?? [body];
        }
        return new Map(this.data.map(({ id, description }) => [id, Number(description)]));
      }
    }

    const stale: object[] = [];
    const current = [...ids.map((id) => `/v0/partners/${id}`), '/v0/partners', '/v0/partners?page[size]=500'];
    const delayed = [1, -1].flatMap((order) => [
      `/v0/partners?sort[updatedAt]=${order}`,
      `/v0/partners?sort[createdAt]=${order}&updatedAt[after]=2000-01-01T00:00:00Z`,
    ]);
    const pollers = [...current, ...delayed].map((path) => new Poller(path));
    const polling = pollers.map(async (poller) => {
      while (writing) {
        const atLeast = new Map(committed);
        const seen = await poller.poll();
        // Lists that end at the watermark may be late, so they are compared after the writes.
        if (delayed.includes(poller.path)) continue;
        for (const [id, round] of seen)
          if (!(round >= (atLeast.get(id) ?? 0)))
            stale.push({ path: poller.path, round, atLeast: atLeast.get(id) });
      }
    });
    await Promise.all(ids.map(write));
    writing = false;
    await Promise.all(polling);
    expect(stale).toEqual([]);

    const [{ end }] = await dataSource.query(
      `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS end`,
    );
    await eventually(async () => app.get(Watermark).now() > end);
    for (const poller of pollers) {
      const seen = await poller.poll();
      const shown = [...committed].filter(
        ([id]) => !poller.path.includes('partners/') || poller.path.endsWith(id),
      );
      for (const [id, round] of shown) expect([poller.path, seen.get(id)]).toEqual([poller.path, round]);
      const before = poller.notModified;
      await poller.poll();
      expect([poller.path, poller.notModified]).toEqual([poller.path, before + 1]);
    }
  });
});
