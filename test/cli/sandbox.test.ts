import { key, occurrence, organization, wholeOrganization } from '#libs/testing';
import { newId, StaffMember } from '#platform/database';
import { startApi, type TestApi } from '../harness';
import { type CommandLine, commandLine } from './startline';

let api: TestApi;
let cli: CommandLine;
beforeAll(async () => {
  api = await startApi();
  cli = await commandLine(api.databaseUrl);
});
afterAll(async () => {
  await cli.close();
  await api.close();
});

const named = (title: string) => ({ title, published: true, discoverable: true });

it('a sandbox is marked in its keys, and its occurrences are in its own marketplace only', async () => {
  const { answer } = await cli.run(
    ...['organization', 'create', '--slug', 'tries', '--name', 'Tries', '--sandbox'],
  );
  expect(answer).toMatchObject({ slug: 'tries', sandbox: true });
  const live = await organization(api.dataSource);
  const ids = [answer.id, live.id];
  for (const organizationId of ids)
    await occurrence(api.dataSource, { organizationId, ...named(`Zanzibar of ${organizationId}`) });

  const created = await Promise.all(
    ['tries', live.slug].map((slug) =>
      cli.run('key', 'create', '--organization', slug, '--name', 'market', '--kind', 'marketplace'),
    ),
  );
  const names = created.map(({ answer }) => answer.name);
  const tokens = created.map(({ answer }) => answer.token);
  expect(names).toEqual(['test-market', 'market']);
  for (const [i, token] of tokens.entries()) {
    const identity = await api.get('/identity', token);
    expect(identity.body).toMatchObject({ organiserId: ids[i], test: i === 0 });
    const seen = async (path: string) =>
      (await api.get(`/marketplace/v1/${path}`, token)).body.events.map(
        ({ title }: { title: string }) => title,
      );
    const own = `Zanzibar of ${ids[i]}`;
    expect(await seen('events/search?query=zanzibar')).toEqual([own]);
    const listed = await seen('events/?pageSize=200');
    expect(listed).toContain(own);
    expect(listed).not.toContain(`Zanzibar of ${ids[1 - i]}`);
  }

  // Nor does a removal tell others of it.
  await api.dataSource.query('UPDATE event_occurrences SET discoverable = false WHERE title LIKE $1', [
    'Zanzibar of %',
  ]);
  const removed = async (token: string) =>
    (await api.get('/marketplace/v1/removed-events?pageSize=200', token)).body.events.length;
  expect(await Promise.all(tokens.map(removed))).toEqual([1, 1]);
});

it('organization empty deletes the data of a sandbox, and nothing else', async () => {
  const { organizationId, ids } = await wholeOrganization(api.dataSource, { mark: 'emptied' });
  const ofPartner = { organizationId, role: 'PARTNER', partnerId: ids.partners } as const;
  const members = ['there', 'removed'].map((email, i) => ({
    ...{ ...ofPartner, id: newId(), email, emailNormalized: email, removedAt: i === 0 ? null : new Date() },
  }));
  await api.dataSource.getRepository(StaffMember).insert(members);
  const { organizationId: other } = await wholeOrganization(api.dataSource, { mark: 'other' });
  const rows = async (id: string): Promise<Record<string, number>> => {
    const tables = api.dataSource.entityMetadatas.filter(
      // Records of writes, which a worker sums up.
      ({ tableName, propertiesMap }) =>
        'organizationId' in propertiesMap && tableName !== 'organization_versions',
    );
    const counts: [string, number][] = [];
    for (const { tableName } of tables) {
      const [{ count }] = await api.dataSource.query(
        `SELECT count(*)::int AS count FROM ${tableName} WHERE organization_id = $1`,
        [id],
      );
      if (count > 0) counts.push([tableName, count]);
    }
    return Object.fromEntries(counts);
  };
  const before = await rows(organizationId);
  const others = await rows(other);

  const refused = await cli.run('organization', 'empty', 'emptied', '--yes');
  expect(refused.answer).toMatchObject({ error: 'REFUSED', message: expect.stringMatching(/no sandbox/) });
  await api.dataSource.query('UPDATE organizations SET sandbox = true WHERE id = $1', [organizationId]);
  const unsure = await cli.run('organization', 'empty', 'emptied');
  expect(unsure.answer).toMatchObject({ error: 'REFUSED', message: expect.stringMatching(/--yes/) });
  expect(await rows(organizationId)).toEqual(before);

  const { token } = await key(api.dataSource, { organizationId });
  await api.dataSource.query(`
    CREATE FUNCTION interrupt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'interrupted'; END $$;
    CREATE TRIGGER interrupt BEFORE DELETE ON partners FOR EACH ROW EXECUTE FUNCTION interrupt()`);
  expect((await cli.run('organization', 'empty', 'emptied', '--yes')).code).toBe(1);
  await api.dataSource.query('DROP FUNCTION interrupt CASCADE');
  const interrupted = await rows(organizationId);
  const { code, answer } = await cli.run('organization', 'empty', 'emptied', '--yes');
  expect({ code, answer }).toMatchObject({ code: 0 });
  await cli.run('organization', 'reopen', 'emptied');
  const ended = await api.dataSource.getRepository(StaffMember).findBy({ organizationId });
  expect(ended.filter(({ removedAt }) => removedAt === null).map(({ role }) => role)).toEqual(['OWNER']);
  const kept = ['organization_surfaces', 'api_keys', 'staff_members', 'staff_links'];
  kept.push('staff_sessions', 'webhook_endpoints', 'change_event_feeds', 'audit_log', 'request_log');
  const left = Object.keys(await rows(organizationId)).filter((table) => !kept.includes(table));
  expect(left).toEqual(['booking_form_fields']);
  expect(Object.keys(answer.deleted)).toEqual(
    expect.arrayContaining(Object.keys(interrupted).filter((table) => !kept.includes(table))),
  );
  expect(await rows(other)).toEqual(others);

  const fields = (await api.get('/v0/booking-form-fields', token)).body.data;
  expect(fields.map(({ key }: { key: string }) => key)).toContain('dateOfBirth');
  expect((await api.get('/v0/participants', token)).body.data).toEqual([]);

  await cli.run('organization', 'close', 'emptied');
  expect((await cli.run('organization', 'empty', 'emptied', '--yes')).code).toBe(0);
  expect((await cli.run('organization', 'list')).answer).toContainEqual(
    expect.objectContaining({ slug: 'emptied', deletedAt: expect.any(String) }),
  );
});
