import type { MaybeOptionalInit } from 'openapi-fetch';
import type { paths } from './openapi';
import type { Send } from './sending';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths with this method. @param Paths of another document than that of keys */
export type PathOf<M extends Method, Paths = paths> = {
  [Path in keyof Paths]: Paths[Path] extends Record<M, object> ? Path : never;
}[keyof Paths];

/** The body of a `200` response of an operation. */
export type Answer<Path extends keyof Paths, M extends Method, Paths = paths> =
  Paths[Path] extends Record<M, { responses: { 200: { content: { 'application/json': infer Body } } } }>
    ? Body
    : never;

/** The input of an operation: `{ params: { path, query }, body }` as far as it has them, and a `signal`. */
export type Init<Path extends keyof Paths, M extends Method, Paths = paths> =
  Paths[Path] extends Record<M, object> ? MaybeOptionalInit<Paths[Path], M> : never;

/** The `Init` of an operation, optional if nothing in it is required. */
export type GivenInit<Path extends keyof Paths, M extends Method, Paths = paths> =
  undefined extends Init<Path, M, Paths> ? [init?: Init<Path, M, Paths>] : [init: Init<Path, M, Paths>];

export type Call<M extends Method, Paths = paths> = <Path extends PathOf<M, Paths>>(
  path: Path,
  ...given: GivenInit<Path, M, Paths>
) => Promise<Answer<Path, M, Paths>>;

/** An `Init` of any operation, for code that handles many operations. */
export interface AnyInit {
  params?: { path?: Record<string, unknown>; query?: Record<string, unknown> };
  body?: unknown;
  bodySerializer?: (body: never) => string;
  headers?: Record<string, string>;
  signal?: AbortSignal | null;
  fetch?: Send;
  /** Called with the headers of each successful response. */
  onHeaders?: (headers: Headers) => void;
}

/** Sends a request for any operation, and returns the body of its response; undefined for 304. */
export type Ask = <Body>(method: Method, path: keyof paths, init?: AnyInit) => Promise<Body>;
