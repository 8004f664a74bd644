import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { Redis } from 'ioredis';
import { IDENTITY_FIELDS } from '#domain/catalogue';
import { IMPORT_DEFINITIONS, importOperations } from '#domain/imports';
import { COLUMNS } from '#domain/participants';
import {
  booking,
  bookingForm,
  bookingFormField,
  credit,
  describeWithRedis,
  ERASURE_SECRET,
  key,
  reservedEntryGroup,
  SIGNING_SECRETS,
  testRedis,
  ticket,
  type WholeOrganization,
  wholeOrganization,
} from '#libs/testing';
import { loadSettings } from '#platform/config';
import { appUrlOf } from '#platform/database';
import { Logs } from '#platform/process';
import { createWorker } from '../../apps/worker/src/create-worker';
import { type CommandLine, commandLine } from '../cli/startline';
import { type Browser, signedIn } from '../console/console';
import { BODIES } from '../contract/bodies';
import { ALL_OPERATIONS, DOCUMENT, operation, pathOf, type Schema } from '../contract/document';
import { eventually, startApi, startWorker, type TestApi, UNLIMITED } from '../harness';
import { importRows, sale } from '../imports/import';
import { WEBHOOK_SECRETS_KEY } from '../webhooks/receiver';
import {
  EMAIL,
  FIRST_NAME,
  LAST_NAME,
  type Manner,
  Planter,
  placesOf,
  reasonOf,
  UNPLANTED,
} from './planting';

const NAME = `${FIRST_NAME} ${LAST_NAME}`;
const MANNERS: Manner[] = ['ALONE', 'LONGER'];
const FRIEND = { email: 'friend@planted.example', firstName: 'Nadja', lastName: 'Companion' };
/** Other people's addresses, which contain the person's. */
const OTHERS = [`x${EMAIL}`, `ann-${EMAIL}`, `${EMAIL}.au`, EMAIL.replace('@', '+run@')];

/** Where the address stays, with the reason. docs/decisions/erasure.md repeats it. */
const STAYS: Readonly<Record<string, string>> = {
  'discount_codes.code': 'people enter it; the erasure reports it',
  'partner_external_ids.external_id': 'in a longer id of a partner, a part can be of another address',
  'webhook_endpoints.url': 'events are sent there; the erasure reports it',
  'bib_claims.bib_number': 'a bib, which the organizer gives',
  'race_day_log.bib_number': 'a bib, which the organizer gives',
  'race_day_log.bib_written': 'a bib, which the organizer gives',
  'start_list_entries.bib_claim': 'a bib, which the organizer gives',
  'start_list_entries.bib_order': 'a bib, which the organizer gives',
  'start_list_entries.bib_number': 'a bib, which the organizer gives',
  'start_list_entries.bib_written': 'a bib, which the organizer gives',
};

/** Columns with names after the erasure: texts of the organization, which are not connected to the person. */
const NAMES_STAY = [
  'discount_codes.group_name',
  'partners.default_marketing',
  'partners.description',
  'partners.name',
  'partners.specific_marketings',
  'webhook_endpoints.description',
];

/** Classified columns that no request can plant the address in, with the reason. */
const UNREACHED: Readonly<Record<string, string>> = {
  'file_mappings.mapping': 'names of columns and of records, which staff write; erased in `columns.test.ts`',
  'file_mappings.name': 'what staff call a mapping; erased in `columns.test.ts`',
  'import_jobs.name': 'the name of a file; erased in `columns.test.ts`',
  'person_job_rows.keys': 'of an export that staff request; erased in `columns.test.ts`',
  'person_jobs.email': 'the same',
  'bookings.referral_codes': 'codes that the platform made',
  'start_list_entries.partner_marketing_opt_ins': 'ids of partners',
  'webhook_attempts.response': 'what a receiver responds',
  'referrers.generated_referral_code': 'made by the platform',
  'referrers.invite_url': 'made by the platform',
};

const logged: string[] = [];
const sink = { write: (line: string) => void logged.push(line) };
const files = mkdtempSync(join(tmpdir(), 'startline-planted-'));
const { TMPDIR } = process.env;

let api: TestApi;
let worker: INestApplicationContext;
let cli: CommandLine;
let browser: Browser;
let whole: WholeOrganization;
let tokens: Record<string, string>;
beforeAll(async () => {
  process.env.TMPDIR = files;
  const secrets = { ERASURE_SECRET, WEBHOOK_SECRETS_KEY };
  api = await startApi(
    { ...UNLIMITED, ...secrets, LOG_LEVEL: 'debug' },
    { logs: new Logs({ LOG_LEVEL: 'debug' }, 'api', sink) },
  );
  const settings = loadSettings({
    NODE_ENV: 'test',
    LOG_LEVEL: 'debug',
    DATABASE_URL: appUrlOf(api.databaseUrl),
    SIGNING_SECRETS: SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
    STARTLINE_TEST_SWEEP_MS: '200',
    ...secrets,
  });
  worker = await createWorker(settings, new Logs(settings, 'worker', sink));
  cli = await commandLine(api.databaseUrl, { ERASURE_SECRET });
  whole = await wholeOrganization(api.dataSource, { mark: 'meadow' });
  const { organizationId } = whole;
  for (const { key: name, label, type } of IDENTITY_FIELDS)
    await bookingFormField(api.dataSource, { organizationId, key: name, label, type });
  const token = async (kind: 'ORGANIZER' | 'TIMING') =>
    (await key(api.dataSource, { organizationId, kind })).token;
  tokens = { ORGANIZER: await token('ORGANIZER'), TIMING: await token('TIMING') };
  ({ browser } = await signedIn(api, 'OWNER', undefined, organizationId));
});
afterAll(async () => {
  await cli?.close();
  await worker?.close();
  await api?.close();
  process.env.TMPDIR = TMPDIR;
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  rmSync(files, { recursive: true });
});

/** Operations with a body. */
const WRITERS = ALL_OPERATIONS.filter(({ body }) => body && placesOf(body).length > 0);
const START_LIST_ROW = (DOCUMENT.components as Schema).schemas.StartListRow;

const planted = new Set<string>();
/** The imports that created records: path and body. */
const imported: [string, Schema][] = [];

/** Sends a body with the person in each text, and waits until what it caused is done. */
async function plant(
  planter: Planter,
  name: string,
  base: unknown,
  { ids = {}, ...extra }: { ids?: Record<string, string>; edit?: (body: Schema) => void } = {},
): Promise<any> {
  const of = operation(name);
  const body = planter.body(name, of.body as Schema, base) as Schema;
  extra.edit?.(body);
  const definition = IMPORT_DEFINITIONS.find(({ surface }) =>
    Object.values(importOperations(surface)).includes(name),
  );
  if (definition) {
    const job = await importRows(api, definition.path, body, {
      method: of.method,
      token: tokens.ORGANIZER,
      headers: { 'idempotency-key': planter.id(name) },
    });
    if (job.failedRows > 0) throw new Error(`${name}: ${JSON.stringify(job.errors)}`);
    for (const each of planter.planted) planted.add(each);
    if (of.method === 'POST') imported.push([definition.path, body]);
    return job.results[0];
  }
  const path = pathOf(of, { ...whole.ids, ...ids });
  const answer = of.access.keys.length
    ? await api.send(of.method, path, body, tokens[of.access.keys[0] as string])
    : await browser.ask(of.method, path, body);
  if (answer.status !== 200) throw new Error(`${name}: ${answer.text}`);
  for (const each of planter.planted) planted.add(each);
  return answer.body;
}

/** The first row of a body, without properties that name records in another way. */
const base = (name: string, ...omitted: string[]): Schema => {
  const body = structuredClone(BODIES[name]?.(whole)) as Schema;
  const rows = Object.values(body).find((each) => Array.isArray(each) && typeof each[0] === 'object');
  for (const property of omitted) delete rows?.[0]?.[property];
  return body;
};

/** The person in everything that an operation or a file writes. */
async function plantAll(manner: Manner): Promise<void> {
  const { organizationId, ids } = whole;
  const planter = new Planter(manner);
  const { id: partnerId } = await plant(planter, 'createPartner', base('createPartner'));
  await plant(planter, 'updatePartner', base('updatePartner'), { ids: { partners: partnerId } });
  const { discountCodeId } = await plant(planter, 'importDiscountCodes', base('importDiscountCodes'));
  await plant(planter, 'updateDiscountCode', {}, { ids: { 'discount-codes': discountCodeId } });
  await plant(planter, 'importCredits', base('importCredits'));
  // What others' credits say about the person.
  const owed = { externalCreditId: `of the friend, ${manner}`, email: FRIEND.email, reason: planter.said };
  const credits = [{ ...owed, amount: { value: 1, currencyCode: 'GBP' } }];
  // An invalid row has the person in the name of a property, which its error names.
  const invalid = { ...credits[0], externalCreditId: `invalid, ${manner}`, [EMAIL]: planter.said };
  // What its sender could not read of a row has texts of the file.
  const unread = { ...invalid, unread: [{ path: EMAIL, code: 'INVALID_VALUE', message: planter.said }] };
  await importRows(
    api,
    'credits/import?keepInvalid=true',
    { credits: [...credits, invalid, { ...unread, externalCreditId: `unread, ${manner}` }] },
    { token: tokens.ORGANIZER },
  );
  const bib = { bookings: planter.bib() };
  const edit = (body: Schema) => {
    const [row] = body.bookings;
    row.participants[0].bibNumber = bib.bookings;
    // Alone, the person is the booker of a companion; else a companion of the booker.
    const companion = {
      ticketId: ids.tickets,
      ...FRIEND,
      tags: ['vip', planter.said],
      team: { name: planter.said },
    };
    row.participants.push({ ...companion, externalParticipantId: `friend/${EMAIL}` });
    if (manner === 'LONGER') Object.assign(row.booker, FRIEND);
  };
  const order = base('importBookings');
  const { participantIds } = await plant(planter, 'importBookings', order, { edit });
  await plant(planter, 'correctBookings', order, { edit });
  await failBooking(bib.bookings);
  const [id] = participantIds as [string];
  const of = { ids: { participants: id, 'console/v1/participants': id } };
  await plant(planter, 'importLineItems', base('importLineItems', 'bookingId', 'participantId'));
  await plant(planter, 'replaceLineItems', base('replaceLineItems', 'bookingId', 'participantId'));
  await plant(planter, 'importAddOns', base('importAddOns', 'participantId'));
  await plant(planter, 'replaceAddOns', base('replaceAddOns', 'participantId'));
  await plant(planter, 'importReferrals', base('importReferrals', 'referredBookingId'));
  const { id: groupId } = await reservedEntryGroup(api.dataSource, { organizationId, ticketId: ids.tickets });
  await plant(planter, 'importReservedEntries', base('importReservedEntries'), {
    edit: (body) => {
      body.assignments[0].reservedEntryGroupId = groupId;
    },
  });
  await plant(planter, 'transferParticipant', base('transferParticipant'), {
    ...of,
    edit: (body) =>
      Object.assign(body, { fields: [{ id: ids['booking-form-fields'], value: planter.said }] }),
  });
  await plant(planter, 'correctParticipant', base('correctParticipant'), {
    ...of,
    edit: (body) =>
      Object.assign(body, { fields: [{ id: ids['booking-form-fields'], value: planter.said }] }),
  });
  // By staff, of whose edits the values are kept.
  const { status } = await browser.ask('PATCH', `/v0/participants/${id}`, {
    notes: [planter.said],
    firstName: 'Ada',
  });
  if (status !== 200) throw new Error(`staff: ${status}`);
  await browser.ask('PATCH', `/v0/participants/${id}`, { firstName: FIRST_NAME });
  await plant(planter, 'addParticipant', {
    requestId: `add ${manner}`,
    eventOccurrenceId: ids['event-occurrences'],
    participant: order.bookings[0].participants[0],
    beyondCapacity: true,
  });
  const { jobId } = await plant(planter, 'changeParticipants', {
    change: { type: 'TAG' },
    participantIds: [id],
    atMost: undefined,
  });
  await eventually(async () => {
    const [job] = await api.dataSource.query('SELECT status FROM import_jobs WHERE id = $1', [jobId]);
    return job.status === 'COMPLETED';
  });
  await plant(planter, 'updateRaceDay', {}, of);
  await plant(planter, 'setRaceDay', {}, of);
  await plant(planter, 'ingestTiming', base('ingestTiming'), {
    edit: (body) => Object.assign(body.data, { participantId: participantIds[0], bibNumber: undefined }),
  });
  await plant(planter, 'ingestTiming', base('ingestTiming'), {
    edit: (body) => Object.assign(body.data, { participantId: participantIds[0], shipping: undefined }),
  });
  const endpoint = await plant(planter, 'createWebhookEndpoint', base('createWebhookEndpoint'));
  await plant(planter, 'updateWebhookEndpoint', {}, { ids: { 'webhook-endpoints': endpoint.id } });
  await plant(planter, 'registrationStatus', {});
  await loadStartList(planter, manner);
}

/** The message of a failed row names the bib. */
async function failBooking(bibNumber: string): Promise<void> {
  const body = base('importBookings', 'discountCode');
  body.bookings[0].participants[0].bibNumber = bibNumber;
  const { errors } = await importRows(api, 'bookings/import', body, { token: tokens.ORGANIZER });
  if (!errors[0]?.message.includes(bibNumber)) throw new Error(JSON.stringify(errors));
}

/** A file of the command line, and the decision on its application. */
async function loadStartList(planter: Planter, manner: Manner): Promise<void> {
  const { organizationId, ids } = whole;
  const { id: ticketId } = await ticket(api.dataSource, {
    organizationId,
    raceId: ids.races,
    approval: 'MANUAL',
  });
  const fieldIds = [ids['booking-form-fields'] as string];
  await bookingForm(api.dataSource, { organizationId, fieldIds, ticketIds: [ticketId] });
  const order = structuredClone(BODIES.importBookings?.(whole)) as Schema;
  const [participant] = order.bookings[0].participants;
  const rowBase = { ...order.bookings[0], participants: [{ ...participant, ticketId }] };
  const row = planter.body('start-list load', START_LIST_ROW, rowBase) as Schema;
  const waiting = structuredClone(row);
  for (const [id, each] of [
    ['loaded', row],
    ['waiting', waiting],
  ] as const)
    each.externalBookingId = manner === 'ALONE' ? `${id}:${EMAIL}` : planter.id(id);
  delete row.discountCode;
  delete waiting.discountCode;
  delete waiting.participants[0].bibNumber;
  waiting.participants[0].approvalStatus = 'PENDING';
  const file = cli.file(`rows-${manner}.jsonl`, `${JSON.stringify(row)}\n${JSON.stringify(waiting)}`);
  const words = ['start-list', 'load', file, '--organization', whole.mark];
  const { answer } = await cli.run(...words);
  if (answer.created !== 2) throw new Error(`start-list load: ${JSON.stringify(answer)}`);
  for (const each of planter.planted) planted.add(each);
  const [application] = await api.dataSource.query(
    "SELECT id FROM start_list_entries WHERE organization_id = $1 AND approval_status = 'PENDING'",
    [organizationId],
  );
  await plant(planter, 'decideApplications', { decision: 'REJECT', applicationIds: [application.id] });
}

/** Columns of all tables, of the queues too, with the text in the rows of one organization, or of all. */
async function found(text: string): Promise<string[]> {
  const tables: { schema: string; name: string }[] = await api.home.query(
    `SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2`,
  );
  const columns: string[] = [];
  for (const { schema, name } of tables) {
    // On several nodes, the queues are on one of them. Bytes are compared as PostgreSQL shows them.
    const source = schema === 'public' ? api.dataSource : api.home;
    const rows: { key: string }[] = await source.query(
      `SELECT DISTINCT c.key FROM "${schema}"."${name}" t CROSS JOIN LATERAL jsonb_each_text(to_jsonb(t)) c (key, value)
       WHERE strpos(lower(c.value), lower($1)) > 0 OR strpos(lower(c.value), lower($2)) > 0
         OR strpos(c.value, encode(convert_to($1, 'UTF8'), 'hex')) > 0 ORDER BY 1`,
      [text, encodeURIComponent(text)],
    );
    columns.push(...rows.map(({ key: column }) => `${name}.${column}`));
  }
  return columns;
}

/** A hash of all rows of an organization. */
async function stateOf(organizationId: string): Promise<Record<string, string>> {
  const state: Record<string, string> = {};
  for (const { table } of await owned()) {
    const [{ hash }] = await api.dataSource.query(
      `SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS hash FROM "${table}" t WHERE organization_id = $1`,
      [organizationId],
    );
    state[table] = hash;
  }
  return state;
}

/** How many rows of each table have the text. */
async function rowsWith(text: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table } of await owned()) {
    const [{ many }] = await api.dataSource.query(
      `SELECT count(*)::int AS many FROM "${table}" t WHERE organization_id = $1 AND strpos(lower(t::text), $2) > 0`,
      [whole.organizationId, text],
    );
    if (many > 0) counts[table] = many;
  }
  return counts;
}

const owned = (): Promise<{ table: string }[]> =>
  api.dataSource.query(
    `SELECT table_name AS table FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name = 'organization_id' ORDER BY 1`,
  );

/** The same person in another organization, and people with similar addresses. */
async function plantOthers(): Promise<string> {
  const other = await wholeOrganization(api.dataSource, { mark: 'hillside' });
  const { organizationId } = other;
  await booking(api.dataSource, {
    organizationId,
    externalBookingId: EMAIL,
    bookerEmail: EMAIL,
    entries: [{ emailNormalized: EMAIL, tags: [NAME, EMAIL] }],
  });
  await credit(api.dataSource, {
    organizationId,
    email: EMAIL,
    emailNormalized: EMAIL,
    externalCreditId: EMAIL,
  });
  const { ids } = whole;
  const bookings = OTHERS.map((email) => ({
    externalBookingId: `order ${email}`,
    eventOccurrenceId: ids['event-occurrences'],
    booker: { email, firstName: 'Other', lastName: 'Person' },
    participants: [
      { ticketId: ids.tickets, email, firstName: 'Other', lastName: 'Person', tags: [`is ${email}`] },
    ],
    metadata: { of: email },
  }));
  const job = await importRows(api, 'bookings/import', { bookings }, { token: tokens.ORGANIZER });
  if (job.failedRows > 0) throw new Error(JSON.stringify(job.errors));
  return organizationId;
}

describe('a person in every text that an operation or a file can write', () => {
  let other: string;
  let before: { other: Record<string, string>; similar: Record<string, number>[] };
  let kept: { table: string; id: string }[];

  it('is planted in every property of every request, or the property is listed with a reason', async () => {
    for (const manner of MANNERS) await plantAll(manner);
    other = await plantOthers();
    const places = [
      ...WRITERS.flatMap(({ name, body }) => placesOf(body as Schema).map((path) => [name, path] as const)),
      ...placesOf(START_LIST_ROW).map((path) => ['start-list load', path] as const),
    ];
    const missing = places.filter(([name, path]) => !reasonOf(name, path) && !planted.has(`${name} ${path}`));
    expect(missing).toEqual([]);
    const reasons = new Set(places.map(([name, path]) => reasonOf(name, path)));
    expect(Object.values(UNPLANTED).filter((reason) => !reasons.has(reason))).toEqual([]);
  });

  it('is in every column that can hold personal data, ids of other systems or remarks', async () => {
    const { organizationId } = whole;
    await eventually(async () => {
      const [{ open }] = await api.dataSource.query(
        'SELECT count(*)::int AS open FROM race_day_log WHERE organization_id = $1 AND applied_at IS NULL AND participant_id IS NOT NULL',
        [organizationId],
      );
      return open === 0;
    });
    const classified = Object.entries(COLUMNS).flatMap(
      ([table, { personal = [], foreign = [], remarks = [] }]) =>
        [...personal, ...foreign, ...remarks].map((column) => `${table}.${column}`),
    );
    const columns = new Set((await Promise.all([EMAIL, LAST_NAME, FIRST_NAME].map(foundWithout))).flat());
    const missing = classified.filter((column) => !columns.has(column)).sort();
    expect(missing).toEqual(Object.keys(UNREACHED).sort());
  });

  it('is in no log, no file and no queue', async () => {
    const queues = [...(await found(EMAIL)), ...(await found(NAME))];
    expect(queues.filter((column) => !Object.hasOwn(COLUMNS, column.split('.')[0] as string))).toEqual([]);
    for (const text of [EMAIL, encodeURIComponent(EMAIL), LAST_NAME])
      expect(logged.filter((line) => line.toLowerCase().includes(text.toLowerCase()))).toEqual([]);
    expect(logged.length).toBeGreaterThan(0);
    const written = readdirSync(files, { recursive: true, withFileTypes: true })
      // The files that the commands of this test read.
      .filter((each) => each.isFile() && !each.name.startsWith('rows-'))
      .map((each) => join(each.parentPath, each.name));
    expect(written.filter((file) => /olga/i.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('is erased, but for what is listed with a reason', async () => {
    await worker.close();
    before = { other: await stateOf(other), similar: await Promise.all(OTHERS.map(rowsWith)) };
    const words = ['person', 'erase', '--organization', whole.mark, '--email', EMAIL, '--yes'];
    const { answer } = await cli.run(...words);
    expect(answer.importRowsAhead).toBe(0);
    kept = answer.kept;
    expect(await foundWithout(EMAIL)).toEqual(Object.keys(STAYS).sort());
    expect(await foundWithout(LAST_NAME)).toEqual(NAMES_STAY);
    expect((await cli.run(...words)).answer.removed).toEqual({});
  });

  it('is reported where the address stays in what people or systems use', () => {
    // Bibs, codes and URLs.
    expect([...new Set(kept.map(({ table }) => table))]).toEqual([
      'bib_claims',
      'discount_codes',
      'race_day_log',
      'start_list_entries',
      'webhook_endpoints',
    ]);
  });

  it('takes nothing from people with similar addresses, and nothing from other organizations', async () => {
    expect(await Promise.all(OTHERS.map(rowsWith))).toEqual(before.similar);
    expect(await stateOf(other)).toEqual(before.other);
  });

  it('is not restored by imports of the same rows, which report hashes of the ids', async () => {
    const hash = expect.stringMatching(/^erased-[\w-]{32}$/);
    worker = await startWorker(api, { ERASURE_SECRET, WEBHOOK_SECRETS_KEY });
    const left = [await foundWithout(EMAIL), await foundWithout(LAST_NAME)];
    // Codes of discounts are nobody's.
    for (const [path, body] of imported.filter(([path]) => path !== 'discount-codes/import')) {
      const { failedRows, results } = await importRows(api, path, body, { token: tokens.ORGANIZER });
      expect([path, failedRows, results[0]?.outcome]).toEqual([path, 0, 'ALREADY_IMPORTED']);
      if (path !== 'referrals/import') expect(Object.values(results[0])).toContainEqual(hash);
    }
    const [path, body] = imported.find(([each]) => each === 'bookings/import') as [string, Schema];
    const corrected = { method: 'PUT', token: tokens.ORGANIZER };
    expect(await importRows(api, path, body, corrected)).toMatchObject({
      errors: [{ code: 'NOT_CORRECTABLE', externalId: hash }],
    });
    expect([await foundWithout(EMAIL), await foundWithout(LAST_NAME)]).toEqual(left);
  });

  it('leaves its companions what is theirs', async () => {
    const companions = await api.dataSource.query(
      `SELECT tags[1] AS first, gdpr_redacted AS redacted FROM start_list_entries
       WHERE organization_id = $1 AND fields::text LIKE $2`,
      [whole.organizationId, `%${FRIEND.email}%`],
    );
    expect(companions).toEqual(MANNERS.map(() => ({ first: 'vip', redacted: false })));
  });

  /** The columns with the text in the organization, other people's longer addresses aside. */
  async function foundWithout(text: string): Promise<string[]> {
    const columns = new Set<string>();
    const similar = OTHERS.map((email) => email.replace(/[.+]/g, '\\$&')).join('|');
    for (const { table } of await owned()) {
      const rows: { key: string }[] = await api.dataSource.query(
        `SELECT DISTINCT c.key FROM "${table}" t CROSS JOIN LATERAL jsonb_each_text(to_jsonb(t)) c (key, value)
         WHERE organization_id = $1 AND strpos(replace(regexp_replace(lower(c.value), $3, '', 'g'), '%40', '@'), lower($2)) > 0`,
        [whole.organizationId, text, similar],
      );
      for (const { key: column } of rows) columns.add(`${table}.${column}`);
    }
    return [...columns].sort();
  }
});

/** What a Redis has, as text. */
async function everythingIn(redis: Redis): Promise<string> {
  const found: unknown[] = [];
  for await (const keys of redis.scanStream() as AsyncIterable<string[]>)
    for (const name of keys) {
      const values: Record<string, () => Promise<unknown>> = {
        string: () => redis.get(name),
        hash: () => redis.hgetall(name),
        list: () => redis.lrange(name, 0, -1),
        set: () => redis.smembers(name),
        zset: () => redis.zrange(name, 0, -1),
        stream: () => redis.xrange(name, '-', '+'),
      };
      found.push(name, await values[await redis.type(name)]?.());
    }
  return JSON.stringify(found);
}

describeWithRedis()('a person with queues in Redis', () => {
  it('is in none of its keys and values', async () => {
    const server = await testRedis();
    const redis = new Redis(server.url);
    const given = { REDIS_URL: server.url, ERASURE_SECRET };
    const served = await startApi(given);
    const { row } = await sale(served);
    const booker = { email: EMAIL, firstName: FIRST_NAME, lastName: LAST_NAME };
    const bookings = [row({ externalBookingId: EMAIL, booker })];
    const everything = async () => (await everythingIn(redis)).toLowerCase();
    const holdsNoPerson = async () => {
      const stored = await everything();
      for (const text of [EMAIL, LAST_NAME]) expect(stored).not.toContain(text.toLowerCase());
    };
    const accepted = await served.send('POST', '/v0/bookings/import', { bookings });
    // A job that waits is found, so the person would be.
    await eventually(async () => (await everything()).includes(served.organizationId));
    await holdsNoPerson();
    const working = await startWorker(served, given);
    const job = await eventually(async () => {
      const { body } = await served.get(`/v0/bookings/import/${accepted.body.jobId}`);
      return body.finishedAt ? body : undefined;
    });
    const path = `/v0/participants/${job.results[0].participantIds[0]}`;
    const customFields = [{ id: 'note', value: EMAIL }];
    await served.send('PATCH', `${path}/race-day`, { bibNumber: EMAIL, customFields });
    await eventually(async () => (await served.get(path)).body.bibNumber === EMAIL);
    await holdsNoPerson();
    await working.close();
    await served.close();
    redis.disconnect();
    await server.stop();
  });
});
