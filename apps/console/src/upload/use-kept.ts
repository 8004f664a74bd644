import { useState } from 'react';
import { useSession } from '../session';

/** What a person chose on a page, until the console is loaded again. Signing out loads it again. */
const kept = new Map<string, unknown>();

/** State of a page that is there again when the same person comes back to it. */
export function useKept<T>(name: string, initial: T): [T, (change: (before: T) => T) => void] {
  const { me, organizationId } = useSession();
  const key = `${organizationId} ${me.id} ${name}`;
  const [value, setValue] = useState((kept.has(key) ? kept.get(key) : initial) as T);
  const change = (next: (before: T) => T) => {
    const before = (kept.has(key) ? kept.get(key) : initial) as T;
    kept.set(key, next(before));
    setValue(() => kept.get(key) as T);
  };
  return [value, change];
}
