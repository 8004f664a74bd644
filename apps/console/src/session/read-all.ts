import type { Answer, BrowserClient, PathOf } from '../api';
import type { paths } from '../openapi';
import type { Params } from './use-get';

type Path = PathOf<'get', paths>;
type Item<P extends Path> = Answer<P, 'get', paths> extends { data: (infer Each)[] } ? Each : never;
interface Page<P extends Path> {
  data: Item<P>[];
  page: { next: string; totalResults: number };
}

/** The pages of a list, one after another. */
export async function* pagesOf<P extends Path>(
  api: BrowserClient,
  path: P,
  params: Params<P>,
  signal?: AbortSignal,
): AsyncGenerator<Page<P>> {
  for (let after: string | undefined; after !== ''; ) {
    const { query, ...others } = params as { query?: object };
    const init = { params: { ...others, query: { ...query, 'page[after]': after } }, signal };
    const answer = (await api.get(path, init as never)) as Page<P>;
    yield answer;
    after = answer.page.next;
  }
}

/** The items of a list, from its first pages until there are `most`, and how many it has. */
export async function readAll<P extends Path>(
  api: BrowserClient,
  path: P,
  params: Params<P>,
  { signal, most }: { signal: AbortSignal; most: number },
): Promise<{ items: Item<P>[]; total: number }> {
  const items: Item<P>[] = [];
  for await (const { data, page } of pagesOf(api, path, params, signal)) {
    items.push(...data);
    if (items.length >= most || !page.next) return { items, total: page.totalResults };
  }
  return { items, total: items.length };
}
