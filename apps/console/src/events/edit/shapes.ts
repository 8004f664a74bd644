import { IDENTITY_KEYS } from '../../api';
import type { Texts } from '../../texts/en';
import type { Row } from '../write-catalogue';
import { keyFrom, slugFrom } from './names';

export type FieldName = keyof Texts['eventForm']['fields'];
export type ListName = keyof Texts['eventForm']['lists'];
export type ChoiceName = keyof Texts['eventForm']['choices'];

/** What other records a field can name. */
export type Named = 'forms' | 'questions' | 'tickets';

type Plain =
  | 'date'
  | 'time'
  | 'instant'
  | 'zone'
  | 'country'
  | 'partner'
  | 'flag'
  | 'price'
  | 'discount'
  | 'titles';

export type Input =
  | { kind: 'text' | 'long' | 'html' | 'url' | 'slug'; most: number }
  | { kind: Plain }
  | { kind: 'count' | 'decimal'; unit?: string }
  | { kind: 'words' | 'addresses'; most: number }
  | { kind: 'choice'; of: ChoiceName }
  | { kind: 'name'; of: Named }
  | { kind: 'names'; of: Named; most: number };

/** A property of a record of a catalogue file, and how people enter it. */
export interface Field {
  path: string;
  name: FieldName;
  input: Input;
  required?: boolean;
  /** Takes the whole width. */
  wide?: boolean;
  /** What an absent property means. */
  default?: unknown;
  /** Derived from what was typed elsewhere, while it is empty. */
  derived?(row: Row, parent: Row): string;
  /** Shown, but not changed, in these rows. */
  fixed?(row: Row): boolean;
  /** Not shown for these rows. */
  unless?(row: Row): boolean;
}

/** A list of records, or of rows within one. */
export interface Shape {
  name: ListName;
  most: number;
  fields: Field[];
  lists?: { path: string; shape: Shape }[];
  titleOf(row: Row): string;
  /** Stored rows without ids, which a record can't remove. */
  stays?: true;
  /** The order of the rows is not stored. */
  unordered?: true;
}

const text = (path: string, name: FieldName, more: Partial<Field> = {}): Field => ({
  path,
  name,
  input: { kind: 'text', most: 500 },
  ...more,
});
const field = (path: string, name: FieldName, input: Input, more: Partial<Field> = {}): Field => ({
  path,
  name,
  input,
  ...more,
});
const slug = (path: string, name: FieldName, derived: Field['derived']): Field =>
  field(path, name, { kind: 'slug', most: 100 }, { required: true, derived });
const title = text('title', 'title', { required: true });
const titles = field('titleByLocale', 'titles', { kind: 'titles' }, { wide: true });
const titleOf = (row: Row) => String(row.title ?? '');

export const BASICS: Field[] = [
  title,
  field('startDate', 'startDate', { kind: 'date' }, { required: true }),
  field('timeZone', 'timeZone', { kind: 'zone' }, { required: true }),
  slug('slug', 'slug', ({ title }) => slugFrom(title)),
  titles,
  field('tags', 'tags', { kind: 'words', most: 50 }, { wide: true }),
];

export const PLACE: Field[] = [
  text('location.address.addressLine1', 'addressLine1'),
  text('location.address.addressLine2', 'addressLine2'),
  text('location.address.postCode', 'postCode'),
  text('location.address.city', 'city'),
  text('location.address.countyLine', 'county'),
  field('location.address.countryCode', 'country', { kind: 'country' }),
  text('location.address.formatted', 'formatted', { wide: true }),
  field('location.coordinates.latitude', 'latitude', { kind: 'decimal' }),
  field('location.coordinates.longitude', 'longitude', { kind: 'decimal' }),
];

const html = (name: 'excerpt' | 'courseDetails' | 'racedayLogistics' | 'travel' | 'spectators'): Field =>
  field(`content.${name}`, name, { kind: 'html', most: 60_000 }, { wide: true });
export const CONTENT: Field[] = [
  html('excerpt'),
  html('courseDetails'),
  html('racedayLogistics'),
  html('travel'),
  html('spectators'),
];

export const IMAGES: Field[] = [
  field('images.hero', 'hero', { kind: 'url', most: 2_000 }),
  field('images.logo', 'logo', { kind: 'url', most: 2_000 }),
  field('images.all', 'images', { kind: 'addresses', most: 50 }, { wide: true }),
];

export const EVENT: Field[] = [
  text('title', 'eventTitle', { required: true }),
  slug('slug', 'eventSlug', ({ title }) => slugFrom(title)),
];

const WAVE: Shape = {
  name: 'waves',
  most: 200,
  titleOf,
  fields: [
    title,
    field('startDateTime', 'waveStart', { kind: 'instant' }),
    field('capacity', 'places', { kind: 'count' }),
  ],
};

const TICKET: Shape = {
  name: 'tickets',
  most: 500,
  titleOf,
  fields: [
    title,
    field('price', 'price', { kind: 'price' }, { required: true }),
    field('maxCapacity', 'places', { kind: 'count' }),
    field('saleStart', 'saleStart', { kind: 'instant' }),
    field('saleEnd', 'saleEnd', { kind: 'instant' }),
    field('approval', 'approval', { kind: 'choice', of: 'approval' }, { default: 'INSTANT' }),
    field('competitorSize', 'teamSize', { kind: 'count' }, { default: 1 }),
    slug('ticketSlug', 'ticketSlug', (ticket, race) => slugFrom(race.title, ticket.title)),
    field('description', 'description', { kind: 'long', most: 10_000 }, { wide: true }),
    titles,
    field('bookingForms', 'bookingForms', { kind: 'names', of: 'forms', most: 20 }, { wide: true }),
    field('asksDonation', 'asksDonation', { kind: 'flag' }, { default: false }),
  ],
};

export const RACE: Shape = {
  name: 'races',
  most: 80,
  titleOf,
  fields: [
    title,
    field('discipline', 'discipline', { kind: 'choice', of: 'discipline' }),
    field('distance.value', 'distance', { kind: 'decimal' }),
    field('distance.unit', 'distanceUnit', { kind: 'choice', of: 'distanceUnit' }),
    field('startDate', 'raceDate', { kind: 'date' }),
    field('startTime', 'raceTime', { kind: 'time' }),
    field('maxCapacity', 'places', { kind: 'count' }),
    text('course.title', 'course'),
    titles,
  ],
  lists: [
    { path: 'waves', shape: WAVE },
    { path: 'tickets', shape: TICKET },
  ],
};

const OPTION: Shape = {
  name: 'options',
  most: 500,
  titleOf: ({ label }) => String(label ?? ''),
  fields: [
    text('label', 'optionLabel', { required: true }),
    text('value', 'optionValue', { required: true, derived: ({ label }) => String(label ?? '') }),
  ],
};
/** Options of a question of another type stay while it is edited, and are not sent. */
export const hasOptions = ({ type }: Row) => type === 'SELECT' || type === 'MULTI_SELECT';

export const QUESTION: Shape = {
  name: 'questions',
  most: 1_000,
  titleOf: ({ label }) => String(label ?? ''),
  fields: [
    text('label', 'label', { required: true }),
    field('type', 'type', { kind: 'choice', of: 'fieldType' }, { required: true }),
    text('key', 'key', {
      required: true,
      derived: ({ label }) => keyFrom(label),
      fixed: ({ id, key }) => id !== undefined && IDENTITY_KEYS.some((each) => each === key),
    }),
    field('helpText', 'helpText', { kind: 'long', most: 2_000 }, { wide: true }),
    field('required', 'required', { kind: 'flag' }, { default: false }),
  ],
  lists: [{ path: 'options', shape: OPTION }],
};

/** The lists of a row that are shown. */
export const listsOf = (shape: Shape, row: Row) =>
  (shape.lists ?? []).filter(({ path }) => path !== 'options' || hasOptions(row));

export const FORM: Shape = {
  name: 'forms',
  most: 200,
  titleOf,
  fields: [
    title,
    field('fields', 'formFields', { kind: 'names', of: 'questions', most: 250 }, { wide: true }),
  ],
};

const VARIANT: Shape = { name: 'variants', most: 50, titleOf, fields: [title] };
export const ADD_ON: Shape = {
  name: 'addOns',
  most: 200,
  unordered: true,
  titleOf,
  fields: [title, field('price', 'price', { kind: 'price' }, { required: true })],
  lists: [{ path: 'variants', shape: VARIANT }],
};

export const REFERRAL_PROGRAM: Shape = {
  name: 'referralPrograms',
  most: 20,
  unordered: true,
  titleOf,
  fields: [title],
};

const GROUP_TICKET: Shape = {
  name: 'groupTickets',
  most: 50,
  stays: true,
  titleOf: ({ ticketSlug }) => String(ticketSlug ?? ''),
  fields: [
    field(
      'ticketSlug',
      'groupTicket',
      { kind: 'name', of: 'tickets' },
      { required: true, fixed: ({ $new }) => $new === undefined },
    ),
    field('maxCapacity', 'places', { kind: 'count' }),
    field('startDateTime', 'groupTicketStart', { kind: 'instant' }),
    field('discount', 'discount', { kind: 'discount' }, { wide: true }),
  ],
};

export const GROUP: Shape = {
  name: 'groups',
  most: 2_000,
  unordered: true,
  titleOf: ({ name, code }) => String(name ?? code ?? ''),
  fields: [
    text('name', 'groupName', { required: true }),
    text('code', 'groupCode', { required: true, input: { kind: 'text', most: 100 } }),
    field('maxCapacity', 'groupPlaces', { kind: 'count' }, { required: true }),
    field('partner', 'partner', { kind: 'partner' }),
    field('type', 'groupType', { kind: 'choice', of: 'groupType' }, { default: 'MULTI_USE' }),
    field(
      'settings.reserveCapacity',
      'reserve',
      { kind: 'choice', of: 'reserve' },
      { default: 'RESERVE_CAPACITY' },
    ),
    field('settings.deadline', 'deadline', { kind: 'instant' }),
    text('settings.domainRestriction', 'domain'),
    field('url', 'groupUrl', { kind: 'url', most: 1_000 }),
    field('description', 'groupDescription', { kind: 'long', most: 5_000 }, { wide: true }),
    field('settings.canPartnerCancel', 'canPartnerCancel', { kind: 'flag' }, { default: false }),
    field('settings.reallocateOnCancel', 'reallocate', { kind: 'flag' }, { default: false }),
  ],
  lists: [{ path: 'tickets', shape: GROUP_TICKET }],
};

type Parts = Pick<Shape, 'fields' | 'lists'>;

/** The fields and lists of each kind of record. */
export const RECORDS: Record<string, Parts> = {
  bookingFormField: QUESTION,
  bookingForm: FORM,
  event: { fields: EVENT, lists: [{ path: 'addOns', shape: ADD_ON }] },
  occurrence: {
    fields: [...BASICS, ...PLACE, ...CONTENT, ...IMAGES],
    lists: [
      { path: 'races', shape: RACE },
      { path: 'addOns', shape: ADD_ON },
      { path: 'referralPrograms', shape: REFERRAL_PROGRAM },
      { path: 'reservedEntryGroups', shape: GROUP },
    ],
  },
};
