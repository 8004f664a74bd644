import type { MaybeOptionalInit } from 'openapi-fetch';
import type { paths } from './openapi';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that take a method. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never;
}[keyof paths];

/** What an operation answers with `200`. */
export type Answer<Path extends keyof paths, M extends Method> =
  paths[Path] extends Record<M, { responses: { 200: { content: { 'application/json': infer Body } } } }>
    ? Body
    : never;

/** What an operation is given: `{ params: { path, query }, body }` as far as it takes them, and a `signal`. */
export type Init<Path extends keyof paths, M extends Method> = MaybeOptionalInit<paths[Path], M>;

/** An operation's `Init`, which may be left out where nothing in it is required. */
export type GivenInit<Path extends keyof paths, M extends Method> =
  undefined extends Init<Path, M> ? [init?: Init<Path, M>] : [init: Init<Path, M>];

export type Call<M extends Method> = <Path extends PathOf<M>>(
  path: Path,
  ...given: GivenInit<Path, M>
) => Promise<Answer<Path, M>>;

/** An `Init` of whichever operation, for what is done alike with many. */
export interface AnyInit {
  params?: { path?: Record<string, unknown>; query?: Record<string, unknown> };
  body?: unknown;
  bodySerializer?: (body: never) => string;
  headers?: Record<string, string>;
  signal?: AbortSignal | null;
}

/** Does a request of whichever operation, and gives the body of its answer. */
export type Ask = <Body>(method: Method, path: keyof paths, init?: AnyInit) => Promise<Body>;
