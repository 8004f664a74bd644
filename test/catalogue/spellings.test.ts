import type { TSchema } from '@sinclair/typebox';
import { CatalogueRecordSchema, exportCatalogue } from '#domain/catalogue';
import { key, organization } from '#libs/testing';
import { FIELD_TYPES } from '#platform/validation';
import {
  constantsOf,
  documentedSpellings,
  isShown,
  openIn,
  type Sent,
  sentIn,
  shownAt,
  spellingsOf,
} from '../contract/truth/spellings';
import { sharedApi, type TestApi } from '../harness';

/**
 * Every property of the records of a catalogue, in every spelling that the format has: what was sent is what is stored and exported, and
 * nothing else is; sent again, it changes nothing.
 */

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

type Json = Record<string, any>;

const KINDS: any[] = (CatalogueRecordSchema as TSchema).anyOf;
const kindOf = (schema: any): string => schema.properties.record.const;

/** Of each, values; then what may be absent is; then it is `null` from the fifth level of properties on, from the fourth, and so on. */
const [VALUED, ABSENT, LEVELS] = [10, 10, 5];
const VARIANTS = Array.from({ length: VALUED + 1 + LEVELS }, (_, v) => v);
const isNull = (v: number, name: string): boolean =>
  v > ABSENT && name.split('.').length > LEVELS - (v - ABSENT - 1);

const TEXTS: Record<string, (v: number) => string> = {
  date: (v) => `2030-05-${10 + v}`,
  time: (v) => `09:${10 + v}:00`,
  'date-time': (v) => `2030-01-${10 + v}T08:00:00${['Z', '+02:00', ''][v % 3]}`,
  'time-zone': () => 'Etc/UTC',
  uri: (v) => `https://w.example/${v}`,
  link: (v) => `https://w.example/${v}`,
  email: (v) => `ada${v}@w.example`,
  country: (v) => ['DE', 'GB'][v % 2] as string,
};

/** Rows that a record leaves out stay. */
const STAYING = [
  'races',
  'waves',
  'addOns',
  'variants',
  'referralPrograms',
  'reservedEntryGroups',
  'tickets',
];
const isOfRowLeftOut = (record: Json, at: Sent['at']): boolean =>
  at.some((part, depth) => STAYING.includes(part as string) && !shownAt(record, at.slice(0, depth + 1)));

/** What identifies a row of these lists. */
const IDENTITIES = /(races|waves|addOns|variants|referralPrograms)\[\]\.title$|\.code$|\.ticketSlug$/;

/** Values that depend on others. */
const VALUES: Record<string, (v: number, at: number) => unknown> = {
  'bookingFormField.key': (v) => `key${v}`,
  'bookingFormField.type': (v) => FIELD_TYPES[v] ?? 'TEXT',
  'bookingFormField.options': (v) =>
    ['a', 'b']
      .filter(() => FIELD_TYPES[v]?.includes('SELECT'))
      .map((value) => ({ value, label: `Text ${v}` })),
  'bookingForm.title': () => 'Form',
  'bookingForm.fields': (v) => [`key${v}`],
  'event.slug': () => 'run',
  'partner.name': () => 'Club',
  'partner.parentPartner': () => 'Head office',
  'partner.canCreateSubPartners': () => false,
  'partner.specificMarketings[].event': (_, at) => ['run', 'walk'][at],
  'partner.externalIds': (v) => ({ ENTHUSE: `e${v}` }),
  'occurrence.event': () => 'run',
  'occurrence.slug': () => 'run-2030',
  'occurrence.races[].tickets[].saleEnd': (v) => `2030-03-${10 + v}T08:00:00Z`,
  'occurrence.races[].tickets[].bookingForms': () => ['Form'],
  'occurrence.reservedEntryGroups[].partner': () => 'Head office',
  'occurrence.reservedEntryGroups[].subPartner': () => 'Club',
};

/** Properties of which nothing is stored under the name. */
const NEVER_SENT = /(^|\.|\])id$/;

/** The value of a property in a variant. @param at the row of the innermost list */
function valueIn(schema: any, name: string, v: number, at = 0): unknown {
  const options: any[] = schema.anyOf ?? [];
  const isOptional = options.some(({ type }) => type === 'null');
  if (NEVER_SENT.test(name)) return undefined;
  if (isOptional && isNull(v, name)) return null;
  const own = VALUES[name];
  if (own) return own(v, at);
  if (IDENTITIES.test(name)) return `row-${at}`;
  if (isOptional && v === ABSENT) return undefined;
  if (name.endsWith('currencyCode')) return 'EUR';
  const constants = constantsOf(schema);
  if (constants) return constants[v % constants.length];
  const alternatives = options.filter(({ type }) => type !== 'null');
  if (alternatives.length > 0) return valueIn(alternatives[v % alternatives.length], name, v, at);
  if (schema.type === 'boolean') return v % 2 === 0;
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum + 1 + v + at;
  if (schema.type === 'array')
    return [0, 1].map((row) =>
      valueIn(schema.items, `${name}[]`, v, /races|tickets/.test(name) ? at * 2 + row : row),
    );
  if (schema.type === 'string') return TEXTS[schema.format]?.(v) ?? `Text ${v} ${at}`;
  if (!schema.properties) return { fr: `Text ${v} ${at}`, de: `Text ${v}` };
  return Object.fromEntries(
    Object.entries(schema.properties).map(([property, of]) => [
      property,
      valueIn(of, name ? `${name}.${property}` : property, v, at),
    ]),
  );
}

const written = (v: number): Json[] => [
  { record: 'event', slug: 'walk', title: `Walk ${v}` },
  { record: 'partner', name: 'Head office', description: `Text ${v}`, canCreateSubPartners: true },
  ...KINDS.map((schema) => valueIn(schema, kindOf(schema), v) as Json),
];

/** What is not exported because it holds without being said. */
const WITHOUT_SAYING: Record<string, unknown> = {
  'bookingFormField.required': false,
  'partner.canCreateSubPartners': false,
  'occurrence.published': true,
  'occurrence.discoverable': true,
  'occurrence.races[].tickets[].approval': 'INSTANT',
  'occurrence.races[].tickets[].competitorSize': 1,
  'occurrence.races[].tickets[].asksDonation': false,
  'occurrence.races[].tickets[].isDeleted': false,
  'occurrence.reservedEntryGroups[].type': 'MULTI_USE',
  'occurrence.reservedEntryGroups[].settings.canPartnerCancel': false,
  'occurrence.reservedEntryGroups[].settings.reserveCapacity': 'RESERVE_CAPACITY',
  'occurrence.reservedEntryGroups[].settings.reallocateOnCancel': false,
};

const SPELLINGS = KINDS.flatMap((schema) => documentedSpellings(schema, kindOf(schema)));
const OPEN = openIn(SPELLINGS);
const leaves = (record: Json): Sent[] => sentIn(record, OPEN, [], record.record);

it('has a value for every spelling of the format', () => {
  const sent = new Set(VARIANTS.flatMap(written).flatMap(leaves).flatMap(spellingsOf));
  const properties = SPELLINGS.filter((each) => !NEVER_SENT.test(each.slice(0, each.lastIndexOf(':'))));
  expect(properties.filter((each) => !sent.has(each))).toEqual([]);
});

const nameOf = ({ record, key, slug, title, name, parentPartner }: Json): string =>
  JSON.stringify([record, key ?? slug ?? title ?? name, parentPartner ?? null]);

it('stores what was sent, nothing else, and nothing when it is sent again', async () => {
  const { id: organizationId } = await organization(api.dataSource);
  const { token } = await key(api.dataSource, { organizationId });
  const put = async (records: Json[]): Promise<string[]> => {
    const { status, body } = await api.send('PUT', '/v0/catalogue', { records }, token);
    expect({ status, problems: body.problems }).toEqual({ status: 200, problems: undefined });
    return body.records.map(({ outcome }: Json) => outcome);
  };
  for (const v of VARIANTS) {
    const records = written(v);
    expect(await put(records)).not.toContain('UNCHANGED');
    expect(await put(records)).toEqual(records.map(() => 'UNCHANGED'));
    const stored: Json[] = [];
    for await (const line of exportCatalogue(api.dataSource, { organizationId, ids: false }))
      stored.push(JSON.parse(line));
    const wrong = records.flatMap((record) => {
      const shown = stored.find((other) => nameOf(other) === nameOf(record)) as Json;
      const different = ({ at, name, value }: Sent, other: unknown): boolean => {
        const back = shownAt(other, at);
        return (
          !isShown(value, back) &&
          !(back === undefined && WITHOUT_SAYING[name] === value) &&
          !isOfRowLeftOut(record, at)
        );
      };
      return [
        ...leaves(record).filter((each) => different(each, shown)),
        ...leaves(shown).filter((each) => different(each, record)),
      ].map(({ at, name }) => ({ v, name, sent: shownAt(record, at), shown: shownAt(shown, at) }));
    });
    expect(wrong).toEqual([]);
  }
});
