import { signatureOf } from '#domain/webhooks';
import { booking, key, organization, partner } from '#libs/testing';
import { eventually, sharedApi, type TestApi } from '../harness';
import { type Command, type Driver, inPython, inTypeScript, type Outcome } from './drivers';
import {
  breaksOff,
  cuts,
  type Fault,
  type FaultyProxy,
  faultyProxy,
  losesTheAnswer,
  neverAnswers,
  pageOfAProxy,
  passes,
  says,
} from './faulty-proxy';
import { python } from './python';

/** What holds for each client: a table, whose rows are run by the client for TypeScript and by the one for Python. */

let api: TestApi;
let proxy: FaultyProxy;
let strangers: FaultyProxy;
const clientForPython = inPython();
beforeAll(async () => {
  api = await sharedApi();
  proxy = await faultyProxy(api.url);
  strangers = await faultyProxy(api.url);
});
beforeEach(() => {
  for (const each of [proxy, strangers]) Object.assign(each, { faults: [], seen: [] });
});
afterAll(async () => {
  await clientForPython.end();
  strangers?.close();
  proxy?.close();
  await api?.close();
});

/** What a row of the table works with: a client, and an organization of its own. */
interface World {
  run(command: Command): Promise<Outcome>;
  /** The same, and it must succeed. */
  value(command: Command): Promise<any>;
  token: string;
  organizationId: string;
  /** Adds participants. Returns their ids. */
  join(count: number): Promise<string[]>;
  partners(count: number): Promise<string[]>;
  /** The ids of all participants, as the API lists them. */
  listed(): Promise<string[]>;
}

async function worldOf(driver: Driver): Promise<World> {
  const { dataSource } = api;
  const { id: organizationId } = await organization(dataSource);
  const { token } = await key(dataSource, { organizationId });
  const run = (command: Command) => driver({ baseUrl: proxy.url, token, ...command });
  return {
    organizationId,
    token,
    run,
    value: async (command) => {
      const outcome = await run(command);
      if (outcome.error) throw new Error(JSON.stringify(outcome));
      return outcome.value;
    },
    join: async (count) => {
      const { entries } = await booking(dataSource, { organizationId, entries: count });
      return entries.map(({ participantId }) => participantId as string);
    },
    partners: async (count) => {
      const made: string[] = [];
      for (let i = 0; i < count; i++) made.push((await partner(dataSource, { organizationId })).id);
      return made;
    },
    listed: async () =>
      (await api.get('/v0/participants?page[size]=500', token)).body.data.map(({ id }: any) => id),
  };
}

const paths = () => proxy.seen.map(({ path }) => path.split('?')[0]);
const busy = says(
  503,
  { 'retry-after': '0' },
  { statusCode: 503, error: 'Service Unavailable', message: 'Later.' },
);
const limited = says(429, { 'retry-after': '0' });
const ANY = /./;
const GET_IDENTITY: Command = { do: 'get', path: '/identity' };
const PARTNER = {
  name: 'Hospice',
  type: 'CHARITY',
  contacts: [{ firstName: 'A', lastName: 'B', email: 'a@b.example' }],
};
const CREATE_PARTNER: Command = { do: 'post', path: '/v0/partners', body: PARTNER };
const credit = (externalCreditId: string, given = {}) => ({
  externalCreditId,
  email: 'ada@example.com',
  amount: { value: 2500, currencyCode: 'GBP' },
  ...given,
});

type Row = [behaviour: string, check: (world: World) => Promise<void>];

const REQUESTS: Row[] = [
  [
    'encodes parts of the path and of the query',
    async ({ value, partners }) => {
      await partners(1);
      const params = { externalBookingId: '../a b/ü?x=1&y#z%' };
      const path = '/v0/bookings/external/{externalBookingId}';
      expect((await value({ do: 'get', path, params })).data).toEqual([]);
      expect(proxy.seen[0]?.path).toBe(
        `/v0/bookings/external/${encodeURIComponent(params.externalBookingId)}`,
      );
      expect(await value({ do: 'every', path: '/v0/partners', query: { search: 'ü & %' } })).toEqual([]);
      expect(proxy.seen[1]?.path).toBe('/v0/partners?search=%C3%BC%20%26%20%25');
    },
  ],
  [
    'tells of a refusal: status, code, message and request id',
    async ({ run }) => {
      const outcome = await run({ do: 'get', path: '/v0/tickets/{id}', params: { id: 'missing' } });
      expect(outcome).toEqual({
        error: {
          status: 404,
          code: 'Not Found',
          message: expect.stringMatching(/\w/),
          requestId: expect.stringMatching(/\w/),
          retryAfter: null,
          problems: [],
        },
        retries: [],
      });
      expect((await run({ ...GET_IDENTITY, token: 'wrong' })).error).toMatchObject({ status: 401 });
      expect(proxy.seen).toHaveLength(2);
    },
  ],
  [
    'tells of the problems of a body',
    async ({ run }) => {
      const { error } = await run({
        do: 'post',
        path: '/v0/credits/import',
        body: { credits: [credit(''), {}] },
      });
      expect(error).toMatchObject({ status: 400, code: 'Bad Request' });
      expect(error?.problems).toContainEqual(
        expect.objectContaining({ path: 'credits[1].email', row: 1, code: expect.any(String) }),
      );
    },
  ],
  [
    'can read the error of a proxy',
    async ({ run }) => {
      proxy.faults = [
        [ANY, (answer) => answer.writeHead(413, { 'content-type': 'text/html' }).end('<h1>No</h1>')],
      ];
      expect((await run(GET_IDENTITY)).error).toMatchObject({
        status: 413,
        message: expect.stringContaining('413'),
      });
    },
  ],
  [
    'waits after a 429, also before what must not be done twice',
    async ({ run, token }) => {
      proxy.faults = [
        [ANY, limited],
        [ANY, limited],
      ];
      const outcome = await run(CREATE_PARTNER);
      expect(outcome).toMatchObject({ value: { name: 'Hospice' }, retries: [429, 429] });
      expect((await api.get('/v0/partners', token)).body.page.totalResults).toBe(1);
    },
  ],
  [
    'gives up after the tries, with the last error',
    async ({ run }) => {
      proxy.faults = Array.from({ length: 9 }, () => [ANY, limited]);
      expect(await run(GET_IDENTITY)).toMatchObject({ error: { status: 429 }, retries: Array(5).fill(429) });
      expect(await run({ ...GET_IDENTITY, tries: 1 })).toMatchObject({ error: { status: 429 }, retries: [] });
      expect(proxy.seen).toHaveLength(7);
    },
  ],
  [
    'does not wait longer than two minutes, and tells how long',
    async ({ run }) => {
      proxy.faults = [[ANY, says(429, { 'retry-after': '121' })]];
      expect(await run(GET_IDENTITY)).toMatchObject({ error: { status: 429, retryAfter: 121 }, retries: [] });
    },
  ],
  [
    'repeats reads after 503, lost connections and halves of a response',
    async ({ run, organizationId }) => {
      proxy.faults = [
        [ANY, busy],
        [ANY, breaksOff],
        [ANY, cuts((body) => body.subarray(0, 9), 'breaks')],
      ];
      const outcome = await run(GET_IDENTITY);
      expect(outcome).toMatchObject({ value: { organiserId: organizationId }, retries: [503, null, null] });
    },
  ],
  [
    'repeats a write after 503 and a lost response under one key, so that it is done once',
    async ({ run, token }) => {
      proxy.faults = [
        [ANY, busy],
        [ANY, losesTheAnswer],
      ];
      expect(await run(CREATE_PARTNER)).toMatchObject({ value: { name: 'Hospice' }, retries: [503, null] });
      const keys = proxy.seen.map(({ headers }) => headers['idempotency-key']);
      expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
      expect((await api.get('/v0/partners', token)).body.page.totalResults).toBe(1);
    },
  ],
  [
    'does not wait for a server that is silent',
    async ({ run }) => {
      proxy.faults = [[ANY, neverAnswers]];
      const { error } = await run({ ...GET_IDENTITY, tries: 1, timeoutSeconds: 0.2 });
      expect(error).toEqual({ message: expect.stringMatching(/timed out|timeout/) });
    },
  ],
  [
    'gives its key to no other server',
    async ({ run }) => {
      proxy.faults = [
        [ANY, says(302, { location: `${strangers.url.replace('127.0.0.1', 'localhost')}/identity` })],
      ];
      expect((await run({ ...GET_IDENTITY, tries: 1 })).value).toBeUndefined();
      for (const { headers } of strangers.seen) expect(headers.authorization).toBeUndefined();
    },
  ],
];

const LISTS: Row[] = [
  [
    'reads each item once over any number of pages, with the filters on each page',
    async ({ value, join, listed }) => {
      await join(3);
      await join(7);
      const all = await listed();
      for (const size of [1, 4, 10, 500]) {
        proxy.seen = [];
        const query = { 'page[size]': size, 'sort[createdAt]': '1' };
        expect(await value({ do: 'every', path: '/v0/participants', query })).toEqual(all);
        expect(proxy.seen).toHaveLength(Math.ceil(10 / size));
        for (const { path } of proxy.seen) expect(path).toContain('sort%5BcreatedAt%5D=1');
      }
    },
  ],
  [
    'filters',
    async ({ value, run, join, token }) => {
      const [first = ''] = await join(2);
      await join(3);
      const { raceId, bookingId } = (await api.get(`/v0/participants/${first}`, token)).body as any;
      expect(await value({ do: 'every', path: '/v0/participants', query: { raceId } })).toHaveLength(2);
      expect(await value({ do: 'export', query: { raceId } })).toHaveLength(2);
      const path = '/v0/bookings/{id}/line-items';
      expect(await value({ do: 'every', path, params: { id: bookingId } })).toEqual([]);
      const { error } = await run({ do: 'every', path: '/v0/participants', query: { tag: 'club' } });
      expect(error).toMatchObject({ status: 400, message: expect.stringContaining('tag') });
    },
  ],
  [
    'continues a list after 503 and lost connections between its pages',
    async ({ value, join, listed }) => {
      await join(5);
      proxy.faults = [
        [/after/, busy],
        [/after/, breaksOff],
      ];
      const query = { 'page[size]': 2, 'sort[createdAt]': '1' };
      expect(await value({ do: 'every', path: '/v0/participants', query })).toEqual(await listed());
    },
  ],
  [
    'exports every participant, also none',
    async ({ value, join, listed }) => {
      expect(await value({ do: 'export' })).toEqual([]);
      await join(5);
      expect(await value({ do: 'export' })).toEqual(await listed());
    },
  ],
  [
    'takes no export that was cut off for a whole one',
    async ({ run, join }) => {
      await join(30);
      const lines = (from: number, to?: number) => (body: Buffer) =>
        Buffer.from(`${body.toString().split('\n').slice(from, to).join('\n')}\n`);
      const half = (body: Buffer) => body.subarray(0, body.length / 2);
      const wholeLines = /^The export was cut off after \d+ participants: start it again$/;
      for (const [cut, end, compressed, message] of [
        [lines(0, -2), 'ends', false, wholeLines],
        [lines(1), 'ends', false, wholeLines],
        [half, 'ends', false, wholeLines],
        [() => Buffer.from('\n'), 'ends', false, /./],
        [half, 'breaks', false, /cut off|terminated/],
        [half, 'breaks', true, /cut off|terminated/],
        [half, 'ends', true, /cut off|terminated/],
      ] as const) {
        proxy.faults = [[ANY, cuts(cut, end, compressed)]];
        const { error } = await run({ do: 'export' });
        expect(error).toEqual({ message: expect.stringMatching(message) });
      }
    },
  ],
];

const CHANGES: Row[] = [
  [
    'returns what exists, then what changes, and resumes where it was left',
    async ({ value, join }) => {
      const command: Command = { do: 'changes', path: '/v0/participants', query: { 'page[size]': 2 } };
      const before = await join(5);
      const seen: string[] = [];
      let since: string | undefined;
      // A new client for each group, which continues where the last one ended.
      const readUntil = async (ids: string[]) => {
        while (seen.length < ids.length) {
          const next = await value({ ...command, since, take: 1 });
          since = next.since;
          seen.push(...next.groups.flat());
        }
        expect(seen).toEqual(ids);
      };
      await readUntil(before);
      await readUntil([...before, ...(await join(2))]);
    },
  ],
  [
    'never divides items with the same updatedAt',
    async ({ value, organizationId }) => {
      const { dataSource } = api;
      await dataSource.query('ALTER TABLE partners DISABLE TRIGGER keep_times_on_insert');
      await dataSource.query(
        `INSERT INTO partners (organization_id, id, name, created_at, updated_at)
           SELECT $1, uuid_v7(), 'Partner ' || i, '2026-01-01', '2026-01-01' FROM generate_series(1, 7) i`,
        [organizationId],
      );
      await dataSource.query('ALTER TABLE partners ENABLE TRIGGER keep_times_on_insert');
      const query = { 'page[size]': 2 };
      expect((await value({ do: 'changes', path: '/v0/partners', query, take: 1 })).groups[0]).toHaveLength(
        7,
      );
    },
  ],
  [
    'continues after everything that a wait can heal',
    async ({ run, join }) => {
      const ids = await join(3);
      const half = cuts((body) => body.subarray(0, 20), 'ends');
      const faults = [breaksOff, pageOfAProxy, half, busy, limited, says(502, { 'retry-after': '0' })];
      proxy.faults = faults.map((fault) => [ANY, fault]);
      const outcome = await run({ do: 'changes', path: '/v0/participants', take: 1, tries: 2 });
      expect(outcome.value.groups.flat().sort()).toEqual(ids.sort());
      expect(outcome.retries).toEqual([null, null, null, 503, 429, 502]);
    },
  ],
  [
    'ends with what no wait can heal',
    async ({ run }) => {
      const command: Command = { do: 'changes', path: '/v0/participants', take: 1 };
      expect(await run({ ...command, token: 'revoked' })).toMatchObject({
        error: { status: 401 },
        retries: [],
      });
    },
  ],
  [
    'asks with the tag of the last response while nothing changes',
    async ({ value, run, join }) => {
      await join(1);
      const { since } = await value({ do: 'changes', path: '/v0/participants', take: 1 });
      proxy.seen = [];
      // The fourth request ends the loop: until then the responses are 200 with a tag, and then 304.
      proxy.faults = [...Array.from({ length: 3 }, (): [RegExp, Fault] => [ANY, passes]), [ANY, says(400)]];
      expect((await run({ do: 'changes', path: '/v0/participants', since, take: 1 })).error?.status).toBe(
        400,
      );
      expect(proxy.seen.map(({ headers }) => Boolean(headers['if-none-match']))).toContain(true);
    },
  ],
  [
    'follows change events, and resumes after a cursor',
    async ({ value, token }) => {
      await api.get('/v0/change-events', token);
      const create = async (name: string) =>
        (await api.send('POST', '/v0/partners', { ...PARTNER, name }, token)).body as any;
      await create('One');
      const query = { type: 'partner.created' };
      const first = await value({ do: 'changeEvents', after: '', query, take: 1 });
      expect(first.ids).toHaveLength(1);
      await create('Two');
      proxy.faults = [
        [ANY, busy],
        [ANY, breaksOff],
      ];
      const second = await value({ do: 'changeEvents', after: first.after, query, take: 1 });
      expect(second.ids).toHaveLength(1);
      expect(second.ids).not.toEqual(first.ids);
    },
  ],
];

const IMPORTS: Row[] = [
  [
    'imports 1,010 rows in batches through lost responses, with progress and each failed row',
    async ({ run, value, token }) => {
      const none = '01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b';
      const rows = Array.from({ length: 1_010 }, (_, i) =>
        credit(`credit-${i}`, i % 500 === 7 ? { eventId: none } : {}),
      );
      const failed = [7, 507, 1_007].map((row) => [row, 'EVENT_NOT_FOUND']);
      proxy.faults = [
        [/import$/, busy],
        [/import$/, losesTheAnswer],
        [/import$/, limited],
        [/rows/, breaksOff],
      ];
      const command: Command = {
        do: 'import',
        path: '/v0/credits/import',
        rows,
        key: 'monday',
        batchRows: 1_000,
      };
      const { value: report, retries } = await run(command);
      expect(report).toEqual({
        jobs: [expect.any(String), expect.any(String)],
        total: 1_010,
        succeeded: 1_007,
        alreadyImported: 0,
        last: [1_010, 1_010],
        failed,
      });
      expect(retries).toEqual([503, null, 429, null]);
      expect((await api.get('/v0/credits?page[size]=1', token)).body.page.totalResults).toBe(1_007);
      // A program that crashed continues: these are the same jobs, and rows.
      expect(await value(command)).toEqual(report);
      const keys = proxy.seen.flatMap(({ headers }) => headers['idempotency-key'] ?? []);
      expect([...new Set(keys)]).toEqual(['monday/0', 'monday/1000']);
    },
  ],
  [
    'names each import, so that repeating it after a lost response imports nothing twice',
    async ({ run }) => {
      const command: Command = {
        do: 'post',
        path: '/v0/credits/import',
        body: { credits: [credit('once')] },
      };
      proxy.faults = [[ANY, losesTheAnswer]];
      expect(await run(command)).toMatchObject({ value: { totalRows: 1 }, retries: [null] });
      await run(command);
      const [first, again, other] = proxy.seen.map(({ headers }) => headers['idempotency-key']);
      expect([again, other === first, paths().length]).toEqual([first, false, 3]);
    },
  ],
  [
    'throws if a row is malformed, of as many as a request can have',
    async ({ run }) => {
      const rows = [credit('good'), { ...credit('bad'), email: 'nobody' }];
      for (let i = 0; i < 10_000; i++) rows.push(credit(`credit-${i}`));
      const { error } = await run({ do: 'import', path: '/v0/credits/import', rows, key: 'bad' });
      expect(error).toMatchObject({ status: 400, problems: [expect.objectContaining({ row: 1 })] });
    },
  ],
];

/** Published with Standard Webhooks, and verified by its libraries. */
const PUBLISHED = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  body: '{"test": 2432232314}',
  now: 1_614_265_330,
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
};
const { headers } = PUBLISHED;
const signature = headers['webhook-signature'];
const OTHER_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const WITHOUT = Object.keys(headers).map((name) => [
  `no ${name}`,
  { headers: Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name)) },
]) as [string, object][];

const SIGNATURES: [name: string, given: Partial<typeof PUBLISHED>, isValid: boolean][] = [
  ['as published', {}, true],
  ['five minutes old', { now: PUBLISHED.now + 299 }, true],
  ['of a clock that is ahead', { now: PUBLISHED.now - 299 }, true],
  ['one of several', { headers: { ...headers, 'webhook-signature': `v1,AAAA v2,x ${signature}` } }, true],
  ['too old', { now: PUBLISHED.now + 301 }, false],
  ['from the future', { now: PUBLISHED.now - 301 }, false],
  ['of another secret', { secret: OTHER_SECRET }, false],
  ['of another body', { body: '{"test": 2432232315}' }, false],
  ['of another id', { headers: { ...headers, 'webhook-id': 'msg_other' } }, false],
  ['of another time', { headers: { ...headers, 'webhook-timestamp': '1614265331' } }, false],
  [
    'another version',
    { headers: { ...headers, 'webhook-signature': signature.replace('v1', 'v1a') } },
    false,
  ],
  ['shortened', { headers: { ...headers, 'webhook-signature': signature.slice(0, -4) } }, false],
  ['not a time', { headers: { ...headers, 'webhook-timestamp': 'soon' } }, false],
  ...WITHOUT.map(([name, given]): [string, object, boolean] => [name, given, false]),
];

const WEBHOOKS: Row[] = [
  [
    'accepts and refuses signatures as Standard Webhooks says',
    async ({ value }) => {
      const requests = SIGNATURES.map(([, given]) => ({ ...PUBLISHED, ...given }));
      const verified = await value({ do: 'verify', requests });
      const expected = SIGNATURES.map(([name, , isValid]) => [
        name,
        isValid ? { test: 2432232314 } : 'refused',
      ]);
      expect(SIGNATURES.map(([name], i) => [name, verified[i]])).toEqual(expected);
    },
  ],
  [
    'accepts what Startline sends, with text beyond ASCII and two secrets',
    async ({ value }) => {
      const secrets = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
      const body = '{"id":"a","type":"partner.created","data":{"name":"Zoë 🏃"}}';
      const sent = {
        'Webhook-Id': 'a',
        'Webhook-Timestamp': `${PUBLISHED.now}`,
        'Webhook-Signature': signatureOf(secrets, 'a', PUBLISHED.now, body),
      };
      const requests = secrets.map((each) => ({
        ...{ body, headers: sent, now: PUBLISHED.now },
        secret: `whsec_${each.toString('base64')}`,
      }));
      expect(await value({ do: 'verify', requests })).toEqual(secrets.map(() => JSON.parse(body)));
    },
  ],
];

const COPIES: Row[] = [
  [
    'finds by digests what is missing, old and superfluous in a copy, repairs it, and proves it',
    async ({ value, join, listed, token }) => {
      await join(40);
      await eventually(
        async () => (await api.get('/v0/participants/digest', token)).body.changed.length === 0,
      );
      const ids = (await listed()).sort();
      expect(await value({ do: 'repair', path: '/v0/participants' })).toEqual({
        noticed: true,
        complete: true,
        ids,
      });
    },
  ],
];

if (!python) process.stderr.write('Python 3.11 is not installed: its client is not run through this table\n');

describe.each([
  ['TypeScript', inTypeScript, describe],
  ['Python', clientForPython, python ? describe : describe.skip],
] as const)('the client for %s', (_, driver, orSkip) => {
  orSkip.each([
    ['requests', REQUESTS],
    ['lists', LISTS],
    ['changes', CHANGES],
    ['imports', IMPORTS],
    ['webhooks', WEBHOOKS],
    ['copies', COPIES],
  ])('%s', (__, rows) => {
    it.each(rows)('%s', async (___, check) => check(await worldOf(driver)));
  });
});
