import { newId } from '#platform/database';
import { type Answer, eventually, sharedApi } from '../harness';
import { importRows, sale } from '../imports/import';
import { type Asker, startAsker } from './asker';
import { BODIES } from './bodies';
import { DOCUMENT, type DocumentedOperation, OPERATIONS, pathOf, type Schema } from './document';
import { expectRefused } from './refused';

/** Every operation that writes does so once for each `Idempotency-Key`. */
let asker: Asker;
beforeAll(async () => {
  asker = await startAsker({});
});
afterAll(() => asker.api.close());

/** Timing messages and registration checks can be repeated as they are. */
const IGNORING = ['ingestTiming', 'registrationStatus'];
const WRITING = OPERATIONS.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method));
const HONOURING = WRITING.filter(({ name }) => !IGNORING.includes(name));
/** They need jobs and participants of their own. */
const OF_JOBS = ['undoImport', 'applyDryRun', 'planBibs'];
const RUNNABLE = HONOURING.filter(({ name }) => !OF_JOBS.includes(name));

const takesKey = ({ path, method }: DocumentedOperation): boolean =>
  DOCUMENT.paths[path][method.toLowerCase()].parameters.some(
    ({ name, in: place }: Schema) => place === 'header' && name === 'Idempotency-Key',
  );

it('is a parameter of every operation that writes, except for those that ignore it', () => {
  const names = (operations: DocumentedOperation[]) => operations.map(({ name }) => name);
  expect(names(OPERATIONS.filter(takesKey))).toEqual(names(HONOURING));
});

const bodyOf = (of: DocumentedOperation): unknown => of.body && BODIES[of.name]?.(asker.whole);

const send = (of: DocumentedOperation, key: string, body: unknown): Promise<Answer<any>> =>
  asker.api.send(of.method, pathOf(of, asker.whole.ids), body, asker.tokenFor(of), {
    'idempotency-key': key,
  });

/** What the organization has, besides the log of requests. */
async function everything(): Promise<Record<string, string>> {
  const { dataSource } = asker.api;
  const { organizationId } = asker.whole;
  const tables: { name: string }[] = await dataSource.query(
    `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name = 'organization_id'
       AND table_name NOT IN ('api_keys', 'rate_windows', 'request_log', 'requests')`,
  );
  const hashes = tables.map(async ({ name }) => {
    const [{ hash }] = await dataSource.query(
      `SELECT md5(string_agg(t::text, ';' ORDER BY t::text)) AS hash FROM ${name} t WHERE organization_id = $1`,
      [organizationId],
    );
    return [name, hash] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}

const recordOf = ({ body: { id, jobId, deliveryId, participantUrl, raceId } }: Answer<any>): unknown =>
  id ?? jobId ?? deliveryId ?? participantUrl ?? raceId;

describe.each(RUNNABLE.map((of) => [of.name, of] as const))('%s', (_, of) => {
  it('writes nothing when it is repeated, and answers with the same record', async () => {
    const [key, body] = [newId(), bodyOf(of)];
    const first = await send(of, key, body);
    const before = await everything();
    const second = await send(of, key, body);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(await everything()).toEqual(before);
    expect(recordOf(second)).toEqual(recordOf(first));
    if ('secret' in first.body) expect(second.body.secret).toBe(first.body.secret);
  });

  it('refuses the key with another body', async () => {
    const key = newId();
    const [body, another] = [bodyOf(of), bodyOf(of)];
    expect((await send(of, key, body)).status).toBe(200);
    if (JSON.stringify(body) !== JSON.stringify(another))
      expectRefused(await send(of, key, another), 400, 'Idempotency-Key was used with another body');
  });

  it('waits for a request with the same key, and answers as it does', async () => {
    const [key, body] = [newId(), bodyOf(of)];
    const [one, other] = await Promise.all([send(of, key, body), send(of, key, body)]);
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(recordOf(one)).toEqual(recordOf(other));
  });
});

it('is not used up by a request that is refused', async () => {
  const { api } = asker;
  const contacts = [{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }];
  const externalIds = { ENTHUSE: 'taken' };
  const create = (body: object, key = 'partner') =>
    api.send('POST', '/v0/partners', { name: 'Club', contacts, ...body }, asker.tokens.ORGANIZER, {
      'idempotency-key': key,
    });
  expect((await create({ externalIds }, 'another')).status).toBe(200);
  expect((await create({ externalIds })).status).toBe(400);
  expect((await create({})).status).toBe(200);
  expectRefused(await create({ externalIds }), 400, 'Idempotency-Key was used with another body');
});

it.each(
  OPERATIONS.filter(({ method, name }) => method === 'GET' || IGNORING.includes(name)).map(
    (of) => [of.name, of] as const,
  ),
)('is ignored by %s, also if it is no valid key', async (_, of) => {
  const answer = await send(of, 'x'.repeat(300), bodyOf(of));
  expect(answer.status).not.toBe(404);
  expect(JSON.stringify(answer.body) ?? '').not.toContain('Idempotency-Key');
});

it('undoes a job, applies a dry run and gives bibs once', async () => {
  const api = await sharedApi();
  try {
    const { row } = await sale(api);
    const once = async (path: string, body: object = {}) => {
      const headers = { 'idempotency-key': path };
      const first: Answer<any> = await api.send('POST', path, body, undefined, headers);
      const second: Answer<any> = await api.send('POST', path, body, undefined, headers);
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(first.body.jobId).toEqual(expect.any(String));
      expect(second.body.jobId).toBe(first.body.jobId);
      return first.body.jobId;
    };
    const dryRun = await importRows(api, 'bookings/import?dryRun=true', { bookings: [row()] });
    const applied = await once(`/v0/import-jobs/${dryRun.jobId}/apply`);
    await eventually(async () => (await api.get(`/v0/import-jobs/${applied}`)).body.finishedAt !== null);
    const { jobId } = await importRows(api, 'bookings/import', { bookings: [row()] });
    const [participant] = (await api.get('/v0/participants')).body.data;
    // Before the bibs, which an undo would have to be told to take.
    await once(`/v0/import-jobs/${jobId}/undo`);
    await once(`/v0/races/${participant?.raceId}/bib-plan`, { ranges: [{ from: 1, to: 500 }] });
  } finally {
    await api.close();
  }
});
