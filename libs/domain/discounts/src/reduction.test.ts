import { reduction } from './reduction';

const percent = (amount: number, value: number) => reduction({ type: 'PERCENTAGE', amount } as never, value);
const flat = (price: number, value: number) =>
  reduction({ type: 'FLAT_RATE', price: { value: price, currencyCode: 'GBP' } } as never, value);

it.each([
  [10, 4_500, 450],
  [8.2, 250, 21],
  [33.333333, 300, 100],
  [50, 1, 1],
  [0, 4_500, 0],
  [100, 4_500, 4_500],
])('rounds %d %% of %d half up to %d', (amount, value, expected) => {
  expect(percent(amount, value)).toBe(expected);
});

it('deducts a flat rate, but never more than the price', () => {
  expect(flat(1_000, 4_500)).toBe(1_000);
  expect(flat(5_000, 4_500)).toBe(4_500);
  expect(flat(1_000, 0)).toBe(0);
});
