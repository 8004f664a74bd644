import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { showsResults } from '../../bench/report/page';

const readRelease = () => JSON.parse(readFileSync(resolve(__dirname, '../../bench/release.json'), 'utf8'));

describe('docs/performance.md', () => {
  it('shows what bench/release.json holds, and the commit and size of the run', () => {
    const releases = readRelease();
    expect(showsResults(releases)).toBe(true);
    for (const { commit, entries } of Object.values<any>(releases))
      expect([commit, entries]).toEqual([expect.stringMatching(/^[0-9a-f]{8}$/), expect.any(Number)]);
  });

  it.each([
    ['a value', (release: any) => Object.assign(Object.values<any>(release.ratios)[0], { value: 0.5 })],
    ['the number of entries', (release: any) => Object.assign(release, { entries: 200_000 })],
    ['the commit', (release: any) => Object.assign(release, { commit: '00000000' })],
  ])('differs from a run that differs in %s', (_, change) => {
    const releases = readRelease();
    change(releases.memory);
    expect(showsResults(releases)).toBe(false);
  });
});
