import { CAUSES } from './truth/causes';
import { LEAVES, RECORDS, type RecordName } from './truth/leaves';
import type { Observer } from './truth/observer';
import { everyWay } from './truth/ways';
import { Organization } from './walk/organization';

/**
 * Whatever a participant, application, booking or partner, or the list for timing, shows: a change of it, by any means, moves `updatedAt`, is
 * announced by name, and changes the ETag (docs/interface.md#polling-for-changes).
 */

/** The causes by property: a line can name several properties. */
const causesOf = (record: RecordName): Map<string, readonly string[] | string> =>
  new Map(
    Object.entries(CAUSES[record]).flatMap(([leaves, causes]) =>
      leaves.split(' ').map((leaf) => [leaf, causes]),
    ),
  );

describe('the table of causes', () => {
  it.each(RECORDS)('has every property of %s', (record) => {
    expect([...causesOf(record).keys()].sort()).toEqual([...LEAVES[record]].sort());
  });
});

describe('a change of a property', () => {
  let walk: Organization;
  let observer: Observer;
  beforeAll(async () => {
    walk = await Organization.found();
    await walk.startWorker();
  });
  afterAll(() => walk?.close());

  it('moves the time, is announced, and changes the ETag, by every way', async () => {
    observer = await everyWay(walk);
  });

  it.each(RECORDS)('of %s has the causes of the table', (record) => {
    const wrong = [...causesOf(record)].flatMap(([leaf, causes]) => {
      const seen = [...(observer.ways.get(`${record}.${leaf}`) ?? [])];
      const missing = typeof causes === 'string' ? [] : causes.filter((way) => !seen.includes(way));
      const isChanging = typeof causes === 'string' && leaf !== 'updatedAt' && seen.length > 0;
      return missing.length > 0 || isChanging ? [{ leaf, seen, missing }] : [];
    });
    expect(wrong).toEqual([]);
  });
});
