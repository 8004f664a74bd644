import { hostname, userInfo } from 'node:os';
import { type CommandLine, commandLine } from './startline';

let cli: CommandLine;
beforeAll(async () => {
  cli = await commandLine();
  await cli.run('organization', 'create', '--slug', 'city-runs', '--name', 'City Runs');
});
afterAll(() => cli.close());

const list = async (...words: string[]): Promise<Record<string, any>[]> =>
  (await cli.run('audit', 'list', '--organization', 'city-runs', ...words)).answer;

describe('the audit log', () => {
  it('records who created, restricted, rotated and revoked which key, when and from where', async () => {
    const { answer: open } = await cli.run(
      'key',
      'create',
      '--organization',
      'city-runs',
      '--name',
      'Ada Lovelace',
    );
    const { answer: key } = await cli.run(
      ...[
        'key',
        'create',
        '--organization',
        'city-runs',
        '--name',
        'check-in',
        '--endpoint',
        'registrationStatus',
      ],
    );
    await cli.run('key', 'restrict', key.id, '--endpoint', 'registrationStatus');
    const { answer: next } = await cli.run('key', 'rotate', key.id, '--overlap', '1h');
    await cli.run('key', 'revoke', key.id);
    await cli.run('key', 'revoke', key.id);
    // Rejected changes have no effect.
    await cli.run('key', 'restrict', open.id, '--endpoint', 'registrationStatus');

    const records = await list('--action', 'key');
    expect(records.map(({ action, objectId }) => [action, objectId])).toEqual([
      ['key.revoke', key.id],
      ['key.create', next.id],
      ['key.rotate', key.id],
      ['key.restrict', key.id],
      ['key.create', key.id],
      ['key.create', open.id],
    ]);
    const us = { actorType: 'COMMAND_LINE', actorId: userInfo().username, origin: hostname() };
    for (const record of records) expect(record).toMatchObject({ ...us, objectType: 'key' });
    expect(records[2]?.details).toEqual({ replacedBy: next.id, expiresAt: next.replaced.expiresAt });
    const times = records.map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
    for (const secret of [open.token, key.token, next.token, 'Ada Lovelace']) {
      expect(JSON.stringify(records)).not.toContain(secret);
    }
  });

  it('records changes of the organization', async () => {
    await cli.run('organization', 'enable', 'city-runs', 'referrals');
    await cli.run('organization', 'update', 'city-runs', '--name', 'City Runners');
    await cli.run('organization', 'disable', 'city-runs', 'referrals');
    const records = await list('--action', 'organization');
    expect(records.map(({ action, details }) => [action, details])).toEqual([
      ['organization.disable', { surfaces: ['referrals'] }],
      ['organization.update', { changed: ['name'] }],
      ['organization.enable', { surfaces: ['referrals'] }],
      ['organization.create', { slug: 'city-runs' }],
    ]);
  });

  it('filters by action, object, actor and time', async () => {
    const all = await list();
    const [record] = all;
    expect(await list('--limit', '1')).toEqual([record]);
    expect(await list('--actor', userInfo().username)).toEqual(all);
    expect(await list('--actor', 'somebody-else')).toEqual([]);
    expect((await list('--action', 'organization.enable')).length).toBe(1);
    expect(await list('--object', record?.objectId)).toEqual(
      all.filter(({ objectId }) => objectId === record?.objectId),
    );
    expect(await list('--since', '1h')).toEqual(all);
    expect(await list('--until', '1h')).toEqual([]);
    expect(await list('--since', record?.at)).toEqual([record]);
    await cli.run('organization', 'create', '--slug', 'other', '--name', 'Other');
    expect((await cli.run('audit', 'list', '--organization', 'other')).answer).toHaveLength(1);
    expect((await cli.run('audit', 'list', '--organization', 'nobody')).answer.error).toBe('NOT_FOUND');
    expect((await cli.run('audit', 'list', '--organization', 'other', '--limit', '0')).code).toBe(1);
  });

  it('rejects updates and deletions', async () => {
    await cli.dataSource.query(
      `INSERT INTO audit_log (organization_id, id, actor_type, action, object_type, changes)
       SELECT organization_id, uuid_v7(), 'STAFF', 'partner.update', 'partner', '[]' FROM audit_log LIMIT 1`,
    );
    for (const sql of [
      "UPDATE audit_log SET changes = '[1]'",
      "UPDATE audit_log SET changes = NULL, details = '[]'",
      "UPDATE audit_log SET actor_id = 'somebody else'",
      'DELETE FROM audit_log',
      'TRUNCATE audit_log',
    ]) {
      await expect(cli.dataSource.query(sql)).rejects.toThrow('append-only');
    }
    expect((await list()).length).toBeGreaterThan(0);
  });
});
