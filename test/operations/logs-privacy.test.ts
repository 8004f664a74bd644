import type { INestApplicationContext } from '@nestjs/common';
import { type ProxyTracerProvider, trace } from '@opentelemetry/api';
import type { TracerProvider } from '@opentelemetry/sdk-trace';
import { key, SIGNING_SECRETS, type WholeOrganization, wholeOrganization } from '#libs/testing';
import { loadSettings } from '#platform/config';
import { appUrlOf, newId } from '#platform/database';
import { Logs } from '#platform/process';
import { createWorker } from '../../apps/worker/src/create-worker';
import { type DocumentedOperation, OPERATIONS, pathOf } from '../contract/document';
import { raw } from '../contract/refused';
import { eventually, startApi, type TestApi, UNLIMITED } from '../harness';
import { finished } from '../imports/import';
import { type OtlpReceiver, otlpReceiver } from './otlp-receiver';

/** A mark that all texts of the organization and of requests contain. */
const MARK = 'zyxwellby';
const PERSON = {
  firstName: `Q${MARK}`,
  lastName: `V${MARK}`,
  email: `${MARK}@example.org`,
  phone: '+447700900123',
};

const written: string[] = [];
const sink = { write: (line: string) => void written.push(line) };

let collector: OtlpReceiver;
let api: TestApi;
let worker: INestApplicationContext;
let whole: WholeOrganization;
let tokens: Record<string, string>;
beforeAll(async () => {
  collector = await otlpReceiver();
  api = await startApi(
    { ...UNLIMITED, LOG_LEVEL: 'debug', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    { logs: new Logs({ LOG_LEVEL: 'debug' }, 'api', sink) },
  );
  const settings = loadSettings({
    NODE_ENV: 'test',
    LOG_LEVEL: 'debug',
    DATABASE_URL: appUrlOf(api.databaseUrl),
    SIGNING_SECRETS: SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
    STARTLINE_TEST_SWEEP_MS: '200',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  worker = await createWorker(settings, new Logs(settings, 'worker', sink));
  whole = await wholeOrganization(api.dataSource, { mark: MARK });
  const { organizationId } = whole;
  const token = async (kind: 'ORGANIZER' | 'MARKETPLACE' | 'TIMING') =>
    (await key(api.dataSource, { organizationId, kind })).token;
  tokens = {
    ORGANIZER: await token('ORGANIZER'),
    MARKETPLACE: await token('MARKETPLACE'),
    TIMING: await token('TIMING'),
  };
});
afterAll(async () => {
  await worker?.close();
  await api?.close();
  await collector?.close();
});

/** Both apps of this process use the single provider of OpenTelemetry. */
const sendSpans = () =>
  ((trace.getTracerProvider() as ProxyTracerProvider).getDelegate() as TracerProvider).forceFlush();

const tokenFor = ({ access }: DocumentedOperation) => tokens[access.keys[0] as string] as string;
const statuses = new Set<number>();

async function ask(
  of: DocumentedOperation,
  path: string,
  init: Parameters<typeof raw>[3] = {},
): Promise<void> {
  const { status } = await raw(api, of.method, path, { token: tokenFor(of), ...init });
  statuses.add(status);
}

/** Valid and invalid requests of an operation. */
async function exercise(of: DocumentedOperation): Promise<void> {
  const path = pathOf(of, whole.ids);
  const query = (text: string) => `${path}${path.includes('?') ? '&' : '?'}${text}`;
  const headers = { 'content-type': 'application/json' };
  const body = of.body && JSON.stringify({ ...PERSON, rows: [PERSON], data: PERSON });
  await ask(of, path, { body: of.body && '{}', headers });
  await ask(of, path, { body, headers: { ...headers, 'x-request-id': PERSON.email, 'user-agent': MARK } });
  const tracing = { traceparent: PERSON.email, tracestate: `${MARK}=${MARK}`, baggage: `${MARK}=${MARK}` };
  await ask(of, path, { body, headers: { ...headers, ...tracing } });
  await ask(of, path, { body: of.body && `{"name": "${MARK}", ${PERSON.email}`, headers });
  await ask(of, query(`${MARK}=${encodeURIComponent(PERSON.email)}`), { body, headers });
  for (const { name } of of.query)
    await ask(of, query(`${encodeURIComponent(name)}=${MARK}`), { body, headers });
  for (const token of [MARK, `${tokenFor(of)}x`, null]) await ask(of, path, { token, body, headers });
  const given = Object.fromEntries(of.pathParameters.map((name) => [name, `${MARK}%40example.org`]));
  await ask(of, pathOf(of, whole.ids, given), { body, headers });
}

/** Adds a constraint whose error message contains the whole row. */
const forbid = (table: string, column: string) =>
  api.dataSource.query(
    `ALTER TABLE ${table} ADD CONSTRAINT unforeseen CHECK (${column}::text NOT ILIKE '%${MARK}-unforeseen%') NOT VALID`,
  );

/** @returns the finished job */
async function importing(path: string, body: object): Promise<{ failedRows: number; succeededRows: number }> {
  const { status, body: accepted } = await api.send('POST', `/v0/${path}`, body, tokens.ORGANIZER, {
    'idempotency-key': `${MARK}-${newId()}`,
  });
  expect(status).toBe(200);
  return finished(api, path, accepted.jobId, tokens.ORGANIZER);
}

it('no log, trace or metric contains a token, an email, a name or other personal data', async () => {
  for (const of of OPERATIONS) {
    await exercise(of);
    await sendSpans();
  }

  await forbid('partners', 'name');
  const contacts = [PERSON].map(({ firstName, lastName, email }) => ({ firstName, lastName, email }));
  const broken = await api.send(
    'POST',
    '/v0/partners',
    { name: `${MARK}-unforeseen`, contacts },
    tokens.ORGANIZER,
  );
  expect(broken.status).toBe(500);

  await forbid('credits', 'reason');
  const credit = { email: PERSON.email, amount: { value: 5, currencyCode: 'GBP' } };
  const job = await importing('credits/import', {
    credits: [
      { ...credit, externalCreditId: `${MARK}-1` },
      { ...credit, externalCreditId: `${MARK}-2`, reason: `${MARK}-unforeseen` },
      { ...credit, externalCreditId: `${MARK}-3`, eventId: newId() },
    ],
  });
  expect(job).toMatchObject({ succeededRows: 1, failedRows: 2 });

  await forbid('bookings', 'booker_last_name');
  const { firstName, lastName, email } = PERSON;
  const booking = (externalBookingId: string, last = lastName) => ({
    externalBookingId,
    eventOccurrenceId: whole.ids['event-occurrences'],
    booker: { firstName, lastName: last, email },
    participants: [{ ticketId: whole.ids.tickets, firstName, lastName: last, email }],
  });
  const bookings = [
    booking(`${MARK}-4`),
    booking(`${MARK}-5`, `${MARK}-unforeseen`),
    { ...booking(`${MARK}-6`), eventOccurrenceId: newId() },
  ];
  expect((await importing('bookings/import', { bookings })).failedRows).toBeGreaterThan(0);

  const message = {
    schemaVersion: '1.0',
    changedAt: '2026-05-04T09:30:00Z',
    data: { participantId: whole.ids.participants, bibNumber: MARK.slice(0, 8) },
  };
  expect((await api.send('POST', '/timing-inbound/v1', message, tokens.TIMING)).status).toBe(200);
  await eventually(async () => {
    const pending = await api.dataSource.query('SELECT 1 FROM race_day_log WHERE applied_at IS NULL');
    return pending.length === 0;
  });

  // The log covers requests, rejections, failures of the API, and failures of the worker.
  const lines = written.map((line) => JSON.parse(line));
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404]));
  const operations = new Set(lines.map(({ operation }) => operation));
  expect(OPERATIONS.filter(({ name }) => !operations.has(name))).toEqual([]);
  expect(
    lines.filter(({ level, operation }) => level === 'error' && operation === 'createPartner'),
  ).toHaveLength(1);
  expect(lines.filter(({ level, jobId }) => level === 'error' && jobId).length).toBeGreaterThan(0);

  // The traces cover every operation, statements, jobs and their failures.
  await sendSpans();
  const steps = new Set(collector.spans.map(({ name }) => name));
  expect(OPERATIONS.filter(({ name }) => !steps.has(name))).toEqual([]);
  expect([...steps]).toEqual(expect.arrayContaining(['postgresql', 'imports job', 'import chunk']));
  expect(collector.spans.map(({ attributes }) => attributes['error.type'])).toContain('23514');

  const { text: metrics } = await api.get('/metrics', null);
  const all = [...written, ...collector.bodies, metrics].join('');
  const secrets = [
    ...Object.values(tokens).flatMap((token) => [token, token.split('.')[2] as string]),
    ...Object.values(SIGNING_SECRETS).map(({ secret }) => secret),
    ...Object.values(PERSON),
    ...[whole.email, MARK, MARK.slice(0, 8), '447700900123'],
  ];
  const told = secrets.filter((secret) => all.toLowerCase().includes(secret.toLowerCase()));
  const where = [...written, ...collector.bodies, ...metrics.split('\n')].find((line) =>
    line.toLowerCase().includes(MARK.slice(0, 8)),
  );
  expect({ told, where }).toEqual({ told: [], where: undefined });
});
