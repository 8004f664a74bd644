import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { version } from '../../package.json';
import { type Releases, writePage } from './page';
import type { Ratio } from './ratio';
import type { Result } from './result';

/** Ratios of the last release, committed. Only ratios are compared: absolute figures differ between machines. */
export const RELEASE = join(__dirname, '../release.json');
const GB = 1024 ** 3;
/** The change of a ratio that is reported. */
const NOTABLE = 0.1;

type Run = { entries: number; rounds: number; results: Result[] };

export const readRelease = (): Releases =>
  existsSync(RELEASE) ? JSON.parse(readFileSync(RELEASE, 'utf8')) : {};
const keyOf = ({ title }: Result, { what }: Ratio): string => `${title}: ${what}`;

const machine = (): Releases[string]['machine'] => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / GB),
  system: `${platform()} ${arch()}`,
  node: process.version,
});

const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: __dirname, encoding: 'utf8' }).trim();

/**
 * The commit that a run measures.
 *
 * @throws Error if there are changes that no commit holds, since nobody could repeat the run
 */
export function measuredCommit(): string {
  if (git('status', '--porcelain', '--untracked-files=no'))
    throw new Error('--release measures a commit: commit your changes first.');
  return git('rev-parse', '--short=8', 'HEAD');
}

/** Stores the ratios of the measured paths as those of this release, and writes them into docs/performance.md. */
export function storeRelease({ entries, rounds, results }: Run, commit: string): void {
  const releases = readRelease();
  const date = new Date().toISOString().slice(0, 10);
  for (const path of new Set(results.map((result) => result.path))) {
    const ratios = results
      .filter((result) => result.path === path)
      .flatMap((result) =>
        result.ratios.map(({ value, atLeast, atMost, what }) => [
          keyOf(result, { what, value }),
          { value: Number(value.toFixed(3)), atLeast, atMost },
        ]),
      );
    releases[path] = {
      ...{ version, commit, date, machine: machine(), entries, rounds },
      ratios: Object.fromEntries(ratios),
    };
  }
  writeFileSync(RELEASE, `${JSON.stringify(releases, null, 2)}\n`);
  writePage(releases);
}

/** The ratios with a goal that are more than a tenth worse than in the last release, as sentences. */
export function worseThanRelease({ entries, results }: Run): string[] {
  const releases = readRelease();
  return results.flatMap((result) =>
    result.ratios.flatMap((ratio) => {
      const release = releases[result.path];
      const before = release?.ratios[keyOf(result, ratio)]?.value;
      if (!release || before === undefined || !isWorse(ratio, before)) return [];
      const size =
        release.entries === entries ? '' : `, measured with ${release.entries.toLocaleString('en')} entries`;
      return [
        `${keyOf(result, ratio)}: ${ratio.value.toFixed(2)}, was ${before.toFixed(2)} in ${release.version}${size}`,
      ];
    }),
  );
}

function isWorse({ value, atLeast, atMost }: Ratio, before: number): boolean {
  if (atLeast !== undefined) return value < before * (1 - NOTABLE);
  return atMost !== undefined && value > before * (1 + NOTABLE);
}
