import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** The filters and the page of a list, stored in the address so that "back", reloading and sharing keep them. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams();
  const filters = Object.fromEntries(names.map((name) => [name, search.get(name) ?? undefined])) as Partial<
    Record<Name, string>
  >;
  const cursor = {
    ...(search.get('after') && { 'page[after]': search.get('after') as string }),
    ...(search.get('before') && { 'page[before]': search.get('before') as string }),
  };
  const set = useCallback(
    (changes: Partial<Record<Name | 'after' | 'before', string | null>>, options?: { replace: boolean }) =>
      setSearch((before) => {
        const after = new URLSearchParams(before);
        for (const name of ['after', 'before']) after.delete(name);
        for (const [name, value] of Object.entries(changes)) {
          if (value) after.set(name, value as string);
          else after.delete(name);
        }
        return after;
      }, options),
    [setSearch],
  );
  return { filters, cursor, set };
}
