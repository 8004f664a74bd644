/** The order does not matter, as long as every worker uses the same one. */
export const compare = (a: unknown, b: unknown): number => {
  const [left, right] = [String(a ?? ''), String(b ?? '')];
  return left < right ? -1 : left > right ? 1 : 0;
};
