import {
  occurrence,
  organization,
  partner,
  type TestDatabase,
  testDatabase,
  withDatabase,
} from '#libs/testing';
import {
  type Connections,
  createDataSource,
  Database,
  migrate,
  NIL_ID,
  SHARED_TABLES,
} from '#platform/database';

const rowsOf = async (connections: Connections, text: string, values?: unknown[]) =>
  (await connections.execute({ text, values })).rows;

const ROLE = `one_role_${process.pid}`;

/** A database whose owner is not a superuser and does everything: an installation with a single URL. */
let database: TestDatabase;
let url: string;
beforeAll(async () => {
  database = await testDatabase();
  const name = `${new URL(database.url).pathname.slice(1)}_one`;
  await withDatabase(database.url, async (client) => {
    await client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${ROLE}'`);
    await client.query(`CREATE DATABASE ${name} OWNER ${ROLE}`);
  });
  const own = new URL(database.url);
  [own.username, own.password, own.pathname] = [ROLE, ROLE, `/${name}`];
  url = own.href;
  await migrate(url);
});
afterAll(async () => {
  await withDatabase(database.url, async (client) => {
    await client.query(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
    await client.query(`DROP ROLE ${ROLE}`);
  });
  await database.drop();
});

/** Tables with a view for partners are not closed to their owner, as whom the views read. */
const ONE_ROLE = ['t t one_organization one_partner owner', 't t one_organization owner'];
const states = () =>
  withDatabase(url, async (client) => {
    const { rows } = await client.query<{ state: string }>(
      `SELECT DISTINCT concat_ws(' ', relrowsecurity, relforcerowsecurity,
         (SELECT string_agg(polname, ' ' ORDER BY polname) FROM pg_policy WHERE polrelid = c.oid)) AS state
       FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> ALL ($1)`,
      [Object.keys(SHARED_TABLES)],
    );
    return rows.map(({ state }) => state);
  });

it('one role is limited to one organization as API and worker, and sees all rows otherwise', async () => {
  expect((await states()).sort()).toEqual(ONE_ROLE);
  const owner = await createDataSource({ url, applicationName: 'test' }).initialize();
  const options = { url, applicationName: 'test', poolSize: 1, oneOrganization: true };
  const app = new Database(await createDataSource(options).initialize());
  try {
    const [ours, theirs] = [await organization(owner), await organization(owner)];
    for (const { id: organizationId } of [ours, theirs]) {
      await partner(owner, { organizationId });
      await occurrence(owner, { organizationId, published: true, discoverable: true });
    }
    const count = 'SELECT count(*)::int AS count FROM partners';
    expect(await owner.query(count)).toEqual([{ count: 2 }]);
    expect(await rowsOf(app, count)).toEqual([{ count: 0 }]);
    expect(await rowsOf(app.of(ours.id), count)).toEqual([{ count: 1 }]);
    // Access across organizations works here, too, and ends with its statement.
    const beyond = 'SELECT count(*)::int AS count FROM organizations_beyond($1, 10)';
    expect(await rowsOf(app, beyond, [NIL_ID])).toEqual([{ count: 2 }]);
    const listed = 'SELECT count(*)::int AS count FROM marketplace_occurrences';
    expect(await rowsOf(app.of(ours.id, true), listed)).toEqual([{ count: 2 }]);
    expect(await rowsOf(app, count)).toEqual([{ count: 0 }]);
    expect(await rowsOf(app.of(theirs.id), count)).toEqual([{ count: 1 }]);
    // So does a partner, who sees nothing of a table without a view.
    const [found] = await rowsOf(app.of(theirs.id), 'SELECT id FROM partners');
    const { id } = found as { id: string };
    await partner(owner, { organizationId: theirs.id });
    const seen = (partnerId: string, text: string) =>
      rowsOf(app.of({ organizationId: theirs.id, partner: { id: partnerId } }), text);
    expect(await seen(id, 'SELECT id FROM partners')).toEqual([{ id }]);
    expect(await seen(id, count.replace('partners', 'tallies'))).toEqual([{ count: 0 }]);
    expect(await seen(id, count.replace('partners', 'organization_versions'))).toEqual([{ count: 0 }]);
    expect(await rowsOf(app.of(theirs.id), count)).toEqual([{ count: 2 }]);
  } finally {
    await app.dataSource.destroy();
    await owner.destroy();
  }
});

it('can be split into two roles, and merged again', async () => {
  const app = new URL(url);
  [app.username, app.password] = [`${ROLE}_app`, 'secret'];
  await expect(migrate(url, { appUrl: app.href })).rejects.toThrow(`CREATE ROLE "${ROLE}_app" LOGIN`);
  const drop = `DROP OWNED BY ${ROLE}_app; DROP ROLE ${ROLE}_app`;
  await withDatabase(database.url, (client) =>
    client.query(`CREATE ROLE ${ROLE}_app LOGIN PASSWORD 'secret'`),
  );
  try {
    await migrate(url, { appUrl: app.href });
    expect(await states()).toEqual(['t f one_organization one_partner']);
    await withDatabase(app.href, async (client) => {
      expect((await client.query('SELECT * FROM partners')).rows).toEqual([]);
      await expect(client.query('SELECT one_of_ours FROM organizations')).rejects.toThrow('does not exist');
    });
    // Without a configuration of the other role, nothing changes.
    await migrate(url);
    expect(await states()).toEqual(['t f one_organization one_partner']);
    await migrate(url, { appUrl: url });
    expect((await states()).sort()).toEqual(ONE_ROLE);
  } finally {
    const superuser = new URL(database.url);
    superuser.pathname = new URL(url).pathname;
    await withDatabase(superuser.href, (client) => client.query(drop));
  }
});

it('lets the role for backups read, also if another made it, or says what a superuser must run', async () => {
  const [backup, superuser] = [new URL(url), new URL(database.url)];
  [backup.username, backup.password] = [`${ROLE}_backup`, 'secret'];
  superuser.pathname = backup.pathname;
  const grant = `GRANT pg_read_all_data TO "${ROLE}_backup";`;
  const read = () => withDatabase(backup.href, (client) => client.query('SELECT FROM partners'));
  const refusal = migrate(url, { backupUrl: backup.href });
  await expect(refusal).rejects.toThrow(
    `CREATE ROLE "${ROLE}_backup" LOGIN BYPASSRLS PASSWORD '…'; ${grant}`,
  );
  await withDatabase(superuser.href, (client) =>
    client.query(`CREATE ROLE ${ROLE}_backup LOGIN BYPASSRLS PASSWORD 'secret'`),
  );
  try {
    await expect(migrate(url, { backupUrl: backup.href })).rejects.toThrow(grant);
    await expect(read()).rejects.toThrow('permission denied');
    await migrate(superuser.href, { backupUrl: backup.href });
    expect((await read()).rowCount).toBe(3);
    await migrate(url, { backupUrl: backup.href });
  } finally {
    await withDatabase(superuser.href, (client) => client.query(`DROP ROLE ${ROLE}_backup`));
  }
});

it('rejects a role for API and worker that bypasses row-level security', async () => {
  const app = new URL(database.url);
  await expect(migrate(url, { appUrl: app.href })).rejects.toThrow('Row-level security would not apply');
});
