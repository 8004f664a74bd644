import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import {
  occurrence,
  type TestDatabase,
  testDatabase,
  type WholeOrganization,
  wholeOrganization,
} from '#libs/testing';
import {
  appUrlOf,
  type Connections,
  createDataSource,
  Database,
  ORGANIZATION,
  SHARED_TABLES,
  VIEWS,
} from '#platform/database';

async function rowsOf<Row extends object>(connections: Connections, text: string, values?: unknown[]) {
  return (await connections.execute<Row>({ text, values })).rows;
}

let database: TestDatabase;
let owner: DataSource;
let app: Database;
let ours: WholeOrganization;
let theirs: WholeOrganization;
beforeAll(async () => {
  database = await testDatabase();
  owner = await createDataSource({ url: database.url, applicationName: 'test' }).initialize();
  // One connection, so that each statement finds the state that the previous one left.
  const options = {
    url: appUrlOf(database.url),
    applicationName: 'test',
    poolSize: 1,
    oneOrganization: true,
  };
  app = new Database(await createDataSource(options).initialize());
  ours = await wholeOrganization(owner, { mark: 'ours' });
  theirs = await wholeOrganization(owner, { mark: 'theirs' });
});
afterAll(async () => {
  await app.dataSource.destroy();
  await owner.destroy();
  await database.drop();
});

const OF: Record<string, string> = { organizations: 'id' };
const ofOrganization = (table: string) => OF[table] ?? 'organization_id';

async function tenantTables(): Promise<string[]> {
  const rows: { name: string }[] = await owner.query(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
  );
  return rows.map(({ name }) => name).filter((name) => !(name in SHARED_TABLES));
}

const scoped = <Row extends object>(sql: string, values: unknown[] = [], of = ours) =>
  rowsOf<Row>(app.of(of.organizationId), sql, values);

describe('every table', () => {
  it('has the policies, unless its rows belong to no organization', async () => {
    const rows: { name: string; enabled: boolean; policies: string[]; columns: string[] }[] =
      await owner.query(
        `SELECT relname AS name, relrowsecurity AS enabled,
         array(SELECT polname::text FROM pg_policy WHERE polrelid = c.oid ORDER BY 1) AS policies,
         array(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attname = 'organization_id') AS columns
       FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
      );
    expect(rows.length).toBeGreaterThan(40);
    for (const { name, enabled, policies, columns } of rows) {
      const isShared = name in SHARED_TABLES;
      expect({ name, enabled, policies }).toEqual({
        name,
        enabled: !isShared,
        policies: isShared ? [] : ['one_organization', 'one_partner'],
      });
      if (isShared) expect(columns).toEqual([]);
    }
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(SHARED_TABLES)));
  });

  it('returns only the rows of its organization to a statement without a tenant condition', async () => {
    let filled = 0;
    for (const table of await tenantTables()) {
      const column = ofOrganization(table);
      const [{ count }] = await owner.query(`SELECT count(*)::int FROM ${table} WHERE ${column} = $1`, [
        ours.organizationId,
      ]);
      const seen = await scoped<{ organization: string; count: number }>(
        `SELECT ${column} AS organization, count(*)::int FROM ${table} GROUP BY 1`,
      );
      expect([table, seen]).toEqual([table, count ? [{ organization: ours.organizationId, count }] : []]);
      if (count) filled++;
    }
    expect(filled).toBeGreaterThan(30);
  });

  it('returns nothing if no organization is set, also after a statement or transaction that set one', async () => {
    const [table = ''] = await tenantTables();
    for (const before of [
      () => rowsOf(app, 'SELECT 1'),
      () => scoped(`SELECT 1 FROM ${table}`),
      () => expect(scoped('SELECT 1 / 0')).rejects.toThrow('division by zero'),
      () => rowsOf(app.of(ours.organizationId), `SELECT count(*) FROM ${table}`),
      () => app.of(ours.organizationId).transaction((manager) => manager.query(`SELECT 1 FROM ${table}`)),
      () =>
        expect(
          app.of(ours.organizationId).transaction((manager) => manager.query('SELECT 1 / 0')),
        ).rejects.toThrow('division by zero'),
    ]) {
      await before();
      for (const name of await tenantTables())
        expect([name, await rowsOf(app, `SELECT 1 FROM ${name}`)]).toEqual([name, []]);
    }
  });

  it('prevents inserting, changing and deleting rows of another organization', async () => {
    const foreign = scoped(
      `INSERT INTO partners (organization_id, id, name, type) VALUES ($1, gen_random_uuid(), 'x', 'CHARITY')`,
      [theirs.organizationId],
    );
    await expect(foreign).rejects.toThrow('row-level security');
    const moved = scoped('UPDATE teams SET organization_id = $1', [theirs.organizationId]);
    await expect(moved).rejects.toThrow('row-level security');
    const before = await owner.query(
      'SELECT * FROM race_day_fields ORDER BY organization_id, participant_id, field_id',
    );
    await scoped('DELETE FROM race_day_fields');
    const left = await owner.query(
      'SELECT * FROM race_day_fields ORDER BY organization_id, participant_id, field_id',
    );
    expect(left).toEqual(
      before.filter((row: { organization_id: string }) => row.organization_id !== ours.organizationId),
    );
    await expect(scoped('DELETE FROM organizations')).rejects.toThrow('permission denied');
    await expect(scoped('DELETE FROM audit_log')).rejects.toThrow('permission denied');
    await expect(scoped('TRUNCATE teams CASCADE')).rejects.toThrow('permission denied');
  });
});

describe('the role of API and worker', () => {
  it('owns nothing, and cannot switch to another role', async () => {
    const [role] = await owner.query(
      `SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
         array(SELECT roleid::regrole::text FROM pg_auth_members WHERE member = r.oid) AS member_of,
         (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS owned
       FROM pg_roles r WHERE rolname = 'startline_app'`,
    );
    expect(role).toEqual({
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      member_of: [],
      owned: 0,
    });
    const [{ me }] = await owner.query('SELECT current_user AS me');
    await expect(rowsOf(app, `SET ROLE ${me}`)).rejects.toThrow('permission denied');
    await expect(rowsOf(app, `SET SESSION AUTHORIZATION ${me}`)).rejects.toThrow('permission denied');
    await expect(rowsOf(app, 'ALTER TABLE partners DISABLE ROW LEVEL SECURITY')).rejects.toThrow(
      'must be owner',
    );
  });

  it('cannot disable row-level security', async () => {
    const see = async (setting: string) =>
      app.transaction(async (manager) => {
        await manager.query(`SET LOCAL ${setting}`);
        return manager.query('SELECT 1 FROM partners');
      });
    expect(await see("startline.one_organization = 'off'")).toEqual([]);
    await expect(see('row_security = off')).rejects.toThrow('would be affected by row-level security');
  });
});

describe('access across organizations', () => {
  it('is limited to functions with a fixed search path, which are not executable by PUBLIC', async () => {
    const rows: { name: string; returns: string; path: string; public: boolean }[] = await owner.query(
      `SELECT proname AS name, pg_get_function_result(oid) AS returns,
         coalesce((SELECT setting FROM unnest(proconfig) setting WHERE setting LIKE 'search_path=%'), '') AS path,
         proname <> 'horizon' AND (proacl IS NULL OR EXISTS (SELECT FROM aclexplode(proacl) WHERE grantee = 0)) AS public
       FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef ORDER BY 1`,
    );
    expect(rows.map(({ name, returns }) => `${name}: ${returns}`)).toEqual([
      'compact_counters: void',
      'compact_versions: void',
      'forget_audit_of: SETOF integer',
      'forget_requests_of: SETOF integer',
      'horizon: text',
      'open_import_figures: TABLE(status text, jobs integer, age double precision)',
      'open_work: TABLE(queue text, units double precision, parts integer, waiting_seconds double precision)',
      'organization_of_slug: uuid',
      'organizations_beyond: SETOF uuid',
      'organizations_to_code: SETOF uuid',
      'organizations_to_refresh: SETOF uuid',
      'organizations_with_expired: SETOF uuid',
      'organizations_with_new_events: SETOF uuid',
      'organizations_with_open_imports: SETOF uuid',
      'organizations_with_open_person_jobs: SETOF uuid',
      'organizations_with_race_day_work: SETOF uuid',
      'race_day_figures: TABLE(lag double precision, pending integer, waiting integer)',
      'record_requests: TABLE(api_key_id uuid, hour timestamp with time zone, written integer)',
      'release_import_attempts: void',
      'webhook_endpoints_behind: TABLE(organization_id uuid, endpoint_id uuid)',
      'webhook_endpoints_deleted: TABLE(organization_id uuid, endpoint_id uuid)',
      'webhook_endpoints_due: TABLE(organization_id uuid, endpoint_id uuid)',
      'webhook_figures: TABLE(lag double precision, waiting double precision, disabled integer, failing integer)',
    ]);
    for (const { name, path, public: isPublic } of rows) {
      expect([name, path]).toEqual([
        name,
        expect.stringMatching(/^search_path=pg_catalog,( public,)? pg_temp$/),
      ]);
      expect([name, isPublic]).toEqual([name, false]);
    }
  });

  it('is limited to views that each have their own condition', async () => {
    const views: { name: string }[] = await owner.query(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v' ORDER BY 1`,
    );
    expect(views.map(({ name }) => name)).toEqual(Object.keys(VIEWS).sort());
    for (const { name } of views.filter((view) => view.name.startsWith('own_'))) {
      const seen = await scoped<{ organization: string }>(
        `SELECT DISTINCT organization_id AS organization FROM ${name}`,
      );
      expect(seen.every(({ organization }) => organization === ours.organizationId)).toBe(true);
      expect([name, await rowsOf(app, `SELECT 1 FROM ${name}`)]).toEqual([name, []]);
    }
    expect(await scoped('SELECT 1 FROM own_start_list_entries')).not.toEqual([]);
  });

  it('shows the marketplace data of other organizations only', async () => {
    const { id } = await occurrence(owner, {
      organizationId: theirs.organizationId,
      published: true,
      discoverable: true,
    });
    const connections = app.of(ours.organizationId, true);
    const listed = await rowsOf<{ id: string }>(connections, 'SELECT id FROM marketplace_occurrences');
    expect(listed).toEqual([{ id }]);
    for (const view of ['marketplace_races', 'marketplace_tickets']) {
      const sql = `SELECT 1 FROM ${view} WHERE event_occurrence_id <> $1`;
      const foreign = await rowsOf(connections, sql, [id]);
      expect([view, foreign]).toEqual([view, []]);
    }
    const tables = await rowsOf(connections, 'SELECT 1 FROM event_occurrences WHERE id = $1', [id]);
    expect(tables).toEqual([]);
  });
});

describe('conditions that are not leakproof', () => {
  const CONDITIONS = {
    start_list_entries_tags_idx: `SELECT id FROM own_start_list_entries WHERE organization_id = $1 AND tags @> ARRAY['vip']`,
    discount_codes_code_idx: `SELECT id FROM own_discount_codes
      WHERE organization_id = $1 AND compared(code) = 'early' AND deleted_at IS NULL`,
    referrers_code_idx: `SELECT id FROM own_referrers
      WHERE organization_id = $1 AND referral_program_id = gen_random_uuid() AND compared(generated_referral_code) = 'ada'`,
    teams_name_idx: `SELECT id FROM own_teams
      WHERE organization_id = $1 AND event_occurrence_id = gen_random_uuid() AND compared_name(name) = 'hares'`,
    bib_claims_held_idx: `SELECT seq FROM own_bib_claims WHERE organization_id = $1 AND bib_number = '7'
      AND held_until IS NOT NULL AND tstzrange(held_from, held_until) @> now()`,
    import_jobs_names_idx: `SELECT id FROM own_import_jobs WHERE organization_id = $1
      AND lower(coalesce(name, '') || ' ' || CASE WHEN sent_by_member_id IS NULL THEN coalesce(source, '') ELSE '' END) LIKE '%list%'`,
    import_jobs_occurrences_idx: `SELECT id FROM own_import_jobs WHERE organization_id = $1
      AND event_occurrence_ids @> ARRAY['01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b'::uuid]`,
    event_occurrences_search_words_idx: `SELECT id FROM marketplace_occurrences WHERE organization_id <> $1
      AND search_words @@ 'run'::tsquery`,
  };

  it.each(Object.entries(CONDITIONS))('use %s', async (index, sql) => {
    const plan = await owner.transaction(async (manager) => {
      // As if each table were large.
      await manager.query(
        `UPDATE pg_class SET reltuples = 1000000, relpages = 1 WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
      );
      await manager.query(
        `INSERT INTO bib_claims (organization_id, participant_id, changed_at, seq, bib_number)
         VALUES ($1, gen_random_uuid(), now(), 1, '8')`,
        [ours.organizationId],
      );
      await manager.query(`SELECT set_config('${ORGANIZATION}', $1, true)`, [ours.organizationId]);
      await manager.query('SET LOCAL enable_seqscan = off; SET LOCAL ROLE startline_app');
      const explain = `EXPLAIN ${sql.replace('$1', `'${ours.organizationId}'`)}`;
      const rows: Record<string, string>[] = await manager.query(explain);
      await manager.query('RESET ROLE');
      return rows.flatMap((row) => Object.values(row)).join('\n');
    });
    expect(plan).toMatch(new RegExp(`${index}.*\\n\\s*Index Cond: .*(@>|lower\\(|compared|@@)`));
  });
});

describe('a statement of an organization', () => {
  it('takes one round trip', async () => {
    await scoped('SELECT 1');
    const client = await app.pool.connect();
    const { connection } = client as unknown as { connection: { sync(): void } };
    const sync = jest.spyOn(connection, 'sync');
    client.release();
    const [row] = await scoped<{ organization: string }>(
      `SELECT current_setting('startline.organization') AS organization`,
    );
    expect(row?.organization).toBe(ours.organizationId);
    expect(sync).toHaveBeenCalledTimes(1);
    sync.mockRestore();
  });

  it('fails with its own error, and leaves the prepared statements of its connection usable', async () => {
    const { organizationId } = ours;
    const invalid = () => rowsOf(app.of(organizationId), 'SELECT nothing_of_the_kind');
    await expect(invalid()).rejects.toThrow('nothing_of_the_kind');
    await expect(invalid()).rejects.toThrow('nothing_of_the_kind');
    expect(await rowsOf(app.of(organizationId), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await app.of(organizationId).tuples('SELECT 1, 2')).toEqual([[1, 2]]);
  });
});

describe('the role of backups', () => {
  it('reads all rows', async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query(
        'CREATE ROLE isolation_backup BYPASSRLS; GRANT pg_read_all_data TO isolation_backup; SET ROLE isolation_backup',
      );
      const { rows } = await client.query(
        'SELECT count(DISTINCT organization_id)::int AS organizations FROM partners',
      );
      expect(rows[0].organizations).toBe(2);
    } finally {
      await client.query('RESET ROLE; DROP OWNED BY isolation_backup; DROP ROLE isolation_backup');
      await client.end();
    }
  });
});
