import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { announce, type Options } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { cpuMs, residentMb } from '../fixtures/program';
import { asking, spawnApi, withDataSource } from '../fixtures/startline';
import type { Result } from '../report/result';

const SAMPLE_MS = 50;
const CLIENT = 'dist/libs/client/src/bin.js';
/** As for other memory: the garbage collector waits. */
const GROWTH = 1.15;

/** `startline-client sync --once` of an organization with a fifth of the entries: its rate, its CPU time, and its memory. */
export async function sync(databases: Databases, options: Options): Promise<Result[]> {
  const url = await databases.entries(options.entries);
  return withDataSource(url, async (dataSource) => {
    const caller = await asking(dataSource);
    const api = await spawnApi(url, { RATE_EXPORT: '10000000' });
    const folder = mkdtempSync(join(tmpdir(), 'startline-bench-copy-'));
    const copyUrl = await databases.blank('copy');
    try {
      const results: Result[] = [];
      for (const [title, to] of [
        ['a folder', join(folder, 'copy')],
        ['PostgreSQL', copyUrl],
      ] as const) {
        announce(`sync to ${title}`);
        results.push(resultOf(title, await copied(api.url, caller.token, to)));
      }
      return results;
    } finally {
      await api.stop();
      await databases.drop('copy');
      rmSync(folder, { recursive: true });
    }
  });
}

interface Copied {
  rows: number;
  seconds: number;
  cpuSeconds: number;
  /** Resident size at each sample. */
  memory: number[];
}

async function copied(url: string, token: string, to: string): Promise<Copied> {
  const began = performance.now();
  const words = [CLIENT, 'sync', '--to', to, '--url', url, '--once', '--json'];
  const child = spawn(process.execPath, words, {
    env: { PATH: process.env.PATH, STARTLINE_API_KEY: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const memory: number[] = [];
  let cpu = 0;
  const timer = setInterval(() => {
    if (child.exitCode !== null) return;
    memory.push(residentMb(child.pid as number));
    cpu = Math.max(cpu, cpuMs(child.pid as number));
  }, SAMPLE_MS);
  try {
    const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    if (code !== 0) throw new Error(`The copy to ${to} failed: ${out.slice(-500)}`);
    const rows = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ event }) => event === 'verified')
      .reduce((sum, event) => sum + event.rows, 0);
    return { rows, seconds: (performance.now() - began) / 1_000, cpuSeconds: cpu / 1_000, memory };
  } finally {
    clearInterval(timer);
  }
}

function resultOf(title: string, { rows, seconds, cpuSeconds, memory }: Copied): Result {
  const third = Math.floor(memory.length / 3);
  const [second, last] = [memory.slice(third, 2 * third), memory.slice(2 * third)];
  return {
    path: 'sync',
    title: `Full copy to ${title}, compared by digests`,
    measurements: [
      { what: 'rows', value: rows, unit: '' },
      { what: 'duration', value: seconds, unit: 's' },
      { what: 'rows a second', value: rows / seconds, unit: '' },
      { what: 'CPU of the client', value: cpuSeconds, unit: 's' },
      { what: 'memory of the client, at most', value: Math.max(...memory), unit: 'MB' },
    ],
    ratios: [
      {
        what: 'memory at most in the last third, of the second',
        value: Math.max(...last) / Math.max(...second),
        atMost: GROWTH,
      },
    ],
  };
}
