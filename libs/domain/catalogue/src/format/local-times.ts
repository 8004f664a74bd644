import { hasZone, readLocal } from '#platform/validation';
import type { CatalogueRecord, RecordOf } from './records';

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

/** Makes instants of the local times of a valid record. */
export function toInstants(record: CatalogueRecord): void {
  if (record.record !== 'occurrence') return;
  for (const { of, property, local } of localTimesOf(record))
    of[property] = readLocal(local, record.timeZone).instant;
}
