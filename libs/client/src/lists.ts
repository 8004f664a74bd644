import type { ChangeEvent, paths } from './openapi';
import type { Answer, AnyInit, Ask, Init } from './operations';
import { type Patience, pause } from './sending';

/** Every list. */
export type ListPath = {
  [Path in keyof paths]: [Answer<Path, 'get'>] extends [never]
    ? never
    : Answer<Path, 'get'> extends { page: object }
      ? Path
      : never;
}[keyof paths];

/** The lists that can be followed by the last change of their items. */
export type ChangingPath = {
  [Path in ListPath]: Item<Path> extends { updatedAt: string }
    ? 'updatedAt[after]' extends keyof NonNullable<paths[Path]['get']['parameters']['query']>
      ? Path
      : never
    : never;
}[ListPath];

/** The item of a list. */
export type Item<Path extends ListPath> =
  Answer<Path, 'get'> extends { data: (infer Each)[] } | { events: (infer Each)[] } ? Each : never;

interface FollowOptions extends Pick<Patience, 'onRetry'> {
  /** The interval of requests while nothing changes (default 5,000). */
  everyMs?: number;
}

export type ChangesOptions<Path extends ChangingPath> = Init<Path, 'get'> &
  FollowOptions & {
    /** The highest `updatedAt` of an earlier run, unchanged. If absent, starts at the beginning. */
    since?: string;
  };

/** The cursor parameter, if it is not `page[after]`. */
const AFTER: { readonly [path: string]: string } = {
  '/marketplace/v1/events/': 'cursor[after]',
  '/marketplace/v1/removed-events': 'cursor[after]',
  '/marketplace/v1/events/search': 'searchAfter',
} satisfies { [Path in ListPath]?: string };

/**
 * A page of any list. Pages of the marketplace have no `next`: the list ends with an empty page, whose `last` is
 * empty.
 */
interface AnyPage<Each> {
  data?: Each[];
  events?: Each[];
  page: { next?: string; last: string };
}

export async function* walk<Each>(ask: Ask, path: ListPath, init: AnyInit = {}): AsyncGenerator<Each> {
  for await (const items of pagesOf<Each>(ask, path, init)) yield* items;
}

export async function* pagesOf<Each>(ask: Ask, path: ListPath, init: AnyInit = {}): AsyncGenerator<Each[]> {
  for (let cursor = ''; ; ) {
    const query = { ...init.params?.query, ...(cursor && { [AFTER[path] ?? 'page[after]']: cursor }) };
    const answer = await ask<AnyPage<Each> | undefined>('get', path, {
      ...init,
      params: { ...init.params, query },
    });
    if (!answer) return;
    yield answer.data ?? answer.events ?? [];
    cursor = answer.page.next ?? answer.page.last;
    if (!cursor) return;
  }
}

/** The query of a request for what has changed after a time, oldest first. */
const changedAfter = (since: string | undefined, query: Record<string, unknown> = {}) => ({
  'page[size]': 500,
  ...query,
  'sort[updatedAt]': '1',
  'updatedAt[after]': since,
});

/** Up to where a list has been read. */
export interface Position {
  /** Everything up to this `updatedAt` has been read. If absent, nothing has. */
  since?: string;
  /** The tag of the last response, if nothing had changed. */
  etag?: string | null;
}

export interface ChangesUntilNowOptions extends Pick<Patience, 'onRetry'> {
  /** The last `updatedAt` of interest. */
  until?: string;
  signal?: AbortSignal;
}

/**
 * What has changed since a position, page by page, until nothing is left or `until` is passed. Moves the position
 * before each page: to the last time of the page that no later page can contain. The last page may be empty.
 */
export async function* changesUntilNow<Each extends { updatedAt: string }>(
  ask: Ask,
  path: ListPath,
  position: Position,
  { until, signal }: ChangesUntilNowOptions = {},
): AsyncGenerator<Each[]> {
  let highest = position.since;
  const pages = pagesOf<Each>(ask, path, {
    params: { query: changedAfter(position.since) },
    headers: position.etag ? { 'if-none-match': position.etag } : {},
    onHeaders: (headers) => {
      position.etag = headers.get('etag');
    },
    signal,
  });
  for await (const page of pages) {
    const items = until === undefined ? page : page.filter(({ updatedAt }) => updatedAt <= until);
    const last = items.at(-1)?.updatedAt;
    if (last !== undefined) {
      position.since = items.findLast(({ updatedAt }) => updatedAt !== last)?.updatedAt ?? position.since;
      highest = last;
      yield items;
    }
    if (items.length < page.length) {
      // Its tag is that of items that are still to be read.
      position.etag = null;
      break;
    }
  }
  if (highest === position.since) return;
  position.since = highest;
  // It was that of another request.
  position.etag = null;
  yield [];
}

export async function* follow<Each extends { updatedAt: string }>(
  ask: Ask,
  path: ListPath,
  { since, everyMs = 5_000, ...init }: AnyInit & { since?: string; everyMs?: number },
): AsyncGenerator<Each[]> {
  let etag: string | null = null;
  for (let highest = since; ; ) {
    const query = changedAfter(highest, init.params?.query);
    let group: Each[] = [];
    // A tag is that of an empty page: after any other, the next request has another URL.
    const asked = {
      ...init,
      params: { ...init.params, query },
      headers: etag ? { ...init.headers, 'if-none-match': etag } : init.headers,
      onHeaders: (headers: Headers) => {
        etag = headers.get('etag');
      },
    };
    for await (const item of walk<Each>(ask, path, asked)) {
      if (group.length >= query['page[size]'] && item.updatedAt !== highest) {
        yield group;
        group = [];
      }
      group.push(item);
      highest = item.updatedAt;
    }
    if (group.length > 0) yield group;
    await pause(everyMs, init.signal);
  }
}

export type ChangeEventsOptions = Init<'/v0/change-events', 'get'> &
  FollowOptions & {
    /** The `cursor` of the last processed page. If absent, starts with the oldest stored event. */
    after?: string;
  };

export interface ChangeEventsPage {
  events: ChangeEvent[];
  /** The start of the next page. */
  cursor: string;
}

export async function* followEvents(
  ask: Ask,
  { after = '', everyMs = 5_000, ...init }: ChangeEventsOptions,
): AsyncGenerator<ChangeEventsPage> {
  const given = init as AnyInit;
  for (let cursor = after; ; ) {
    const query = {
      'page[size]': 500,
      ...given.params?.query,
      'sort[timestamp]': '1',
      ...(cursor && { 'page[after]': cursor }),
    };
    const params = { ...given.params, query };
    const { data = [], page } = await ask<AnyPage<ChangeEvent>>('get', '/v0/change-events', {
      ...given,
      params,
    });
    if (data.length > 0) {
      cursor = page.last;
      yield { events: data, cursor };
    }
    if (!page.next) await pause(everyMs, init.signal);
  }
}
