import type { ImportedParticipant } from '#domain/participants';
import { dayAfter, type Question, type SoldTicket } from './catalogue';
import names from './names.json';

/** Chooses the same for the same seed and number: of a list, or a number below `among`. */
export interface Choice {
  of<T>(list: readonly T[]): T;
  below(among: number): number;
}

export function choices(seed: number, of: number): Choice {
  let state = Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(of + 1, 0x85ebca6b);
  // The generator mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (among: number) => Math.floor(next() * among);
  return { below, of: (list) => list[below(list.length)] as (typeof list)[number] };
}

const NAMES = Object.values(names).map(({ female, male, last }) => ({
  female: female.split(', '),
  male: male.split(', '),
  last: last.split(', '),
}));
const COUNTRIES = Object.keys(names);

const TEAM_ADJECTIVES =
  'Swift, Muddy, Brave, Salty, Golden, Northern, Loud, Thirsty, Lucky, Rusty, Sunday, Windy'.split(', ');
const TEAM_NOUNS =
  'Otters, Herons, Badgers, Puffins, Goats, Comets, Pacers, Anchors, Foxes, Ravens, Gulls'.split(', ');
export const teamName = (no: number): string =>
  `${TEAM_ADJECTIVES[no % TEAM_ADJECTIVES.length]} ${TEAM_NOUNS[no % TEAM_NOUNS.length]} ${no}`;

type Person = Required<
  Pick<ImportedParticipant, 'firstName' | 'lastName' | 'dateOfBirth' | 'gender' | 'fields'>
> & {
  email: string;
};

/** @param no makes the email unique */
export function person(
  choice: Choice,
  { countryCode, questions }: SoldTicket,
  { no, today, ages: [youngest, oldest] }: { no: string; today: string; ages: [number, number] },
): Person {
  // Every fifth is from another country.
  const local = NAMES[COUNTRIES.indexOf(countryCode)] ?? (NAMES[0] as (typeof NAMES)[number]);
  const { female, male, last } = choice.below(5) === 0 ? choice.of(NAMES) : local;
  const gender = choice.of(GENDERS);
  const firstName = choice.of(gender === 'FEMALE' ? female : gender === 'MALE' ? male : [...female, ...male]);
  const lastName = choice.of(last);
  const years = youngest + choice.below(oldest - youngest + 1);
  const mail = `${firstName}.${lastName}`.normalize('NFD').replace(/[^A-Za-z.]/g, '');
  return {
    firstName,
    lastName,
    email: `${mail.toLowerCase()}${no}@example.${choice.of(['com', 'org', 'net'])}`,
    dateOfBirth: dayAfter(today, -Math.floor(years * 365.25) - choice.below(360) - 1),
    gender,
    fields: questions.flatMap((question) => {
      const value = answerTo(question, choice, countryCode, today);
      return value === null ? [] : [{ key: question.key, value }];
    }),
  };
}

const GENDERS = [...Array(24).fill('FEMALE'), ...Array(24).fill('MALE'), 'NON_BINARY', 'UNDISCLOSED'];

/** Answers to questions of type TEXT, by key. */
const TEXTS: Record<string, (string | null)[]> = {
  club: [null, null, null, 'Harbour Harriers', 'Kelham Striders', 'LG Nord Berlin', 'Tri’umph'],
  emergencyName: ['Sam Walker', 'Alex Moreau', 'Robin Doyle', 'Kim Sørensen', 'Jo Fischer', 'Pat Iyer'],
  medical: [null, null, null, null, 'Asthma, carries an inhaler', 'Allergic to bee stings'],
};
const IDENTITY = ['firstName', 'lastName', 'email', 'dateOfBirth', 'gender'];

function answerTo({ key, type, options = [] }: Question, choice: Choice, countryCode: string, today: string) {
  if (IDENTITY.includes(key)) return null;
  const values = options.map(({ value }) => value);
  switch (type) {
    case 'SELECT':
      return choice.of(values);
    case 'MULTI_SELECT':
      return values.filter(() => choice.below(6) === 0);
    case 'NUMBER':
      return 150 + choice.below(150);
    case 'BOOLEAN':
      return choice.below(4) === 0;
    case 'WAIVER':
      return true;
    case 'DATE':
      return dayAfter(today, choice.below(365));
    case 'COUNTRY':
      return choice.below(5) === 0 ? choice.of(COUNTRIES) : countryCode;
    case 'PHONE':
      return `+44 7700 900${100 + choice.below(900)}`;
    case 'EMAIL':
      return `guardian${choice.below(10_000)}@example.com`;
    default:
      return choice.of(TEXTS[key] ?? [null]);
  }
}
