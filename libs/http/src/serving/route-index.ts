import type { Request } from 'express';

interface Layer {
  route?: { path: unknown };
}
/** What Express's router has, but its types do not. */
interface Router {
  stack: Layer[];
  handle(request: Request, ...rest: unknown[]): void;
}

/** Optional parts, wildcards and expressions. */
const OPEN = /[{}*()\\+?!]/;
const isParameter = (segment = '') => segment.includes(':');

/** The number of segments, and the first two: they are literal in nearly all routes. */
const keyOf = (segments: readonly string[]): string =>
  `${segments.length}/${segments[1] ?? ''}/${segments[2] ?? ''}`;

const segmentsOf = ({ route }: Layer): string[] | undefined =>
  typeof route?.path === 'string' && !OPEN.test(route.path) ? route.path.split('/') : undefined;

/** Whether the layer may match requests with the key of these segments. Middleware matches all. */
function mayMatch(layer: Layer, segments: readonly string[]): boolean {
  const own = segmentsOf(layer);
  if (!own) return true;
  return own.length === segments.length && [1, 2].every((i) => isParameter(own[i]) || own[i] === segments[i]);
}

/**
 * Express compares a request with one route after another, of which there are more than a hundred. With the index, its router only gets
 * those that may match, in the same order. A request with an unknown key gets all. The first request finds all routes there.
 */
export function indexRoutes(router: Router): void {
  const { handle } = router;
  let index: Map<string, Router> | undefined;
  router.handle = (request, ...rest) => {
    index ??= indexOf(router);
    handle.call(index.get(keyOf(requested(request))) ?? router, request, ...rest);
  };
}

/** Node accepts request targets that are no URLs, of which Express gets no path. */
function requested(request: Request): string[] {
  try {
    return (request.path ?? '').split('/');
  } catch {
    return [];
  }
}

function indexOf(router: Router): Map<string, Router> {
  const index = new Map<string, Router>();
  for (const layer of router.stack) {
    const segments = segmentsOf(layer);
    if (!segments || isParameter(segments[1]) || isParameter(segments[2])) continue;
    const stack = router.stack.filter((one) => mayMatch(one, segments));
    index.set(keyOf(segments), Object.create(router, { stack: { value: stack } }));
  }
  return index;
}
