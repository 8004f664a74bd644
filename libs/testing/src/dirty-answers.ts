import type { seeded } from './seeded';

const options = (...values: [value: string, label: string][]) =>
  values.map(([value, label]) => ({ value, label }));

/** The questions of the form of dirty sheets. */
export const DIRTY_QUESTIONS = [
  {
    key: 'gender',
    label: 'Gender',
    type: 'SELECT',
    options: options(['FEMALE', 'Female'], ['MALE', 'Male'], ['DIVERSE', 'Diverse']),
  },
  { key: 'nationality', label: 'Nationality', type: 'COUNTRY', options: [] },
  {
    key: 'shirtSize',
    label: 'T-shirt size',
    type: 'SELECT',
    options: options(['S', 'Small'], ['M', 'Medium'], ['L', 'Large']),
  },
  { key: 'kilometers', label: 'Kilometers a week', type: 'NUMBER', options: [] },
  { key: 'newsletter', label: 'Newsletter', type: 'BOOLEAN', options: [] },
  {
    key: 'diet',
    label: 'Diet',
    type: 'MULTI_SELECT',
    options: options(['VEGAN', 'Vegan'], ['NO_GLUTEN', 'Without gluten'], ['NO_NUTS', 'Without nuts']),
  },
  { key: 'arrival', label: 'Day of arrival', type: 'DATE', options: [] },
  { key: 'phone', label: 'Phone on race day', type: 'PHONE', options: [] },
] as const;

const COUNTRIES: Record<string, string[]> = {
  DE: ['DE', 'DEU', 'GER', 'Germany', 'Deutschland', 'Allemagne'],
  GB: ['GB', 'GBR', 'GBR', 'United Kingdom', 'Vereinigtes Königreich', 'Royaume-Uni'],
  CH: ['CH', 'CHE', 'SUI', 'Switzerland', 'Schweiz', 'Suisse'],
  AT: ['AT', 'AUT', 'AUT', 'Austria', 'Österreich', 'Autriche'],
  NL: ['NL', 'NLD', 'NED', 'Netherlands', 'Niederlande', 'Pays-Bas'],
  US: ['US', 'USA', 'USA', 'United States of America', 'Vereinigte Staaten', 'États-Unis'],
};
const GENDERS: Record<string, string[]> = {
  FEMALE: ['FEMALE', 'F', 'w', 'weiblich', 'Frau', 'Femme', 'female'],
  MALE: ['MALE', 'M', 'm', 'männlich', 'Herr', 'Homme', 'male'],
};
const SIZES: Record<string, string[]> = { S: ['S', 'small'], M: ['M', 'MEDIUM'], L: ['L', 'Large'] };
const DIETS: Record<string, string[]> = {
  VEGAN: ['VEGAN', 'vegan'],
  NO_GLUTEN: ['NO_GLUTEN', 'Without gluten'],
  NO_NUTS: ['NO_NUTS', 'without nuts'],
};
const YES_NO = [
  ['yes', 'no'],
  ['ja', 'nein'],
  ['Oui', 'Non'],
  ['1', '0'],
  ['TRUE', 'FALSE'],
  ['WAHR', 'FALSCH'],
];
const PHONES = ['+49 151 23456789', '0151/2345678', '00441632960961', '(030) 12 34-5', '+1-202-555-0123'];
const TAGS = ['club', 'early bird', 'wheelchair', 'Über 60', 'press'];

/** What is done with a column in a whole file. */
interface Way {
  headers: string[];
  /** A value, and the cell that a person made of it. */
  make(): { value: unknown; cell: string | number };
  spoiled?: string[];
}

/** How a file has answers and other properties of a participant; each value is known. */
export function waysOf(
  { below, one, chance }: ReturnType<typeof seeded>,
  {
    day,
    decimal,
    typed,
    plain,
  }: { day(iso: string): string; decimal: string; typed: boolean; plain(text: string): boolean },
): Record<string, Way> {
  const style = below(6);
  const separator = one(['; ', ';', ' | ']);
  const yesNo = one(YES_NO);
  const several = (names: Record<string, string[]>, way: number) => {
    const value = Object.keys(names).filter(() => chance(0.5));
    return { value, cell: value.map((each) => names[each]?.[way] ?? each).join(separator) };
  };
  const chosen = (names: Record<string, string[]>, way: number) => {
    const value = one(Object.keys(names));
    return { value, cell: names[value]?.[way] ?? value };
  };
  const [gender, label] = [below(7), below(2)];
  const two = (number: number) => `${number}`.padStart(2, '0');
  return {
    gender: {
      headers: ['gender', 'Geschlecht', 'Sexe', 'Gender', 'M/W'],
      make: () => chosen(GENDERS, gender),
      spoiled: ['unknown', 'q'],
    },
    tags: {
      headers: ['tags', 'Schlagworte', 'Tags', 'Labels'],
      make: () => {
        const value = TAGS.filter(() => chance(0.3));
        return { value, cell: value.join(separator) };
      },
    },
    waveId: {
      headers: ['Wave', 'Startblock', 'Welle', 'Vague'],
      make: () => {
        const value = one(['', 'Blau', 'Wave 2', 'Élite', '10:30'].filter(plain));
        return { value, cell: value && chance(0.2) ? `${value.toLowerCase()} ` : value };
      },
      spoiled: ['Blauu', 'Wave 3'],
    },
    'team.name': {
      headers: ['Verein', 'Club', 'Team', 'Équipe'],
      make: () => {
        const value = one(['TSV Süd 1860', 'Team "Blitz"', 'A-Team', '', '']);
        return { value, cell: value };
      },
    },
    'fields.nationality': {
      headers: ['Nationality', 'nationality'],
      make: () => chosen(COUNTRIES, style),
      spoiled: ['Atlantis', 'XQ'],
    },
    'fields.shirtSize': {
      headers: ['T-shirt size', 'shirtSize', 'T-Shirt Size'],
      make: () => chosen(SIZES, label),
      spoiled: ['XXXL', '42'],
    },
    'fields.kilometers': {
      headers: ['Kilometers a week', 'kilometers'],
      make: () => {
        const value = chance(0.5) ? below(150) : below(1_500) / 10;
        return { value, cell: typed ? value : String(value).replace('.', decimal) };
      },
      spoiled: ['many', '10-20', '1.2.3'],
    },
    'fields.newsletter': {
      headers: ['Newsletter', 'newsletter'],
      make: () => {
        const value = chance(0.5);
        return { value, cell: yesNo[value ? 0 : 1] as string };
      },
      spoiled: ['perhaps', '2'],
    },
    'fields.diet': {
      headers: ['Diet', 'diet'],
      make: () => several(DIETS, label),
      spoiled: ['Steak'],
    },
    'fields.arrival': {
      headers: ['Day of arrival', 'arrival'],
      make: () => {
        const value = `2027-${two(1 + below(12))}-${two(1 + below(28))}`;
        return { value, cell: day(value) };
      },
      spoiled: ['30.02.2027', 'Friday'],
    },
    'fields.phone': {
      headers: ['Phone on race day'],
      make: () => {
        const value = one(PHONES);
        return { value, cell: value };
      },
    },
  };
}
