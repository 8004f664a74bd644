import { COUNTRIES, countryOf, isPart } from './countries';
import type { SheetField } from './field';
import { GENDERS, genderOf } from './genders';
import type { Candidate } from './match-values';
import type { ImportKind } from './targets';

/** A question of a booking form, as the API lists it. */
export interface FormField {
  id?: string;
  key: string;
  label: string;
  type: string;
  options: readonly { value: string; label: string }[];
}

const TYPES: Record<string, Pick<SheetField, 'type' | 'format'>> = {
  EMAIL: { type: 'string', format: 'email' },
  DATE: { type: 'string', format: 'date' },
  NUMBER: { type: 'number' },
  BOOLEAN: { type: 'boolean' },
  WAIVER: { type: 'boolean' },
  MULTI_SELECT: { type: 'list' },
};
/** Questions that are properties of the participant. */
const IDENTITY = ['firstName', 'lastName', 'email', 'dateOfBirth', 'gender'];

/** The import with a field for each question, and with the options of the question about gender. */
export function withAnswers(kind: ImportKind, questions: readonly FormField[]): ImportKind {
  const asked = questions.find(({ key, type }) => key === 'gender' && type === 'SELECT');
  const fields = kind.fields.map((field) =>
    asked && field.path.endsWith('.gender') ? { ...field, options: gendersOf(asked) } : field,
  );
  if (kind.collection !== 'bookings') return { ...kind, fields };
  const answers = questions
    // Such a key can't be part of a path.
    .filter(({ key }) => !IDENTITY.includes(key) && !/[.:]/.test(key))
    .map(
      ({ id, key, label, type, options }): SheetField => ({
        path: `participants[0].fields.${key}`,
        label,
        ...(id && { id }),
        required: false,
        ...(TYPES[type] ?? { type: 'string' }),
        ...(/SELECT$/.test(type) && { options: candidatesOf(options) }),
        ...(type === 'COUNTRY' && { options: COUNTRIES }),
      }),
    );
  return { ...kind, fields: [...fields, ...answers] };
}

/** Options by value and label; where they are countries, by all names of the country, but for those of its parts. */
function candidatesOf(options: FormField['options']): Candidate[] {
  const countries = options.map(({ value, label }) => countryOf(label) ?? countryOf(value));
  const areCountries = options.length >= 5 && countries.filter(Boolean).length >= options.length * 0.8;
  return options.map(({ value, label }, i) => {
    const country = areCountries && ![value, label].some(isPart) ? countries[i] : undefined;
    return { id: value, label, names: [value, label, ...(country ? [country.id, ...country.names] : [])] };
  });
}

/** The options of the question about gender, by all words for the gender that each is alone. */
function gendersOf({ options }: FormField): Candidate[] {
  const values = options.map(({ value }) => value);
  return options.map(({ value, label }) => ({
    id: value,
    label,
    names: [
      value,
      label,
      ...Object.values(GENDERS)
        .flat()
        .filter((word) => genderOf(word, values) === value),
    ],
  }));
}
