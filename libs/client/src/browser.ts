import createClient from 'openapi-fetch';
import { StartlineError } from './error';
import type { paths } from './openapi';
import type { AnyInit, Call, Method } from './operations';
import { querySerializer } from './query-serializer';

export { StartlineError } from './error';
export { IMPORT_SHAPES } from './import-shapes';
export { IMPORT_TABLE } from './import-table';
export type { Answer, Init, PathOf } from './operations';
export { kindOfImport } from './rows/kinds';
export { asking, lookUp, questionsOf } from './rows/look-up';
export type { ImportField, ImportShape } from './rows/shapes';

/** There was no answer: the API can't be reached, or the connection was lost meanwhile. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export interface BrowserClient<Paths> {
  get: Call<'get', Paths>;
  post: Call<'post', Paths>;
  put: Call<'put', Paths>;
  patch: Call<'patch', Paths>;
  delete: Call<'delete', Paths>;
}

/**
 * The API client for a page on the API's own origin: the session cookie identifies the caller, and a header the
 * organization. Uses no module of Node.
 *
 * @param Paths those of the document of the API and the console
 * @param hear is given the headers of each response
 */
export function browserClient<Paths>(
  headers: Record<string, string> = {},
  hear: (headers: Headers) => void = () => {},
): BrowserClient<Paths> {
  const { request } = createClient<paths>({ baseUrl: '/', headers, querySerializer });
  const call =
    <M extends Method>(method: M): Call<M, Paths> =>
    async (path, ...[init]) => {
      const { data, error, response } = await request(method, path as never, init as AnyInit as never).catch(
        (cause: Error) => {
          throw cause.name === 'AbortError' ? cause : new NoAnswer(cause.message, { cause });
        },
      );
      hear(response.headers);
      if (!response.ok) throw StartlineError.of(response, error);
      return data as never;
    };
  return {
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
  };
}
