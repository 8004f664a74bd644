import fc from 'fast-check';
import { openApiDocument } from '#libs/testing';
import { Watermark } from '#platform/database';
import { operationsOf } from '#platform/http';
import { type ListDeclaration, STANDARD_PAGING } from '#platform/queries';
import { eventually, startApi, type TestApi } from '../harness';
import { pagingFixtures, type Walkable } from './paging-fixtures';

/** All lists, under the rules of docs/interface.md#lists, while rows are added and changed between pages. */

const ITEMS = 20;
const ONCE = { numRuns: 1, endOnFailure: true };

let api: TestApi;
let fixtures: Record<string, Walkable>;
let declarations: Map<string, ListDeclaration>;
beforeAll(async () => {
  api = await startApi({ RATE_WIDE: '1000000' });
  fixtures = await pagingFixtures(api.dataSource, api.organizationId);
  declarations = new Map(
    operationsOf(api.app).map(({ name, answers }) => [name, answers as ListDeclaration]),
  );
  // Lists of the same table have the same items.
  for (const [operationId, path] of PATHS) {
    const walk = new Walk(operationId, path);
    const { page } = await walk.page({ size: 1 });
    await walk.happen(new Array(Math.max(0, ITEMS - page.totalResults)).fill('add'));
  }
});
afterAll(() => api.close());

interface Operation {
  operationId: string;
  parameters: { name: string; schema: { format?: string } }[];
  responses: { 200: { content: { 'application/json'?: { schema: { $ref?: string } } } } };
}
const { components } = openApiDocument();
const paths: Record<string, { get?: Operation }> = openApiDocument().paths;
/** Every operation with pages. */
const PATHS: [operationId: string, path: string][] = Object.entries(paths).flatMap(([path, { get }]) => {
  const schema = get?.responses['200'].content['application/json']?.schema.$ref?.split('/').at(-1);
  // test/console covers the operations for staff only.
  const isPublic = !path.startsWith('/console/');
  return get && isPublic && components.schemas[schema ?? '']?.properties.page
    ? [[get.operationId, path]]
    : [];
});

type Page = Record<'first' | 'last' | 'prev' | 'next', string> & { totalResults: number };
type Item = Record<string, unknown>;

/** The identity of an item in its list. */
const identity = ({ id, participantId, jobId, referralId, generatedReferralCode, row }: Item) =>
  String(id ?? participantId ?? jobId ?? referralId ?? generatedReferralCode ?? row);

/** A list as a client pages through it. */
class Walk {
  readonly declaration: ListDeclaration;
  private readonly walkable: Walkable;
  private readonly path: string;

  constructor(
    operationId: string,
    path: string,
    readonly parameters: Record<string, string> = {},
  ) {
    this.declaration = declarations.get(operationId) as ListDeclaration;
    const walkable = fixtures[this.declaration.name];
    if (!walkable) throw new Error(`The list ${this.declaration.name} has no data in paging-fixtures.ts`);
    this.walkable = walkable;
    this.path = path.replace(/\{(\w+)\}/g, (_, name: string) => walkable.path[name] as string);
  }

  get brief() {
    return this.declaration.envelope === 'brief';
  }
  get maxSize() {
    return this.declaration.size?.max ?? 500;
  }

  async page(at: {
    size?: number;
    after?: string;
    before?: string;
  }): Promise<{ ids: string[]; items: Item[]; page: Page }> {
    const { size, after, before } = this.declaration.paging ?? STANDARD_PAGING;
    const query = new URLSearchParams({ ...this.walkable.query, ...this.parameters });
    if (at.size !== undefined) query.set(size[0] as string, String(at.size));
    if (at.after !== undefined) query.set(after[0] as string, at.after);
    if (at.before !== undefined) query.set(before[0] as string, at.before);
    const { status, body } = await api.get(`${this.path}?${query}`, this.walkable.token);
    if (status !== 200) throw new Error(`${this.path}?${query} answered ${status}: ${body.message}`);
    const items = (this.brief ? body.events : body.data) as Item[];
    return { ids: items.map(identity), items, page: body.page };
  }

  /** All items at once, in order. */
  async everything(): Promise<string[]> {
    const { ids, page } = await this.page({ size: this.maxSize });
    expect(new Set(ids).size).toBe(ids.length);
    expect(page.totalResults).toBe(ids.length);
    if (!this.brief) expect([page.prev, page.next]).toEqual(['', '']);
    return ids;
  }

  async happen(events: readonly ('add' | 'change')[]): Promise<void> {
    for (const event of events) await this.walkable[event]();
  }
}

/** The changes before a page is requested, and the size of the page. */
const steps = fc.array(
  fc.record({
    size: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 40 })),
    before: fc.array(fc.constantFrom('add' as const, 'change' as const), { maxLength: 3 }),
  }),
  { minLength: 3, maxLength: 8 },
);

/** Afterwards every list shows all that was written before, whatever transactions of other tests the server has. */
async function watermarkPassesNow(): Promise<void> {
  const [{ now }] = await api.dataSource.query(
    `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now`,
  );
  const watermark = api.app.get(Watermark);
  await eventually(async () => watermark.now() > now);
}

/** Pages with the given steps, then in small pages to the end; compares each page with the whole list. */
async function walkThrough(
  walk: Walk,
  plan: { size: number; before: ('add' | 'change')[] }[],
  backward: boolean,
) {
  const seen: string[] = [];
  await watermarkPassesNow();
  const atFirst = await walk.everything();
  let all = atFirst;
  let counted = all.length;
  // Backward from after the last item: the cursor of the last page's last item, and that item.
  let cursor: string | undefined;
  let at: string | undefined;
  if (backward) {
    const { page, ids } = await walk.page({ size: walk.maxSize });
    cursor = page.last;
    at = ids.at(-1) as string;
    seen.unshift(at);
  }
  for (let n = 0; ; n++) {
    const { size, before } = plan[n] ?? { size: 13, before: [] };
    await walk.happen(before);
    if (before.length > 0) all = await walk.everything();
    const asked = { size: Math.min(size, walk.maxSize), [backward ? 'before' : 'after']: cursor };
    const { ids, page } = await walk.page(asked);
    const here = at === undefined ? (backward ? all.length : -1) : all.indexOf(at);
    const expected = backward
      ? all.slice(Math.max(0, here - size), here)
      : all.slice(here + 1, here + 1 + size);
    expect(ids).toEqual(expected);
    if (ids.length === 0) {
      expect(page).toMatchObject({ first: '', last: '' });
      if (walk.brief) break;
      const [back, onward] = backward ? [page.next, page.prev] : [page.prev, page.next];
      expect([onward, back === '']).toEqual(['', all.length === 0]);
      if (all.length === 0) break;
      const turned = await walk.page({ size: 7, [backward ? 'after' : 'before']: back });
      expect(turned.ids).toEqual(backward ? all.slice(0, 7) : all.slice(-7));
      break;
    }
    const [first, last] = [all.indexOf(ids[0] as string), all.indexOf(ids.at(-1) as string)];
    if (!walk.brief) {
      expect(page.prev).toBe(first > 0 ? page.first : '');
      expect(page.next).toBe(last < all.length - 1 ? page.last : '');
    }
    // A total that must be counted is counted on the first page, and carried in the cursor.
    if (cursor === undefined) counted = all.length;
    expect([all.length, counted]).toContain(page.totalResults);
    if (backward) seen.unshift(...ids);
    else seen.push(...ids);
    cursor = backward ? page.first : page.last;
    at = backward ? ids[0] : ids.at(-1);
  }
  expect(new Set(seen).size).toBe(seen.length);
  const throughout = new Set(atFirst);
  expect(seen.filter((id) => throughout.has(id))).toEqual(atFirst);
}

describe.each(PATHS)('%s', (operationId, path) => {
  it('returns every item that exists throughout exactly once, in both directions, with changes between pages', async () => {
    for (const backward of [false, true])
      await fc.assert(
        fc.asyncProperty(steps, async (plan) => {
          const walk = new Walk(operationId, path);
          // Changes move the items of a list whose only order is by change; such walks are tested below.
          const { moves } = walk.declaration.order;
          await walkThrough(walk, moves ? plan.map(({ size }) => ({ size, before: [] })) : plan, backward);
        }),
        ONCE,
      );
  });

  it('returns every item, or a first page, if no size is given', async () => {
    const walk = new Walk(operationId, path);
    await watermarkPassesNow();
    const all = await walk.everything();
    const { default: size } = walk.declaration.size ?? { default: 100 };
    const { ids, page } = await walk.page({});
    expect(ids).toEqual(size === 'all' ? all : all.slice(0, size));
    expect(page.totalResults).toBe(all.length);
    expect((await walk.page({ after: '' })).ids).toEqual(ids);
  });

  it('rejects cursors of other lists and both cursors at once', async () => {
    const walk = new Walk(operationId, path);
    const { page } = await walk.page({ size: 1 });
    await expect(walk.page({ after: page.last, before: page.first })).rejects.toThrow('400');
    await expect(walk.page({ after: `${page.last.slice(0, -4)}AAAA` })).rejects.toThrow('400');
    const [elsewhere = '', there = ''] = PATHS.find(([name]) => name !== operationId) ?? [];
    await expect(new Walk(elsewhere, there).page({ after: page.last })).rejects.toThrow('400');
  });
});

it('has a fixture for every list', () => {
  const declared = operationsOf(api.app).filter(
    ({ keys, answers }) => keys.length > 0 && typeof answers !== 'function',
  );
  expect(PATHS.map(([operationId]) => operationId).sort()).toEqual(declared.map(({ name }) => name).sort());
});

const TIMED = () => PATHS.filter(([operationId, path]) => new Walk(operationId, path).declaration.times);
const BY_CREATION = () =>
  PATHS.filter(([operationId, path]) => new Walk(operationId, path).declaration.times?.createdAt);

it('each time in a query can have any offset, also one whose + has reached us as a space', async () => {
  for (const [operationId, path] of PATHS) {
    const { parameters = [] } = paths[path]?.get ?? {};
    const filters = parameters.filter(({ schema }) => schema.format === 'date-time');
    for (const { name } of filters)
      for (const hours of [-1, 1]) {
        const at = Date.now() + hours * 3_600_000;
        const spelled = (offset: number, end: string) =>
          new Date(at + offset * 3_600_000).toISOString().replace('Z', end);
        const [expected, ...others] = await Promise.all(
          [spelled(0, 'Z'), spelled(2, '+02:00'), spelled(2, ' 02:00'), spelled(-2, '-02:00')].map(
            async (time) => (await new Walk(operationId, path, { [name]: time }).page({ size: 10 })).ids,
          ),
        );
        expect([operationId, name, ...others]).toEqual([operationId, name, expected, expected, expected]);
      }
  }
});

describe('lists with times', () => {
  it.each([['1'], ['-1']])('return the same items by creation (%s) as by their own order', async (way) => {
    for (const [operationId, path] of BY_CREATION()) {
      await fc.assert(
        fc.asyncProperty(steps, fc.boolean(), async (plan, backward) => {
          await walkThrough(new Walk(operationId, path, { 'sort[createdAt]': way }), plan, backward);
        }),
        ONCE,
      );
    }
  });

  it('are filtered by times after and before another, without it', async () => {
    for (const [operationId, path] of TIMED()) {
      const walk = new Walk(operationId, path);
      const { items } = await walk.page({ size: 500 });
      for (const property of Object.keys(walk.declaration.times ?? {})) {
        const times = items.map((item) => String(item[property]));
        const time = [...times].sort()[times.length >> 1] as string;
        const idsOf = async (filter: string) =>
          (await new Walk(operationId, path, { [filter]: time }).page({ size: 500 })).ids.sort();
        const those = (fits: (each: string) => boolean) =>
          items.flatMap((item, i) => (fits(times[i] as string) ? identity(item) : [])).sort();
        const after = await eventually(async () => {
          const ids = await idsOf(`${property}[after]`);
          // Lists by change end at the watermark.
          return ids.length >= those((each) => each > time).length && ids;
        });
        expect([operationId, after]).toEqual([operationId, those((each) => each > time)]);
        expect([operationId, await idsOf(`${property}[before]`)]).toEqual([
          operationId,
          those((each) => each < time),
        ]);
      }
    }
  });

  it('return each item at least once, in its newest state, by last change', async () => {
    for (const [operationId, path] of TIMED()) {
      await fc.assert(
        fc.asyncProperty(steps, async (plan) => {
          const walk = new Walk(operationId, path, { 'sort[updatedAt]': '1' });
          const seen = new Map<string, unknown>();
          let after = '';
          const read = async (size: number) => {
            const { items, page } = await walk.page({ size, after });
            for (const item of items) seen.set(identity(item), item.updatedAt);
            after = page.last || after;
            return items.length;
          };
          for (const { size, before } of plan) {
            await walk.happen(before);
            await read(size);
          }
          await watermarkPassesNow();
          while ((await read(13)) > 0);
          const { items } = await new Walk(operationId, path).page({ size: 500 });
          expect(seen).toEqual(new Map(items.map((item) => [identity(item), item.updatedAt])));
        }),
        ONCE,
      );
    }
  });

  it('return the same items backward as forward by last change', async () => {
    const watermark = api.app.get(Watermark);
    for (const [operationId, path] of TIMED()) {
      const walk = new Walk(operationId, path, { 'sort[updatedAt]': '-1' });
      const everything = await walk.page({ size: 500 });
      const newest = String(everything.items[0]?.updatedAt);
      await eventually(async () => watermark.now() > newest);
      const { ids } = await walk.page({ size: 500 });
      const there: string[] = [];
      const back: string[] = [];
      for (let after = '', more = true; more; ) {
        const { ids: part, page } = await walk.page({ size: 14, after });
        there.push(...part);
        more = page.next !== '';
        after = page.last;
        if (!more) {
          back.unshift(...part);
          for (let before = page.prev; before !== ''; ) {
            const earlier = await walk.page({ size: 11, before });
            back.unshift(...earlier.ids);
            before = earlier.page.prev;
          }
        }
      }
      expect(there).toEqual(ids);
      expect(back).toEqual(ids);
    }
  });
});
