import { occurrence, race, ticket } from '#libs/testing';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const PAST = new Date('2020-01-01');
const FUTURE = new Date('2090-01-01');

/** The price range of an occurrence in the country with these tickets; its only race has the same range. */
async function rangeOf(
  countryCode: string | undefined,
  tickets: [value: number, currencyCode: string, dates?: object][],
) {
  const { organizationId } = api;
  const { id } = await occurrence(api.dataSource, { organizationId, address: { countryCode } as never });
  const { id: raceId } = await race(api.dataSource, { organizationId, eventOccurrenceId: id });
  for (const [value, currencyCode, dates] of tickets)
    await ticket(api.dataSource, {
      organizationId,
      raceId,
      priceValue: `${value}`,
      currencyCode: currencyCode as never,
      ...dates,
    });
  const { body } = await api.get(`/v0/event-occurrences/${id}`);
  expect(body.races[0].priceRange).toEqual(body.priceRange);
  const { min, max } = body.priceRange;
  return [min.value, max.value, min.currencyCode, max.currencyCode];
}

describe('priceRange', () => {
  it('covers tickets that are on sale or will be', async () => {
    expect(
      await rangeOf('GB', [
        [1000, 'GBP', { saleEnd: PAST }],
        [3000, 'GBP'],
        [4000, 'GBP', { saleStart: FUTURE }],
        [9000, 'GBP', { saleEnd: PAST }],
      ]),
    ).toEqual([3000, 4000, 'GBP', 'GBP']);
  });

  it('is in the currency of the country', async () => {
    const tickets: [number, string][] = [
      [10, 'EUR'],
      [20, 'EUR'],
      [3000, 'GBP'],
      [0, 'ZERO'],
    ];
    expect(await rangeOf('gb', tickets)).toEqual([3000, 3000, 'GBP', 'GBP']);
    expect(await rangeOf('FR', tickets)).toEqual([10, 20, 'EUR', 'EUR']);
  });

  it('is in the most frequent currency if no ticket has the currency of the country', async () => {
    const tickets: [number, string][] = [
      [10, 'EUR'],
      [20, 'EUR'],
      [3000, 'GBP'],
    ];
    expect(await rangeOf('US', tickets)).toEqual([10, 20, 'EUR', 'EUR']);
    expect(await rangeOf(undefined, tickets)).toEqual([10, 20, 'EUR', 'EUR']);
  });

  it('leaves out free tickets beside others, however many', async () => {
    const free: [number, string] = [0, 'ZERO'];
    expect(await rangeOf('US', [free, free, [10, 'EUR'], free])).toEqual([10, 10, 'EUR', 'EUR']);
    expect(await rangeOf(undefined, [free, [3000, 'GBP']])).toEqual([3000, 3000, 'GBP', 'GBP']);
    expect(await rangeOf('GB', [free, free])).toEqual([0, 0, 'ZERO', 'ZERO']);
    // Nothing else can be bought any more.
    expect(await rangeOf('GB', [[3000, 'GBP', { saleEnd: PAST }], free])).toEqual([0, 0, 'ZERO', 'ZERO']);
  });

  it('covers all tickets if all sales have ended', async () => {
    expect(
      await rangeOf('GB', [
        [1000, 'GBP', { saleEnd: PAST }],
        [9000, 'GBP', { saleEnd: PAST }],
      ]),
    ).toEqual([1000, 9000, 'GBP', 'GBP']);
  });
});
