import { request } from 'node:http';
import { newId } from '#libs/database';
import { key, organization, withDatabase } from '#libs/testing';
import { type Answer, eventually, startApi, type TestApi } from '../harness';

const POOL_SIZE = 3;
const POOL_WAIT_MS = 300;
const STATEMENT_TIMEOUT_MS = 1_500;

const BUSY = {
  statusCode: 503,
  error: 'Service Unavailable',
  message: 'We are overloaded for the moment. Try again in a few seconds.',
};

function expectBusy({ status, headers, body }: Pick<Answer, 'status' | 'headers' | 'body'>) {
  expect({ status, body }).toEqual({ status: 503, body: BUSY });
  expect(headers.get('retry-after')).toBe('2');
}

let api: TestApi;
beforeAll(async () => {
  api = await startApi({
    API_POOL_SIZE: String(POOL_SIZE),
    POOL_WAIT_MS: String(POOL_WAIT_MS),
    STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS),
    BODIES_LIMIT: '100000',
    IMPORT_BODIES_LIMIT: '200000',
    BODY_LIMIT: '40000',
    IMPORT_BODY_LIMIT: '60000',
  });
});
afterAll(() => api.close());

const lockWaits = (count: number) =>
  eventually(() =>
    withDatabase(api.databaseUrl, async (client) => {
      const { rows } = await client.query(`SELECT 1 FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND datname = current_database()`);
      return rows.length >= count;
    }),
  );

/** While everybody waits who reads partners. */
const withPartnersLocked = (work: (unlock: () => Promise<unknown>) => Promise<void>) =>
  withDatabase(api.databaseUrl, async (client) => {
    await client.query('BEGIN; LOCK TABLE partners IN ACCESS EXCLUSIVE MODE');
    await work(() => client.query('ROLLBACK'));
  });

const readPartner = (of = api) => of.get(`/v0/partners/${newId()}`);

describe('a request that gets no connection within POOL_WAIT_MS', () => {
  it('answers 503 and when to try again, and those before it are answered as ever', async () => {
    // Here statements may take as long as they like: 503 comes from the wait for a connection.
    const patient = await startApi({
      DATABASE_URL: api.databaseUrl,
      API_POOL_SIZE: String(POOL_SIZE),
      POOL_WAIT_MS: String(POOL_WAIT_MS),
      STATEMENT_TIMEOUT_MS: '600000',
    });
    const ask = () => readPartner(patient);
    // The key is known from here on, so that only the read needs a connection.
    expect((await ask()).status).toBe(404);
    await withPartnersLocked(async (unlock) => {
      const first = Array.from({ length: POOL_SIZE }, ask);
      await lockWaits(POOL_SIZE);
      const others = await Promise.all(Array.from({ length: 20 }, ask));
      for (const answer of others) expectBusy(answer);
      await unlock();
      for (const answer of await Promise.all(first)) expect(answer.status).toBe(404);
    });
    expect((await ask()).status).toBe(404);
    await patient.close();
  });
});

describe('a statement that takes longer than STATEMENT_TIMEOUT_MS', () => {
  it('answers 503, and gives its connection back', async () => {
    await withPartnersLocked(async () => {
      for (const answer of await Promise.all(Array.from({ length: POOL_SIZE }, () => readPartner())))
        expectBusy(answer);
      expect((await api.get('/v0/event-occurrences')).status).toBe(200);
    });
    expect((await readPartner()).status).toBe(404);
  });

  it('may not be longer on any connection of the api', async () => {
    const { rows } = await withDatabase(api.databaseUrl, (client) =>
      client.query<{ pid: number; name: string }>(
        `SELECT pid, application_name AS name FROM pg_stat_activity
         WHERE datname = current_database() AND application_name LIKE 'startline%'`,
      ),
    );
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['startline api', 'startline access changes']),
    );
    const [{ statement_timeout }] = await api.dataSource.query('SHOW statement_timeout');
    expect(statement_timeout).toBe(`${STATEMENT_TIMEOUT_MS}ms`);
  });
});

describe('bodies', () => {
  /** A request whose body doesn't end until it is told to. */
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

  it('of imports are held up to half of IMPORT_BODIES_LIMIT for one organization; the next answers 503 unread', async () => {
    // Its length is not known, so that it counts for the largest; and then the other has no room.
    const held = opened('/v0/credits/import', undefined);
    const next = opened('/v0/credits/import', 50_000);
    const [refused] = await Promise.all([
      Promise.race([held.answer, next.answer]),
      eventually(async () => (await importing()).status === 400),
    ]);
    expectBusy(refused);
    // Others have the other half.
    const other = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId: other.id });
    const large = { credits: [], padding: 'x'.repeat(50_000) };
    expect((await api.send('POST', '/v0/credits/import', large, token)).status).toBe(400);
    // Race day goes on meanwhile: its bodies are counted apart.
    expect((await creating()).status).toBe(400);
    for (const { outgoing, answer } of [held, next]) {
      answer.catch(() => {});
      outgoing.destroy();
    }
  });

  it('of all organizations together are held up to IMPORT_BODIES_LIMIT', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { id: organizationId } = await organization(api.dataSource);
        return (await key(api.dataSource, { organizationId })).token;
      }),
    );
    const held = tokens.map((token) => opened('/v0/credits/import', 60_000, token));
    // Three of four have room.
    expectBusy(await Promise.race(held.map(({ answer }) => answer)));
    for (const { outgoing, answer } of held) {
      answer.catch(() => {});
      outgoing.destroy();
    }
  });

  it('that went away make room again', async () => {
    for (let i = 0; i < 20; i++) {
      const { outgoing, answer } = opened('/v0/credits/import', 60_000);
      answer.catch(() => {});
      outgoing.destroy();
    }
    const large = { credits: [], padding: 'x'.repeat(55_000) };
    await eventually(async () => (await api.send('POST', '/v0/credits/import', large)).status === 400);
  });

  it('that are ordinary are held likewise, up to BODIES_LIMIT', async () => {
    const held = opened('/v0/partners', 40_000);
    const refused = await eventually(async () => {
      const answer = await api.send('POST', '/v0/partners', { name: 'x'.repeat(20_000) });
      return answer.status === 503 && answer;
    });
    expectBusy(refused);
    // A small one still fits.
    expect((await creating()).status).toBe(400);
    held.answer.catch(() => {});
    held.outgoing.destroy();
    await eventually(
      async () => (await api.send('POST', '/v0/partners', { name: 'x'.repeat(20_000) })).status === 400,
    );
  });

  it('larger than any may be answer 413, however full it is', async () => {
    const held = opened('/v0/partners', 40_000);
    const { answer, outgoing } = opened('/v0/partners', 40_001);
    expect((await answer).status).toBe(413);
    held.answer.catch(() => {});
    for (const each of [held.outgoing, outgoing]) each.destroy();
  });
});
