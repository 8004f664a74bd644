import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { version } from '../../package.json';
import type { Ratio, Result } from './result';

/** Ratios of the last release, committed. Only ratios are compared: absolute figures differ between machines. */
const FILE = join(__dirname, '../release.json');
const GB = 1024 ** 3;
/** The change of a ratio that is reported. */
const NOTABLE = 0.1;

interface Measured {
  /** The release. */
  version: string;
  machine: Record<string, string | number>;
  entries: number;
  rounds: number;
  /** By title and ratio. */
  ratios: Record<string, number>;
}

type Run = { entries: number; rounds: number; results: Result[] };
/** By path. */
type Releases = Record<string, Measured>;

const read = (): Releases => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {});
const keyOf = ({ title }: Result, { what }: Ratio): string => `${title}: ${what}`;

const machine = (): Measured['machine'] => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / GB),
  system: `${platform()} ${arch()}`,
  node: process.version,
});

/** Stores the ratios of the measured paths as those of this release. */
export function storeRelease({ entries, rounds, results }: Run): void {
  const releases = read();
  for (const path of new Set(results.map((result) => result.path))) {
    const ratios = results
      .filter((result) => result.path === path)
      .flatMap((result) =>
        result.ratios.map((ratio) => [keyOf(result, ratio), Number(ratio.value.toFixed(3))]),
      );
    releases[path] = { version, machine: machine(), entries, rounds, ratios: Object.fromEntries(ratios) };
  }
  writeFileSync(FILE, `${JSON.stringify(releases, null, 2)}\n`);
}

/** The ratios with a goal that are more than a tenth worse than in the last release, as sentences. */
export function worseThanRelease({ entries, results }: Run): string[] {
  const releases = read();
  return results.flatMap((result) =>
    result.ratios.flatMap((ratio) => {
      const release = releases[result.path];
      const before = release?.ratios[keyOf(result, ratio)];
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
