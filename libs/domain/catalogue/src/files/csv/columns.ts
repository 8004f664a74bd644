import { readFileSync } from 'node:fs';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { currencyInName, hasDatePattern, plain, type SheetField, unitIn } from '#libs/sheets';
import { nearestOf } from '#platform/validation';
import { UnreadableFile } from '../source';
import { unitOf } from './distances';
import { startListColumns } from './other-files';

/** The fields that a column can contain: of the event, the occurrence, the race, or one of its tickets or waves. */
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
  'ticket.price',
  'ticket.price.value',
  'ticket.price.currencyCode',
  'ticket.saleStart',
  'ticket.saleEnd',
  'ticket.maxCapacity',
  'ticket.approval',
  'ticket.competitorSize',
  'wave.title',
  'wave.startTime',
  'wave.startDateTime',
  'wave.capacity',
] as const;
export type Target = (typeof TARGETS)[number];

/** Names of columns in English, German and French, as `plain` writes them. */
const NAMES: Partial<Record<Target, string[]>> = {
  'event.title': ['event', 'eventname', 'veranstaltung', 'evenement', 'manifestation'],
  'race.title': ['race', 'racename', 'rennen', 'wettbewerb', 'lauf', 'course', 'epreuve'],
  'race.startDate': ['date', 'racedate', 'startdate', 'datum', 'renntag'],
  'race.startTime': ['starttime', 'time', 'startzeit', 'uhrzeit', 'heure', 'heurededepart'],
  'race.discipline': ['discipline', 'disziplin'],
  'race.distance.value': ['distance', 'distanz', 'strecke'],
  'race.distance.unit': ['unit', 'distanceunit', 'einheit', 'unite'],
  'race.maxCapacity': ['capacity', 'maxcapacity', 'places', 'startplatze', 'kapazitat', 'capacite'],
  'occurrence.timeZone': ['timezone', 'zeitzone', 'fuseauhoraire'],
  'occurrence.location.address.city': ['city', 'town', 'ort', 'stadt', 'ville'],
  'occurrence.location.address.countryName': ['country', 'land', 'pays'],
  'occurrence.location.address.postCode': ['postcode', 'zip', 'plz', 'postleitzahl', 'codepostal'],
  'ticket.title': ['ticket', 'tickettitle', 'billet'],
  'ticket.description': ['ticketdescription'],
  'ticket.price': ['price', 'preis', 'startgeld', 'prix', 'tarif'],
  'ticket.price.currencyCode': ['currency', 'wahrung', 'devise'],
  'ticket.saleStart': ['salestart', 'verkaufsbeginn'],
  'ticket.saleEnd': ['saleend', 'verkaufsende', 'meldeschluss'],
  'wave.title': ['wave', 'startwave', 'welle', 'startwelle', 'startblock', 'vague'],
  'wave.startTime': ['wavestart', 'wavestarttime', 'startzeitwelle', 'startzeitblock', 'departvague'],
  'wave.capacity': ['wavecapacity', 'wavesize', 'wellengrosse', 'blockgrosse'],
};
const NUMBERS = [
  'race.distance.value',
  'occurrence.location.coordinates.latitude',
  'occurrence.location.coordinates.longitude',
];
const TYPES: Partial<Record<Target, Pick<SheetField, 'type' | 'format'>>> = {
  'race.startDate': { type: 'string', format: 'date' },
  'race.startTime': { type: 'string', format: 'time' },
  'ticket.saleStart': { type: 'string', format: 'date-time' },
  'ticket.saleEnd': { type: 'string', format: 'date-time' },
  'wave.startTime': { type: 'string', format: 'time' },
  'wave.startDateTime': { type: 'string', format: 'date-time' },
  'ticket.price': { type: 'amount' },
};

/** How the values of a column are read; undefined for texts, and for what the rules of the catalogue check. */
export function fieldOf(path: Target): SheetField | undefined {
  const type = NUMBERS.includes(path) ? { type: 'number' } : TYPES[path];
  return type && { path, required: false, ...type };
}

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
    dateOrder: Type.Optional(Type.Union([Type.Literal('dmy'), Type.Literal('mdy')])),
    decimal: Type.Optional(Type.Union([Type.Literal('.'), Type.Literal(',')])),
    waveDay: Type.Optional(Type.Union([Type.Literal('next'), Type.Literal('same')])),
  },
  { additionalProperties: false },
);

type Mapping = Static<typeof MappingSchema>;

/** A column: its field, and the values that mean a missing value. */
export interface Column {
  name: string;
  to: Target;
  missing: ReadonlySet<string>;
  /** What its name says about its values: the unit of distances, or the currency of amounts. */
  unit?: string;
}

export interface Columns {
  /** In the order of the file; `undefined` for a column that is not loaded. */
  inOrder: (Column | undefined)[];
  /** The columns that no field has, each with a similar name that one has. */
  unknown: { name: string; similar?: string }[];
  /** Fields that are the same in every row. */
  values: Partial<Record<Target, string | number>>;
  /** Time zones by country code, or by country code and county line (`US/LA`). */
  timeZones: Record<string, string>;
}

const isTarget = (name: string): name is Target => (TARGETS as readonly string[]).includes(name);
const named = (name: string): Target | undefined => {
  const known = TARGETS.find((target) => target === name || NAMES[target]?.includes(plain(name)));
  const said = unitIn(name);
  if (!said) return known;
  const before = TARGETS.find((target) => NAMES[target]?.includes(plain(said.name)));
  const fits =
    before &&
    (unitFor(before, name) ?? (/^date/.test(fieldOf(before)?.format ?? '') && hasDatePattern(name)));
  // `Preis (%)` is no amount.
  return fits ? before : known === 'ticket.price' ? undefined : known;
};

/** The unit of the values of a column of distances or amounts, as its name has it. */
function unitFor(target: Target, name: string): string | undefined {
  if (target === 'ticket.price') return currencyInName(name);
  return target === 'race.distance.value' ? unitOf(unitIn(name)?.unit ?? '') : undefined;
}

/**
 * Reads the columns file. Without one, the name of a column is that of its field, such as `race.startDate`, `Date` or `Datum`.
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
  const given = (name: string) => (mapping ? mapping.columns[name] : named(name));
  const strangers = header.filter((name) => given(name) === undefined);
  const inOrder = header.map((name): Column | undefined => {
    const column = given(name);
    if (!column) return undefined;
    const { to, missing = [] } = typeof column === 'string' ? { to: column } : column;
    const unit = unitFor(to, name);
    return { name, to, missing: new Set(missing), ...(unit && { unit }) };
  });
  const repeated = inOrder.find(
    (column, at) => column && inOrder.findIndex((other) => other?.to === column.to) < at,
  );
  if (repeated)
    throw new UnreadableFile(`Several columns are ${repeated.to}, among them "${repeated.name}".`);
  const values = (mapping?.values ?? {}) as Columns['values'];
  const needed = REQUIRED.filter((to) => !(to in values) && !inOrder.some((column) => column?.to === to));
  const ofStartList = startListColumns(strangers, header, needed.length === 0);
  if (ofStartList.length > 0)
    throw new UnreadableFile(
      `The file looks like a start list, with one participant per row: it has the columns ${quoted(ofStartList)}. ` +
        'A race calendar has one race per row. Load a start list with "start-list load" (docs/start-list-files.md).',
    );
  const listed = Object.keys(mapping?.columns ?? {});
  const absent = listed.filter((name) => !header.includes(name));
  const free = mapping ? absent : TARGETS.filter((name) => !header.includes(name));
  const unknown = strangers.map((name) => ({ name, similar: nearestOf(name, free) }));
  if (absent.length > 0)
    throw new UnreadableFile(withUnknown(`The file has no column ${quoted(absent)}.`, unknown, mapping));
  if (needed.length > 0)
    throw new UnreadableFile(
      withUnknown(`The file has no column for ${needed.join(', ')}.`, unknown, mapping),
    );
  return { inOrder, unknown, values, timeZones: mapping?.timeZones ?? {} };
}

const quoted = (names: string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Names each column that is not known, with a name that is similar to it: one of them may be what is missing. */
function withUnknown(missing: string, unknown: Columns['unknown'], mapping: Mapping | undefined): string {
  if (unknown.length === 0) return missing;
  const columns = unknown.map(
    ({ name, similar }) => `"${name}"${similar ? ` (did you mean "${similar}"?)` : ''}`,
  );
  const how = mapping
    ? 'Rename them, or add them to the columns file.'
    : `Rename them, or describe the columns in a columns file (--columns). The columns can be ${TARGETS.join(', ')}. ` +
      '"catalogue template" writes an example.';
  return `${missing} These columns are not known: ${columns.join(', ')}. ${how}`;
}
