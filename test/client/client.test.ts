import type { INestApplicationContext } from '@nestjs/common';
import { type ImportRow, StartlineError } from '#libs/client';
import { key, occurrence, openApiDocument, organization, partner } from '#libs/testing';
import { newId } from '#platform/database';
import { eventually, startApi, startWorker, type TestApi } from '../harness';

let api: TestApi;
let worker: INestApplicationContext;
beforeAll(async () => {
  api = await startApi({ RATE_REGISTRATION_STATUS: '2' });
  worker = await startWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

/** A separate organization, and a client for it. */
async function own() {
  const { id: organizationId } = await organization(api.dataSource);
  const { token } = await key(api.dataSource, { organizationId });
  const make = (name: string) => partner(api.dataSource, { organizationId, name });
  return { organizationId, token, make, client: api.client(token) };
}

async function all<Each>(items: AsyncIterable<Each>): Promise<Each[]> {
  const gathered: Each[] = [];
  for await (const item of items) gathered.push(item);
  return gathered;
}

type Credit = ImportRow<'/v0/credits/import'>;
const credit = (externalCreditId: string, given: Partial<Credit> = {}): Credit => ({
  externalCreditId,
  email: 'ada@example.com',
  amount: { value: 2500, currencyCode: 'GBP' },
  ...given,
});

describe('every()', () => {
  it('returns each item once over any number of pages', async () => {
    const { client, make } = await own();
    const made = [];
    for (let i = 0; i < 10; i++) made.push((await make(`Partner ${i}`)).id);
    for (const size of [1, 3, 5, 10, 11]) {
      const found = await all(client.every('/v0/partners', { params: { query: { 'page[size]': size } } }));
      expect(found.map(({ id }) => id).sort()).toEqual([...made].sort());
    }
  });

  it('keeps filters and sort on every page, and requests no more pages than are read', async () => {
    const { token, make } = await own();
    for (let i = 0; i < 6; i++) await make(i % 2 ? `odd ${i}` : `even ${i}`);
    const asked: string[] = [];
    const client = api.client(token, {
      fetch: (request) => {
        asked.push(new URL(request.url).search);
        return fetch(request);
      },
    });
    const query = { search: 'even', 'sort[createdAt]': '-1', 'page[size]': 1 } as const;
    const names: string[] = [];
    for await (const { name } of client.every('/v0/partners', { params: { query } })) {
      names.push(name);
      if (names.length === 2) break;
    }
    expect(names).toEqual(['even 4', 'even 2']);
    expect(asked).toHaveLength(2);
    for (const search of asked)
      expect(search).toContain('search=even&sort%5BcreatedAt%5D=-1&page%5Bsize%5D=1');
  });

  it('supports the lists of the marketplace, which page differently', async () => {
    const { organizationId } = await own();
    const titles = ['Alpenlauf 1', 'Alpenlauf 2', 'Alpenlauf 3', 'Alpenlauf 4', 'Alpenlauf 5'];
    for (const title of titles) {
      await occurrence(api.dataSource, { organizationId, title, startDate: '2041-05-05' });
    }
    const { token } = await key(api.dataSource, { organizationId, kind: 'MARKETPLACE' });
    const client = api.client(token);
    const year = { 'startDate[gte]': '2041-01-01', 'startDate[lte]': '2041-12-31', pageSize: 2 };
    const listed = await all(client.every('/marketplace/v1/events/', { params: { query: year } }));
    expect(listed.map(({ title }) => title).sort()).toEqual(titles);
    const found = await all(
      client.every('/marketplace/v1/events/search', { params: { query: { ...year, query: 'alpenlauf' } } }),
    );
    expect(found.map(({ title }) => title).sort()).toEqual(titles);
  });
});

describe('changes()', () => {
  it('returns existing items, then changes, and continues from the state of an earlier call', async () => {
    const { organizationId, client, make } = await own();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push((await make(`Partner ${i}`)).id);
    const seen: string[] = [];
    let since: string | undefined;
    const query = { 'page[size]': 2 };
    const follow = async (until: () => boolean) => {
      for await (const group of client.changes('/v0/partners', { since, everyMs: 10, params: { query } })) {
        seen.push(...group.map(({ id }) => id));
        since = group.at(-1)?.updatedAt;
        if (until()) return;
      }
    };
    await follow(() => seen.length === 5);
    expect(seen).toEqual(ids);

    const change = (id?: string) =>
      api.dataSource.query('UPDATE partners SET description = $3 WHERE organization_id = $1 AND id = $2', [
        organizationId,
        id,
        newId(),
      ]);
    await change(ids[3]);
    await follow(() => true);
    expect(seen.slice(5)).toEqual([ids[3]]);

    // Created while the client polls.
    const found = follow(() => seen.length === 8);
    await change(ids[1]);
    await eventually(async () => seen.length === 7);
    await change(ids[0]);
    await found;
    expect(seen.slice(6)).toEqual([ids[1], ids[0]]);
  });

  it('does not split items that changed in the same microsecond', async () => {
    const { organizationId, client } = await own();
    await api.dataSource.query('ALTER TABLE partners DISABLE TRIGGER keep_times_on_insert');
    for (const digit of [1, 2, 2, 2, 2, 3]) {
      await api.dataSource.query(
        `INSERT INTO partners (organization_id, id, name, created_at, updated_at) VALUES ($1, uuid_v7(), $2, $3, $3)`,
        [organizationId, `Partner ${digit}`, `2020-01-01T00:00:00.00000${digit}Z`],
      );
    }
    await api.dataSource.query('ALTER TABLE partners ENABLE TRIGGER keep_times_on_insert');
    const groups: string[][] = [];
    for await (const group of client.changes('/v0/partners', { params: { query: { 'page[size]': 2 } } })) {
      groups.push(group.map(({ updatedAt }) => updatedAt.slice(-2, -1)));
      if (groups.flat().length === 6) break;
    }
    expect(groups).toEqual([['1', '2', '2', '2', '2'], ['3']]);
  });

  it('gets no page while nothing changes', async () => {
    const { organizationId, token, make } = await own();
    const first = await make('The first');
    const statuses: number[] = [];
    const client = api.client(token, {
      fetch: async (request) => {
        const response = await fetch(request);
        statuses.push(response.status);
        return response;
      },
    });
    const seen: string[] = [];
    for await (const group of client.changes('/v0/partners', { everyMs: 1 })) {
      seen.push(...group.map(({ id }) => id));
      if (seen.length === 2) break;
      void eventually(async () => statuses.filter((status) => status === 304).length > 3).then(() =>
        api.dataSource.query('UPDATE partners SET description = $3 WHERE organization_id = $1 AND id = $2', [
          organizationId,
          first.id,
          newId(),
        ]),
      );
    }
    expect(seen).toEqual([first.id, first.id]);
    expect(statuses.at(-1)).toBe(200);
  });

  it('ends with the reason of its signal, also while nothing changes', async () => {
    const { client, make } = await own();
    await make('The only one');
    const byChange = { params: { query: { 'sort[updatedAt]': '1' as const } } };
    await eventually(async () => (await all(client.every('/v0/partners', byChange))).length === 1);
    const leaving = new AbortController();
    const following = async () => {
      const { signal } = leaving;
      for await (const group of client.changes('/v0/partners', { everyMs: 3_600_000, signal })) {
        expect(group).toHaveLength(1);
        setImmediate(() => leaving.abort(new Error('closing time')));
      }
    };
    await expect(following()).rejects.toThrow('closing time');
  });
});

describe('finished()', () => {
  it('waits for the end of a job, and reports its progress', async () => {
    const { client } = await own();
    const body = { credits: [credit('a'), credit('b')] };
    const accepted = await client.post('/v0/credits/import', { body });
    const progress: number[] = [];
    const job = await client.finished(accepted, {
      everyMs: 10,
      onProgress: ({ processedRows }) => progress.push(processedRows),
    });
    expect(job).toMatchObject({ jobId: accepted.jobId, status: 'COMPLETED', succeededRows: 2 });
    expect(progress.at(-1)).toBe(2);
    expect(progress).toEqual([...progress].sort());
  });

  it('reads the jobs of every import surface', async () => {
    const { client } = await own();
    const paths = Object.entries(openApiDocument().paths).flatMap(([path, { post }]: [string, any]) =>
      path.endsWith('/import') ? [[path, post['x-access'].surface]] : [],
    );
    expect(paths).toHaveLength(7);
    for (const [, surface] of paths) {
      const error = await client.finished({ jobId: newId(), surface }).catch((thrown) => thrown);
      expect(error).toMatchObject({ name: 'StartlineError', status: 404 });
    }
    await expect(client.finished({ jobId: newId(), surface: 'shoesImport' })).rejects.toThrow(TypeError);
  });
});

describe('import()', () => {
  it('sends batches, waits for all jobs, and numbers failed rows over all batches', async () => {
    const { client } = await own();
    const rows = Array.from({ length: 7 }, (_, i) =>
      credit(`c-${i}`, i === 4 || i === 6 ? { eventId: newId() } : {}),
    );
    const progress: object[] = [];
    const report = await client.import('/v0/credits/import', rows, {
      batchRows: 3,
      everyMs: 10,
      onProgress: (figures) => progress.push(figures),
    });
    expect(report).toMatchObject({ totalRows: 7, succeededRows: 5, alreadyImportedRows: 0 });
    expect(report.jobs.map(({ totalRows }) => totalRows)).toEqual([3, 3, 1]);
    expect(report.failed.map(({ row, error }) => [row, error?.code])).toEqual([
      [4, 'EVENT_NOT_FOUND'],
      [6, 'EVENT_NOT_FOUND'],
    ]);
    expect(progress[0]).toEqual({ accepted: 3, processed: 0 });
    expect(progress.at(-1)).toEqual({ accepted: 7, processed: 7 });
  });

  it('accepts a stream of rows, and repeats the same jobs under the same Idempotency-Key', async () => {
    const { client } = await own();
    const idempotencyKey = newId();
    async function* rows() {
      for (let i = 0; i < 4; i++) yield credit(`c-${i}`);
    }
    const options = { idempotencyKey, batchRows: 3, everyMs: 10 };
    const first = await client.import('/v0/credits/import', rows(), options);
    const again = await client.import('/v0/credits/import', rows(), options);
    expect(first.succeededRows).toBe(4);
    expect(again).toEqual(first);
    expect(await all(client.every('/v0/import-jobs'))).toHaveLength(2);
  });

  it('fills each request up to the limits of rows and bytes', async () => {
    const { token } = await own();
    const bodies: { rows: number; bytes: number }[] = [];
    const client = api.client(token, {
      fetch: async (request) => {
        const text = await request.text();
        bodies.push({ rows: JSON.parse(text).credits.length, bytes: Buffer.byteLength(text) });
        return Response.json({ error: 'Forbidden', message: 'Enough.' }, { status: 403 });
      },
    });
    const send = async (rows: Credit[]) =>
      expect(client.import('/v0/credits/import', rows)).rejects.toThrow('Enough.');
    await send(Array.from({ length: 10_001 }, (_, i) => credit(`c-${i}`)));
    await send(Array.from({ length: 25 }, (_, i) => credit(`é${i}`, { email: 'é'.repeat(500_000) })));
    const { maxItems } = openApiDocument().components.schemas.CreditsImport.properties.credits;
    expect(bodies[0]?.rows).toBe(maxItems);
    expect(bodies[1]?.rows).toBe(20);
    expect(bodies[1]?.bytes).toBeLessThanOrEqual(20 * 1024 * 1024);
  });

  it('replaces with PUT if requested', async () => {
    const { token } = await own();
    const methods: string[] = [];
    const client = api.client(token, {
      fetch: (request) => {
        methods.push(request.method);
        return fetch(request);
      },
    });
    const row: ImportRow<'/v0/bookings/line-items/import'> = {
      externalLineItemId: 'fee-1',
      bookingId: newId(),
      itemType: 'BOOKING_FEE',
      name: 'Fee',
      amount: { value: 1, currencyCode: 'GBP' },
    };
    const report = await client.import('/v0/bookings/line-items/import', [row], {
      replace: true,
      everyMs: 10,
    });
    expect(report.failed.map(({ error }) => error?.code)).toEqual(['BOOKING_NOT_FOUND']);
    expect(methods[0]).toBe('PUT');
  });

  it('throws the error of a rejected batch, and stops on its signal', async () => {
    const { client } = await own();
    const wrong = credit('a', { email: 'nobody' });
    await expect(client.import('/v0/credits/import', [wrong])).rejects.toMatchObject({
      status: 400,
      code: 'Bad Request',
      message: expect.stringContaining('credits[0].email'),
    });
    const signal = AbortSignal.abort(new Error('closing time'));
    await expect(client.import('/v0/credits/import', [credit('a')], { signal })).rejects.toThrow(
      'closing time',
    );
    expect(await all(client.every('/v0/import-jobs'))).toEqual([]);
  });
});

describe('errors', () => {
  it('carry the message of the API and the request id', async () => {
    const error = await api
      .client()
      .get('/v0/tickets/{id}', { params: { path: { id: newId() } } })
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(StartlineError);
    expect(error).toMatchObject({
      status: 404,
      code: 'Not Found',
      message: 'There is no such resource in your organization.',
      requestId: expect.stringMatching(/./),
    });
    await expect(api.client('no-key').get('/identity')).rejects.toMatchObject({ status: 401 });
  });

  it('carry the time to wait after a 429 that is too long to wait for', async () => {
    const { organizationId, token } = await own();
    const { id } = await occurrence(api.dataSource, { organizationId });
    const client = api.client(token, { tries: 6, longestWaitSeconds: 0 });
    const ask = () =>
      client.post('/v0/event-occurrences/{id}/registration-status', {
        params: { path: { id } },
        body: { email: 'ada@example.com' },
      });
    expect([await ask(), await ask()]).toEqual(Array(2).fill({ eventOccurrenceId: id, registered: false }));
    const error: StartlineError = await ask().catch((thrown) => thrown);
    expect(error).toMatchObject({ status: 429, code: 'Too Many Requests' });
    expect(error.retryAfter).toBeGreaterThan(0);
  });
});
