import fc, { type Arbitrary } from 'fast-check';
import type { WholeOrganization } from '#libs/testing';
import { newId } from '#platform/database';
import { BODIES } from './bodies';
import { ALL_OPERATIONS, DOCUMENT, type DocumentedOperation, type Schema, subjectOf } from './document';
import { CATALOGUE } from './walk/catalogue';

/** A request as it is sent: path, query and body are text. */
export interface FuzzedRequest {
  operation: DocumentedOperation;
  /** The path and the body are those of a valid request, which needs new records, instead of these. */
  isValid: boolean;
  caller: string;
  path: string;
  body: string | undefined;
  headers: Record<string, string>;
}

/** Text that has caused errors elsewhere. */
const NASTY = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e\ufeff',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e309',
  '99999999999999999999',
  '0x7f',
  '__proto__',
  'constructor',
  "' OR 1=1 --",
  "'); DROP TABLE partners; --",
  '$1 $2 :a ?',
  "\\' || pg_sleep(9)",
  'a & !b | (c <-> d:*',
  '\':*&|!()<>"\\',
  '%_\\%',
  '{{7*7}}${7*7}',
  '../../etc/passwd',
  '\r\nset-cookie: a=b',
  '<script>alert(1)</script>',
  'ﷺ'.repeat(50),
  '👩‍👩‍👧‍👦',
  'İıẞß',
  'infinity',
  '2026-02-30',
  '9999-12-31T23:59:59.999999Z',
  '0001-01-01T00:00:00+15:00',
  'x'.repeat(3_000),
];

const nasty = fc.constantFrom(...NASTY);
const text = fc.oneof(
  { arbitrary: fc.string({ maxLength: 30 }), weight: 3 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 20 }), weight: 1 },
  { arbitrary: nasty, weight: 2 },
);
const garbage: Arbitrary<unknown> = fc.oneof(
  text,
  fc.constantFrom<unknown>(null, true, 0, -1, 0.1, 1e21, -1e308, 2 ** 53, [], {}, [[]], [null], {
    value: {},
  }),
  fc.jsonValue({ maxDepth: 3 }),
);

const padded = (value: number, length = 2) => String(value).padStart(length, '0');
const date = fc
  .tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1, max: 13 }), fc.integer({ min: 1, max: 31 }))
  .map(([year, month, day]) => `${padded(year, 4)}-${padded(month)}-${padded(day)}`);
const dateTime = fc
  .tuple(
    date,
    fc.nat(24),
    fc.nat(60),
    fc.constantFrom('', '.5', '.123456', '.999999999'),
    fc.constantFrom('Z', '', '+02:00', ' 02:00', '-14:30'),
  )
  .map(
    ([day, hour, minute, fraction, zone]) => `${day}T${padded(hour)}:${padded(minute)}:59${fraction}${zone}`,
  );

const FORMATS: Record<string, Arbitrary<string>> = {
  uuid: fc.constantFrom(newId(), newId()),
  date,
  'date-time': fc.oneof(dateTime, fc.constant('2026-05-04T09:30:00Z')),
  email: fc.oneof(fc.emailAddress(), fc.constant('Ada@Example.com')),
  uri: fc.webUrl(),
};

/** Existing ids and names of the organization, by the property that holds them. */
type Known = Record<string, readonly string[]>;

export const knownOf = ({
  ids,
  waveId,
  addOnId,
  variantId,
  reservedEntryGroupId,
  mark,
  email,
}: WholeOrganization): Known => {
  const of = (name: string) => [ids[name] as string];
  const numbered = (name: string) => [mark, ...[1, 2, 3, 4, 5, 6].map((n) => `${name}-${n}`)];
  return {
    eventId: of('events'),
    eventOccurrenceId: of('event-occurrences'),
    eventOccurrenceIds: of('event-occurrences'),
    ticketId: of('tickets'),
    ticketIds: of('tickets'),
    waveId: [waveId],
    partnerId: of('partners'),
    bookingId: of('bookings'),
    referredBookingId: of('bookings'),
    participantId: of('participants'),
    participantIds: of('participants'),
    applicationIds: of('applications'),
    addOnId: [addOnId],
    variantId: [variantId],
    referralProgramId: of('referral-programs'),
    reservedEntryGroupId: [reservedEntryGroupId],
    id: of('booking-form-fields'),
    externalBookingId: numbered('order'),
    referredExternalBookingId: numbered('order'),
    externalLineItemId: numbered('line'),
    externalAllocationId: numbered('shirt'),
    externalCreditId: numbered('credit'),
    externalAssignmentId: numbered('place'),
    externalParticipantId: numbered('runner'),
    code: numbered('code'),
    discountCode: numbered('code'),
    generatedReferralCode: [mark],
    ticketSlug: [mark],
    bibNumber: [mark, '1', '2'],
    email: [email, `ada@${mark}.example.com`],
  };
};

/** Values that match a schema, or nearly: patterns and additional rules are met sometimes. */
export function fitting(schema: Schema, known: Known, name = ''): Arbitrary<unknown> {
  if (schema.$ref) {
    const named = schema.$ref.split('/').at(-1) as string;
    return fitting(DOCUMENT.components.schemas[named], known, name);
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices: Schema[] | undefined =
    schema.oneOf ??
    (Array.isArray(schema.type) ? schema.type.map((type: string) => ({ ...schema, type })) : undefined);
  if (choices) return fc.oneof(...choices.map((choice) => fitting(choice, known, name)));
  switch (schema.type) {
    case 'object':
      return schema.properties ? record(schema, known) : dictionary(schema, known);
    case 'array':
      return fc.array(fitting(schema.items, known, name), { minLength: schema.minItems ?? 0, maxLength: 3 });
    case 'integer':
      return fc
        .oneof(fc.integer({ min: 0, max: 100 }), fc.maxSafeInteger())
        .map((value) => between(value, schema));
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return textOf(schema, known[name]);
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

const between = (value: number, { minimum = -Infinity, maximum = Infinity }: Schema) =>
  Math.min(maximum, Math.max(minimum, value));

const recordOf = ({ properties, required = [] }: Schema, known: Known) =>
  fc.record(
    Object.fromEntries(
      Object.entries(properties as Schema).map(([name, schema]) => [name, fitting(schema, known, name)]),
    ),
    { requiredKeys: required },
  );

/** Few imports correct another one: without a failed row of it, they are refused as a whole. */
function record(schema: Schema, known: Known): Arbitrary<unknown> {
  const { corrects, ...others } = schema.properties;
  if (!corrects) return recordOf(schema, known);
  return weighted([9, recordOf({ ...schema, properties: others }, known)], [1, recordOf(schema, known)]);
}

const dictionary = ({ propertyNames, additionalProperties }: Schema, known: Known) =>
  fc.dictionary(
    propertyNames ? (fitting(propertyNames, known) as Arbitrary<string>) : fc.string({ maxLength: 10 }),
    typeof additionalProperties === 'object'
      ? fitting(additionalProperties, known)
      : fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 3 },
  );

function textOf(
  { format, pattern, examples, maxLength = 300 }: Schema,
  known: readonly string[] | undefined,
) {
  const free =
    FORMATS[format] ??
    (pattern
      ? fc.constantFrom(...(examples ?? ['A1']), 'A1')
      : text.map((value) => value.slice(0, maxLength)));
  return known
    ? fc.oneof({ arbitrary: fc.constantFrom(...known), weight: 4 }, { arbitrary: free, weight: 1 })
    : free;
}

/** The value with one of its parts replaced, removed or added. */
const mutated = (value: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc
    .tuple(value, fc.nat(1_000), fc.constantFrom('replace', 'remove', 'add'), garbage, text)
    .map(([whole, at, how, part, name]) => {
      const copy = structuredClone({ whole }) as Record<string, unknown>;
      const places = placesIn(copy);
      const [parent, key] = places[at % places.length] as [Record<string, unknown>, string];
      if (how === 'remove') delete parent[key];
      // An array has no other length than its own.
      else parent[how === 'add' && name !== 'length' ? name : key] = part;
      return copy.whole;
    });

function placesIn(value: unknown): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [
    [value as Record<string, unknown>, key] as [Record<string, unknown>, string],
    ...placesIn(part),
  ]);
}

const weighted = <T>(...choices: [weight: number, arbitrary: Arbitrary<T>][]): Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const encode = (value: string) => encodeURIComponent(value.toWellFormed());

/** Malformed percent-encodings and unescaped characters are sent unchanged. */
const pathPart = (subject: string, own: string | undefined): Arbitrary<string> =>
  weighted(
    [own === undefined ? 0 : 6, fc.constant(encode(own ?? ''))],
    // Replaced by the id of a new record.
    [own === undefined ? 8 : 2, fc.constant(`~${subject}~`)],
    [1, fc.constant(newId())],
    // A client removes a dot segment from the path, so another operation responds.
    [2, text.map(encode).filter((part) => !/^\.{1,2}$/.test(part))],
    [1, fc.constantFrom('%00', '%ff', '%', '..%2f', 'a;b', '%E0%A4%A')],
  );

const query = ({ query: parameters }: DocumentedOperation, known: Known): Arbitrary<string> => {
  const one = (name: string, schema: Schema): Arbitrary<string | undefined> =>
    weighted([4, fitting(schema, known, name).map(String)], [1, text]).map(
      (value) => `${encode(name)}=${encode(value)}`,
    );
  const absence = parameters.length > 2 ? 6 : 2;
  const each = parameters.map(({ name, schema, required }) =>
    weighted([required ? 20 : 1, one(name, schema)], [required ? 1 : absence, fc.constant(undefined)]),
  );
  const strange = weighted(
    [1, fc.tuple(text, text).map(([name, value]): string | undefined => `${encode(name)}=${encode(value)}`)],
    [12, fc.constant(undefined)],
  );
  return fc.tuple(...each, strange).map((parts) => parts.filter(Boolean).join('&'));
};

const base64 = (value: string) => Buffer.from(value).toString('base64');

/** Bodies that the schema says little about: records of the catalogue, and the bytes of a table with such columns. */
const RICH: Record<string, Arbitrary<unknown>> = {
  ...Object.fromEntries(
    ['writeCatalogue', 'writeCatalogueAsStaff'].map((name) => [
      name,
      fc.record({
        records: fc.oneof(fc.constant(CATALOGUE), mutated(fc.constant(CATALOGUE))),
        dryRun: fc.boolean(),
      }),
    ]),
  ),
  readCatalogueFile: fc
    .tuple(
      fc.subarray([
        'Event',
        'Date',
        'City',
        'Race',
        'Distance',
        'Wave',
        'Ticket',
        'Price',
        'Sale ends',
        'Note',
      ]),
      fc.array(fc.oneof(text, date, dateTime, fc.constantFrom('10K', '45,00', '1.045,00 €', 'Hamburg')), {
        maxLength: 30,
      }),
      fc.constantFrom(';', ',', '\t'),
    )
    .map(([columns, cells, delimiter]) => {
      const width = columns.length || 1;
      const rows = [columns, ...columns.map((_, row) => cells.slice(row * width, (row + 1) * width))];
      return {
        name: 'calendar.csv',
        content: base64(rows.map((row) => row.join(delimiter)).join('\n')) || 'YQ==',
      };
    }),
};

const body = (
  { name, body: schema }: DocumentedOperation,
  whole: WholeOrganization,
  known: Known,
): Arbitrary<string | undefined> => {
  if (!schema) return fc.constant(undefined);
  const valid = fitting(schema, known);
  // Numbered on each run, so that created records rarely exist already.
  const right = RICH[name] ?? fc.nat().map(() => BODIES[name]?.(whole));
  return weighted<string | undefined>(
    [3, right.map((value) => JSON.stringify(value))],
    [4, mutated(right).map((value) => JSON.stringify(value))],
    [4, valid.map((value) => JSON.stringify(value))],
    [3, mutated(valid).map((value) => JSON.stringify(value))],
    [1, garbage.map((value) => JSON.stringify(value))],
    [1, text.map((value) => value.toWellFormed())],
  );
};

/**
 * Requests for every operation, most of them nearly valid.
 *
 * @param callers the keys; the first is the right one for the operation
 */
export const requests = (
  whole: WholeOrganization,
  known: Known,
  callers: (of: DocumentedOperation) => string[],
): Arbitrary<FuzzedRequest> =>
  fc.constantFrom(...ALL_OPERATIONS).chain((operation) => {
    const [right = '', ...others] = callers(operation);
    return fc
      .record({
        caller: weighted([12, fc.constant(right)], [1, fc.constantFrom(...others)]),
        parts: fc.tuple(
          ...operation.pathParameters
            .map((name) => subjectOf(operation, name))
            .map((subject) => pathPart(subject, whole.ids[subject])),
        ),
        isValid: weighted([1, fc.constant(true)], [9, fc.constant(false)]),
        query: query(operation, known),
        body: body(operation, whole, known),
        headers: weighted<Record<string, string>>(
          [6, fc.constant({})],
          [
            1,
            fc
              .constantFrom('monday', 'tuesday', 'x'.repeat(300))
              .map((value) => ({ 'idempotency-key': value })),
          ],
        ),
      })
      .map(({ caller, parts, isValid, query: search, body: sent, headers }) => {
        const rest = [...parts];
        const path = operation.path.replace(/\{\w+\}/g, () => rest.shift() as string);
        return {
          operation,
          isValid,
          caller,
          path: search ? `${path}?${search}` : path,
          body: sent,
          headers,
        };
      });
  });
