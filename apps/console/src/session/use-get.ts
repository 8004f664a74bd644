import { keepPreviousData, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Answer, Init, PathOf } from '../api';
import type { paths } from '../openapi';
import { useSession } from './session';

export type Params<Path extends keyof paths> =
  NonNullable<Init<Path, 'get', paths>> extends { params?: infer P } ? P : never;
type Options<Result> = Omit<UseQueryOptions<Result, Error>, 'queryKey' | 'queryFn'>;

/**
 * Reads an operation of the API.
 *
 * @param key what it is kept under in the organization: whoever changes it, invalidates a beginning of it
 */
export function useGet<Path extends PathOf<'get', paths>>(
  key: readonly unknown[],
  path: Path,
  params?: Params<Path>,
  options?: Options<Answer<Path, 'get', paths>>,
): UseQueryResult<Answer<Path, 'get', paths>, Error> {
  const { api, organizationId } = useSession();
  return useQuery({
    queryKey: [organizationId, ...key],
    queryFn: ({ signal }) => api.get(path, ...([{ params, signal }] as never)),
    ...options,
  });
}

/** The same for lists: while another page loads, the former one shows. */
export const useList: typeof useGet = (key, path, params, options) =>
  useGet(key, path, params, { placeholderData: keepPreviousData as never, ...options });
