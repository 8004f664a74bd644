import type { CatalogueRecordState } from '../../api';
import type { Row } from '../write-catalogue';
import type { Draft } from './draft';
import { below, isObject, same } from './paths';

/** A value that two people changed, or one of them. */
export interface Difference {
  path: string;
  before: unknown;
  /** What was typed here. */
  mine: unknown;
  /** What is stored now. */
  theirs: unknown;
  /** Both changed it. */
  contested: boolean;
}

type Parts = Map<string, Record<string, unknown>>;

/**
 * What was typed, with what someone else stored meanwhile. Where both changed a value, what was typed stays.
 *
 * @param found receives what they changed
 * @param takeTheirs the paths of contested values of which theirs is taken
 */
export function merge(
  before: unknown,
  mine: unknown,
  theirs: unknown,
  found: Difference[],
  takeTheirs: ReadonlySet<string> = new Set(),
  path = '',
): unknown {
  if (same(before, theirs)) return mine;
  if (isObject(mine) && isObject(theirs)) {
    const was = isObject(before) ? before : {};
    const keys = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
    const merged = [...keys].map((key) => [
      key,
      merge(was[key], mine[key], theirs[key], found, takeTheirs, below(path, key)),
    ]);
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  }
  const lists = [before ?? [], mine, theirs].map(partsOf);
  const [were, own, others] = lists;
  if (were && own && others) return mergeLists(were, own, others, found, takeTheirs, path);
  const contested = !same(before, mine) && !same(mine, theirs);
  found.push({ path, before, mine, theirs, contested });
  return contested && !takeTheirs.has(path) ? mine : theirs;
}

/** Rows keep the order that they have here; new ones of the other writer follow. */
function mergeLists(
  before: Parts,
  mine: Parts,
  theirs: Parts,
  found: Difference[],
  takeTheirs: ReadonlySet<string>,
  path: string,
): unknown[] {
  const merged: unknown[] = [];
  for (const [key, row] of mine) {
    const their = theirs.get(key);
    // A row that they removed stays only if it was changed here.
    if (!their && same(before.get(key), row)) {
      found.push({
        path: below(path, merged.length),
        before: row,
        mine: row,
        theirs: undefined,
        contested: false,
      });
      continue;
    }
    const at = below(path, merged.length);
    merged.push(their ? merge(before.get(key), row, their, found, takeTheirs, at) : row);
  }
  for (const [key, row] of theirs) {
    if (mine.has(key) || before.has(key)) continue;
    found.push({
      path: below(path, merged.length),
      before: undefined,
      mine: undefined,
      theirs: row,
      contested: false,
    });
    merged.push(row);
  }
  return merged;
}

/** The rows of a list by what names them; undefined if it is no list of rows. */
function partsOf(list: unknown): Parts | undefined {
  if (!Array.isArray(list) || !list.every(isObject)) return undefined;
  return new Map(list.map((row, index) => [nameOf(row) ?? `at ${index}`, row]));
}

const nameOf = ({ id, $new, ticketSlug, code, value }: Record<string, unknown>): string | undefined => {
  const name = id ?? $new ?? ticketSlug ?? code ?? value;
  return name === undefined ? undefined : String(name);
};

/** The draft with records as somebody else stored them, and what they changed. */
export function mergedWith(draft: Draft, current: CatalogueRecordState[], taken: ReadonlySet<string>) {
  const found: Difference[] = [];
  const now = new Map(current.map((state) => [state.id, state]));
  const before = new Map(draft.base.map((state) => [state.id, state]));
  const records = draft.records.map((record, place): Row => {
    const id = String(record.id ?? '');
    const state = now.get(id);
    if (!state) return record;
    const path = `records[${place}]`;
    return merge(before.get(id)?.record, record, state.record, found, taken, path) as Row;
  });
  const base = draft.base.map((state) => now.get(state.id) ?? state);
  return { merged: { ...draft, base, records }, found };
}
