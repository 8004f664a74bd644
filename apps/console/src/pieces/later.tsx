import { type ReactNode, useDeferredValue } from 'react';

/**
 * Renders its children in pieces, after what is around them has been painted: what was clicked is answered at once, however
 * much there is to show.
 */
export function Later({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) && children;
}
