import { Client } from 'pg';
import { booking, key, openApiDocument, partner } from '#libs/testing';
import { appUrlOf, Watermark } from '#platform/database';
import { operationsOf } from '#platform/http';
import type { ListDeclaration } from '#platform/queries';
import { eventually, sharedApi, type TestApi } from '../harness';

/** No lost updates for pollers (docs/interface.md#polling-for-changes), for every list with `updatedAt`. */

const WRITERS = 6;
const ROUNDS = 15;
const ROWS_EACH = 8;

let api: TestApi;
let bookingId: string;
let eventId: string;
let raceId: string;
let ticketId: string;
let timingToken: string;
let clients: Client[] = [];
beforeAll(async () => {
  api = await sharedApi();
  clients = Array.from({ length: WRITERS }, () => new Client({ connectionString: api.databaseUrl }));
  await Promise.all(clients.map((client) => client.connect()));
  const { organizationId, dataSource } = api;
  const made = await booking(dataSource, { organizationId, entries: WRITERS * ROWS_EACH });
  ({ eventId, raceId, ticketId, bookingId } = made.entries[0] as Record<
    'eventId' | 'raceId' | 'ticketId' | 'bookingId',
    string
  >);
  timingToken = (await key(dataSource, { organizationId, kind: 'TIMING' })).token;
  await Promise.all(
    Array.from({ length: WRITERS * ROWS_EACH }, () => partner(dataSource, { organizationId })),
  );
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await api.close();
});
afterEach(() => jest.restoreAllMocks());

const connect = async () => {
  const client = new Client({ connectionString: api.databaseUrl });
  await client.connect();
  return client;
};

/**
 * Changes and adds rows in transactions that stay open after `updated_at` was set, so that many transactions overlap.
 */
async function write(client: Client, writer: number): Promise<void> {
  const { organizationId } = api;
  const own = (table: string) => /* sql */ `
    SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM ${table} WHERE organization_id = $1) numbered
    WHERE n % ${WRITERS} = $2 ORDER BY random() LIMIT 4`;
  for (let round = 0; round < ROUNDS; round++) {
    const mark = `writer ${writer}, round ${round}`;
    await client.query('BEGIN');
    await client.query(
      `UPDATE start_list_entries SET tags = ARRAY[$3] WHERE organization_id = $1 AND id IN (${own('start_list_entries')})`,
      [organizationId, writer, mark],
    );
    await client.query(
      `INSERT INTO start_list_entries (organization_id, id, participant_id, participant_index, booking_id, event_id,
         event_occurrence_id, race_id, ticket_id, approval_status, application_resolution_type, original_price_value,
         original_price_currency)
       SELECT organization_id, uuid_v7(), uuid_v7(), n, booking_id, event_id, event_occurrence_id, race_id, ticket_id,
         'APPROVED', 'INSTANT', 0, 'ZERO'
       FROM start_list_entries e, generate_series(1, 4) n
       WHERE e.organization_id = $1 AND e.ticket_id = $2 AND e.participant_index = 0 AND e.created_at =
         (SELECT min(created_at) FROM start_list_entries WHERE organization_id = $1 AND ticket_id = $2)`,
      [organizationId, ticketId],
    );
    for (const [table, change] of [
      ['bookings', 'total_value = total_value + 1'],
      ['line_items', 'amount_value = amount_value + 1'],
    ] as const)
      await client.query(
        `UPDATE ${table} SET ${change} WHERE organization_id = $1 AND id IN (${own(table)})`,
        [organizationId, writer],
      );
    await client.query(
      `WITH added AS (
         INSERT INTO bookings (organization_id, id, source, event_id, event_occurrence_id, transaction_id, currency_code, total_value)
         SELECT organization_id, uuid_v7(), source, event_id, event_occurrence_id, uuid_v7(), 'GBP', 0
         FROM bookings, generate_series(1, 5) WHERE organization_id = $1 AND id = $2
         RETURNING id)
       INSERT INTO line_items (organization_id, id, booking_id, item_type, name, amount_value, currency_code)
       SELECT $1, uuid_v7(), $2, 'DONATION', 'Donation', 0, 'GBP' FROM added`,
      [organizationId, bookingId],
    );
    await client.query('SELECT pg_sleep(random() * 0.02)');
    await client.query(
      `UPDATE partners SET description = $3 WHERE organization_id = $1 AND id IN (${own('partners')})`,
      [organizationId, writer, mark],
    );
    await client.query(
      `INSERT INTO partners (organization_id, id, name) SELECT $1, uuid_v7(), $2 FROM generate_series(1, 4)`,
      [organizationId, mark],
    );
    await client.query('SELECT pg_sleep(random() * 0.02)');
    await client.query(round % 7 === 3 ? 'ROLLBACK' : 'COMMIT');
  }
}

type Item = { id?: string; participantId?: string; updatedAt: string };
const idOf = ({ id, participantId }: Item) => (id ?? participantId) as string;
interface List {
  name: string;
  path: string;
  byCreation: boolean;
}

/** Every list that shows `updatedAt`, as the app declares it. */
const lists = (): List[] => {
  const paths = Object.entries(openApiDocument().paths as Record<string, { get?: { operationId: string } }>);
  return operationsOf(api.app).flatMap(({ name, keys, answers }) => {
    if (keys.length === 0) return [];
    const { times } = answers as ListDeclaration;
    if (typeof answers === 'function' || !times) return [];
    const [path = ''] = paths.find(([, { get }]) => get?.operationId === name) ?? [];
    const parents: Record<string, string> = { events: eventId, races: raceId };
    const byCreation = times.createdAt !== undefined;
    return [
      { name, byCreation, path: path.replace('{id}', parents[answers.within?.parent ?? ''] ?? '{id}') },
    ];
  });
};

const query = (parameters: Record<string, string | number>) =>
  new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

async function ask(path: string, parameters: Record<string, string | number>) {
  const token = path.startsWith('/timing-inbound/') ? timingToken : undefined;
  const { status, body } = await api.get(`${path}?${query(parameters)}`, token);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${body.message}`);
  return body as { data: Item[]; page: Record<'first' | 'last' | 'prev' | 'next', string> };
}

/** Newest state by id, and whether there is nothing new to read at the moment. */
abstract class Poller {
  readonly seen = new Map<string, string>();
  protected highest = '2000-01-01T00:00:00Z';

  constructor(
    readonly path: string,
    protected readonly size: number,
  ) {}

  /** @returns whether it found nothing */
  abstract poll(): Promise<boolean>;

  protected keep(items: Item[]): void {
    for (const item of items) {
      this.seen.set(idOf(item), item.updatedAt);
      if (item.updatedAt > this.highest) this.highest = item.updatedAt;
    }
  }
}

class CursorWalk extends Poller {
  private cursor = '';

  async poll(): Promise<boolean> {
    const { data, page } = await ask(this.path, {
      'sort[updatedAt]': 1,
      'page[size]': this.size,
      'page[after]': this.cursor,
    });
    this.keep(data);
    this.cursor = page.last || this.cursor;
    return data.length === 0;
  }
}

class HighestSeen extends Poller {
  async poll(): Promise<boolean> {
    const { data } = await ask(this.path, { 'updatedAt[after]': this.highest, 'page[size]': this.size });
    this.keep(data);
    return data.length === 0;
  }
}

/** Pages by creation to the end, and only then continues from the highest `updatedAt`. */
class HighestSeenByCreation extends Poller {
  async poll(): Promise<boolean> {
    const after = this.highest;
    for (let cursor = '', pages = 0; ; pages++) {
      const { data, page } = await ask(this.path, {
        'updatedAt[after]': after,
        'sort[createdAt]': 1,
        'page[size]': this.size,
        'page[after]': cursor,
      });
      this.keep(data);
      if (!page.next) return pages === 0 && data.length === 0;
      cursor = page.next;
    }
  }
}

const PATTERNS = { CursorWalk, HighestSeen, HighestSeenByCreation };
const patternsOf = ({ byCreation }: List) =>
  Object.entries(PATTERNS).filter(([, Pattern]) => byCreation || Pattern !== HighestSeenByCreation);

/** The content of the list after all writes. */
async function everything(path: string): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (let cursor = ''; ; ) {
    const { data, page } = await ask(path, { 'page[size]': 500, 'page[after]': cursor });
    for (const item of data) all.set(idOf(item), item.updatedAt);
    if (!page.next) return all;
    cursor = page.next;
  }
}

/**
 * Runs all pollers and all writers concurrently; returns the number of items that each poller does not have in their
 * newest state.
 */
async function missedWhileWriting(
  read: List[],
): Promise<{ poller: string; items: number; missed: number }[]> {
  const watermark = api.app.get(Watermark);
  const pollers = read.flatMap((list) =>
    patternsOf(list).map(([pattern, Pattern], i) => ({
      name: `${list.name} by ${pattern}`,
      poller: new Pattern(list.path, [200, 100, 500][i] as number),
    })),
  );
  let settled = false;
  const reading = pollers.map(async ({ poller }) => {
    for (;;) {
      const last = settled;
      const empty = await poller.poll();
      if (last && empty) return;
    }
  });
  await Promise.all(clients.map(write));
  const [{ latest }] = await api.dataSource.query(
    `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS latest`,
  );
  await eventually(async () => watermark.now() > latest);
  settled = true;
  await Promise.all(reading);

  const contents = new Map<string, Map<string, string>>();
  for (const { path } of read) contents.set(path, await everything(path));
  const outcome = [];
  for (const { name, poller } of pollers) {
    const all = contents.get(poller.path) as Map<string, string>;
    const missed = [...all].filter(([id, updatedAt]) => poller.seen.get(id) !== updatedAt).length;
    outcome.push({ poller: name, items: all.size, missed });
  }
  return outcome;
}

describe('pollers with concurrent writers that commit out of order', () => {
  it('see every change, on every list and in every pattern', async () => {
    const outcome = await missedWhileWriting(lists());
    expect(outcome).toHaveLength(lists().flatMap(patternsOf).length);
    expect(lists().length).toBeGreaterThanOrEqual(5);
    expect(Math.min(...outcome.map(({ items }) => items))).toBeGreaterThan(300);
    expect(outcome.filter(({ missed }) => missed > 0)).toEqual([]);
  });

  it.each(Object.entries(PATTERNS))('miss a change without the watermark: %s', async (_, Pattern) => {
    const own = 'FROM partners WHERE organization_id = $1';
    const change = (order: string) =>
      `UPDATE partners SET description = gen_random_uuid() WHERE organization_id = $1 AND id = (SELECT ${order}(id::text)::uuid ${own})
       RETURNING id`;
    const sees = async (poller: Poller): Promise<boolean> => {
      const toTheEnd = async () => {
        while (!(await poller.poll()));
      };
      await toTheEnd();
      const [slow, quick] = clients as [Client, Client];
      await slow.query('BEGIN');
      const [{ id }] = (await slow.query(change('min'), [api.organizationId])).rows;
      await quick.query(change('max'), [api.organizationId]);
      await toTheEnd();
      await slow.query('COMMIT');
      const newest = (await everything('/v0/partners')).get(id);
      await toTheEnd();
      return poller.seen.get(id) === newest;
    };
    jest.spyOn(api.app.get(Watermark), 'of').mockResolvedValue('9000-01-01T00:00:00.000000Z');
    expect(await sees(new Pattern('/v0/partners', 500))).toBe(false);
  });
});

describe('a page that would end within a microsecond', () => {
  it('ends before it, for pollers that continue from the highest value they saw', async () => {
    const { organizationId, dataSource } = api;
    const at = '2020-01-01T00:00:00';
    const stamps = ['.000001', '.000002', '.000002', '.000002', '.000003', '.000004', '.000004'];
    await dataSource.query('ALTER TABLE partners DISABLE TRIGGER keep_times_on_insert');
    for (const stamp of stamps) {
      await dataSource.query(
        `INSERT INTO partners (organization_id, id, name, created_at, updated_at) VALUES ($1, uuid_v7(), $2, $3, $3)`,
        [organizationId, `Partner ${stamp}`, `${at}${stamp}Z`],
      );
    }
    await dataSource.query('ALTER TABLE partners ENABLE TRIGGER keep_times_on_insert');

    const pages: string[][] = [];
    let highest = '2019-01-01T00:00:00Z';
    for (;;) {
      const { data } = await ask('/v0/partners', {
        'updatedAt[after]': highest,
        'updatedAt[before]': '2021-01-01T00:00:00Z',
        'page[size]': 3,
      });
      if (data.length === 0) break;
      pages.push(data.map(({ updatedAt }) => updatedAt.slice(19, 26)));
      highest = data.at(-1)?.updatedAt as string;
    }
    expect(pages.flat()).toEqual(stamps);
    expect(pages.map(({ length }) => length)).toEqual([1, 3, 3]);
  });
});

describe('the watermark', () => {
  const watermarkAt = async (client: Client): Promise<string | null> =>
    (await client.query('SELECT horizon() AS at')).rows[0].at;
  const UPDATE = `UPDATE partners SET description = 'changed' WHERE id = (SELECT id FROM partners LIMIT 1)
    RETURNING to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`;

  it('stays below the writes of a transaction in progress, also for a reader with an older snapshot', async () => {
    const [writer, reader] = [await connect(), await connect()];
    await reader.query('BEGIN');
    await watermarkAt(reader);
    await writer.query('BEGIN');
    const { at } = (await writer.query(UPDATE)).rows[0];
    expect(((await watermarkAt(reader)) as string) < at).toBe(true);
    expect(((await watermarkAt(clients[0] as Client)) as string) < at).toBe(true);
    await writer.query('COMMIT');
    await eventually(async () => ((await watermarkAt(clients[0] as Client)) ?? '') > at);
    await Promise.all([writer.end(), reader.end()]);
  });

  it('includes transactions of other roles, if the owner can see them', async () => {
    const [writer, reader] = [await connect(), new Client({ connectionString: appUrlOf(api.databaseUrl) })];
    await reader.connect();
    await writer.query('BEGIN');
    const { at } = (await writer.query(UPDATE)).rows[0];
    expect(((await watermarkAt(reader)) as string) < at).toBe(true);
    await writer.query('COMMIT');
    await eventually(async () => ((await watermarkAt(reader)) ?? '') > at);
    await Promise.all([writer.end(), reader.end()]);
  });

  it('is unavailable while a role writes whose transactions it cannot see', async () => {
    const role = `reader_${process.pid}_${Date.now()}`;
    const [writer, reader] = [await connect(), await connect()];
    await reader.query(`CREATE ROLE ${role}`);
    // As `migrate` leaves it if the owner cannot see them either.
    await reader.query('ALTER FUNCTION horizon() SECURITY INVOKER');
    await reader.query(`SET ROLE ${role}`);
    // Other sessions may write for a moment: the API itself, or autovacuum.
    const given = () => eventually(async () => /^2\d{3}-/.test((await watermarkAt(reader)) ?? ''));
    await writer.query('BEGIN');
    await writer.query('SELECT count(*) FROM partners');
    await given();
    await writer.query(UPDATE);
    expect(await watermarkAt(reader)).toBeNull();
    await writer.query('COMMIT');
    await given();
    await reader.query('RESET ROLE');
    await reader.query('ALTER FUNCTION horizon() SECURITY DEFINER');
    await reader.query(`DROP ROLE ${role}`);
    await Promise.all([writer.end(), reader.end()]);
  });
});
