import type { AuditEntry } from '#platform/access';
import type { CatalogueChange } from './catalogue-write.dto';

/** The most changes of a record, and of all records of a response. */
const MOST_CHANGES = 1_000;
export const MOST_OF_ALL = 20_000;
/** The most characters of a value, and of a path. */
const LONGEST = 500;
const LONGEST_PATH = 300;

type Json = unknown;
type Part = Record<string, Json>;

/** A part of a record that has a history: the record itself, or a race, ticket, group … of it. */
interface Owner {
  type: string;
  id: string;
  /** Its place in the record. */
  path: string;
}

export interface Difference {
  path: string;
  before: Json;
  after: Json;
  owner: Owner | undefined;
}

/** Objects that are compared between two pauses. */
const COMPARED_AT_ONCE = 200;

/** What differs between two texts of a record. Objects of lists are compared with those of the same id, or name without an id. */
export async function differencesOf(
  before: Json,
  after: Json,
  pause: () => Promise<unknown>,
): Promise<Difference[]> {
  const found: Difference[] = [];
  let compared = 0;
  for (const each of differences(before, after, '')) {
    if (each !== COMPARED) found.push(each);
    else if (++compared % COMPARED_AT_ONCE === 0) await pause();
  }
  return found;
}

/** As responses show them, with every value of what is new. @param most how many are shown */
export function changesOf(
  all: readonly Difference[],
  before: Json,
  after: Json,
  most = MOST_OF_ALL,
): { changes: CatalogueChange[]; changeCount: number } {
  const every = all.flatMap((each) => (each.before === undefined ? [...values(each)] : each));
  return {
    changes: every
      .slice(0, Math.min(MOST_CHANGES, most))
      .map((each) => shownChange(each, each.after === undefined ? before : after)),
    changeCount: every.length,
  };
}

/** Each value within something new. */
function* values({ path, after, ...of }: Difference): Generator<Difference> {
  if (isPart(after)) {
    for (const [name, value] of Object.entries(after))
      if (name !== 'id' && name !== 'record')
        yield* values({ ...of, path: path ? `${path}.${name}` : name, after: value });
  } else if (isList(after) && after.some(isPart)) {
    for (const [at, value] of after.entries()) yield* values({ ...of, path: `${path}[${at}]`, after: value });
  } else yield { ...of, path, after };
}

/** The names of lists whose parts have a history. */
const PARTS: Record<string, string> = {
  races: 'race',
  waves: 'wave',
  tickets: 'ticket',
  addOns: 'add_on',
  reservedEntryGroups: 'reserved_entry_group',
  referralPrograms: 'referral_program',
};
const NAMES_OF_KINDS: Record<string, string> = {
  occurrence: 'event_occurrence',
  bookingForm: 'booking_form',
  bookingFormField: 'booking_form_field',
};
/** The most parts of one record that are recorded by themselves. */
const MOST_PARTS = 100;

type Audited = Omit<AuditEntry, 'organizationId'> & { changes?: { field: string; from: Json; to: Json }[] };

/** What the audit log says of a written record, by part. @param all undefined: the record is new */
export function auditedParts(
  record: { kind: string; id: string; name: string },
  all: readonly Difference[] | undefined,
): Audited[] {
  const objectType = NAMES_OF_KINDS[record.kind] ?? record.kind;
  const details = { name: record.name.slice(0, LONGEST_PATH) };
  if (!all) return [{ action: 'catalogue.create', objectType, objectId: record.id, details }];
  const found = new Map<string, Audited>();
  for (const { path, before: from, after: to, owner } of all) {
    const part = owner ?? { type: objectType, id: record.id, path: '' };
    if (!found.has(part.id) && found.size >= MOST_PARTS) continue;
    const isWhole = owner?.path === path;
    const action = !isWhole
      ? 'catalogue.update'
      : from === undefined
        ? 'catalogue.create'
        : 'catalogue.remove';
    const { changes = [] } = found.get(part.id) ?? {};
    if (!isWhole) changes.push({ field: path.slice(part.path.length).replace(/^\./, ''), from, to });
    found.set(part.id, {
      ...{ action, objectType: part.type, objectId: part.id },
      ...(isWhole ? {} : { changes }),
    });
  }
  return [...found.values()];
}

/** Between two differences: an object was compared. */
const COMPARED = Symbol('compared');

function* differences(
  before: Json,
  after: Json,
  path: string,
  owner?: Owner,
): Generator<Difference | typeof COMPARED> {
  if (isList(before) && isList(after)) yield* inLists(before, after, path, owner);
  else if (isPart(before) && isPart(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* differences(before[name], after[name], path ? `${path}.${name}` : name, owner);
  } else if (JSON.stringify(before) !== JSON.stringify(after)) yield { path, before, after, owner };
}

function* inLists(
  before: Json[],
  after: Json[],
  path: string,
  owner?: Owner,
): Generator<Difference | typeof COMPARED> {
  if (![...before, ...after].every(isPart)) {
    if (JSON.stringify(before) !== JSON.stringify(after)) yield { path, before, after, owner };
    return;
  }
  const type = PARTS[path.split('.').pop() ?? ''];
  const ownerOf = (part: Part, at: number): Owner | undefined =>
    type && typeof part.id === 'string' ? { type, id: part.id, path: `${path}[${at}]` } : owner;
  const [were, are] = [before, after].map((list) => keyed(list as Part[]));
  let at = 0;
  for (const [key, part] of are ?? []) {
    yield* differences(were?.get(key), part, `${path}[${at}]`, ownerOf(part, at));
    yield COMPARED;
    at += 1;
  }
  at = 0;
  for (const [key, part] of were ?? []) {
    if (!are?.has(key))
      yield { path: `${path}[${at}]`, before: part, after: undefined, owner: ownerOf(part, at) };
    at += 1;
  }
  const staying = [...(were?.keys() ?? [])].filter((key) => are?.has(key));
  const order = [...(are?.keys() ?? [])].filter((key) => were?.has(key));
  if (staying.join() !== order.join())
    yield {
      path,
      before: staying.map((key) => named(were?.get(key))),
      after: order.map((key) => named(are?.get(key))),
      owner,
    };
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

const shownChange = ({ path, before, after }: Difference, record: Json): CatalogueChange => ({
  path: path.slice(0, LONGEST_PATH),
  of: namesIn(record, path).join(' › ').slice(0, LONGEST_PATH),
  before: shown(before),
  after: shown(after),
});

/** The names of the parts that a path leads through. */
function namesIn(record: Json, path: string): string[] {
  const names: string[] = [];
  let at: Json = record;
  for (const [, property, place] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (isList(at) && place !== undefined) {
      at = at[Number(place)];
      const name = isPart(at) ? named(at) : null;
      if (typeof name === 'string') names.push(name);
    } else at = isPart(at) && property !== undefined ? at[property] : undefined;
  }
  return names;
}

function shown(value: Json): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text;
}
