import { text } from 'node:stream/consumers';
import { CONNECTIONS, type Load, type LoadJob } from './load';

interface Result {
  requests: { total: number };
  duration: number;
  latency: { p50: number; p99: number };
  throughput: { total: number };
  errors: number;
  non2xx: number;
}

/** The load where there is no wrk: reads a LoadJob from standard input and writes what it saw. */
async function main(): Promise<void> {
  const autocannon = require('autocannon') as (options: object) => Promise<Result>;
  const { url, requests, seconds } = JSON.parse(await text(process.stdin)) as LoadJob;
  const result = await autocannon({ url, requests, duration: seconds, connections: CONNECTIONS });
  const seen: Load = {
    requests: result.requests.total,
    seconds: result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    bytes: result.throughput.total,
    errors: result.errors + result.non2xx,
  };
  process.stdout.write(JSON.stringify(seen));
}

if (require.main === module) void main();
