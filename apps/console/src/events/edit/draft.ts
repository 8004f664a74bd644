import type { CatalogueRecordState } from '../../api';
import type { Row } from '../write-catalogue';
import { at, isObject, put, same } from './paths';
import { hasOptions, RECORDS, type Shape } from './shapes';

/** What was typed: the records of an occurrence, of which those in `base` are stored. */
export interface Draft {
  /** As they were read, with their versions. */
  base: CatalogueRecordState[];
  records: Row[];
  /** Discount codes to copy when a new event is created. */
  codes?: CodesToCopy;
  /** The last names of rows whose name is empty now: others still refer to them by it. */
  emptied?: Record<string, unknown>;
}

export interface CodesToCopy {
  ids: string[];
  /** Of the copies. */
  ending: string;
  /** Between both occurrences. */
  days: number;
}

type Parts = Pick<Shape, 'fields' | 'lists'>;
const ORDER = Object.keys(RECORDS);
const shapeOf = ({ record }: Row): Parts => RECORDS[String(record)] ?? { fields: [] };

export const draftOf = (base: CatalogueRecordState[]): Draft => ({
  base,
  records: base.map(({ record }) => record),
});

/** A row that is not stored has a name of its own, until it is sent. */
export const newRow = (values: Row = {}, name: unknown = crypto.randomUUID()): Row => ({
  ...values,
  $new: name,
});

const storedAs = ({ base }: Draft, record: Row) => base.find(({ id }) => id === record.id);

export const isDirty = (draft: Draft): boolean =>
  draft.records.length !== draft.base.length || draft.records.some((record) => isChanged(draft, record));

const isChanged = (draft: Draft, record: Row): boolean => !same(storedAs(draft, record)?.record, record);

/** The records to send, and the place of each among those of the draft. */
export function changesOf(draft: Draft): {
  records: Row[];
  places: number[];
  versions: Record<string, string>;
} {
  const places = draft.records
    .map((_, place) => place)
    .filter((place) => isChanged(draft, draft.records[place] as Row))
    .sort((a, b) => kindAt(draft, a) - kindAt(draft, b) || a - b);
  const changed = places.map((place) => draft.records[place] as Row);
  const stored = changed.flatMap((record) => storedAs(draft, record) ?? []);
  return {
    places,
    records: changed.map((record) => withoutNames(shown(record)) as Row),
    versions: Object.fromEntries(stored.map(({ id, version }) => [id, version])),
  };
}

function shown(record: Row): Row {
  if (record.record !== 'bookingFormField' || hasOptions(record)) return record;
  const { options: _, ...rest } = record;
  return rest;
}

const kindAt = ({ records }: Draft, place: number) => ORDER.indexOf(String(records[place]?.record));

function withoutNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNames);
  if (!isObject(value)) return value;
  const { $new: _, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, withoutNames(inner)]));
}

/**
 * What was typed at a path of `records`, and what follows from it: derived values, and names by which other records refer to it.
 *
 * @param value or a function that makes it of the present one
 */
export function typed(draft: Draft, path: string, value: unknown): Draft {
  const before = draft.records;
  const next = typeof value === 'function' ? value(at({ records: before }, path)) : value;
  const after = put({ records: before }, path, next).records;
  const derived = after.map((record, place) => {
    const was = before[place];
    return was && was !== record ? rederived(shapeOf(record), was, record, {}, {}) : record;
  });
  const emptied = { ...draft.emptied };
  return { ...draft, records: renamed(before, derived, emptied), emptied };
}

/** Derived values follow what they are derived from, until someone types another one or the row is stored. */
function rederived(shape: Parts, was: Row, row: Row, wasParent: Row, parent: Row): Row {
  let next = retitled(was, row);
  for (const { path, derived } of shape.fields) {
    if (!derived || row.id !== undefined) continue;
    const former = derived(was, wasParent);
    const now = derived(row, parent);
    const value = at(row, path) ?? '';
    if (now !== former && (value === '' || value === former)) next = put(next, path, now || undefined);
  }
  for (const { path, shape: inner } of shape.lists ?? []) {
    const rows = at(next, path) as Row[] | undefined;
    const wereRows = (at(was, path) as Row[] | undefined) ?? [];
    if (!rows || (rows === wereRows && next === was)) continue;
    const derived = rows.map((each, place) =>
      rederived(inner, wereRows.find((one) => isSame(one, each)) ?? wereRows[place] ?? {}, each, was, next),
    );
    if (derived.some((each, place) => each !== rows[place])) next = put(next, path, derived);
  }
  return next;
}

/** The title is that of a language, usually English, and keeps being it. */
function retitled({ title: former = '' }: Row, row: Row): Row {
  const { title = '', titleByLocale: titles } = row;
  if (title === former || !isObject(titles) || !Object.values(titles).includes(former)) return row;
  const renamed = Object.entries(titles).map(([locale, text]) => [locale, text === former ? title : text]);
  return { ...row, titleByLocale: Object.fromEntries(renamed) };
}

const isSame = (a: Row, b: Row) => (a.id ?? a.$new) === (b.id ?? b.$new);

const REFERENCES = [
  { kind: 'bookingFormField', name: 'key', in: ['bookingForm'], path: ['fields'] },
  { kind: 'bookingForm', name: 'title', in: ['occurrence'], path: ['races', 'tickets', 'bookingForms'] },
  { kind: 'event', name: 'slug', in: ['occurrence'], path: ['event'] },
] as const;

/** Whoever refers to a record by its name uses the new one. */
function renamed(before: Row[], after: Row[], emptied: Record<string, unknown>): Row[] {
  let records = after;
  for (const { kind, name, in: kinds, path } of REFERENCES) {
    const names = renames(of(before, kind), of(records, kind), name, emptied);
    if (names.size > 0)
      records = records.map((record) =>
        (kinds as readonly string[]).includes(String(record.record)) ? replaced(record, path, names) : record,
      );
  }
  const slugs = renames(ticketsOf(before), ticketsOf(records), 'ticketSlug', emptied);
  if (slugs.size === 0) return records;
  return records.map((record) => replaced(record, ['reservedEntryGroups', 'tickets', 'ticketSlug'], slugs));
}

const of = (records: Row[], kind: string) => records.filter(({ record }) => record === kind);
const listOf = (row: Row, name: string) => (row[name] as Row[] | undefined) ?? [];
/** The tickets of the occurrence, with their paths. */
export const placedTicketsOf = (records: Row[]): { path: string; race: Row; ticket: Row }[] =>
  records.flatMap((record, at) =>
    listOf(record, 'races').flatMap((race, i) =>
      listOf(race, 'tickets').map((ticket, j) => ({
        path: `records[${at}].races[${i}].tickets[${j}]`,
        race,
        ticket,
      })),
    ),
  );
export const ticketsOf = (records: Row[]): Row[] => placedTicketsOf(records).map(({ ticket }) => ticket);

function renames(
  before: Row[],
  after: Row[],
  name: string,
  emptied: Record<string, unknown>,
): Map<unknown, unknown> {
  const names = new Map<unknown, unknown>();
  for (const row of after) {
    const key = `${name} ${row.id ?? row.$new}`;
    const former = before.find((each) => isSame(each, row))?.[name];
    if (former && !row[name]) emptied[key] = former;
    const was = former || emptied[key];
    if (was && row[name] && was !== row[name]) names.set(was, row[name]);
  }
  return names;
}

function replaced(row: Row, [key, ...rest]: readonly string[], names: Map<unknown, unknown>): Row {
  const value = key === undefined ? undefined : row[key];
  if (key === undefined || value === undefined) return row;
  const next = Array.isArray(value)
    ? value.map((each) => (isObject(each) ? replaced(each, rest, names) : (names.get(each) ?? each)))
    : (names.get(value) ?? value);
  return { ...row, [key]: next };
}
