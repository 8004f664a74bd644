import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useSession } from './session';

/**
 * A change, after which everything that is kept under the key is read again.
 *
 * @param key the beginning of keys of the organization; empty: all
 * @param then what follows when it is read
 */
export function useChange<Result, Given = void>(
  make: (given: Given) => Promise<Result>,
  key: readonly unknown[],
  then?: (result: Result) => void,
): UseMutationResult<Result, Error, Given> {
  const { organizationId } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: make,
    onSuccess: async (result) => {
      await queries.invalidateQueries({ queryKey: [organizationId, ...key] });
      then?.(result);
    },
  });
}
