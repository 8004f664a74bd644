import { hasZone, type LocalReading, readLocal } from '#platform/validation';
import type { CatalogueRecord, RecordOf } from './records';

/** Readings between two pauses. */
const READ_AT_ONCE = 100;

type Occurrence = RecordOf<'occurrence'>;

/** A date-time without a zone: what it is a property of, and its path in the record. */
interface LocalTime {
  of: Record<string, unknown>;
  property: string;
  field: string;
  local: string;
}

/** The date-times of an occurrence that are local to it, because they have no zone. */
export function* localTimesOf({ races, reservedEntryGroups }: Occurrence): Generator<LocalTime> {
  for (const [at, race] of (races ?? []).entries()) {
    yield* inRows(race.waves, `races[${at}].waves`, ['startDateTime']);
    yield* inRows(race.tickets, `races[${at}].tickets`, ['saleStart', 'saleEnd']);
  }
  for (const [at, { settings, tickets }] of (reservedEntryGroups ?? []).entries()) {
    yield* inRow(settings ?? {}, `reservedEntryGroups[${at}].settings`, ['deadline']);
    yield* inRows(tickets, `reservedEntryGroups[${at}].tickets`, ['startDateTime']);
  }
}

function* inRows(
  rows: object[] | null | undefined,
  list: string,
  properties: string[],
): Generator<LocalTime> {
  for (const [at, row] of (rows ?? []).entries()) yield* inRow(row, `${list}[${at}]`, properties);
}

function* inRow(row: object, path: string, properties: string[]): Generator<LocalTime> {
  const of = row as Record<string, unknown>;
  for (const property of properties) {
    const local = of[property];
    if (typeof local === 'string' && !hasZone(local))
      yield { of, property, field: `${path}.${property}`, local };
  }
}

/** Reads a date-time without a zone as a local time of the record. */
export type LocalReader = (local: string) => LocalReading;

export const readerOf =
  ({ timeZone }: Pick<Occurrence, 'timeZone'>): LocalReader =>
  (local) =>
    readLocal(local, timeZone);

/** Reads the local times of a record of the right shape before they are used. A reading takes microseconds, and a record can have thousands. */
export async function readAhead(
  record: CatalogueRecord,
  pause: () => Promise<unknown>,
): Promise<LocalReader | undefined> {
  if (record.record !== 'occurrence') return undefined;
  const read = readerOf(record);
  const known = new Map<string, LocalReading>();
  for (const { local } of localTimesOf(record)) {
    if (known.has(local)) continue;
    known.set(local, read(local));
    if (known.size % READ_AT_ONCE === 0) await pause();
  }
  return (local) => known.get(local) ?? read(local);
}

/** Makes instants of the local times of a valid record. */
export function toInstants(record: CatalogueRecord, read: LocalReader | undefined): void {
  if (record.record !== 'occurrence' || !read) return;
  for (const { of, property, local } of localTimesOf(record)) of[property] = read(local).instant;
}
