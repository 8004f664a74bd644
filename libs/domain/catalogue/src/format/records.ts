import { type Static, type TProperties, Type } from '@sinclair/typebox';
import {
  CALLED_OFF,
  EXTERNAL_ID_TYPES,
  FIELD_TYPES,
  MAXIMA,
  PARTNER_TYPES,
  RESOLUTION_TYPES,
} from '#platform/validation';
import { DISTANCE_UNITS, SPORT_DISCIPLINES } from '../shapes.dto';
import {
  Code,
  Count,
  CountryCode,
  DateTime,
  Email,
  Flag,
  Id,
  Link,
  List,
  Maybe,
  OneOf,
  PlainDate,
  PlainTime,
  Price,
  ShortText,
  Slug,
  Text,
  TimeZone,
  Title,
  TitleByLocale,
  WebAddress,
} from './values';

const Shape = <T extends TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });
const Rows = <T extends TProperties>(most: number, properties: T) => Maybe(List(Shape(properties), most));

const AddOns = Rows(MAXIMA.addOns, {
  id: Maybe(Id),
  title: Title,
  price: Price,
  variants: Rows(MAXIMA.variants, { id: Maybe(Id), title: Title }),
});

const BookingFormFieldRecord = Shape({
  record: Type.Literal('bookingFormField'),
  id: Maybe(Id),
  key: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$',
    maxLength: 64,
    rule: 'must be a letter, then letters, digits and underscores, at most 64 in all',
  }),
  label: Title,
  type: OneOf(FIELD_TYPES),
  options: Rows(MAXIMA.options, { value: Title, label: Title }),
  required: Maybe(Flag),
  helpText: Maybe(Text),
});

const BookingFormRecord = Shape({
  record: Type.Literal('bookingForm'),
  id: Maybe(Id),
  title: Title,
  fields: Maybe(List(ShortText, MAXIMA.fieldsOfForm, 'Keys of booking form fields, in order.')),
});

const EventRecord = Shape({
  record: Type.Literal('event'),
  id: Maybe(Id),
  slug: Slug,
  title: Title,
  addOns: AddOns,
});

const marketing = { optInText: Text, url: Maybe(WebAddress), logoUrl: Maybe(WebAddress) };
const PartnerRecord = Shape({
  record: Type.Literal('partner'),
  id: Maybe(Id),
  name: Type.String({
    pattern: '^(\\S).+$',
    maxLength: 500,
    rule: 'must be text of 2 to 500 characters that does not begin with a space',
  }),
  description: Maybe(Text),
  type: Maybe(OneOf(PARTNER_TYPES)),
  contacts: Rows(MAXIMA.contacts, {
    firstName: Title,
    lastName: Title,
    email: Email,
    phone: Maybe(ShortText),
    role: Maybe(ShortText),
  }),
  defaultMarketing: Maybe(Shape(marketing)),
  specificMarketings: Rows(MAXIMA.marketings, { event: Slug, ...marketing }),
  externalIds: Maybe(
    Type.Record(Type.String({ pattern: `^(?:${EXTERNAL_ID_TYPES.join('|')})$` }), Title, {
      additionalProperties: false,
      maxProperties: EXTERNAL_ID_TYPES.length,
      description: `One of ${EXTERNAL_ID_TYPES.join(', ')}, to the id there.`,
    }),
  ),
  canCreateSubPartners: Maybe(Flag),
  parentPartner: Maybe(ShortText),
});

const kindOfDiscount = { rule: 'must be one of FLAT_RATE, PERCENTAGE' };
const Discount = Type.Union([
  Shape({ type: Type.Literal('FLAT_RATE', kindOfDiscount), price: Price }),
  Shape({
    type: Type.Literal('PERCENTAGE', kindOfDiscount),
    amount: Type.Number({ minimum: 0, maximum: 100, rule: 'must be a number from 0 to 100' }),
    isAppliedToBookingFee: Flag,
  }),
]);

const Tickets = Rows(MAXIMA.tickets, {
  id: Maybe(Id),
  ticketSlug: Slug,
  title: Title,
  titleByLocale: Maybe(TitleByLocale),
  description: Maybe(Text),
  price: Price,
  saleStart: Maybe(DateTime),
  saleEnd: Maybe(DateTime),
  maxCapacity: Maybe(Count),
  approval: Maybe(OneOf([...RESOLUTION_TYPES])),
  competitorSize: Maybe(
    Type.Integer({ minimum: 1, maximum: 100, rule: 'must be a whole number from 1 to 100' }),
  ),
  asksDonation: Maybe(Flag),
  isDeleted: Maybe(Flag),
  bookingForms: Maybe(List(ShortText, MAXIMA.formsOfTicket, 'Titles (or ids) of booking forms.')),
});

const Races = Rows(MAXIMA.races, {
  id: Maybe(Id),
  title: Title,
  titleByLocale: Maybe(TitleByLocale),
  discipline: Maybe(OneOf(SPORT_DISCIPLINES)),
  distance: Maybe(
    Shape({
      value: Maybe(Type.Number({ minimum: 0, maximum: 1_000_000, rule: 'must be a number from 0' })),
      unit: Maybe(OneOf(DISTANCE_UNITS)),
    }),
  ),
  startDate: Maybe(PlainDate),
  startTime: Maybe(PlainTime),
  maxCapacity: Maybe(Count),
  course: Maybe(Shape({ id: Maybe(Id), title: Title })),
  waves: Rows(MAXIMA.waves, {
    id: Maybe(Id),
    title: Title,
    startDateTime: Maybe(DateTime),
    capacity: Maybe(Count),
  }),
  tickets: Tickets,
});

const ReservedEntryGroups = Rows(MAXIMA.groups, {
  id: Maybe(Id),
  code: Code,
  name: Title,
  description: Maybe(Text),
  url: Maybe(Link),
  type: Maybe(OneOf(['MULTI_USE', 'SINGLE_USE'])),
  maxCapacity: Count,
  partner: Maybe(ShortText),
  subPartner: Maybe(ShortText),
  settings: Maybe(
    Shape({
      canPartnerCancel: Maybe(Flag),
      reserveCapacity: Maybe(OneOf(['IGNORE_CAPACITY', 'RESERVE_CAPACITY'])),
      reallocateOnCancel: Maybe(Flag),
      domainRestriction: Maybe(ShortText),
      deadline: Maybe(DateTime),
    }),
  ),
  tickets: Rows(MAXIMA.ticketsOfGroup, {
    ticketSlug: Slug,
    maxCapacity: Maybe(Count),
    discount: Maybe(Discount),
    startDateTime: Maybe(DateTime),
  }),
});

const OccurrenceRecord = Shape({
  record: Type.Literal('occurrence'),
  id: Maybe(Id),
  event: Slug,
  slug: Slug,
  title: Title,
  titleByLocale: Maybe(TitleByLocale),
  tags: Maybe(List(Title, MAXIMA.eventTags)),
  content: Maybe(
    Shape({
      excerpt: Maybe(Text),
      courseDetails: Maybe(Text),
      racedayLogistics: Maybe(Text),
      travel: Maybe(Text),
      spectators: Maybe(Text),
    }),
  ),
  startDate: Maybe(PlainDate),
  timeZone: TimeZone,
  location: Maybe(
    Shape({
      coordinates: Maybe(
        Shape({
          latitude: Type.Number({ minimum: -90, maximum: 90, rule: 'must be a number from -90 to 90' }),
          longitude: Type.Number({ minimum: -180, maximum: 180, rule: 'must be a number from -180 to 180' }),
        }),
      ),
      address: Maybe(
        Shape({
          city: Maybe(ShortText),
          formatted: Maybe(ShortText),
          countryCode: Maybe(CountryCode),
          countryName: Maybe(ShortText),
          addressLine1: Maybe(ShortText),
          addressLine2: Maybe(ShortText),
          countyLine: Maybe(ShortText),
          postCode: Maybe(ShortText),
        }),
      ),
    }),
  ),
  images: Maybe(
    Shape({
      hero: Maybe(WebAddress),
      logo: Maybe(WebAddress),
      all: Maybe(List(WebAddress, MAXIMA.images)),
    }),
  ),
  published: Maybe(Flag),
  status: Maybe(OneOf(CALLED_OFF)),
  discoverable: Maybe(Flag),
  races: Races,
  addOns: AddOns,
  referralPrograms: Rows(MAXIMA.referralPrograms, { id: Maybe(Id), title: Title }),
  reservedEntryGroups: ReservedEntryGroups,
});

/** The kinds of record, in an order in which records only refer to earlier kinds. */
export const RECORDS = {
  bookingFormField: BookingFormFieldRecord,
  bookingForm: BookingFormRecord,
  event: EventRecord,
  partner: PartnerRecord,
  occurrence: OccurrenceRecord,
} as const;

export type RecordKind = keyof typeof RECORDS;
export type RecordOf<Kind extends RecordKind> = Static<(typeof RECORDS)[Kind]>;
export type CatalogueRecord = { [Kind in RecordKind]: RecordOf<Kind> }[RecordKind];

/** One line of a catalogue file, as a JSON Schema. */
export const CatalogueRecordSchema = Type.Union(Object.values(RECORDS), {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A record of a Startline catalogue file',
});
