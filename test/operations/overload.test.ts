import { request } from 'node:http';
import { key, organization, partner, withDatabase } from '#libs/testing';
import { Database, newId } from '#platform/database';
import { signedIn } from '../console/console';
import { type Answer, eventually, startApi, type TestApi } from '../harness';

const POOL_SIZE = 3;
const STATEMENT_TIMEOUT_MS = 1_500;
/** Not reached in these tests. */
const NEVER_MS = '600000';

const BUSY = {
  statusCode: 503,
  error: 'Service Unavailable',
  message: 'The server is overloaded. Try again in a few seconds.',
};

const TOOK_TOO_LONG = {
  ...BUSY,
  message: 'The request took too long, and was undone. Ask for less at once, or try again in a few seconds.',
};

function expectBusy({ status, headers, body }: Pick<Answer, 'status' | 'headers' | 'body'>, expected = BUSY) {
  expect({ status, body }).toEqual({ status: 503, body: expected });
  expect(headers.get('retry-after')).toBe('2');
}

let api: TestApi;
beforeAll(async () => {
  api = await startApi({
    API_POOL_SIZE: String(POOL_SIZE),
    POOL_WAIT_MS: NEVER_MS,
    STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS),
    BODIES_LIMIT: '133000',
    BODY_LIMIT: '40000',
    IMPORT_BODY_LIMIT: '60000',
  });
});
afterAll(() => api.close());

const others: TestApi[] = [];
/** Another API on the same database, until the end of the test, whether it passes or not. */
const started = async (environment: Record<string, string>): Promise<TestApi> => {
  const other = await startApi({ DATABASE_URL: api.databaseUrl, ...environment });
  others.push(other);
  return other;
};
afterEach(() => Promise.all(others.splice(0).map((other) => other.close())));

const areWaiting = (count: number) =>
  withDatabase(api.databaseUrl, async (client) => {
    const { rows } = await client.query(`SELECT 1 FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database()`);
    return rows.length >= count;
  });
const lockWaits = (count: number) => eventually(() => areWaiting(count));

/** Blocks reads of partners during the work. */
const withPartnersLocked = (work: (unlock: () => Promise<unknown>) => Promise<void>) =>
  withDatabase(api.databaseUrl, async (client) => {
    await client.query('BEGIN; LOCK TABLE partners IN ACCESS EXCLUSIVE MODE');
    await work(() => client.query('ROLLBACK'));
  });

const keyOfAnother = async (of = api) => {
  const { id: organizationId } = await organization(of.dataSource);
  return (await key(of.dataSource, { organizationId })).token;
};

const readPartner = (of = api) => of.get(`/v0/partners/${newId()}`);

describe('a request that gets no connection within POOL_WAIT_MS', () => {
  it('returns 503 with retry-after, and earlier requests succeed', async () => {
    // Statements have no timeout here: 503 comes from the wait for a connection.
    const patient = await started({
      API_POOL_SIZE: '8',
      POOL_WAIT_MS: '2000',
      STATEMENT_TIMEOUT_MS: NEVER_MS,
    });
    const ask = (token?: string) => patient.get(`/v0/partners/${newId()}`, token);
    /** On a busy machine, opening a connection can take longer than POOL_WAIT_MS. */
    const answered = (status: number, get: () => Promise<Answer>) =>
      eventually(async () => (await get()).status === status);
    /** Asks until this many statements wait for the lock. */
    const untilWaiting = async (count: number, token?: string) => {
      const asked: Promise<Answer>[] = [];
      await eventually(async () => {
        asked.push(ask(token));
        return areWaiting(count);
      });
      return asked;
    };
    const [other, third] = [await keyOfAnother(), await keyOfAnother()];
    // The keys are cached from here on, so that only the read needs a connection.
    for (const token of [undefined, other, third]) await answered(404, () => ask(token));
    await withPartnersLocked(async (unlock) => {
      // Seven of eight connections are shared, and one organization may use three of them.
      const first = await untilWaiting(3);
      for (const answer of await Promise.all(Array.from({ length: 22 }, () => ask()))) expectBusy(answer);
      // Other organizations get theirs meanwhile, although they come last.
      const theirs = await untilWaiting(4, other);
      await answered(200, () => patient.get('/v0/event-occurrences', third));
      await unlock();
      const foundOf = async (asked: Promise<Answer>[]) => {
        const answers = await Promise.all(asked);
        const found = answers.filter(({ status }) => status === 404);
        for (const answer of answers) if (!found.includes(answer)) expectBusy(answer);
        return found.length;
      };
      expect(await foundOf(first)).toBe(3);
      // One of them waited for the lock. More can have had their connection a moment later.
      expect(await foundOf(theirs)).toBeGreaterThan(0);
    });
    await answered(404, () => ask());
  });

  it('is never one of a quiet organization while ten others exceed the pool', async () => {
    const busy = await started({
      API_POOL_SIZE: '20',
      POOL_WAIT_MS: NEVER_MS,
      STATEMENT_TIMEOUT_MS: NEVER_MS,
    });
    const quiet = await keyOfAnother(busy);
    const loud = await Promise.all(Array.from({ length: 10 }, () => keyOfAnother(busy)));
    await withPartnersLocked(async (unlock) => {
      const asked = loud.flatMap((token) =>
        Array.from({ length: 30 }, () => busy.get(`/v0/partners/${newId()}`, token)),
      );
      // Each has at least one.
      await lockWaits(10);
      for (let i = 0; i < 20; i++) expect((await busy.get('/v0/event-occurrences', quiet)).status).toBe(200);
      await unlock();
      for (const { status } of await Promise.all(asked)) expect(status).toBe(404);
    });
  });
});

it('a request needs one connection, also if it decides what matches a filter', async () => {
  const small = await started({ API_POOL_SIZE: '1' });
  const { browser } = await signedIn(small, 'MANAGER');
  const body = { decision: 'REJECT', matching: { search: 'nobody' } };
  expect((await browser.ask('POST', '/console/v1/applications/decide', body)).status).toBe(200);
});

describe('a request with a body over 16 KB', () => {
  const contacts = [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }];
  const large = (name = 'Large') => JSON.stringify({ name, contacts }).padEnd(20_000);

  it('waits for its turn, in which organizations alternate, while small requests are answered', async () => {
    // The quiet organization gets a second connection.
    const busy = await started({ API_POOL_SIZE: '20' });
    const [other, loud, quiet] = [
      await keyOfAnother(busy),
      await keyOfAnother(busy),
      await keyOfAnother(busy),
    ];
    const post = (token: string, body: unknown = large()) => busy.send('POST', '/v0/partners', body, token);
    const answered: string[] = [];
    await withPartnersLocked(async (unlock) => {
      // The two that are processed at the same time.
      const first = [other, loud].map((token) => post(token).then(() => answered.push('first')));
      await lockWaits(2);
      const others = Array.from({ length: 9 }, () => post(loud).then(() => answered.push('loud')));
      const theirs = post(quiet).then(() => answered.push('quiet'));
      // It does not wait for a turn: it gets as far as the locked table.
      const small = post(quiet, { name: 'Small', contacts }).then(({ status }) => expect(status).toBe(200));
      await lockWaits(3);
      expect((await busy.get('/v0/event-occurrences', quiet)).status).toBe(200);
      expect(answered).toEqual([]);
      await unlock();
      await Promise.all([...first, ...others, theirs, small]);
    });
    // It starts among the first two that waited; the other place may answer a few of the loud ones meanwhile.
    expect(answered.indexOf('quiet')).toBeLessThan(7);
  });

  it('returns 503 and does nothing if its turn does not come in time', async () => {
    const busy = await started({
      STARTLINE_TEST_TURN_WAIT_MS: '200',
      STATEMENT_TIMEOUT_MS: NEVER_MS,
    });
    const token = await keyOfAnother(busy);
    const post = (name: string) => busy.send('POST', '/v0/partners', large(name), token);
    await withPartnersLocked(async (unlock) => {
      const first = post('First');
      await lockWaits(1);
      expectBusy(await post('Second'));
      await unlock();
      expect((await first).status).toBe(200);
    });
    const { body } = await busy.get('/v0/partners', token);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['First']);
    // The slot is free again.
    expect((await post('Third')).status).toBe(200);
  });
});

/** Protects those who repeat a request: a 503 has done nothing, and says when to come back. */
describe('a 503 response', () => {
  it('means that nothing was done, because the response is read before the commit', async () => {
    const { organizationId } = api;
    const { id, name } = await partner(api.dataSource, { organizationId });
    const rename = () => api.send('PATCH', `/v0/partners/${id}`, { name: 'Renamed' });
    await withDatabase(api.databaseUrl, async (client) => {
      // Renaming a partner does not read external ids; the response does.
      await client.query('BEGIN; LOCK TABLE partner_external_ids IN ACCESS EXCLUSIVE MODE');
      expectBusy(await rename(), TOOK_TOO_LONG);
      await client.query('ROLLBACK');
    });
    expect((await api.get(`/v0/partners/${id}`)).body.name).toBe(name);
    expect((await rename()).body.name).toBe('Renamed');
  });
});

describe('a statement that takes longer than STATEMENT_TIMEOUT_MS', () => {
  it('returns 503 that says so, and releases its connection', async () => {
    await withPartnersLocked(async () => {
      for (const answer of await Promise.all(Array.from({ length: POOL_SIZE }, () => readPartner())))
        expectBusy(answer, TOOK_TOO_LONG);
      expect((await api.get('/v0/event-occurrences')).status).toBe(200);
    });
    expect((await readPartner()).status).toBe(404);
  });

  it('is limited on every connection of the API', async () => {
    const { rows } = await withDatabase(api.databaseUrl, (client) =>
      client.query<{ pid: number; name: string }>(
        `SELECT pid, application_name AS name FROM pg_stat_activity
         WHERE datname = current_database() AND application_name LIKE 'startline%'`,
      ),
    );
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['startline api', 'startline access changes']),
    );
    const [{ statement_timeout }] = await api.app.get(Database).dataSource.query('SHOW statement_timeout');
    expect(statement_timeout).toBe(`${STATEMENT_TIMEOUT_MS}ms`);
  });
});

describe('request bodies', () => {
  /** A request whose body does not end until requested. */
  function opened(path: string, length: number | undefined, token = api.token) {
    const outgoing = request(`${api.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }),
      },
    });
    const answer = new Promise<Pick<Answer, 'status' | 'headers' | 'body'>>((resolve, reject) => {
      outgoing.once('error', reject);
      outgoing.once('response', async (incoming) => {
        let text = '';
        for await (const part of incoming) text += part;
        const headers = new Headers(incoming.headers as Record<string, string>);
        resolve({ status: incoming.statusCode as number, headers, body: JSON.parse(text) });
      });
    });
    outgoing.write(' ');
    return { outgoing, answer };
  }

  const small = { credits: [] };
  const importing = () => api.send('POST', '/v0/credits/import', small);
  const creating = () => api.send('POST', '/v0/partners', {});

  /** Sends at least as much of the body as the server is expected to count. */
  function sent(path: string, bytes: number, token?: string, length: number | undefined = 60_000) {
    const body = opened(path, length, token);
    body.answer.catch(() => {});
    body.outgoing.on('error', () => {});
    body.outgoing.write('x'.repeat(bytes));
    return body;
  }
  const isOpen = ({ answer }: { answer: Promise<unknown> }) =>
    Promise.race([
      answer.then(
        () => false,
        () => false,
      ),
      new Promise((resolve) => setImmediate(resolve, true)),
    ]);
  const withRoomFor = (bytes: number, token?: string) =>
    eventually(
      async () =>
        (await api.send('POST', '/v0/credits/import', { credits: [], padding: 'x'.repeat(bytes) }, token))
          .status === 400,
    );

  it('cost almost no memory if they are announced and not sent', async () => {
    const tokens = await Promise.all([keyOfAnother(), keyOfAnother()]);
    const idle = Array.from({ length: 80 }, (_, i) => sent('/v0/partners', 1, tokens[i % 2], 40_000));
    // The slowest bodies are cut off immediately; the others use at most half of the memory.
    await eventually(async () => (await Promise.all(idle.map(isOpen))).filter(Boolean).length < 10);
    for (let i = 0; i < 5; i++) expect((await creating()).status).toBe(400);
    for (const { outgoing } of idle) outgoing.destroy();
  });

  it('are counted as they arrive, and the slowest of an organization with half of the memory is cut off', async () => {
    const token = await keyOfAnother();
    const slow = sent('/v0/credits/import', 40_000, token);
    await eventually(async () => isOpen(slow));
    const next = sent('/v0/credits/import', 55_000, token);
    expectBusy(await Promise.race([slow.answer, next.answer]));
    // Others have the other half, and race day continues: its bodies have a separate budget.
    await withRoomFor(50_000);
    expect((await creating()).status).toBe(400);
    for (const { outgoing } of [slow, next]) outgoing.destroy();
  });

  it('of one organization are cut off for those of another that holds less', async () => {
    const loud = await Promise.all(Array.from({ length: 4 }, () => keyOfAnother()));
    const held = loud.map((token) => sent('/v0/credits/import', 55_000, token));
    // There is room for three.
    expectBusy(await Promise.race(held.map(({ answer }) => answer)));
    for (let i = 0; i < 20; i++) expect((await importing()).status).toBe(400);
    await withRoomFor(20_000);
    for (const { outgoing } of held) outgoing.destroy();
  });

  it('free their memory when the client disconnects', async () => {
    for (let i = 0; i < 20; i++) {
      const { outgoing, answer } = opened('/v0/credits/import', 60_000);
      answer.catch(() => {});
      outgoing.destroy();
    }
    const large = { credits: [], padding: 'x'.repeat(55_000) };
    await eventually(async () => (await api.send('POST', '/v0/credits/import', large)).status === 400);
  });

  it('over the limit get 413, with any memory in use', async () => {
    const held = opened('/v0/partners', 40_000);
    const { answer, outgoing } = opened('/v0/partners', 40_001);
    expect((await answer).status).toBe(413);
    held.answer.catch(() => {});
    for (const each of [held.outgoing, outgoing]) each.destroy();
  });
});
