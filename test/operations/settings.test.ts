import { readFileSync } from 'node:fs';
import { envExample, loadSettings } from '#libs/config';

const valid = { SIGNING_SECRETS: `a:${'x'.repeat(32)}` };

describe('settings', () => {
  it('are all in .env.example, as `npm run settings` writes it', () => {
    expect(readFileSync('.env.example', 'utf8')).toBe(envExample());
  });

  it('hold their defaults when .env.example is used as it is', () => {
    const given = readFileSync('.env.example', 'utf8')
      .split('\n')
      .filter((line) => /^[A-Z_]+=/.test(line))
      .map((line) => line.split(/=(.*)/s).slice(0, 2));
    expect(loadSettings({ ...Object.fromEntries(given), ...valid })).toEqual(loadSettings(valid));
  });

  it('that are wrong are all named at once', () => {
    const load = () => loadSettings({ PORT: 'x', RATE_IMPORT: '0', SIGNING_SECRETS: 'a:short' });
    expect(load).toThrow(/PORT: /);
    expect(load).toThrow(/RATE_IMPORT: must be a whole number from 1 to /);
    expect(load).toThrow(/SIGNING_SECRETS: secret a must be at least 32 bytes long/);
    expect(load).not.toThrow(/short/);
  });
});
