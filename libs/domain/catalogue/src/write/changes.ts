import type { CatalogueChange } from './catalogue-write.dto';

/** The most changes of a record, and characters of a value, that a response has. */
const MOST_CHANGES = 100;
const LONGEST = 500;
const LONGEST_PATH = 300;

type Json = unknown;
type Part = Record<string, Json>;

/** What differs between two texts of a record. Objects of lists are compared with those of the same id, or name without an id. */
export function changesOf(before: Json, after: Json): { changes: CatalogueChange[]; changeCount: number } {
  const all = [...differences(before, after, '')];
  return { changes: all.slice(0, MOST_CHANGES), changeCount: all.length };
}

function* differences(before: Json, after: Json, path: string): Generator<CatalogueChange> {
  if (isList(before) && isList(after)) yield* inLists(before, after, path);
  else if (isPart(before) && isPart(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* differences(before[name], after[name], path ? `${path}.${name}` : name);
  } else if (JSON.stringify(before) !== JSON.stringify(after)) yield change(path, before, after);
}

function* inLists(before: Json[], after: Json[], path: string): Generator<CatalogueChange> {
  if (![...before, ...after].every(isPart)) {
    if (JSON.stringify(before) !== JSON.stringify(after)) yield change(path, before, after);
    return;
  }
  const [were, are] = [before, after].map((list) => keyed(list as Part[]));
  let at = 0;
  for (const [key, part] of are ?? []) {
    yield* differences(were?.get(key), part, `${path}[${at}]`);
    at += 1;
  }
  at = 0;
  for (const [key, part] of were ?? []) {
    if (!are?.has(key)) yield change(`${path}[${at}]`, part, undefined);
    at += 1;
  }
  const staying = [...(were?.keys() ?? [])].filter((key) => are?.has(key));
  const order = [...(are?.keys() ?? [])].filter((key) => were?.has(key));
  if (staying.join() !== order.join())
    yield change(
      path,
      staying.map((key) => named(were?.get(key))),
      order.map((key) => named(are?.get(key))),
    );
}

/** By what names them, and, where two have the same name, by their place too. */
function keyed(list: Part[]): Map<string, Part> {
  const parts = new Map<string, Part>();
  for (const [at, part] of list.entries()) {
    const key = keyOf(part, at);
    parts.set(parts.has(key) ? `${key} ${at}` : key, part);
  }
  return parts;
}

const keyOf = ({ id, ticketSlug, value, email }: Part, at: number): string =>
  String(id ?? ticketSlug ?? value ?? email ?? at);
const named = (part: Part | undefined): Json =>
  part?.title ?? part?.code ?? part?.ticketSlug ?? part?.value ?? null;

const isList = (value: Json): value is Json[] => Array.isArray(value);
const isPart = (value: Json): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const change = (path: string, before: Json, after: Json): CatalogueChange => ({
  path: path.slice(0, LONGEST_PATH),
  before: shown(before),
  after: shown(after),
});

function shown(value: Json): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text;
}
