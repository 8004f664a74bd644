import { booking } from '#libs/testing';
import { SettingsError } from '#platform/config';
import { type CommandLine, commandLine } from '../cli/startline';
import { startApi, startWorker, type TestApi } from '../harness';

const [FIRST, OTHER] = ['f'.repeat(32), 'o'.repeat(32)];

let api: TestApi;
let cli: CommandLine;
let slug: string;
beforeAll(async () => {
  api = await startApi({ ERASURE_SECRET: FIRST });
  cli = await commandLine(api.databaseUrl);
  const [row] = await api.home.query('SELECT slug FROM organizations WHERE id = $1', [api.organizationId]);
  slug = row.slug;
});
afterAll(async () => {
  await cli.close();
  await api.close();
});

const email = 'ada@example.com';
const secretOf = (secret: string | undefined) =>
  (secret ? { ERASURE_SECRET: secret } : {}) as Record<string, string>;
const erase = (secret?: string) =>
  cli.runWith(secretOf(secret), 'person', 'erase', '--organization', slug, '--email', email, '--yes');
const seen = async (secret?: string) => {
  const { answer } = await cli.runWith(secretOf(secret), 'doctor');
  return answer.checks.find(({ name }: { name: string }) => name === 'erasure secret');
};

describe('ERASURE_SECRET', () => {
  it.each([
    ['another', OTHER, /ERASURE_SECRET is not the secret that .* backed up .* accept-secret/],
    ['none', undefined, /ERASURE_SECRET is not set, .* backed up .* accept-secret/],
  ])('stops api and worker if it is %s', async (_, secret, message) => {
    const given = { DATABASE_URL: api.databaseUrl, ...secretOf(secret) };
    for (const start of [() => startApi(given), () => startWorker(api, secretOf(secret))]) {
      const refused = await start().then(
        () => undefined,
        (error: Error) => error,
      );
      expect(refused).toBeInstanceOf(SettingsError);
      expect(refused?.message).toMatch(message);
    }
  });

  it.each([
    ['another', OTHER],
    ['none', undefined],
  ])(
    'refuses commands that erase or recognize erased persons if it is %s, and doctor says so',
    async (_, secret) => {
      const { organizationId } = api;
      const { id, entries } = await booking(api.dataSource, {
        organizationId,
        externalBookingId: `order-${email}-${secret}`,
        entries: [{ emailNormalized: email }],
      });
      const file = cli.file('rows.jsonl', '{}');
      const refused = [
        await erase(secret),
        await cli.runWith(secretOf(secret), 'participant', 'redact', entries[0]?.id ?? ''),
        await cli.runWith(secretOf(secret), 'start-list', 'load', file, '--organization', slug),
      ];
      for (const { code, answer } of refused)
        expect([code, answer]).toEqual([
          1,
          { error: 'ERASURE_SECRET', message: expect.stringContaining('backed up') },
        ]);
      const [row] = await api.dataSource.query(
        'SELECT external_booking_id AS given FROM bookings WHERE id = $1',
        [id],
      );
      expect(row.given).toBe(`order-${email}-${secret}`);
      expect(await seen(secret)).toMatchObject({
        ok: false,
        advice: expect.stringContaining('accept-secret'),
      });
      expect(await seen(FIRST)).toMatchObject({ ok: true });
    },
  );

  it('is remembered by the first process, and not by doctor', async () => {
    const fresh = await commandLine();
    const known = () => fresh.dataSource.query('SELECT generation, verification FROM erasure_secrets');
    await fresh.runWith({ ERASURE_SECRET: FIRST }, 'doctor');
    expect(await known()).toEqual([]);
    await fresh.run('organization', 'create', '--slug', 'first', '--name', 'First');
    const first = (secret: string) =>
      fresh.runWith(
        { ERASURE_SECRET: secret },
        'person',
        'erase',
        '--organization',
        'first',
        '--email',
        email,
      );
    const codes = await Promise.all([first(FIRST), first(OTHER), first(FIRST), first(OTHER)]);
    expect(codes.map(({ code }) => code).sort()).toEqual([0, 0, 1, 1]);
    const rows = await known();
    expect(rows).toEqual([{ generation: 1, verification: expect.any(String) }]);
    expect(rows[0].verification).not.toContain(FIRST);
    await fresh.close();
  });

  it('can be replaced if it is lost', async () => {
    expect((await cli.run('person', 'accept-secret', '--yes')).answer.error).toBe('INVALID_COMMAND');
    expect((await cli.runWith({ ERASURE_SECRET: OTHER }, 'person', 'accept-secret')).code).not.toBe(0);
    expect((await erase(OTHER)).code).toBe(1);
    const accepted = await cli.runWith({ ERASURE_SECRET: OTHER }, 'person', 'accept-secret', '--yes');
    expect(accepted).toMatchObject({ code: 0, answer: { accepted: true } });
    expect((await erase(OTHER)).code).toBe(0);
    expect((await erase(FIRST)).answer.error).toBe('ERASURE_SECRET');
    const worker = await startWorker(api, { ERASURE_SECRET: OTHER });
    await worker.close();
  });
});
