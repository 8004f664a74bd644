import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { SecretBox } from '#domain/webhooks';
import { SIGNING_SECRETS, type TestDatabase, testDatabase, withDatabase } from '#libs/testing';
import { Tokens, tokenOf } from '#platform/access';
import { ApiKey } from '#platform/database';
import { loadDemo } from '../../apps/cli/src/demo/load-demo';
import { eventually, startApi, type TestApi } from '../harness';
import { MISCOUNTS } from './demo-checks';

const rowsOf = async (url: string, sql: string, values: unknown[] = []) =>
  withDatabase(url, async (client) => (await client.query(sql, values)).rows);

/** What is the same for the same seed: everything but ids, and times of loading. */
const bookingsIn = (url: string) =>
  rowsOf(
    url,
    `SELECT b.external_booking_id AS id, b.created_at AS at, b.booker_email AS email, b.total_value AS total, k.slug AS ticket,
       e.bib_number AS bib, (SELECT json_agg(f->'value') FROM json_array_elements(e.fields) f) AS answers
     FROM bookings b JOIN start_list_entries e ON e.booking_id = b.id JOIN tickets k ON k.id = e.ticket_id
     WHERE b.external_booking_id IS NOT NULL ORDER BY 1, e.participant_index`,
  );

const entriesIn = async (url: string, slug: string) =>
  (
    await rowsOf(
      url,
      `SELECT count(*)::int AS n FROM start_list_entries e JOIN organizations o ON o.id = e.organization_id WHERE o.slug = $1`,
      [slug],
    )
  )[0].n;

/** More than one batch, so that a load can be interrupted between them. */
const participants = 1_600;
const small = { participants: 1_100, seed: 7, signingSecrets: SIGNING_SECRETS };

describe('demo data', () => {
  const secretBox = new SecretBox([{ kid: 'demo', key: randomBytes(32) }]);
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    await loadDemo(database.url, { participants, signingSecrets: SIGNING_SECRETS, secretBox });
  });
  afterAll(() => database.drop());

  it('has the requested number of entries, and several hundred of the organization rival', async () => {
    expect(await entriesIn(database.url, 'demo')).toBe(participants);
    expect(await entriesIn(database.url, 'rival')).toBe(300);
  });

  it.each(Object.entries(MISCOUNTS))('has correct counts: %s', async (_, sql) => {
    expect(await rowsOf(database.url, sql)).toEqual([]);
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
    expect((await rowsOf(database.url, 'SELECT FROM credits')).length).toBeGreaterThan(0);
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

  it('has an instant ticket without a limit, and reserved groups that are open, full and outside capacity', async () => {
    const roomy = await rowsOf(
      database.url,
      `SELECT FROM tickets t WHERE slug = 'marathon' AND approval = 'INSTANT' AND sale_start < now() AND sale_end > now()
         AND max_capacity IS NULL AND (SELECT max_capacity FROM races r WHERE r.id = t.race_id) IS NULL`,
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

  it('has work that needs a hand: an import, and an endpoint with a delivery that is due', async () => {
    const [job] = await rowsOf(
      database.url,
      `SELECT j.total_rows AS total, count(*)::int AS rows FROM import_jobs j
       JOIN import_rows r ON r.organization_id = j.organization_id AND r.job_id = j.id GROUP BY j.organization_id, j.id`,
    );
    expect(job).toEqual({ total: 8, rows: 8 });
    const [endpoint] = await rowsOf(
      database.url,
      `SELECT w.organization_id AS of, w.id, w.secret, d.type FROM webhook_endpoints w JOIN webhook_deliveries d ON d.endpoint_id = w.id`,
    );
    expect(endpoint.type).toBe('webhook_endpoint.ping');
    expect(secretBox.open(endpoint.secret, `${endpoint.of}/${endpoint.id}`)).toMatch(/^whsec_/);
  });

  it('is unchanged by a second load', async () => {
    const before = await bookingsIn(database.url);
    const again = { participants: 6_000, seed: 2, signingSecrets: SIGNING_SECRETS };
    expect(await loadDemo(database.url, again)).toEqual({ loaded: false });
    expect(await bookingsIn(database.url)).toEqual(before);
  });

  it('is the same after the process was killed and loads again', async () => {
    const interrupted = await testDatabase();
    const { url } = interrupted;
    const words = ['dist/apps/cli/src/main.js', 'demo', 'load'];
    const child = spawn(process.execPath, [...words, '--participants', String(participants)], {
      env: {
        ...process.env,
        DATABASE_URL: url,
        SIGNING_SECRETS: SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
      },
      stdio: 'ignore',
    });
    const gone = once(child, 'exit');
    await eventually(async () => (await entriesIn(url, 'demo')) > 0);
    child.kill('SIGKILL');
    await gone;
    expect(await rowsOf(url, 'SELECT FROM organizations WHERE deleted_at IS NULL')).toEqual([]);
    expect(await loadDemo(url, { participants, signingSecrets: SIGNING_SECRETS })).toMatchObject({
      loaded: true,
    });
    expect(await bookingsIn(url)).toEqual(await bookingsIn(database.url));
    await interrupted.drop();
  });

  it('rejects an existing organization rival and a size that is too small, and changes nothing', async () => {
    const { url, drop } = await testDatabase();
    await expect(loadDemo(url, { ...small, participants: 10 })).rejects.toThrow('at least');
    await rowsOf(url, `INSERT INTO organizations (id, slug, name) VALUES (uuid_v7(), 'rival', 'Real Rival')`);
    await expect(loadDemo(url, small)).rejects.toThrow('There is an organization "rival" already');
    expect(await rowsOf(url, 'SELECT name FROM organizations')).toEqual([{ name: 'Real Rival' }]);
    await drop();
  });

  it('happens once if two loads start at the same time, with other people for another seed', async () => {
    const { url, drop } = await testDatabase();
    const loads = await Promise.all([loadDemo(url, small), loadDemo(url, small)]);
    expect(loads.map(({ loaded }) => loaded).sort()).toEqual([false, true]);
    expect(await entriesIn(url, 'demo')).toBe(1_100);
    const [[made], [before]] = [await bookingsIn(url), await bookingsIn(database.url)];
    expect({ ...made, email: '', answers: [] }).toEqual({ ...before, email: '', answers: [] });
    expect(made.email).not.toBe(before.email);
    await drop();
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
      const { body } = await api.get('/v0/event-occurrences', tokens.get('test-demo'));
      expect(body.data.length).toBeGreaterThan(15);
      const states = new Set<string>();
      for (const { id } of body.data) {
        const races = await api.get(`/v0/event-occurrences/${id}/races`, tokens.get('test-demo'));
        expect(races.body.data.length).toBeGreaterThan(0);
        const tickets = await api.get(`/v0/event-occurrences/${id}/tickets`, tokens.get('test-demo'));
        for (const { availability } of tickets.body.data) states.add(availability);
      }
      expect([...states].sort()).toEqual(['AVAILABLE', 'CLOSED', 'NOT_YET_ON_SALE', 'SOLD_OUT']);
    });

    it('returns every entry with its references, as the reference documents it', async () => {
      for (const [list, total] of [
        ['/v0/applications', participants],
        ['/v0/participants', participants - 200],
      ] as const) {
        const query = { extendMetadata: true, 'page[size]': 500 };
        let seen = 0;
        for await (const _ of api.client(tokens.get('test-demo')).every(list, { params: { query } })) seen++;
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
          expect((await api.get(`/v0/bookings/${id}${path}`, tokens.get('test-demo'))).status).toBe(200);
        }
      }
      const { body } = await api.get('/v0/event-occurrences', tokens.get('test-demo'));
      for (const { id } of body.data) {
        const { status } = await api.get(
          `/v0/event-occurrences/${id}/reserved-entries`,
          tokens.get('test-demo'),
        );
        expect(status).toBe(200);
      }
      expect((await api.get('/v0/partners', tokens.get('test-demo'))).body.data).toHaveLength(8);
    });

    it('shows no organization data of the other', async () => {
      const rivals = await api.get('/v0/event-occurrences', tokens.get('test-rival'));
      expect(rivals.body.data.every(({ title }: { title: string }) => title.startsWith('Rival'))).toBe(true);
      const demos = await api.get('/v0/event-occurrences', tokens.get('test-demo'));
      expect(demos.text).not.toContain('Rival');
      const [{ id }] = rivals.body.data;
      expect((await api.get(`/v0/event-occurrences/${id}`, tokens.get('test-demo'))).status).toBe(404);
    });

    it('lists its own published, upcoming occurrences for the marketplace key of a sandbox', async () => {
      const { body } = await api.get(
        '/marketplace/v1/events/?pageSize=200',
        tokens.get('test-demo-marketplace'),
      );
      const titles = body.events.map(({ title }: { title: string }) => title.replace(/ \d{4}.*/, ''));
      expect(titles).toEqual(expect.arrayContaining(['Harbour City Marathon', 'Mud & Glory']));
      for (const hidden of [
        'Rival City Run',
        'Vercors Nordic',
        'Northwind Staff Relay',
        'Coast to Coast Ride',
      ]) {
        expect(titles).not.toContain(hidden);
      }
    });
  });
});
