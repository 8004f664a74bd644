/**
 * Whether the JSON of a value has more characters than `most`. Counts no further, and copies nothing longer than
 * `most`.
 */
export const isLongerJson = (value: unknown, most: number): boolean => left(value, most) < 0;

/** What is left of `most` after the value; negative if the value is longer. */
function left(value: unknown, most: number): number {
  if (most < 0) return most;
  if (typeof value === 'string') {
    return value.length + 2 > most ? -1 : most - JSON.stringify(value).length;
  }
  if (typeof value !== 'object' || value === null) return most - String(value).length;
  let rest = most - 2;
  let comma = 0;
  if (Array.isArray(value)) {
    for (const item of value) {
      rest = left(item, rest - comma);
      if (rest < 0) return rest;
      comma = 1;
    }
    return rest;
  }
  for (const name of Object.keys(value)) {
    rest = left((value as Record<string, unknown>)[name], left(name, rest - comma) - 1);
    if (rest < 0) return rest;
    comma = 1;
  }
  return rest;
}

/** Nothing in it is escaped, or longer than one byte. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * The bytes of the JSON of a value as responses contain it: PostgreSQL adds a space after each comma and colon, and writes
 * numbers without an exponent.
 */
export function jsonBytes(value: unknown): number {
  if (typeof value === 'string')
    return PLAIN.test(value) ? value.length + 2 : Buffer.byteLength(JSON.stringify(value));
  if (typeof value === 'number') return numberBytes(value);
  if (typeof value !== 'object' || value === null) return String(value).length;
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + jsonBytes(item) + 2, 2);
  let sum = 2;
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) sum += jsonBytes(name) + jsonBytes(member) + 4;
  }
  return sum;
}

/** `1e21` has 22 digits, and `1.5e-7` has 8 after the point. */
function numberBytes(value: number): number {
  const [digits = '', exponent] = String(value).split('e');
  return exponent === undefined ? digits.length : digits.length + Math.abs(Number(exponent)) + 2;
}
