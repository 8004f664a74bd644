import { readFileSync } from 'node:fs';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { nearestOf } from '#libs/input';
import { UnreadableFile } from '../source';
import { startListColumns } from './other-files';

/** The fields that a column can contain: of the event, the occurrence, the race, or one of its tickets. */
const TARGETS = [
  'event.title',
  'occurrence.title',
  'occurrence.timeZone',
  'occurrence.tags',
  'occurrence.content.excerpt',
  'occurrence.content.courseDetails',
  'occurrence.content.racedayLogistics',
  'occurrence.content.travel',
  'occurrence.content.spectators',
  'occurrence.location.address.city',
  'occurrence.location.address.formatted',
  'occurrence.location.address.countryName',
  'occurrence.location.address.countryCode',
  'occurrence.location.address.countyLine',
  'occurrence.location.address.addressLine1',
  'occurrence.location.address.addressLine2',
  'occurrence.location.address.postCode',
  'occurrence.location.coordinates.latitude',
  'occurrence.location.coordinates.longitude',
  'race.title',
  'race.startDate',
  'race.startTime',
  'race.discipline',
  'race.distance.value',
  'race.distance.unit',
  'race.maxCapacity',
  'ticket.title',
  'ticket.ticketSlug',
  'ticket.description',
  'ticket.price.value',
  'ticket.price.currencyCode',
  'ticket.saleStart',
  'ticket.saleEnd',
  'ticket.maxCapacity',
  'ticket.approval',
  'ticket.competitorSize',
] as const;
export type Target = (typeof TARGETS)[number];

const REQUIRED: Target[] = ['event.title', 'race.title', 'race.startDate'];

const TargetName = Type.Union(TARGETS.map((target) => Type.Literal(target)));
const MappingSchema = Type.Object(
  {
    delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 1 })),
    columns: Type.Record(
      Type.String(),
      Type.Union([
        TargetName,
        Type.Object(
          { to: TargetName, missing: Type.Optional(Type.Array(Type.String())) },
          { additionalProperties: false },
        ),
        Type.Null(),
      ]),
    ),
    values: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
    timeZones: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { additionalProperties: false },
);

type Mapping = Static<typeof MappingSchema>;

/** A column: its field, and the values that mean a missing value. */
export interface Column {
  name: string;
  to: Target;
  missing: ReadonlySet<string>;
}

export interface Columns {
  delimiter: string;
  /** In the order of the file; `undefined` for an ignored column. */
  inOrder: (Column | undefined)[];
  /** Fields that are the same in every row. */
  values: Partial<Record<Target, string | number>>;
  /** Time zones by country code, or by country code and county line (`US/LA`). */
  timeZones: Record<string, string>;
}

const isTarget = (name: string): name is Target => (TARGETS as readonly string[]).includes(name);

/**
 * Reads the columns file. Without one, the name of a column is the name of its field, such as `race.startDate`.
 *
 * @throws UnreadableFile if the columns file can't be read
 */
export function readMapping(path: string | undefined): Mapping | undefined {
  if (!path) return undefined;
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UnreadableFile(`${path} can't be read as JSON: ${(error as Error).message}`);
  }
  if (!Value.Check(MappingSchema, given)) {
    const [first] = Value.Errors(MappingSchema, given);
    throw new UnreadableFile(
      `${path}: ${first?.path.slice(1)} is invalid. A column must be one of ${TARGETS.join(', ')}, or null to ignore it.`,
    );
  }
  const stranger = Object.keys(given.values ?? {}).find((name) => !isTarget(name));
  if (stranger) throw new UnreadableFile(`${path}: values.${stranger} must be one of ${TARGETS.join(', ')}.`);
  return given;
}

/**
 * Applies the mapping to the header of a file.
 *
 * @throws UnreadableFile that names all unknown columns, or the missing ones
 */
export function columnsOf(header: string[], mapping: Mapping | undefined): Columns {
  const given = (name: string) => (mapping ? mapping.columns[name] : isTarget(name) ? name : undefined);
  const unknown = header.filter((name) => given(name) === undefined);
  if (unknown.length > 0) throw new UnreadableFile(unknownColumns(unknown, header, mapping));
  const inOrder = header.map((name): Column | undefined => {
    const column = given(name);
    if (!column) return undefined;
    const { to, missing = [] } = typeof column === 'string' ? { to: column } : column;
    return { name, to, missing: new Set(missing) };
  });
  const repeated = header.find((name, at) => header.indexOf(name) !== at);
  if (repeated !== undefined) throw new UnreadableFile(`The file has the column "${repeated}" twice.`);
  const absent = Object.keys(mapping?.columns ?? {}).filter((name) => !header.includes(name));
  if (absent.length > 0) throw new UnreadableFile(`The file has no column ${quoted(absent)}.`);
  const values = (mapping?.values ?? {}) as Columns['values'];
  const needed = REQUIRED.filter((to) => !(to in values) && !inOrder.some((column) => column?.to === to));
  if (needed.length > 0) throw new UnreadableFile(`The file has no column for ${needed.join(', ')}.`);
  return { delimiter: mapping?.delimiter ?? ',', inOrder, values, timeZones: mapping?.timeZones ?? {} };
}

const quoted = (names: string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Names each unknown column, with the known name that is most similar to it. */
function unknownColumns(unknown: string[], header: string[], mapping: Mapping | undefined): string {
  const listed = Object.keys(mapping?.columns ?? {});
  const ofStartList = startListColumns(unknown, header);
  if (ofStartList.length > 0) {
    return (
      `The file looks like a start list, with one participant per row: it has the columns ${quoted(ofStartList)}. ` +
      'A race calendar has one race per row. Load a start list with "start-list load" (docs/start-list-files.md).'
    );
  }
  const free = (mapping ? listed : [...TARGETS]).filter((name) => !header.includes(name));
  const columns = unknown.map((name) => {
    const nearest = nearestOf(name, free);
    return nearest ? `"${name}" (did you mean ${mapping ? `"${nearest}"` : nearest}?)` : `"${name}"`;
  });
  const how = mapping
    ? 'Rename them, or add them to the columns file (null ignores a column).'
    : `Rename them, or describe the columns in a columns file (--columns). The columns can be ${TARGETS.join(', ')}. ` +
      '"catalogue template" writes an example.';
  return `These columns are not known: ${columns.join(', ')}. ${how}`;
}
