import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { typescript } from './processes';

export const CONNECTIONS = 16;

export interface LoadRequest {
  path: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

/** What the load saw, by its own clock. */
export interface Load {
  requests: number;
  seconds: number;
  p50: number;
  p99: number;
  bytes: number;
  /** Answers other than 200, and requests without any. */
  errors: number;
}

export interface LoadJob {
  url: string;
  requests: LoadRequest[];
  seconds: number;
}

export type Tool = 'wrk' | 'autocannon';

/** wrk where it is installed: it leaves the cores to what is measured. */
export const bestTool = (): Tool => (spawnSync('wrk', ['-v']).error ? 'autocannon' : 'wrk');

/** Asks over 16 connections, in a process of its own, one request after the other from the list, round and round. */
export const load = (tool: Tool, job: LoadJob): Promise<Load> =>
  tool === 'wrk' ? byWrk(job) : byAutocannon(job);

async function byAutocannon(job: LoadJob): Promise<Load> {
  return JSON.parse(await outputOf(process.execPath, typescript(join(__dirname, 'autocannon.ts')), job));
}

async function byWrk({ url, requests, seconds }: LoadJob): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'startline-wrk-'));
  const script = join(folder, 'load.lua');
  writeFileSync(script, luaOf(requests));
  try {
    const words = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, url];
    const output = await outputOf('wrk', words);
    return JSON.parse(output.slice(output.lastIndexOf('\n{')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function outputOf(command: string, words: string[], input?: unknown): Promise<string> {
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input === undefined ? '' : JSON.stringify(input));
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${command} failed: ${output}`);
  return output;
}

const lua = (text: string): string => `[==[${text}]==]`;

const luaOf = (requests: LoadRequest[]): string => `
local requests, last = {}, 0
init = function()
${requests
  .map(({ path, method = 'GET', headers = {}, body }) => {
    const pairs = Object.entries(headers).map(([name, value]) => `[ ${lua(name)} ] = ${lua(value)}`);
    return `  requests[#requests + 1] = wrk.format("${method}", ${lua(path)}, {${[...pairs, '["Host"] = wrk.headers["Host"]'].join(', ')}}, ${body === undefined ? 'nil' : lua(body)})`;
  })
  .join('\n')}
end
request = function()
  last = last % #requests + 1
  return requests[last]
end
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format('\\n{"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"bytes":%d,"errors":%d}', summary.requests,
    summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, summary.bytes,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
`;
