import { useCallback, useEffect, useState } from 'react';
import type { Cells } from './row-cells';

/** Changed cells by row. */
export type Changes = Readonly<Record<number, Cells>>;

/** Characters that are kept in the session of the browser; more is lost on a reload, of which the page warns. */
const MOST = 1_000_000;

/** Unsent changes of a job's rows. They survive a reload of the page, in this tab. */
export function useChanges(jobId: string) {
  const key = keyOf(jobId);
  const [changes, setChanges] = useState<Changes>(() => read(key));
  useEffect(() => {
    const text = JSON.stringify(changes);
    if (text === '{}' || text.length > MOST) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  }, [key, changes]);
  /** Sets cells. A cell that has its original text again is unchanged. */
  const set = useCallback(
    (given: readonly { row: number; path: string; text: string; original: string }[]) =>
      setChanges((before) => {
        const after: Record<number, Cells> = { ...before };
        for (const { row, path, text, original } of given) {
          const { [path]: _, ...others } = after[row] ?? {};
          const cells = text === original ? others : { ...others, [path]: text };
          if (Object.keys(cells).length > 0) after[row] = cells;
          else delete after[row];
        }
        return after;
      }),
    [],
  );
  /** Drops all changes, or those of sent rows; what was typed into them since then stays. */
  const forget = useCallback(
    (sent?: Changes) => setChanges((before) => (sent ? changedSince(before, sent) : {})),
    [],
  );
  return { changes, set, forget };
}

function changedSince(now: Changes, sent: Changes): Changes {
  const rows = Object.entries(now).map(([row, cells]): [string, Cells] => {
    const before = sent[Number(row)];
    return [
      row,
      before
        ? Object.fromEntries(Object.entries(cells).filter(([path, text]) => text !== before[path]))
        : cells,
    ];
  });
  return Object.fromEntries(rows.filter(([, cells]) => Object.keys(cells).length > 0));
}

const PREFIX = 'startline.rows.';
const keyOf = (jobId: string): string => PREFIX + jobId;

/** Drops the unsent changes of all jobs in this tab. */
export function dropChanges(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}

/** How many rows of a job have changes that are not sent. */
export const unsentRows = (jobId: string): number => Object.keys(read(keyOf(jobId))).length;

function read(key: string): Changes {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}');
  } catch {
    return {};
  }
}
