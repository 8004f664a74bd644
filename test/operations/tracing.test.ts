import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { freePort, key, organization, SIGNING_SECRETS, type TestDatabase, testDatabase } from '#libs/testing';
import { appUrlOf, createDataSource } from '#platform/database';
import { Program } from '../faults/workers';
import { eventually } from '../harness';
import { type OtlpReceiver, otlpReceiver, type SentSpan } from './otlp-receiver';

/** Compiling at start is slow on a busy machine. */
let database: TestDatabase;
let token: string;
beforeAll(async () => {
  database = await testDatabase();
  const dataSource = await createDataSource({ url: database.url, applicationName: 'test' }).initialize();
  const { id: organizationId } = await organization(dataSource);
  token = (await key(dataSource, { organizationId })).token;
  await dataSource.destroy();
});
afterAll(() => database.drop());

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

describe('with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  let receiver: OtlpReceiver;
  let programs: Program[] = [];
  let url: string;
  beforeAll(async () => {
    receiver = await otlpReceiver();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const environment = {
      DATABASE_URL: appUrlOf(database.url),
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_METRIC_EXPORT_INTERVAL: '500',
      // Only the queue starts work in the worker.
      STARTLINE_TEST_SWEEP_MS: '3600000',
    };
    programs = await Promise.all([
      Program.start('api', { ...environment, PORT: String(port) }),
      Program.start('worker', environment),
    ]);
  });
  afterAll(async () => {
    for (const program of programs) await program.kill();
    await receiver?.close();
  });

  async function importing(traceparent: string): Promise<void> {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-request-id': 'a-partner.7',
      traceparent,
      tracestate: 'vendor=kept-to-ourselves',
      baggage: 'who=kept-to-ourselves',
    };
    const credit = { email: `${hex(4)}@example.org`, amount: { value: 500, currencyCode: 'GBP' } };
    const body = JSON.stringify({ credits: [{ ...credit, externalCreditId: hex(4) }] });
    const answer = await fetch(`${url}/v0/credits/import`, { method: 'POST', headers, body });
    const { jobId } = (await answer.json()) as { jobId: string };
    await eventually(async () => {
      const job = await fetch(`${url}/v0/credits/import/${jobId}`, {
        headers: { ...headers, traceparent: '' },
      });
      return ((await job.json()) as { status: string }).status === 'COMPLETED';
    });
  }

  it('one trace covers client, request, job and chunks, without the data that the client leaves out', async () => {
    const [traceId, clientSpan, untraced] = [hex(16), hex(8), hex(16)];
    await importing(`00-${untraced}-${hex(8)}-00`);
    await importing(`00-${traceId}-${clientSpan}-01`);
    // On SIGTERM, both send their remaining spans.
    await Promise.all(
      programs.map(async ({ child }) => {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }),
    );

    const trace = receiver.spans.filter((span) => span.traceId === traceId);
    const named = (name: string) => trace.find((span) => span.name === name) as SentSpan;
    const ancestorsOf = (span: SentSpan | undefined): string[] => {
      const parent = trace.find(({ spanId }) => spanId === span?.parentSpanId);
      return parent ? [parent.name, ...ancestorsOf(parent)] : [];
    };
    expect(named('importCredits')).toMatchObject({
      service: 'startline-api',
      parentSpanId: clientSpan,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v0/credits/import',
        'http.response.status_code': 200,
        'startline.request_id': 'a-partner.7',
      },
    });
    expect(named('imports job')).toMatchObject({
      service: 'startline-worker',
      attributes: { 'startline.request_id': 'a-partner.7' },
    });
    expect(ancestorsOf(named('import chunk'))).toEqual(['imports job', 'enqueue imports', 'importCredits']);
    expect(named('import chunk').attributes).toMatchObject({
      'startline.job_id': expect.any(String),
      'startline.surface': 'creditsImport',
      'startline.rows': 1,
    });
    expect(trace.some(({ name, service }) => name === 'postgresql' && service === 'startline-api')).toBe(
      true,
    );

    expect(receiver.spans.filter((span) => span.traceId === untraced)).toEqual([]);
    const traced = programs[0]?.log.split('\n').filter((line) => line.includes('"traceId"')) ?? [];
    expect(traced.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ traceId, operation: 'importCredits', requestId: 'a-partner.7' }),
    );
    expect(traced.join('')).not.toContain(untraced);
    expect(receiver.bodies.join('')).not.toContain('kept-to-ourselves');
    expect(receiver.bodies.join('')).not.toContain('example.org');
  });

  it('the metrics of each process are sent, with histograms by bucket', async () => {
    const services = () =>
      new Set(
        receiver.metrics.flatMap(({ name, service }) => (name === 'startline_build_info' ? [service] : [])),
      );
    await eventually(async () => services().size === 2);
    const { dataPoints } = receiver.metrics.findLast(
      ({ name, histogram }) => name === 'startline_request_seconds' && histogram.dataPoints.length > 0,
    ).histogram;
    for (const { count, bucketCounts, explicitBounds } of dataPoints) {
      expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
      expect(bucketCounts.reduce((sum: number, n: string) => sum + Number(n), 0)).toBe(Number(count));
    }
  });
});

describe('without OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('the SDK is not loaded', async () => {
    const script = `
      const { createApi } = require('./dist/apps/api/src/create-api');
      const { loadSettings } = require('#platform/config');
      (async () => {
        const app = await createApi(loadSettings());
        await app.init();
        const loaded = Object.keys(require.cache).map((file) => /@opentelemetry.([\\w-]+)/.exec(file)?.[1]);
        await app.close();
        process.stdout.write(JSON.stringify([...new Set(loaded.filter(Boolean))]));
      })();`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], {
      env: {
        PATH: process.env.PATH,
        LOG_LEVEL: 'silent',
        DATABASE_URL: appUrlOf(database.url),
        SIGNING_SECRETS: SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
      },
    });
    expect(JSON.parse(stdout)).toEqual(['api']);
  });
});
