import type { KnownTicket } from '#domain/catalogue';
import type { ImportedParticipant } from '#domain/participants';
import { currencyOf, type EntryPrice, entryPrices, problemOfPrices } from './prices';

const ticket = { unitSize: 1, priceValue: 4_500, currencyCode: 'GBP' } as KnownTicket;
const participant = (given: object = {}) => ({ ticketId: 'marathon', ...given }) as ImportedParticipant;
const price = (value: number, currencyCode: string) => ({ value, currencyCode });
const FREE = price(0, 'ZERO');
const pricesOf = (given: object[], of: Partial<KnownTicket> = {}) =>
  entryPrices(given.map(participant), () => ({ ...ticket, ...of }));

describe.each(['price', 'originalPrice'])('the %s of an entry', (name) => {
  const problemOf = (given: object) =>
    problemOfPrices(
      participant({ [name]: given }),
      { startsUnit: true } as EntryPrice,
      ticket,
      'participants[0]',
    );

  it('is in the currency of the ticket, or nothing', () => {
    for (const given of [price(4_500, 'GBP'), price(0, 'GBP'), FREE])
      expect(problemOf(given)).toBeUndefined();
    for (const given of [price(4_500, 'EUR'), price(0, 'EUR'), price(1, 'ZERO')])
      expect(problemOf(given)).toEqual({
        path: `participants[0].${name}`,
        code: 'CURRENCY_MISMATCH',
        message: `participants[0].${name} is in ${given.currencyCode}, but its ticket is in GBP`,
      });
  });
});

describe('the prices of the entries of a booking', () => {
  it('are those of the row, otherwise those of the ticket', () => {
    expect(pricesOf([{}, { price: price(10, 'GBP'), originalPrice: price(20, 'GBP') }])).toMatchObject([
      { charged: price(4_500, 'GBP'), original: price(4_500, 'GBP') },
      { charged: price(10, 'GBP'), original: price(20, 'GBP') },
    ]);
  });

  it('are charged once for each begun unit of a ticket and team', () => {
    const [hares, foxes] = [{ team: { name: 'Hares' } }, { team: { name: 'Foxes' } }];
    const prices = pricesOf([hares, foxes, hares, hares, {}], { unitSize: 2 });
    expect(prices.map(({ unit, startsUnit }) => [unit, startsUnit])).toEqual([
      ...[
        [0, true],
        [1, true],
        [0, false],
        [3, true],
        [4, true],
      ],
    ]);
    expect(prices[2]?.charged).toEqual(price(0, 'GBP'));
    const second = participant({ ...hares, price: price(1, 'GBP') });
    expect(problemOfPrices(second, prices[2] as EntryPrice, { ...ticket, unitSize: 2 }, 'p')).toMatchObject({
      path: 'p.price',
      code: 'INVALID_PRICE',
    });
  });

  it('have one currency besides ZERO', () => {
    expect(currencyOf(pricesOf([{ price: FREE }, {}]))).toBe('GBP');
    expect(currencyOf(pricesOf([{ price: FREE }, { price: FREE }]))).toBe('ZERO');
    expect(currencyOf(pricesOf([{}], { currencyCode: 'ZERO', priceValue: 0 }))).toBe('ZERO');
  });
});
