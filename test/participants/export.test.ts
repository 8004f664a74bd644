import { parse } from 'csv-parse';
import { readSheet } from '#libs/sheets';
import { booking, bookingFormField, key, organization } from '#libs/testing';
import { newId } from '#platform/database';
import { Lists } from '#platform/queries';
import { eventually, startApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_EXPORT: '1000' });
});
afterAll(() => api.close());
afterEach(() => jest.restoreAllMocks());

const PATH = '/v0/participants/export';
const answer = (key: string, value: unknown, id = newId()) => ({ id, key, label: key, type: 'TEXT', value });

/** A separate organization, so that each test knows every participant. */
async function another(): Promise<{ organizationId: string; token: string }> {
  const { id: organizationId } = await organization(api.dataSource);
  return { organizationId, token: (await key(api.dataSource, { organizationId })).token };
}
const asCsv = async (token: string, query = '') => {
  const { status, text, headers } = await api.get(`${PATH}?format=csv${query}`, token);
  expect(status).toBe(200);
  const records: string[][] = await parse(text, { bom: true, relax_column_count: true }).toArray();
  const [header = [], ...rows] = records;
  const end = rows.pop();
  return {
    headers,
    end,
    rows: rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]]))),
  };
};
const asNdjson = async (token: string, query = '') => {
  const { status, text } = await api.get(`${PATH}?format=ndjson${query}`, token);
  expect(status).toBe(200);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { end: lines.pop(), items: lines };
};

/** Copies the participant of a booking this many times. */
async function multiply(bookingId: string, many: number): Promise<void> {
  const columns: { name: string }[] = await api.dataSource.query(
    `SELECT quote_ident(column_name) AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = 'start_list_entries' AND column_name NOT IN ('id', 'participant_id') AND is_generated = 'NEVER'`,
  );
  const list = columns.map(({ name }) => name).join(', ');
  await api.dataSource.query(
    `INSERT INTO start_list_entries (id, participant_id, ${list})
     SELECT overlay(gen_random_uuid()::text PLACING '7' FROM 15)::uuid,
       overlay(gen_random_uuid()::text PLACING '7' FROM 15)::uuid, ${list}
     FROM start_list_entries, generate_series(1, $2) WHERE booking_id = $1`,
    [bookingId, many],
  );
}

describe('GET /v0/participants/export', () => {
  it('contains the list, each participant once, across pages, and an end marker', async () => {
    const { organizationId, token } = await another();
    const { id } = await booking(api.dataSource, { organizationId });
    await multiply(id, 1_100);
    const { items, end } = await asNdjson(token);
    expect(end).toEqual({ end: true, rows: 1_101 });
    expect(new Set(items.map((item) => item.id)).size).toBe(1_101);
    const { data } = (await api.get('/v0/participants?page%5Bsize%5D=3', token)).body;
    expect(items.slice(0, 3)).toEqual(data);
    const { rows, end: last } = await asCsv(token);
    expect(last).toEqual(['#end', '1101']);
    expect(rows.map(({ participantId }) => participantId)).toEqual(items.map((item) => item.id));
  });

  it('has a column for each question, and keeps text unchanged', async () => {
    const { organizationId, token } = await another();
    const field = await bookingFormField(api.dataSource, { organizationId, key: 'sizes' });
    const name = 'Zoë "Ada", 大\nline';
    await booking(api.dataSource, {
      organizationId,
      externalBookingId: 'ORDER-9',
      entries: [
        {
          bibNumber: '42',
          bibClaim: '42',
          tags: ['a', 'b'],
          fields: [answer('firstName', name), answer('sizes', ['S', 'M'], field.id)],
        },
      ],
    });
    const { rows, headers } = await asCsv(token);
    expect(rows).toEqual([
      expect.objectContaining({
        ...{ externalBookingId: 'ORDER-9', bibNumber: '42', tags: 'a; b', firstName: name, lastName: '' },
        ...{ cancelled: 'false', 'answer.sizes': 'S; M' },
      }),
    ]);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe('attachment; filename="participants.csv"');
  });

  it('has one line of NDJSON for each participant, whatever a program takes for the end of a line', async () => {
    const { organizationId, token } = await another();
    const name = 'Ada\u2028King\u2029of\u0085Lovelace';
    await booking(api.dataSource, { organizationId, entries: [{ fields: [answer('firstName', name)] }] });
    const { text } = await api.get(`${PATH}?format=ndjson`, token);
    expect(text).not.toMatch(/[\u0085\u2028\u2029]/);
    expect((await asNdjson(token)).items[0]?.fields[0].value).toBe(name);
  });

  it('escapes formulas in CSV only', async () => {
    const { organizationId, token } = await another();
    // A spreadsheet may separate cells at semicolons or tabs, whatever quotes say. One apostrophe more is reversible.
    const starts = ['=1+1', '+1', '-1', '@SUM(A1)', '＝1', '＋1', '－1', '＠1'];
    const written: Record<string, string> = {
      ...Object.fromEntries(starts.map((text) => [text, `'${text}`])),
      ...{
        '\t=1': "'\t'=1",
        '\r=1': "'\r'=1",
        '\n=1': "'\n'=1",
        '\tAda': "'\tAda",
        "'=1": "''=1",
        "''+1;'-2": "'''+1;''-2",
      },
      ...{
        'a;=1+1;b': "a;'=1+1;b",
        'a\t@x': "a\t'@x",
        'a\n-1': "a\n'-1",
        'a|+1': "a|'+1",
        'a\u2028=1': "a\u2028'=1",
        'a\u2029=1': "a\u2029'=1",
        'a\u0085=1': "a\u0085'=1",
        'a; "=1"': `a; "'=1"`,
      },
      ...{ 'a-b, +44': 'a-b, +44', "Ada's; x=1": "Ada's; x=1", '2;3': '2;3' },
    };
    const formulas = Object.keys(written).filter((text) => text !== '2;3');
    for (const value of formulas) {
      await booking(api.dataSource, { organizationId, entries: [{ fields: [answer('firstName', value)] }] });
    }
    await bookingFormField(api.dataSource, { organizationId, key: '=cmd' });
    const { rows } = await asCsv(token);
    expect(rows.map(({ firstName }) => firstName)).toEqual(formulas.map((value) => written[value]));
    expect(Object.keys(rows[0] ?? {}).at(-2)).toBe('answer.=cmd');
    const { items } = await asNdjson(token);
    expect(items.map(({ fields }) => fields[0].value)).toEqual(formulas);
  });

  it('supports the filters of the list', async () => {
    const { organizationId, token } = await another();
    const [one] = [
      await booking(api.dataSource, { organizationId }),
      await booking(api.dataSource, { organizationId }),
    ];
    const raceId = one?.entries[0]?.raceId;
    for (const query of [
      `&raceId=${raceId}`,
      `&raceId=${raceId}&updatedAt%5Bafter%5D=2020-01-01T00:00:00Z`,
    ]) {
      await eventually(async () => (await asNdjson(token, query)).items.length === 1);
      expect((await asCsv(token, query)).rows).toMatchObject([{ raceId }]);
    }
    const refused: [query: string, says: string][] = [
      ['?format=xlsx', 'format must be one of csv, ndjson'],
      ['?page%5Bsize%5D=10', 'is not a known query parameter'],
      ['?tag=club', 'tag requires features=tags'],
    ];
    for (const [query, says] of refused) {
      const { status, body } = await api.get(PATH + query, token);
      expect([status, body.message]).toEqual([400, expect.stringContaining(says)]);
    }
  });

  it('contains an end marker if nothing matches, and no participants of other organizations', async () => {
    const { organizationId } = await another();
    await booking(api.dataSource, { organizationId });
    const { token } = await another();
    expect(await asNdjson(token)).toEqual({ end: { end: true, rows: 0 }, items: [] });
    expect((await asCsv(token)).end).toEqual(['#end', '0']);
  });

  it('is recorded in the audit log, with the names of the filters only', async () => {
    const { organizationId, token } = await another();
    await asCsv(token, '&email=ada%40example.com');
    const log = await api.dataSource.query(
      'SELECT action, details FROM audit_log WHERE organization_id = $1',
      [organizationId],
    );
    expect(log).toEqual([{ action: 'participant.export', details: { format: 'csv', filters: ['email'] } }]);
  });

  it('rejects restricted keys, other kinds, and requests beyond its rate limit', async () => {
    const { organizationId } = await another();
    for (const given of [
      { kind: 'TIMING' },
      { kind: 'MARKETPLACE' },
      { endpoints: ['registrationStatus'] },
    ] as const) {
      const { token } = await key(api.dataSource, { organizationId, ...given } as never);
      expect((await api.get(PATH, token)).status).toBe(403);
    }
    const limited = await startApi({ RATE_EXPORT: '2' });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) statuses.push((await limited.get(PATH)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await limited.get('/v0/participants')).status).toBe(200);
    await limited.close();
  });
});

/** Protects the memory of the process, and clients from taking a broken export for a complete one. */
describe('a long export', () => {
  const ROWS = 10_001;
  let token: string;
  beforeAll(async () => {
    const mine = await another();
    token = mine.token;
    const { id } = await booking(api.dataSource, { organizationId: mine.organizationId });
    await multiply(id, ROWS - 1);
  });

  /** The numbers of participants that were read so far, by export. */
  function rowsRead(): number[] {
    const read: number[] = [];
    const walk = Lists.prototype.walk;
    jest.spyOn(Lists.prototype, 'walk').mockImplementation(async function* (this: Lists, ...given) {
      const mine = read.push(0) - 1;
      for await (const group of walk.apply(this, given)) {
        read[mine] = (read[mine] ?? 0) + group.length;
        yield group;
      }
    });
    return read;
  }
  const open = (signal: AbortSignal, encoding: string) =>
    fetch(`${api.url}${PATH}?format=ndjson`, {
      signal,
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': encoding },
    });

  it('reads no faster than the client, and stops when the client disconnects', async () => {
    const read = rowsRead();
    const client = new AbortController();
    // Compressed, all of it would fit into the buffers of the sockets.
    const { body } = await open(client.signal, 'identity');
    await body?.getReader().read();
    // Another export is read from the beginning to the end meanwhile.
    await (await open(new AbortController().signal, 'identity')).text();
    expect(read).toEqual([expect.any(Number), ROWS]);
    expect(read[0]).toBeLessThan(7_000);
    client.abort();
    await eventually(async () =>
      /^startline_requests_under_way 1$/m.test((await api.get('/metrics', null)).text),
    );
    const atEnd = read[0];
    expect(atEnd).toBeLessThan(8_200);
    await (await open(new AbortController().signal, 'identity')).text();
    expect(read[0]).toBe(atEnd);
  });

  it.each(['identity', 'gzip'])(
    'breaks the connection without an end marker if it fails, with Accept-Encoding %s',
    async (encoding) => {
      const walk = Lists.prototype.walk;
      jest.spyOn(Lists.prototype, 'walk').mockImplementation(async function* (this: Lists, ...given) {
        let read = 0;
        for await (const group of walk.apply(this, given)) {
          if (++read > 3) throw new Error('the database went away');
          yield group;
        }
      });
      const response = await open(new AbortController().signal, encoding);
      expect(response.status).toBe(200);
      await expect(response.text()).rejects.toThrow();
    },
  );
});

it('is read again with the texts that participants have, formulas included', async () => {
  const { organizationId, token } = await another();
  const name = "'=1+1;+2\n@x";
  await booking(api.dataSource, { organizationId, entries: [{ fields: [answer('firstName', name)] }] });
  const { text } = await api.get(`${PATH}?format=csv`, token);
  const { ours, columns, rows } = await readSheet(new TextEncoder().encode(text));
  expect([ours, rows.length, rows[0]?.broken]).toEqual([true, 1, undefined]);
  expect(rows[0]?.cells[columns.indexOf('firstName')]).toBe(name);
});

/** A client that reads slowly keeps an export going for hours. */
describe('an export whose key loses rights meanwhile', () => {
  const lost: Record<string, (id: string, organizationId: string) => [string, string]> = {
    'is revoked': (id) => ['UPDATE api_keys SET revoked_at = now() WHERE id = $1', id],
    expires: (id) => ["UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", id],
    'reaches fewer occurrences': (id) => [
      'UPDATE api_keys SET event_occurrence_ids = ARRAY[uuid_v7()] WHERE id = $1',
      id,
    ],
    'belongs to an organization that is closed': (_, organizationId) => [
      'UPDATE organizations SET deleted_at = now() WHERE id = $1',
      organizationId,
    ],
  };
  it.each(Object.keys(lost))('breaks off after the key %s', async (what) => {
    const { id: organizationId } = await organization(api.dataSource);
    const { token, id } = await key(api.dataSource, { organizationId });
    await booking(api.dataSource, { organizationId, entries: 3 });
    const [statement, of] = (lost[what] as (typeof lost)[string])(id, organizationId);
    const lists = api.app.get(Lists);
    const before = await api.get('/identity', token);
    let answered = () => {};
    const answer = new Promise<void>((resolve) => (answered = resolve));
    jest.spyOn(lists, 'walk').mockImplementation(async function* () {
      yield ['{"participantId":"1"}'];
      await api.home.query(statement, [of]);
      await eventually(async () => (await api.get('/identity', token)).text !== before.text);
      // A connection that breaks off before its response is read has none.
      await answer;
      yield ['{"participantId":"2"}'];
    });
    const response = await fetch(`${api.url}${PATH}?format=ndjson`, {
      headers: { authorization: `Bearer ${token}` },
    });
    answered();
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });
});
