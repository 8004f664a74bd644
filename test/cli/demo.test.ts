import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { SecretBox } from '#domain/webhooks';
import { SIGNING_SECRETS, type TestDatabase, testDatabase, withDatabase } from '#libs/testing';
import { Tokens, tokenOf } from '#platform/access';
import { ApiKey } from '#platform/database';
import { loadDemo } from '../../apps/cli/src/demo/load-demo';
import { eventually, startApi, type TestApi } from '../harness';
import { MISCOUNTS, STRANGE_IDS, UNSOUND, WRONG_PROJECTIONS } from './demo-checks';

const rowsOf = async (url: string, sql: string, values: unknown[] = []) =>
  withDatabase(url, async (client) => (await client.query(sql, values)).rows);

/** A fingerprint of each table, without columns that depend on the clock. */
async function fingerprints(url: string): Promise<Record<string, string>> {
  const tables = await rowsOf(
    url,
    `SELECT DISTINCT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
       AND column_name IN ('organization_id', 'slug') AND table_name NOT IN ('tallies', 'organization_versions') ORDER BY 1`,
  );
  const [prints] = await rowsOf(
    url,
    `SELECT ${tables
      .map(
        ({ name }) =>
          `(SELECT sum(hashtextextended((to_jsonb(t) - 'updated_at')::text, 0))::text FROM ${name} t) AS ${name}`,
      )
      .join(', ')}`,
  );
  return prints;
}

const entriesIn = async (url: string, slug: string) =>
  (
    await rowsOf(
      url,
      `SELECT count(*)::int AS n FROM start_list_entries e JOIN organizations o ON o.id = e.organization_id WHERE o.slug = $1`,
      [slug],
    )
  )[0].n;

describe('demo data', () => {
  const secretBox = new SecretBox([{ kid: 'demo', key: randomBytes(32) }]);
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    await loadDemo(database.url, { participants: 5_000, signingSecrets: SIGNING_SECRETS, secretBox });
  });
  afterAll(() => database.drop());

  it('has 5,000 entries, and several hundred of the organization rival', async () => {
    expect(await entriesIn(database.url, 'demo')).toBe(5_000);
    expect(await entriesIn(database.url, 'rival')).toBe(300);
  });

  it.each(Object.entries(MISCOUNTS))('has correct counts: %s', async (_, sql) => {
    expect(await rowsOf(database.url, sql)).toEqual([]);
  });

  it.each(Object.entries(WRONG_PROJECTIONS))('shows the result of the race-day log: %s', async (_, sql) => {
    expect(await rowsOf(database.url, sql)).toEqual([]);
  });

  it.each(Object.entries(UNSOUND))('is consistent: %s', async (_, sql) => {
    expect(await rowsOf(database.url, sql)).toEqual([]);
  });

  it('has ids of version 7 everywhere', async () => {
    const columns = await rowsOf(
      database.url,
      `SELECT table_name, column_name, data_type FROM information_schema.columns
       WHERE table_schema = 'public' AND (data_type = 'uuid' OR udt_name = '_uuid')
         -- The counter of a tag has a hash of the tag, and what the organizer assigned has the id of zeros.
         AND (table_name, column_name) <> ('tallies', 'subject_id') AND column_name <> 'assigned_by'`,
    );
    expect(columns.length).toBeGreaterThan(60);
    const strange = columns.map(({ table_name, column_name, data_type }) =>
      STRANGE_IDS(table_name, column_name, data_type === 'ARRAY'),
    );
    expect(await rowsOf(database.url, strange.join(' UNION ALL '))).toEqual([]);
  });

  it('has records of every kind', async () => {
    const kinds = async (sql: string) => (await rowsOf(database.url, sql)).map(({ kind }) => kind);
    expect(await kinds('SELECT DISTINCT type AS kind FROM booking_form_fields ORDER BY 1')).toEqual([
      'BOOLEAN',
      'COUNTRY',
      'DATE',
      'EMAIL',
      'MULTI_SELECT',
      'NUMBER',
      'PHONE',
      'SELECT',
      'TEXT',
      'WAIVER',
    ]);
    expect(await kinds('SELECT DISTINCT item_type AS kind FROM line_items ORDER BY 1')).toEqual([
      'ADD_ON',
      'BOOKING_FEE',
      'CREDIT',
      'DISCOUNT',
      'DONATION',
      'REFUND',
      'TICKET',
    ]);
    expect(
      await kinds(`SELECT DISTINCT application_resolution_type || ' ' || approval_status AS kind
        FROM start_list_entries ORDER BY 1`),
    ).toEqual([
      'BALLOT APPROVED',
      'BALLOT PENDING',
      'BALLOT REJECTED',
      'BALLOT WITHDRAWN',
      'INSTANT APPROVED',
      'MANUAL APPROVED',
      'MANUAL PENDING',
      'MANUAL REJECTED',
      'MANUAL WITHDRAWN',
    ]);
    expect(await kinds(`SELECT DISTINCT source || ' ' || status AS kind FROM bookings ORDER BY 1`)).toEqual([
      'API CANCELLED',
      'API CONFIRMED',
      'DASHBOARD CONFIRMED',
      'WEBSITE CANCELLED',
      'WEBSITE CONFIRMED',
    ]);
    expect(await kinds('SELECT DISTINCT kind FROM credits ORDER BY 1')).toEqual(['CREDIT', 'GIFT_CARD']);
    expect(
      await kinds(
        'SELECT DISTINCT shipping_status AS kind FROM start_list_entries WHERE shipping_status IS NOT NULL ORDER BY 1',
      ),
    ).toEqual(['DELIVERED', 'RETURNED', 'SHIPPED']);
    expect(
      await kinds(
        `SELECT DISTINCT owners AS kind FROM (SELECT count(*)::int AS owners FROM referrer_owner_bookings GROUP BY referrer_id) o ORDER BY 1`,
      ),
    ).toEqual([1, 2]);
    expect(
      (await rowsOf(database.url, 'SELECT FROM start_list_entries WHERE gdpr_redacted')).length,
    ).toBeGreaterThan(0);
    expect((await rowsOf(database.url, 'SELECT FROM referrals')).length).toBeGreaterThan(0);
    const taken = 'SELECT FROM start_list_entries WHERE bib_claim IS NOT NULL AND bib_number IS NULL';
    expect((await rowsOf(database.url, taken)).length).toBeGreaterThan(0);
  });

  it('has capacity for 50,000 on an instant ticket, and reserved groups that are open, full and outside capacity', async () => {
    const roomy = await rowsOf(
      database.url,
      `SELECT FROM tickets t WHERE approval = 'INSTANT' AND deleted_at IS NULL AND sale_start < now() AND sale_end > now()
         AND max_capacity - tally(organization_id, 'ticketPlaces', id) >= 50000
         AND (SELECT max_capacity FROM races r WHERE r.id = t.race_id) IS NULL`,
    );
    expect(roomy.length).toBeGreaterThan(0);
    const [groups] = await rowsOf(
      database.url,
      `SELECT bool_or(domain_restriction IS NULL AND used_capacity < max_capacity) AS open,
         bool_or(used_capacity = max_capacity) AS full, bool_or(reserve_capacity = 'IGNORE_CAPACITY') AS ignoring,
         bool_or(domain_restriction IS NOT NULL) AS restricted FROM reserved_entry_groups`,
    );
    expect(groups).toEqual({ open: true, full: true, ignoring: true, restricted: true });
  });

  it('has work that needs a hand: an import with failed rows, and an endpoint that fails', async () => {
    const [job] = await rowsOf(
      database.url,
      `SELECT j.total_rows - j.succeeded_rows - j.failed_rows AS rest, j.failed_rows::int AS failed,
         count(*) FILTER (WHERE r.outcome = 'FAILED')::int AS rows, count(*)::int - j.total_rows AS more
       FROM import_jobs j JOIN import_rows r ON r.organization_id = j.organization_id AND r.job_id = j.id
       GROUP BY j.organization_id, j.id`,
    );
    expect(job).toEqual({ rest: 0, failed: 3, rows: 3, more: 0 });
    const [endpoint] = await rowsOf(
      database.url,
      'SELECT organization_id AS of, id, secret, disabled_reason AS reason FROM webhook_endpoints',
    );
    expect(endpoint.reason).toBe('FAILING');
    expect(secretBox.open(endpoint.secret, `${endpoint.of}/${endpoint.id}`)).toMatch(/^whsec_/);
  });

  it('is unchanged by a second load', async () => {
    const before = await fingerprints(database.url);
    expect(await loadDemo(database.url, { seed: 2 })).toEqual({ loaded: false });
    expect(await fingerprints(database.url)).toEqual(before);
  });

  describe('over HTTP', () => {
    let api: TestApi;
    const tokens = new Map<string, string>();
    beforeAll(async () => {
      api = await startApi({ DATABASE_URL: database.url });
      for (const key of await api.dataSource.manager.find(ApiKey)) {
        const token = tokenOf(new Tokens(SIGNING_SECRETS), key);
        tokens.set(key.name, token);
        if (key.last4 !== 'test') expect(token.endsWith(key.last4)).toBe(true);
      }
    });
    afterAll(() => api.close());

    it('lists the occurrences for the key demo, races first, with tickets in every state of sale', async () => {
      const { body } = await api.get('/v0/event-occurrences', tokens.get('demo'));
      expect(body.data.length).toBeGreaterThan(20);
      const states = new Set<string>();
      for (const { id } of body.data) {
        const races = await api.get(`/v0/event-occurrences/${id}/races`, tokens.get('demo'));
        expect(races.body.data.length).toBeGreaterThan(0);
        const tickets = await api.get(`/v0/event-occurrences/${id}/tickets`, tokens.get('demo'));
        for (const { availability } of tickets.body.data) states.add(availability);
      }
      expect([...states].sort()).toEqual(['AVAILABLE', 'CLOSED', 'NOT_YET_ON_SALE', 'SOLD_OUT']);
    });

    it('returns every entry with its references, as the reference documents it', async () => {
      for (const [list, total] of [
        ['/v0/applications', 5_000],
        ['/v0/participants', 4_700],
      ] as const) {
        const query = { extendMetadata: true, 'page[size]': 500 };
        let seen = 0;
        for await (const _ of api.client(tokens.get('demo')).every(list, { params: { query } })) seen++;
        expect(seen).toBeGreaterThanOrEqual(total);
      }
    });

    it('returns bookings with receipts, add-ons and groups, as the reference documents them', async () => {
      const bookings = await rowsOf(
        database.url,
        `SELECT DISTINCT ON (source, status, discount_code_id, currency_code) b.id FROM bookings b
         JOIN organizations o ON o.id = organization_id WHERE o.slug = 'demo'`,
      );
      expect(bookings.length).toBeGreaterThan(15);
      for (const { id } of bookings) {
        for (const path of ['', '/line-items', '/add-on-allocations']) {
          expect((await api.get(`/v0/bookings/${id}${path}`, tokens.get('demo'))).status).toBe(200);
        }
      }
      const { body } = await api.get('/v0/event-occurrences', tokens.get('demo'));
      for (const { id } of body.data) {
        const { status } = await api.get(`/v0/event-occurrences/${id}/reserved-entries`, tokens.get('demo'));
        expect(status).toBe(200);
      }
      expect((await api.get('/v0/partners', tokens.get('demo'))).body.data).toHaveLength(8);
    });

    it('shows no organization data of the other', async () => {
      const rivals = await api.get('/v0/event-occurrences', tokens.get('rival'));
      expect(rivals.body.data.every(({ title }: { title: string }) => title.startsWith('Rival'))).toBe(true);
      const demos = await api.get('/v0/event-occurrences', tokens.get('demo'));
      expect(demos.text).not.toContain('Rival');
      const [{ id }] = rivals.body.data;
      expect((await api.get(`/v0/event-occurrences/${id}`, tokens.get('demo'))).status).toBe(404);
    });

    it('lists published, upcoming occurrences for the marketplace key', async () => {
      const { body } = await api.get('/marketplace/v1/events/?pageSize=200', tokens.get('demo-marketplace'));
      const titles = body.events.map(({ title }: { title: string }) => title.replace(/ \d{4}.*/, ''));
      expect(titles).toEqual(
        expect.arrayContaining(['Harbour City Marathon', 'Mud & Glory', 'Rival City Run']),
      );
      for (const hidden of ['Vercors Nordic', 'Northwind Staff Relay', 'Coast to Coast Ride']) {
        expect(titles).not.toContain(hidden);
      }
    });
  });
});

describe('loading demo data', () => {
  const databases: TestDatabase[] = [];
  const fresh = async () => {
    const database = await testDatabase();
    databases.push(database);
    return database.url;
  };
  afterAll(() => Promise.all(databases.map((database) => database.drop())));
  const small = { participants: 1_500, seed: 7, today: '2027-03-02' };

  it('creates the same rows for the same seed and day, and other rows for another seed', async () => {
    const [clean, interrupted, other] = [await fresh(), await fresh(), await fresh()];
    await loadDemo(clean, small);
    const expected = await fingerprints(clean);

    const stop = (done: number) => {
      if (done > 0) throw new Error('the power went');
    };
    const doomed = loadDemo(interrupted, { participants: 6_000, today: '2027-03-01', onProgress: stop });
    await expect(doomed).rejects.toThrow('the power went');
    expect(await entriesIn(interrupted, 'demo')).toBeGreaterThan(0);
    expect(await rowsOf(interrupted, 'SELECT FROM organizations WHERE deleted_at IS NULL')).toEqual([]);
    expect(await loadDemo(interrupted, small)).toMatchObject({ loaded: true });
    // The numbers of messages and tasks continue where the interrupted load left them, and a refresh has the time of its change.
    const got = await fingerprints(interrupted);
    const own = {
      race_day_log: '',
      bib_claims: '',
      race_day_fields: '',
      race_day_tasks: '',
      pending_refreshes: '',
    };
    expect({ ...got, ...own }).toEqual({ ...expected, ...own });

    await loadDemo(other, { ...small, seed: 8 });
    const different = await fingerprints(other);
    for (const table of ['bookings', 'start_list_entries', 'line_items', 'organizations', 'race_day_log']) {
      expect(different[table]).not.toBe(expected[table]);
    }
  });

  it('happens once if two loads start at the same time', async () => {
    const url = await fresh();
    const loads = await Promise.all([loadDemo(url, small), loadDemo(url, small)]);
    expect(loads.map(({ loaded }) => loaded).sort()).toEqual([false, true]);
    expect(await entriesIn(url, 'demo')).toBe(1_500);
  });

  it('completes after the process was killed', async () => {
    const url = await fresh();
    const words = ['dist/apps/cli/src/main.js', 'demo', 'load'];
    const child = spawn(process.execPath, [...words, '--participants', '200000', '--json'], {
      env: { ...process.env, DATABASE_URL: url },
      stdio: 'ignore',
    });
    const gone = once(child, 'exit');
    await eventually(async () => (await entriesIn(url, 'demo')) > 0);
    child.kill('SIGKILL');
    await gone;
    expect(await loadDemo(url, small)).toMatchObject({ loaded: true });
    expect(await entriesIn(url, 'demo')).toBe(1_500);
    for (const sql of Object.values(MISCOUNTS)) expect(await rowsOf(url, sql)).toEqual([]);
  });

  it('rejects an existing organization rival and a size that is too small, and changes nothing', async () => {
    const url = await fresh();
    await rowsOf(url, `INSERT INTO organizations (id, slug, name) VALUES (uuid_v7(), 'rival', 'Real Rival')`);
    await expect(loadDemo(url, small)).rejects.toThrow('There is an organization "rival" already');
    await expect(loadDemo(url, { ...small, participants: 10 })).rejects.toThrow('at least');
    expect(await rowsOf(url, 'SELECT name FROM organizations')).toEqual([{ name: 'Real Rival' }]);
  });
});
