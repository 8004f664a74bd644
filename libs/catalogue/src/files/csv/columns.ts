import { readFileSync } from 'node:fs';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { UnreadableFile } from '../source';

/** The fields that a column can contain: of the event, the occurrence, or the race. */
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
  'occurrence.location.address.countryCode',
  'occurrence.location.address.countryName',
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
] as const;
export type Target = (typeof TARGETS)[number];

const REQUIRED: Target[] = ['event.title', 'race.title', 'race.startDate'];

const TargetName = Type.Union(TARGETS.map((target) => Type.Literal(target)));
const Mapping = Type.Object(
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
export function readMapping(path: string | undefined): Static<typeof Mapping> | undefined {
  if (!path) return undefined;
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UnreadableFile(`${path} can't be read as JSON: ${(error as Error).message}`);
  }
  if (!Value.Check(Mapping, given)) {
    const [first] = Value.Errors(Mapping, given);
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
 * @throws UnreadableFile that names unknown and missing columns
 */
export function columnsOf(header: string[], mapping: Static<typeof Mapping> | undefined): Columns {
  const inOrder = header.map((name): Column | undefined => {
    const given = mapping ? mapping.columns[name] : isTarget(name) ? name : undefined;
    if (given === undefined) {
      const how = mapping
        ? 'add it to the columns file (null ignores it)'
        : 'describe it in a columns file (--columns)';
      throw new UnreadableFile(`Column "${name}" is not known: ${how}.`);
    }
    if (given === null) return undefined;
    const { to, missing = [] } = typeof given === 'string' ? { to: given } : given;
    return { name, to, missing: new Set(missing) };
  });
  const repeated = header.find((name, at) => header.indexOf(name) !== at);
  if (repeated !== undefined) throw new UnreadableFile(`The file has the column "${repeated}" twice.`);
  const absent = Object.keys(mapping?.columns ?? {}).find((name) => !header.includes(name));
  if (absent !== undefined) throw new UnreadableFile(`The file has no column "${absent}".`);
  const values = (mapping?.values ?? {}) as Columns['values'];
  const needed = REQUIRED.find((to) => !(to in values) && !inOrder.some((column) => column?.to === to));
  if (needed) throw new UnreadableFile(`The file has no column for ${needed}.`);
  return { delimiter: mapping?.delimiter ?? ',', inOrder, values, timeZones: mapping?.timeZones ?? {} };
}
