import { NAME_OF, type Row } from '../write-catalogue';

/** The most records and characters of a request. */
const MOST = 200;
const CHARACTERS = 3_500_000;

type Kind = keyof typeof NAME_OF;

export const nameOf = (record: Row): string => String(record[NAME_OF[record.record as Kind]] ?? '');
const named = (kind: Kind, name: unknown) => `${kind} ${name}`;
const rows = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);

/** The names of the records that one refers to. */
function referencesOf(record: Row): string[] {
  const names = (kind: Kind, ...given: unknown[]) =>
    given.filter((name) => typeof name === 'string').map((name) => named(kind, name));
  switch (record.record) {
    case 'bookingForm':
      return names('bookingFormField', ...rows(record.fields));
    case 'partner':
      return [
        ...names('partner', record.parentPartner),
        ...names('event', ...rows(record.specificMarketings).map(({ event }) => event)),
      ];
    case 'occurrence': {
      const tickets = rows(record.races).flatMap((race) => rows(race.tickets));
      return [
        ...names('event', record.event),
        ...names('bookingForm', ...tickets.flatMap(({ bookingForms }) => rows(bookingForms))),
        ...rows(record.reservedEntryGroups).flatMap(({ partner, subPartner }) =>
          names('partner', partner, subPartner),
        ),
      ];
    }
    default:
      return [];
  }
}

/** A part of a file: records that follow each other, and those before them that they refer to. */
export interface Part {
  /** The places of both kinds in the file. */
  places: number[];
  /** The first and the last record that the part is about. */
  from: number;
  to: number;
}

/**
 * Cuts records into requests. With the records before a part that it refers to, it can be tried before these are written.
 *
 * @param from the first record that is not written yet
 */
export function partsOf(records: Row[], from = 0): Part[] {
  const known = new Map<string, number>();
  const needs: Set<number>[] = [];
  const parts: Part[] = [];
  let now: { places: Set<number>; from: number; to: number } | undefined;
  const end = () => {
    if (now) parts.push({ ...now, places: [...now.places].sort((a, b) => a - b) });
  };
  for (let place = from; place < records.length; place += 1) {
    const record = records[place] as Row;
    const needed = new Set([place]);
    for (const name of referencesOf(record))
      for (const each of needs[known.get(name) ?? -1] ?? []) needed.add(each);
    needs[place] = needed;
    known.set(named(record.record as Kind, nameOf(record)), place);
    const together = new Set([...(now?.places ?? []), ...needed]);
    if (!now || isTooLarge(records, together)) {
      end();
      now = { places: needed, from: place, to: place };
    } else now = { ...now, places: together, to: place };
  }
  end();
  return parts;
}

function isTooLarge(records: Row[], places: Set<number>): boolean {
  if (places.size > MOST) return true;
  let characters = 0;
  for (const place of places) characters += sizeOf(records[place] as Row);
  return characters > CHARACTERS;
}

const sizes = new WeakMap<Row, number>();
function sizeOf(record: Row): number {
  const known = sizes.get(record) ?? JSON.stringify(record).length;
  sizes.set(record, known);
  return known;
}

/** The records that have the name of an earlier one: they would change it. */
export function repeatedIn(records: Row[]): number[] {
  const seen = new Set<string>();
  return records.flatMap((record, place) => {
    const name = named(record.record as Kind, nameOf(record));
    if (seen.has(name)) return [place];
    seen.add(name);
    return [];
  });
}
