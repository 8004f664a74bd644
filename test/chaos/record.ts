import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from './run';

const FILE = join(__dirname, '../../docs/fault-runs.csv');

const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0);

/** Adds a run to docs/fault-runs.csv: seed, commit, minutes, faults, requests that succeeded, what promises were checked on, broken promises. */
export function record({ seed, minutes, faults, answered, counted, broken }: Report): void {
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], {
    cwd: __dirname,
    encoding: 'utf8',
  }).trim();
  const numbers = [
    sum(Object.values(faults)),
    sum(Object.values(answered)),
    sum(counted.map(({ checked }) => checked)),
  ];
  appendFileSync(FILE, `${[seed, commit, minutes, ...numbers, broken].join(',')}\n`);
}
