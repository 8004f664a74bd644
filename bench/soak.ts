import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { booking, freePort, key, organization, SIGNING_SECRETS, ticket } from '#libs/testing';
import { appUrlOf, createDataSource, migrate } from '#platform/database';
import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import { type Panel, picture } from './soak/picture';
import { type Target, Traffic } from './soak/traffic';

/**
 * Mixed load on a built API and worker with a durable PostgreSQL of their own: reads, checks, imports, timing,
 * race-day updates and invalid requests. Memory and connections must stay flat and no request may fail. Writes the
 * measurements and a chart into bench/results/.
 *
 * npm run soak -- 5       # minutes; 20 by default
 */
const MINUTES = Number(process.argv[2] ?? 20);
const SAMPLE_MS = Math.max(1_000, (MINUTES * 60_000) / 240);
/** The warm-up, whose memory is ignored. */
const WARM = 0.4;
const JUDGED_MINUTES = 10;
/** The last fifth compared with the time after the warm-up. */
const GROWTH = 1.15;
/** The maximum of both pools with their defaults: see docs/operating.md. */
const MOST_CONNECTIONS = 51;
const MB = 1_048_576;

interface Sample {
  second: number;
  /** Resident. */
  apiMb: number;
  workerMb: number;
  /** In use, including uncollected garbage. */
  apiHeapMb: number;
  workerHeapMb: number;
  connections: number;
  perSecond: number;
  p50: number;
  p99: number;
}

const log = (text: string) => process.stdout.write(`${text}\n`);

const start = (app: 'api' | 'worker', environment: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [`dist/apps/${app}/src/main.js`], {
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: 'warn',
      SIGNING_SECRETS: SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
      RATE_IMPORT: '100000',
      RATE_REGISTRATION_STATUS: '100000',
      RATE_TIMING: '100000',
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });

async function target(dataSource: DataSource, url: string): Promise<Target> {
  const { id: organizationId } = await organization(dataSource);
  const of = { organizationId };
  const { id: ticketId, eventOccurrenceId: occurrenceId } = await ticket(dataSource, of);
  const participantIds: string[] = [];
  for (let i = 0; i < 20; i++) {
    const { entries } = await booking(dataSource, { ...of, ticketId, entries: 100 });
    participantIds.push(...entries.map(({ participantId }) => participantId));
  }
  const token = async (kind: 'ORGANIZER' | 'TIMING' | 'MARKETPLACE') =>
    (await key(dataSource, { ...of, kind })).token;
  return {
    url,
    occurrenceId,
    ticketId,
    participantIds,
    token: await token('ORGANIZER'),
    timingToken: await token('TIMING'),
    marketplaceToken: await token('MARKETPLACE'),
  };
}

async function ready(url: string): Promise<void> {
  const end = Date.now() + 60_000;
  for (;;) {
    const ok = await fetch(`${url}/health/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ok) return;
    if (Date.now() > end) throw new Error(`${url} does not get ready`);
    await sleep(100);
  }
}

async function memoryOf(metricsPort: number): Promise<{ resident: number; heap: number }> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const mb = (name: string) => round(Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]) / MB);
  return { resident: mb('process_resident_memory_bytes'), heap: mb('nodejs_heap_size_used_bytes') };
}

const at = (sorted: number[], part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
const round = (value: number) => Math.round(value * 10) / 10;

/** The violated expectations. */
function complaints(samples: Sample[], errors: string[]): string[] {
  const warm = samples.slice(Math.floor(samples.length * WARM));
  const fifth = Math.max(1, Math.floor(samples.length / 5));
  const found = [...new Set(errors)].slice(0, 10);
  const most = Math.max(...samples.map(({ connections }) => connections));
  if (most > MOST_CONNECTIONS) found.push(`there were ${most} connections`);
  if (MINUTES < JUDGED_MINUTES) return found;
  for (const name of ['apiMb', 'workerMb', 'apiHeapMb', 'workerHeapMb'] as const) {
    // V8 collects garbage late, so only the memory after a collection counts.
    const first = Math.min(...warm.slice(0, fifth).map((sample) => sample[name]));
    const last = Math.min(...warm.slice(-fifth).map((sample) => sample[name]));
    if (last > first * GROWTH) found.push(`${name} grew from ${first} to ${last}`);
  }
  return found;
}

function panels(samples: Sample[]): Panel[] {
  const of = (name: keyof Sample) => samples.map((sample) => sample[name]);
  return [
    {
      title: 'Memory',
      unit: 'MB',
      curves: [
        { name: 'api', colour: '#1463b5', values: of('apiMb') },
        { name: 'its heap', colour: '#8ab4e0', values: of('apiHeapMb') },
        { name: 'worker', colour: '#b5531a', values: of('workerMb') },
        { name: 'its heap', colour: '#e0ab8a', values: of('workerHeapMb') },
      ],
    },
    {
      title: 'Connections to PostgreSQL',
      unit: 'api and worker together',
      curves: [{ name: 'connections', colour: '#2b7a3d', values: of('connections') }],
    },
    {
      title: 'Answers',
      unit: 'a second',
      curves: [{ name: 'answers', colour: '#1463b5', values: of('perSecond') }],
    },
    {
      title: 'Time to answer',
      unit: 'milliseconds',
      curves: [
        { name: 'median', colour: '#2b7a3d', values: of('p50') },
        { name: '99 of 100', colour: '#b5531a', values: of('p99') },
      ],
    },
  ];
}

async function main(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'startline-soak-'));
  const postgres = await startEmbeddedPostgres({ home });
  await migrate(postgres.url, { appUrl: appUrlOf(postgres.url) });
  const dataSource = await createDataSource({ url: postgres.url, applicationName: 'soak' }).initialize();
  const [port, apiMetrics, workerMetrics] = [await freePort(), await freePort(), await freePort()];
  const of = { DATABASE_URL: appUrlOf(postgres.url) };
  const apps = [
    start('api', { ...of, PORT: String(port), METRICS_PORT: String(apiMetrics) }),
    start('worker', { ...of, METRICS_PORT: String(workerMetrics) }),
  ];
  try {
    const url = `http://127.0.0.1:${port}`;
    await Promise.all([ready(url), ready(`http://127.0.0.1:${workerMetrics}`)]);
    const traffic = new Traffic(await target(dataSource, url));
    const samples: Sample[] = [];
    const began = performance.now();
    traffic.start();
    while (performance.now() - began < MINUTES * 60_000) {
      const since = performance.now();
      await sleep(SAMPLE_MS);
      const [{ connections }] = await dataSource.query(
        `SELECT count(*)::int AS connections FROM pg_stat_activity WHERE application_name LIKE 'startline%'`,
      );
      const [api, worker] = [await memoryOf(apiMetrics), await memoryOf(workerMetrics)];
      const times = traffic.take();
      samples.push({
        second: Math.round((performance.now() - began) / 1_000),
        apiMb: api.resident,
        workerMb: worker.resident,
        apiHeapMb: api.heap,
        workerHeapMb: worker.heap,
        connections,
        perSecond: round(times.length / ((performance.now() - since) / 1_000)),
        p50: round(at(times, 0.5)),
        p99: round(at(times, 0.99)),
      });
    }
    await traffic.stop();
    report(samples, traffic);
  } finally {
    for (const app of apps) {
      if (app.kill('SIGTERM')) await once(app, 'exit');
    }
    await dataSource.destroy();
    await postgres.stop();
    rmSync(home, { recursive: true });
  }
}

function report(samples: Sample[], { answered, errors }: Traffic): void {
  const found = complaints(samples, errors);
  const total = Object.values(answered).reduce((sum, count) => sum + count, 0);
  mkdirSync('bench/results', { recursive: true });
  const file = join('bench', 'results', `soak-${new Date().toISOString().slice(0, 16).replace(':', '')}`);
  writeFileSync(
    `${file}.json`,
    JSON.stringify({ minutes: MINUTES, total, answered, errors: errors.length, found, samples }, null, 1),
  );
  writeFileSync(`${file}.svg`, picture(panels(samples), MINUTES));
  log(`${total} answers in ${MINUTES} minutes, ${errors.length} errors; see ${file}.svg`);
  for (const line of found) log(`  ${line}`);
  if (found.length) process.exitCode = 1;
}

void main();
