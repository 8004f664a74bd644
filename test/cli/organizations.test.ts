import { SURFACES } from '#domain/imports';
import { occurrence } from '#libs/testing';
import { type CommandLine, commandLine } from './startline';

let cli: CommandLine;
beforeAll(async () => {
  cli = await commandLine();
});
afterAll(() => cli.close());

describe('organization create', () => {
  it('creates an organization with its identity fields, without restricted surfaces', async () => {
    const { code, answer } = await cli.run(
      ...[
        'organization',
        'create',
        '--slug',
        'city-runs',
        '--name',
        'City Runs',
        '--website',
        'https://city.example',
      ],
    );
    expect(code).toBe(0);
    expect(answer).toMatchObject({
      slug: 'city-runs',
      name: 'City Runs',
      website: 'https://city.example',
      surfaces: [],
    });
    const fields = await cli.dataSource.query(
      'SELECT key, type, required FROM booking_form_fields WHERE organization_id = $1 ORDER BY created_at, id',
      [answer.id],
    );
    expect(fields.map(({ key, type }: { key: string; type: string }) => `${key} ${type}`)).toEqual([
      'firstName TEXT',
      'lastName TEXT',
      'email EMAIL',
      'dateOfBirth DATE',
      'gender SELECT',
    ]);
  });

  it('rejects a slug that is taken or invalid, and an invalid address', async () => {
    await cli.run('organization', 'create', '--slug', 'taken', '--name', 'First');
    const refused = await Promise.all([
      cli.run('organization', 'create', '--slug', 'taken', '--name', 'Second'),
      cli.run('organization', 'create', '--slug', 'Not A Slug', '--name', 'Third'),
      cli.run(
        'organization',
        'create',
        '--slug',
        'fourth',
        '--name',
        'Fourth',
        '--website',
        'javascript:alert(1)',
      ),
      cli.run('organization', 'create', '--slug', 'fifth', '--name', ' '),
    ]);
    expect(refused.map(({ code, answer }) => [code, answer.error])).toEqual(Array(4).fill([1, 'REFUSED']));
    expect(refused[0]?.answer.message).toBe('The slug "taken" is already used.');
    const rows = await cli.dataSource.query(
      "SELECT slug FROM organizations WHERE slug IN ('fourth', 'fifth')",
    );
    expect(rows).toEqual([]);
  });
});

describe('organization update', () => {
  it('moves the times of its occurrences with what they show of it', async () => {
    const { answer } = await cli.run('organization', 'create', '--slug', 'shown', '--name', 'Shown');
    const { id } = await occurrence(cli.dataSource, { organizationId: answer.id });
    const time = async () => {
      const [{ at }] = await cli.dataSource.query(
        'SELECT updated_at::text AS at FROM event_occurrences WHERE id = $1',
        [id],
      );
      return at;
    };
    const times = [await time()];
    for (const [name = '', value = ''] of [
      ['--name', 'Seen'],
      ['--website', 'https://runs.example'],
      ['--logo-url', 'https://runs.example/logo.png'],
      ['--website', ''],
    ]) {
      await cli.run('organization', 'update', 'shown', name, value);
      times.push(await time());
    }
    expect(new Set(times).size).toBe(5);
    await cli.run('organization', 'update', 'shown', '--name', 'Seen');
    expect(await time()).toBe(times[4]);
  });

  it('changes given properties, removes empty ones, and keeps the others', async () => {
    const url = 'https://runs.example';
    await cli.run('organization', 'create', '--slug', 'renamed', '--name', 'Before', '--website', url);
    const { answer } = await cli.run('organization', 'update', 'renamed', '--name', ' After ');
    expect(answer).toMatchObject({ slug: 'renamed', name: 'After', website: url });
    const cleared = await cli.run('organization', 'update', 'renamed', '--website', '', '--logo-url', url);
    expect(cleared.answer).toMatchObject({ name: 'After', website: null, logoUrl: url });
    const refused = [
      await cli.run('organization', 'update', 'renamed', '--name', ' '),
      await cli.run('organization', 'update', 'renamed', '--website', 'javascript:alert(1)'),
      await cli.run('organization', 'update', 'renamed'),
      await cli.run('organization', 'update', 'nobody', '--name', 'A'),
    ];
    expect(refused.map(({ answer }) => answer.error)).toEqual([
      'REFUSED',
      'REFUSED',
      'INVALID_COMMAND',
      'NOT_FOUND',
    ]);
  });
});

describe('organization enable and disable', () => {
  it('change one surface or all, and print the enabled ones', async () => {
    await cli.run('organization', 'create', '--slug', 'switched', '--name', 'Switched');
    const two = await cli.run(
      'organization',
      'enable',
      'switched',
      'referrals',
      'bookingsImport',
      'referrals',
    );
    expect(two.answer.surfaces).toEqual(['referrals', 'bookingsImport']);
    const all = await cli.run('organization', 'enable', 'switched', 'all');
    expect(all.answer.surfaces).toEqual([...SURFACES]);
    const fewer = await cli.run('organization', 'disable', 'switched', 'referrals');
    expect(fewer.answer.surfaces).toEqual(SURFACES.filter((surface) => surface !== 'referrals'));
    const listed = await cli.run('organization', 'list');
    expect(listed.answer).toContainEqual(
      expect.objectContaining({ slug: 'switched', surfaces: fewer.answer.surfaces }),
    );
  });

  it('reject an unknown surface, naming the known ones, and an unknown organization', async () => {
    const surface = await cli.run('organization', 'enable', 'city-runs', 'everything');
    expect(surface.code).toBe(1);
    expect(surface.answer).toMatchObject({ error: 'INVALID_COMMAND' });
    for (const known of SURFACES) expect(surface.answer.message).toContain(known);
    const organization = await cli.run('organization', 'enable', 'nobody', 'all');
    expect([organization.code, organization.answer.error]).toEqual([1, 'NOT_FOUND']);
  });
});

describe('the command line', () => {
  it('prints sentences and tables by default', async () => {
    const { code, stdout } = await cli.say('organization', 'list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^SLUG +NAME +ID +SURFACES/);
    const failed = await cli.say('organization', 'enable', 'nobody', 'all');
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toMatch(/^There is no organization "nobody"/);
  });

  it('exits with its exit code, and prints only the result to standard output', async () => {
    const good = await cli.spawn([], 'organization', 'list');
    expect(good).toMatchObject({ code: 0, stderr: '' });
    const bad = await cli.spawn([], 'organization', 'enable', 'nobody', 'all');
    expect(bad).toMatchObject({ code: 1, stderr: '', answer: { error: 'NOT_FOUND' } });
  });

  it('prints every error as one JSON value with --json', async () => {
    const nothingListens = new URL(cli.databaseUrl);
    nothingListens.port = '1';
    const failures = await Promise.all([
      cli.run('organization'),
      cli.run('organization', 'create'),
      cli.run('nonsense'),
      cli.runWith({ DATABASE_URL: nothingListens.href }, 'organization', 'list'),
      cli.runWith({ DATABASE_URL: '', PORT: '1' }, 'organization', 'list'),
    ]);
    expect(failures.map(({ code, answer }) => [code, answer.error])).toEqual([
      [1, 'INVALID_COMMAND'],
      [1, 'INVALID_COMMAND'],
      [1, 'INVALID_COMMAND'],
      [1, 'DATABASE_UNREACHABLE'],
      [1, 'NO_DATABASE'],
    ]);
    expect(failures[4]?.answer.message).toMatch(/npm start.*DATABASE_URL/);
  });
});
