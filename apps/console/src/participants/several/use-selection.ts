import { useState } from 'react';

export interface Selection {
  ids: ReadonlySet<string>;
  /** All that match the filters, on every page. */
  all: boolean;
  toggle(id: string): void;
  /** Adds or removes the rows of the page. */
  togglePage(ids: string[]): void;
  selectAll(): void;
  clear(): void;
}

/** @param list what the list shows, without the page: another list has another selection */
export function useSelection(list: string): Selection {
  const [state, setState] = useState({ list, ids: new Set<string>(), all: false });
  const { ids, all } = state.list === list ? state : { ids: new Set<string>(), all: false };
  const set = (next: Set<string>, isAll = false) => setState({ list, ids: next, all: isAll });
  return {
    ids,
    all,
    toggle(id) {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      set(next);
    },
    togglePage(page) {
      const next = new Set(ids);
      const isWhole = page.every((id) => ids.has(id));
      for (const id of page) isWhole ? next.delete(id) : next.add(id);
      set(next);
    },
    selectAll: () => set(new Set(), true),
    clear: () => set(new Set()),
  };
}
