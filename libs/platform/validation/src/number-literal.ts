/** A decimal number: its significant digits without zeros at either end, and the power of ten of the first one. */
interface Decimal {
  digits: string;
  power: number;
}

const PARTS = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * How many digits the literal has when it is written out without an exponent, as PostgreSQL renders it:
 * `1e3` has 4, `1.50` has 3, `1e-3` has 4.
 */
export function writtenOutDigits(literal: string): number {
  const [, whole = '', fraction = '', exponent = '0'] = PARTS.exec(literal) ?? [];
  const shift = Number(exponent);
  return Math.max(whole.length + shift, 1) + Math.max(fraction.length - shift, 0);
}

/**
 * Whether JavaScript prints the number with the decimal value of the literal: true for `0.1`, false for
 * `0.10000000000000001`.
 */
export function survivesParsing(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  const [sent, printed] = [decimalOf(literal), decimalOf(String(value))];
  return sent.digits === printed.digits && sent.power === printed.power;
}

function decimalOf(literal: string): Decimal {
  const [, whole = '', fraction = '', exponent = '0'] = PARTS.exec(literal) ?? [];
  const all = whole + fraction;
  let first = 0;
  while (all[first] === '0') first += 1;
  let end = all.length;
  while (end > first && all[end - 1] === '0') end -= 1;
  // Zeros are equal for every exponent.
  if (first === end) return { digits: '', power: 0 };
  return { digits: all.slice(first, end), power: Number(exponent) + whole.length - first };
}
