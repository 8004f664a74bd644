import {
  key,
  occurrence,
  UNIDENTIFIED_MESSAGE,
  type WholeOrganization,
  wholeOrganization,
} from '#libs/testing';
import { newId } from '#platform/database';
import { type Asker, encoded, forAll, startAsker, titled } from './asker';
import { type DocumentedOperation, OPERATIONS, pathOf } from './document';
import { expectRefused } from './refused';

const LISTS = OPERATIONS.filter(({ isList }) => isList);
const SIZE = /^(page\[size\]|pageSize)$/;
const AFTER = /^(page|cursor)\[after\]$|^searchAfter$/;
const BEFORE = /^(page|cursor)\[before\]$|^searchBefore$/;

const namesLike = ({ query }: DocumentedOperation, like: RegExp) =>
  query.map(({ name }) => name).filter((name) => like.test(name));
const nameLike = (of: DocumentedOperation, like: RegExp) => namesLike(of, like)[0] as string;
const cursorNames = (of: DocumentedOperation) => [...namesLike(of, AFTER), ...namesLike(of, BEFORE)];
const one = (of: DocumentedOperation) => encoded(nameLike(of, SIZE), '1');

let asker: Asker;
let other: WholeOrganization;
let otherToken: string;
/** The cursors of each list's first item. */
const cursors: Record<string, { first: string; last: string }> = {};
beforeAll(async () => {
  asker = await startAsker();
  other = await wholeOrganization(asker.api.dataSource, { mark: 'rival' });
  otherToken = (await key(asker.api.dataSource, { organizationId: other.organizationId })).token;
  const { organizationId } = asker.whole;
  await asker.api.dataSource.query(UNIDENTIFIED_MESSAGE, [organizationId]);
  const { id } = await occurrence(asker.api.dataSource, { organizationId, startDate: '2031-05-04' });
  await asker.api.dataSource.query(
    'UPDATE event_occurrences SET published = false WHERE organization_id = $1 AND id = $2',
    [organizationId, id],
  );
  for (const of of LISTS) cursors[of.name] = (await asker.ask(of, one(of))).body.page;
});
afterAll(() => asker.api.close());

it('every list has cursors to try', () => {
  expect(LISTS.filter(({ name }) => !cursors[name]?.last).map(({ name }) => name)).toEqual([]);
  expect(LISTS.length).toBeGreaterThan(30);
});

/** Cursors of other lists: neighbors, and lists of every other kind. */
const ofOthers = ({ name }: DocumentedOperation): string[] => {
  const place = LISTS.findIndex((list) => list.name === name);
  return [1, 2, 3, 5, 8, 13, 21].map(
    (step) => cursors[LISTS[(place + step) % LISTS.length]?.name as string]?.last as string,
  );
};

/** Manipulated cursors. */
const forgedOf = (cursor: string): string[] => {
  const text = Buffer.from(cursor, 'base64').toString('latin1').trimEnd();
  const [list, key = '', id, ...rest] = text.split('|');
  return [
    [list?.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')), key, id, ...rest],
    [list, '', id, ...rest],
    [list, "' OR 1=1 --", id, ...rest],
    [list, 'infinity', id, ...rest],
    [list, '9'.repeat(400), id, ...rest],
    [list, key, 'nobody', ...rest],
    [list, key, VERSION_4, ...rest],
    [list, key, id, 'many', ...rest.slice(1)],
    [list, key, id, ...rest.slice(0, 2), 'never'],
    [list, key, id],
    [list, key, id, ...rest, 'more'],
    [list, key, id, '777777777777', '99999999999', ''],
    [list, key, id, ...rest.slice(0, 2), '2000-01-01T00:00:00.000000Z'],
    [list, key, newId(), ...rest],
    [list?.replace(/^../, (two) => (two === 'AA' ? 'BB' : 'AA')), key, id, ...rest],
    ['', key, id, ...rest],
  ].map((parts) => Buffer.from(parts.join('|'), 'latin1').toString('base64'));
};
const VERSION_4 = 'b9a0a3e4-1f0e-4d5c-9a57-0e6f2d2c8c11';

const isSort = ({ name }: { name: string }) => name.startsWith('sort[');

describe.each(titled(LISTS))('%s rejects', (_, of) => {
  const last = () => cursors[of.name]?.last as string;
  const first = () => cursors[of.name]?.first as string;

  it('both cursors together, in every spelling', () =>
    forAll(namesLike(of, AFTER), (after) =>
      forAll(namesLike(of, BEFORE), async (before) => {
        const both = `${encoded(after, last())}&${encoded(before, first())}`;
        expectRefused(await asker.ask(of, both), 400, `${after} and ${before} can't be given together`);
      }),
    ));

  it('cursors that it did not create', () => {
    const junk = Buffer.from('{"list":"partners"}').toString('base64');
    const broken = [
      'x',
      '!!!',
      'null',
      last().slice(0, -1),
      `${last()}=`,
      ` ${last()}`,
      last() + last(),
      junk,
    ];
    return forAll(cursorNames(of), (name) =>
      forAll([...ofOthers(of), ...forgedOf(last()), ...broken], async (cursor) =>
        expectRefused(
          await asker.ask(of, encoded(name, cursor)),
          400,
          `${name} must be a cursor from this list`,
        ),
      ),
    );
  });

  it('its own cursor with another filter or sort', () => {
    const samples: Record<string, string> = {
      date: '2000-01-01',
      'date-time': '2000-01-01T00:00:00Z',
      uuid: newId(),
    };
    const free: Record<string, string> = {
      search: 'search=m',
      tag: 'tag=m&features=tags',
      locationCountryCode: 'locationCountryCode=gb',
    };
    // Ascending is the default of a list with one sort.
    const direction = of.query.filter(isSort).length === 1 ? '-1' : '1';
    const changes = of.query
      .filter(({ schema }) => schema.enum || samples[schema.format])
      .map((parameter) => {
        const { name, schema } = parameter;
        return encoded(name, isSort(parameter) ? direction : (schema.enum?.[0] ?? samples[schema.format]));
      });
    changes.push(...of.query.flatMap(({ name }) => free[name] ?? []));
    const name = nameLike(of, AFTER);
    return forAll(changes, async (change) =>
      expectRefused(
        await asker.ask(of, `${change}&${encoded(name, last())}`),
        400,
        `${name} must be a cursor from this list, with the same filters and sort order`,
      ),
    );
  });

  it('two spellings of one parameter', () =>
    forAll([SIZE, AFTER, BEFORE], async (like) => {
      const [current, deprecated] = namesLike(of, like);
      if (!current || !deprecated) return;
      const both = `${encoded(current, '1')}&${encoded(deprecated, '1')}`;
      expectRefused(await asker.ask(of, both), 400, `${current} and ${deprecated} are aliases`);
    }));
});

describe.each(titled(LISTS))('%s', (_, of) => {
  it('treats an empty cursor as absent', () =>
    forAll(cursorNames(of), async (name) => {
      const { status, body } = await asker.ask(of, `${one(of)}&${encoded(name, '')}`);
      expect(status).toBe(200);
      // Cursors contain the second in which their total was counted.
      const { data, events } = (await asker.ask(of, one(of))).body;
      expect([body.data, body.events]).toEqual([data, events]);
    }));
});

const SORTED = LISTS.filter(({ query }) => query.filter(isSort).length === 2);
it.each(titled(SORTED))('%s rejects both sorts together', async (_, of) => {
  const both = `${encoded('sort[createdAt]', '1')}&${encoded('sort[updatedAt]', '-1')}`;
  expectRefused(
    await asker.ask(of, both),
    400,
    "sort[createdAt] and sort[updatedAt] can't be given together",
  );
});

const OWN = LISTS.filter(({ access }) => access.keys.includes('ORGANIZER'));
it.each(titled(OWN))('%s rejects a cursor of another organization like any unknown cursor', async (_, of) => {
  const theirs = await asker.api.get(`${pathOf(of, other.ids)}?${one(of)}`, otherToken);
  const name = nameLike(of, AFTER);
  const answer = await asker.ask(of, encoded(name, theirs.body.page.last));
  expectRefused(answer, 400);
  expect(answer.body).toEqual((await asker.ask(of, encoded(name, 'x'))).body);
});
