import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadRequest } from './load';
import { typescript } from './processes';

export interface SteadyJob {
  url: string;
  requests: LoadRequest[];
  /** They are sent at this pace, however long each takes. */
  everyMs: number;
}

export interface SteadySeen {
  p50: number;
  p99: number;
  worst: number;
  requests: number;
  errors: number;
}

/** Asks at a steady pace, in a process of its own, while the work goes on. */
export async function during(job: SteadyJob, work: () => Promise<unknown>): Promise<SteadySeen> {
  const child = spawn(process.execPath, typescript(join(__dirname, 'steady-reads.ts')), {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = once(child, 'close');
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stdin.write(`${JSON.stringify(job)}\n`);
  await once(child.stdout, 'data');
  await work();
  child.stdin.end();
  const [status] = await gone;
  if (status !== 0) throw new Error('The steady reads failed.');
  const seen = JSON.parse(output) as SteadySeen;
  if (seen.errors > 0)
    throw new Error(`${seen.errors} of ${seen.requests} steady reads were not answered 200.`);
  return seen;
}
