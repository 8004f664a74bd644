import type { Discount } from '#platform/database';

/** The decimal places of a percentage. */
const PLACES = 6;
const WHOLE = 100n * 10n ** BigInt(PLACES);

/**
 * The amount that a discount deducts from a price, in minor units. A percentage is rounded half up. No price falls below
 * zero.
 *
 * @param value the price in minor units
 */
export function reduction(discount: Discount, value: number): number {
  const off =
    discount.type === 'FLAT_RATE' ? discount.price.value : percentOf(BigInt(value), discount.amount);
  return Math.max(0, Math.min(value, off));
}

/** Uses integers: 8.2 % of 250 is 20.5, which binary fractions can't represent exactly. */
function percentOf(value: bigint, percent: number): number {
  const parts = value * BigInt(percent.toFixed(PLACES).replace('.', ''));
  return Number((2n * parts + WHOLE) / (2n * WHOLE));
}
