import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';

/** Counts a program that a test starts, for the reporter (report.cjs): an API, a worker or a process. */
export function countProgram(kind: 'api' | 'worker' | 'process'): void {
  const { TESTS_PROGRAMS: file } = process.env;
  if (file) appendFileSync(file, `${kind}\n`);
}

/** Counts every process that this one starts from now on. */
export const countProcesses = () => subscribe('child_process', () => countProgram('process'));
