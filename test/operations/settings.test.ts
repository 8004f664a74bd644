import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SIGNING_SECRETS } from '#libs/testing';
import { configurationReference, envExample, loadSettings, misspeltSettings } from '#platform/config';

const valid = { SIGNING_SECRETS: `a:${SIGNING_SECRETS[0]?.secret}` };

describe('settings', () => {
  it('are all in .env.example and docs/configuration.md, as `npm run settings` writes them', () => {
    expect(readFileSync('.env.example', 'utf8')).toBe(envExample());
    expect(readFileSync('docs/configuration.md', 'utf8')).toBe(configurationReference());
  });

  it('are in docs/configuration.md once each, the twenty that matter first', () => {
    const named = (text = '') => [...text.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
    const [first, rest] = configurationReference().split('\n## All other settings\n');
    expect(named(first)).toHaveLength(20);
    expect(named(first)).toEqual(expect.arrayContaining(['DATABASE_URL', 'SIGNING_SECRETS']));
    const all = [...envExample().matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name);
    expect([...named(first), ...named(rest)].sort()).toEqual(all.sort());
  });

  it('have their defaults if .env.example is used unchanged', () => {
    const given = readFileSync('.env.example', 'utf8')
      .split('\n')
      .filter((line) => /^[A-Z_]+=/.test(line))
      .map((line) => line.split(/=(.*)/s).slice(0, 2));
    expect(loadSettings({ ...Object.fromEntries(given), ...valid })).toEqual(loadSettings(valid));
  });

  it('are named if they are misspelt, but no other variable is', () => {
    const others = {
      HOME: '/root',
      PATH: '/bin',
      LOGNAME: 'ada',
      HOSTNAME: 'a',
      DATABASE: 'x',
      PGPASSWORD: 'x',
    };
    expect(misspeltSettings({ ...others, ...valid, PORT: '1' })).toEqual([]);
    expect(misspeltSettings({ ...others, RATE_IMPROT: '1', REDIS_URI: 'x', DATABASE_OWNR_URL: 'x' })).toEqual(
      [
        'RATE_IMPROT is not a setting; did you mean RATE_IMPORT?',
        'REDIS_URI is not a setting; did you mean REDIS_URL?',
        'DATABASE_OWNR_URL is not a setting; did you mean DATABASE_OWNER_URL?',
      ],
    );
  });

  it.each([
    ['REDIS_URL', 'http://127.0.0.1:6379', /REDIS_URL: must be a URL such as redis:/],
    ['REDIS_URL', 'localhost', /REDIS_URL: must be a URL such as redis:/],
    ['TRUSTED_PROXIES', 'loopback,10.0.0.0/99', /TRUSTED_PROXIES: must be networks .* not 10\.0\.0\.0\/99/],
    ['TRUSTED_PROXIES', 'loopback,10.0.0.0/8,192.0.2.1', undefined],
  ])('%s=%s', (name, value, refusal) => {
    const load = () => loadSettings({ ...valid, [name]: value });
    if (refusal) expect(load).toThrow(refusal);
    else expect(load()).toMatchObject({ [name]: value });
  });

  it('leave a worker a connection beside those that its imports hold', () => {
    const load = (given: Record<string, string>) => () => loadSettings({ ...valid, ...given });
    const refusal = 'WORKER_POOL_SIZE must be more than WORKER_CONCURRENCY';
    expect(load({ WORKER_POOL_SIZE: '4' })).toThrow(refusal);
    expect(load({ WORKER_CONCURRENCY: '10' })).toThrow(refusal);
    expect(load({ WORKER_POOL_SIZE: '1', WORKER_CONCURRENCY: '1' })).toThrow(refusal);
    expect(load({ WORKER_POOL_SIZE: '5' })).not.toThrow();
    expect(load({ WORKER_POOL_SIZE: '1', WORKER_QUEUES: 'race-day,webhooks' })).not.toThrow();
  });

  it('are not bounds of mechanisms, which only a test changes, by name', () => {
    const load = (given: Record<string, string>) => () => loadSettings({ ...valid, ...given });
    const bound = { STARTLINE_TEST_SWEEP_MS: '200' };
    expect(load({ ...bound, NODE_ENV: 'test' })().SWEEP_MS).toBe(200);
    expect(load({ SWEEP_MS: '200' })().SWEEP_MS).toBe(3_000);
    const refused: Record<string, string>[] = [
      bound,
      { ...bound, NODE_ENV: 'production' },
      { STARTLINE_TEST_PORT: '1', NODE_ENV: 'test' },
      { STARTLINE_TEST_SWEEP_MS: 'soon', NODE_ENV: 'test' },
    ];
    for (const given of refused)
      expect(load(given)).toThrow(/^STARTLINE_TEST_\w+ is not a setting: with NODE_ENV=test, it can be/);
  });

  it('are all reported at once if they are invalid', () => {
    const load = () => loadSettings({ PORT: 'x', RATE_IMPORT: '0', SIGNING_SECRETS: 'a:short' });
    expect(load).toThrow(/PORT: /);
    expect(load).toThrow(/RATE_IMPORT: must be a whole number from 1 to /);
    expect(load).toThrow(/SIGNING_SECRETS: secret a must be at least 32 bytes long/);
    expect(load).not.toThrow(/short/);
  });

  it.each([
    ['one character', 'x'.repeat(64)],
    ['two characters', '01'.repeat(32)],
    ['a repeated word', 'marathon'.repeat(5)],
    ['the alphabet', 'abcdefghijklmnopqrstuvwxyz0123456789'],
    ['a sentence', 'the-very-secret-password-of-our-api-in-2026'],
    ['a placeholder', 'change-me-change-me-change-me-please-2026'],
    ['the value of .env.example', '<64 random hex digits> <64 random hex digits>'],
  ])('reject guessable signing secrets: %s', (_, secret) => {
    const load = () =>
      loadSettings({ SIGNING_SECRETS: `new:${randomBytes(32).toString('hex')},a:${secret}` });
    expect(load).toThrow(/SIGNING_SECRETS: secret a is guessable; generate one with `openssl rand -hex 32`/);
    expect(load).not.toThrow(secret);
  });

  it('reject a repeated kid, because one secret would sign and the other verify', () => {
    const pair = () => `a:${randomBytes(32).toString('hex')}`;
    expect(() => loadSettings({ SIGNING_SECRETS: `${pair()},${pair()}` })).toThrow(
      'SIGNING_SECRETS: kid a is given twice',
    );
  });

  it('contain no signing secrets for a process that does not use them', () => {
    expect(loadSettings({}, { signs: false }).SIGNING_SECRETS).toEqual([]);
    expect(loadSettings(valid, { signs: false }).SIGNING_SECRETS).toEqual([]);
    expect(() => loadSettings({})).toThrow('SIGNING_SECRETS is missing');
  });

  it('accept every generated secret', () => {
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      for (let i = 0; i < 2_000; i++) {
        const secret = randomBytes(32).toString(encoding);
        expect(loadSettings({ SIGNING_SECRETS: `a:${secret}` }).SIGNING_SECRETS).toEqual([
          { kid: 'a', secret },
        ]);
      }
    }
    const withWord = 'q3PassW+x/0kZr8vYt1LmN5bC7dE9fGhJ2iKo4uTs6A=';
    expect(() => loadSettings({ SIGNING_SECRETS: `a:${withWord}` })).not.toThrow();
  });
});
