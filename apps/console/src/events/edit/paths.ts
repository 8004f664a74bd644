/** Values of JSON by path, as problems of the API write them: `records[1].races[0].tickets[2].price`. */

type Key = string | number;

export const keysOf = (path: string): Key[] =>
  path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key));

export const below = (path: string, key: Key): string =>
  typeof key === 'number' ? `${path}[${key}]` : path ? `${path}.${key}` : key;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const at = (value: unknown, path: string): unknown =>
  keysOf(path).reduce<unknown>((inner, key) => (inner as never)?.[key], value);

/**
 * A copy with another value at the path. `undefined` removes a property, and the objects in which nothing is left but an id, such as
 * the course of a race.
 */
export const put = <Value>(value: Value, path: string, next: unknown): Value =>
  set(value, keysOf(path), next) as Value;

function set(value: unknown, [key, ...rest]: Key[], next: unknown): unknown {
  if (key === undefined) return next;
  const inner = set((value as never)?.[key], rest, next);
  if (typeof key === 'number') {
    const list = [...((value as unknown[] | undefined) ?? [])];
    list[key] = inner;
    return list;
  }
  const { [key]: _, ...others } = isObject(value) ? value : {};
  const isGone =
    inner === undefined ||
    (rest.length > 0 && isObject(inner) && Object.keys(inner).every((name) => name === 'id'));
  return isGone ? others : { ...(value as object | undefined), [key]: inner };
}

/** Whether two values have the same JSON, without regard to the order of properties. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((value, index) => same(value, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => same(a[key], b[key]));
}
