import type { Discount } from '#libs/database';

/** Decimal places of a percentage that count. */
const PLACES = 6;
const WHOLE = 100n * 10n ** BigInt(PLACES);

/**
 * What a discount takes off a price, in minor units: a percentage is rounded half up, and nothing falls below zero.
 *
 * @param value the price in minor units
 */
export function reduction(discount: Discount, value: number): number {
  const off =
    discount.type === 'FLAT_RATE' ? discount.price.value : percentOf(BigInt(value), discount.amount);
  return Math.max(0, Math.min(value, off));
}

/** In whole numbers: 8.2 % of 250 is 20.5, which binary fractions miss. */
function percentOf(value: bigint, percent: number): number {
  const parts = value * BigInt(percent.toFixed(PLACES).replace('.', ''));
  return Number((2n * parts + WHOLE) / (2n * WHOLE));
}
