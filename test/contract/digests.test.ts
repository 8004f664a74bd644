import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  booking,
  copiesOf,
  key,
  lineItem,
  organization,
  partner,
  reservedEntryGroup,
  ticket,
} from '#libs/testing';
import { type Digest, Digests, instant } from '#platform/queries';
import { eventually, sharedApi, type TestApi } from '../harness';

/** Digests (docs/syncing.md#check-the-copy): they equal what a complete copy of the list contains. */

const LISTS = ['participants', 'applications', 'partners', 'bookings', 'line-items'] as const;
type List = (typeof LISTS)[number];

/** Of rows to which nothing refers. */
const TABLES: Record<List, [table: string, condition: string]> = {
  participants: ['start_list_entries', "t.approval_status = 'APPROVED'"],
  applications: ['start_list_entries', "t.approval_status = 'PENDING'"],
  partners: ['partners', 'NOT EXISTS (SELECT FROM reserved_entry_groups g WHERE g.partner_id = t.id)'],
  bookings: ['bookings', 'NOT EXISTS (SELECT FROM start_list_entries e WHERE e.booking_id = t.id)'],
  'line-items': ['line_items', 'true'],
};

let api: TestApi;
let ofPartner: string;
beforeAll(async () => {
  api = await sharedApi();
  const { dataSource, organizationId } = api;
  const charity = await partner(dataSource, { organizationId });
  const sold = await ticket(dataSource, { organizationId });
  const group = await reservedEntryGroup(dataSource, {
    organizationId,
    partnerId: charity.id,
    ticketId: sold.id,
  });
  ofPartner = (await key(dataSource, { organizationId, partnerId: charity.id })).token;
  const entries = Array.from({ length: 40 }, (_, i) => ({
    approvalStatus: i % 4 === 0 ? ('PENDING' as const) : ('APPROVED' as const),
    ...(i % 3 === 0 && { reservedEntryGroupId: group.id }),
  }));
  await booking(dataSource, { organizationId, ticketId: sold.id, entries });
  for (let i = 0; i < 5; i++) await partner(dataSource, { organizationId });
  for (let i = 0; i < 5; i++) {
    const through = [{ reservedEntryGroupId: group.id }];
    const { id: bookingId } = await booking(dataSource, {
      organizationId,
      ticketId: sold.id,
      entries: through,
    });
    await lineItem(dataSource, { organizationId, bookingId });
  }
  for (let i = 0; i < 2; i++) await booking(dataSource, { organizationId, ticketId: sold.id, entries: 0 });
  const { id: others } = await organization(dataSource);
  await booking(dataSource, { organizationId: others, entries: 20 });
});
afterAll(() => api?.close());

const copyOf = async (list: List, token?: string): Promise<Map<string, string>> => {
  const { body } = await api.get(`/v0/${list}?page%5Bsize%5D=500`, token);
  return new Map(body.data.map(({ id, updatedAt }: { id: string; updatedAt: string }) => [id, updatedAt]));
};

const digestOf = async (list: List, token?: string, bucket?: string): Promise<Digest> => {
  const { status, body, text } = await api.get(
    `/v0/${list}/digest${bucket ? `?bucket=${bucket}` : ''}`,
    token,
  );
  if (status !== 200) throw new Error(text);
  return body;
};

/** The buckets of a copy, as the owner of a copy makes them. */
function bucketsOf(copy: Map<string, string>, { watermark, changed }: Digest) {
  const leftOut = new Set(changed);
  const ids = [...copy.keys()]
    .filter((id) => !leftOut.has(id) && (copy.get(id) as string) <= watermark)
    .sort();
  return Array.from({ length: 256 }, (_, byte) => {
    const bucket = byte.toString(16).padStart(2, '0');
    const own = ids.filter((id) => id.endsWith(bucket));
    const hash = createHash('sha256');
    for (const id of own) hash.update(`${id} ${copy.get(id)}\n`);
    return { bucket, count: own.length, hash: hash.digest('hex') };
  });
}

const digested = (buckets: Digest['buckets']) => buckets.reduce((sum, { count }) => sum + count, 0);

/** What the process remembers of digests. */
const digests = () =>
  api.app.get(Digests) as unknown as { kept: Map<string, { lines?: Map<string, Buffer> }> };
const linesOf = (list: List): Map<string, Buffer> => {
  const name = list === 'line-items' ? 'lineItems' : list;
  const { lines } = digests().kept.get(`${name} ${api.organizationId}`) ?? {};
  if (!lines) throw new Error(`No lines of ${list}, but of ${[...digests().kept.keys()]}`);
  return lines;
};

/** Changes rows of each list. A pending entry is no participant, so the entries that change are approved. */
const change = async (count: number): Promise<void> => {
  const { dataSource, organizationId } = api;
  for (const [table, rows, change] of [
    ['start_list_entries', "approval_status = 'APPROVED'", 'tags = ARRAY[md5(random()::text)]'],
    ['partners', 'true', 'description = md5(random()::text)'],
    ['bookings', 'true', 'total_value = total_value + 1'],
    ['line_items', 'true', 'name = md5(random()::text)'],
  ])
    await dataSource.query(
      `UPDATE ${table} SET ${change} WHERE organization_id = $1
       AND id IN (SELECT id FROM ${table} WHERE organization_id = $1 AND ${rows} ORDER BY random() LIMIT $2)`,
      [organizationId, count],
    );
};

/** An entry leaves one of the lists, and comes into the other one. */
const decide = (): Promise<unknown> =>
  api.dataSource.query(
    `UPDATE start_list_entries SET approval_status = CASE approval_status WHEN 'PENDING' THEN 'APPROVED' ELSE 'PENDING' END
     WHERE organization_id = $1 AND id = (SELECT id FROM start_list_entries WHERE organization_id = $1 ORDER BY random() LIMIT 1)`,
    [api.organizationId],
  );

/** Runs work while the watermark does not advance. */
async function withoutWatermark(work: () => Promise<void>): Promise<void> {
  const { dataSource } = api;
  const [{ source }] = await dataSource.query(
    `SELECT pg_get_functiondef('horizon()'::regprocedure) AS source`,
  );
  await dataSource.query(
    `CREATE OR REPLACE FUNCTION horizon() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`,
  );
  try {
    await work();
  } finally {
    await dataSource.query(source);
  }
}

describe.each(LISTS)('the digest of %s', (list) => {
  const complete = async (token?: string) => {
    const [{ now }] = await api.dataSource.query(`SELECT ${instant('clock_timestamp()')} AS now`);
    // Everything is below the watermark of the digest, also rows that have left the list and are no longer in `changed`.
    const digest = await eventually(async () => {
      const found = await digestOf(list, token);
      return found.watermark >= now && found;
    });
    expect(digest).toMatchObject({ changed: [] });
    const copy = await copyOf(list, token);
    expect(digested(digest.buckets)).toBe(copy.size);
    return { copy, digest };
  };

  it('equals a complete copy, for the organization and for a partner', async () => {
    // Partners read no line items.
    for (const token of list === 'line-items' ? [api.token] : [api.token, ofPartner]) {
      const { copy, digest } = await complete(token);
      expect(copy.size).toBeGreaterThan(0);
      expect(digest.buckets).toEqual(bucketsOf(copy, digest));
    }
  });

  it('still does after changes, whether its hashes and lines are in memory or not', async () => {
    const { kept } = digests();
    for (let round = 0; round < 5; round++) {
      await change(3);
      await decide();
      const { copy, digest } = await complete();
      const wanted = bucketsOf(copy, digest);
      expect(digest.buckets).toEqual(wanted);
      kept.clear();
      expect((await digestOf(list)).buckets).toEqual(wanted);
      if (round % 2 === 0) for (const each of kept.values()) each.lines = undefined;
    }
  });

  it('leaves out a row that is deleted, whether its hashes or lines are in memory', async () => {
    const { dataSource, organizationId } = api;
    for (const inMemory of ['lines', 'hashes']) {
      const { copy } = await complete();
      if (inMemory === 'hashes') for (const each of digests().kept.values()) each.lines = undefined;
      const [table, condition] = TABLES[list];
      const [deleted] = await dataSource.query(
        `DELETE FROM ${table} t WHERE organization_id = $1 AND ctid = (SELECT ctid FROM ${table} t WHERE organization_id = $1 AND ${condition} LIMIT 1)
         RETURNING id`,
        [organizationId],
      );
      expect(deleted).toHaveLength(1);
      const later = await complete();
      expect(later.copy.size).toBe(copy.size - 1);
      expect(later.digest.buckets).toEqual(bucketsOf(later.copy, later.digest));
    }
  });

  it('reads only the rows that changed since the last one', async () => {
    digests().kept.clear();
    await complete();
    const before = linesOf(list);
    await change(1);
    await complete();
    const later = linesOf(list);
    expect([...later].filter(([bucket, lines]) => before.get(bucket) !== lines).length).toBeLessThanOrEqual(
      1,
    );
  });

  it('differs in the bucket of a row that is missing from the copy, and lists the rows of that bucket', async () => {
    const { copy, digest } = await complete();
    const [missing] = copy.keys();
    const bucket = (missing as string).slice(-2);
    const whole = new Map(copy);
    copy.delete(missing as string);
    const own = bucketsOf(copy, digest);
    expect(digest.buckets.filter(({ hash }, i) => hash !== own[i]?.hash).map((one) => one.bucket)).toEqual([
      bucket,
    ]);
    const { rows, buckets } = await digestOf(list, api.token, bucket);
    expect(buckets).toEqual(digest.buckets.filter((one) => one.bucket === bucket));
    expect(rows).toEqual(
      [...whole]
        .filter(([id]) => id.endsWith(bucket))
        .sort()
        .map(([id, updatedAt]) => ({ id, updatedAt })),
    );
  });

  it('names rows that changed since the watermark instead of counting them', async () => {
    const { copy } = await complete();
    await withoutWatermark(async () => {
      await change(2);
      const digest = await eventually(async () => {
        const found = await digestOf(list);
        return found.changed.length > 0 && found;
      });
      const newer = await copyOf(list);
      // The list of line items ends at the watermark, so it shows none of them.
      const moved = [...copy].filter(([id, at]) => newer.get(id) !== at).map(([id]) => id);
      expect(digest.changed.toSorted()).toEqual(moved.sort());
      expect(digest.buckets).toEqual(bucketsOf(newer, digest));
      expect(digest.buckets).toEqual(bucketsOf(copy, digest));
    });
  });
});

it('has no hashes if more than 10,000 rows changed since the watermark', async () => {
  const { id: organizationId } = await organization(api.dataSource);
  const { token } = await key(api.dataSource, { organizationId });
  const { id } = await partner(api.dataSource, { organizationId });
  await withoutWatermark(async () => {
    await api.dataSource.query(
      `INSERT INTO partners ${copiesOf(
        'p',
        `jsonb_build_object('id', uuid_v7())`,
        'FROM partners p, generate_series(1, 10001) WHERE p.id = $1',
      )}`,
      [id],
    );
    expect(await digestOf('partners', token)).toMatchObject({
      tooManyChanges: true,
      changed: [],
      buckets: [],
    });
  });
});

it('stays exact while others write', async () => {
  let writing = true;
  const writer = (async () => {
    while (writing) await change(2);
  })();
  try {
    for (let round = 0; round < 20; round++) {
      // Rows that changed between the two reads are not in both.
      const before = await digestOf('participants');
      const copy = await copyOf('participants');
      const later = await digestOf('participants');
      const uncertain = new Set([...later.changed, ...before.changed].map((id) => id.slice(-2)));
      for (const [id, at] of copy) if (at > before.watermark) uncertain.add(id.slice(-2));
      const own = bucketsOf(copy, before);
      for (const [i, bucket] of before.buckets.entries())
        if (!uncertain.has(bucket.bucket)) expect(bucket).toEqual(own[i]);
    }
  } finally {
    writing = false;
    await writer;
  }
});

it.each(['', 'g0', '8B', '123'])('refuses the bucket %p', async (bucket) => {
  const { status, body } = await api.get(`/v0/partners/digest?bucket=${bucket}`);
  expect([status, body.message]).toEqual([400, 'bucket must be two hexadecimal digits in lower case']);
});

const python = (() => {
  try {
    return execFileSync('python3', ['--version']).length > 0;
  } catch {
    return false;
  }
})();

(python ? it : it.skip)('the program of the guide finds what is missing', async () => {
  const [, program] = /```python\n([\s\S]*?)```/.exec(readFileSync('docs/syncing.md', 'utf8')) ?? [];
  const copy = await copyOf('participants');
  await eventually(async () => (await digestOf('participants')).changed.length === 0);
  const folder = mkdtempSync(join(tmpdir(), 'startline-digest-'));
  try {
    const run = async () => {
      writeFileSync(join(folder, 'copy.json'), JSON.stringify(Object.fromEntries(copy)));
      writeFileSync(join(folder, 'check.py'), program as string);
      const env = { ...process.env, URL: api.url, KEY: api.token };
      return (await promisify(execFile)('python3', ['check.py'], { cwd: folder, env })).stdout.trim();
    };
    expect(await run()).toBe('The copy is complete.');
    const [missing] = copy.keys();
    copy.delete(missing as string);
    expect(await run()).toBe(`Different buckets: ${(missing as string).slice(-2)}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
