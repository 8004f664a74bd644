import { type Language, placeOf } from './names';

/** What the values of a column can leave open, and the ways to read them. A way belongs to one of these only. */
export const READINGS = {
  dateOrder: ['dmy', 'mdy', 'ymd'],
  century: ['1900', '2000'],
  dayNumber: ['days'],
  digits: ['HHMM'],
  decimal: ['.', ','],
  gender: ['MF', 'HM', 'FN'],
  countryCodes: ['ISO', 'IOC'],
  letterM: ['meters', 'miles'],
  nameOrder: ['first', 'last'],
  mark: ['x', 'o'],
  amountOf: ['each', 'once'],
  equalRows: ['copies', 'entries'],
} as const;
export type Open = keyof typeof READINGS;
export type Choices = { [K in Open]?: (typeof READINGS)[K][number] };

/** What is open in a column, with examples; `answer` if somebody has said it. */
export interface Reading {
  kind: 'reading';
  open: Open;
  column: string;
  examples: string[];
  /** How it can be read, each with what the first example becomes. */
  ways: { way: string; example?: string }[];
  answer?: string;
}

const WORDS: Record<Open, [en: string, de: string]> & Record<string, [en: string, de: string]> = {
  dateOrder: ['In which order are day and month?', 'In welcher Reihenfolge stehen Tag und Monat?'],
  dmy: ['Day first', 'Tag zuerst'],
  mdy: ['Month first', 'Monat zuerst'],
  ymd: ['Year first', 'Jahr zuerst'],
  century: ['Which century is meant?', 'Welches Jahrhundert ist gemeint?'],
  1900: ['19..', '19..'],
  2000: ['20..', '20..'],
  dayNumber: [
    'These are numbers and not dates. What are they?',
    'Das sind Zahlen und keine Daten. Was bedeuten sie?',
  ],
  days: ['Days, as spreadsheets count them', 'Tage, wie Tabellenprogramme sie zählen'],
  digits: [
    'These are digits and not times. What are they?',
    'Das sind Ziffern und keine Uhrzeiten. Was bedeuten sie?',
  ],
  HHMM: ['Hours and minutes', 'Stunden und Minuten'],
  decimal: ['Which sign comes before decimals?', 'Welches Zeichen steht vor Dezimalstellen?'],
  '.': ['The point: 1,045.00', 'Der Punkt: 1,045.00'],
  ',': ['The comma: 1.045,00', 'Das Komma: 1.045,00'],
  gender: ['What do the letters mean?', 'Was bedeuten die Buchstaben?'],
  MF: ['M is male, F is female', 'M ist männlich, F ist weiblich'],
  HM: ['H is male, M is female', 'H ist männlich, M ist weiblich'],
  FN: ['F is male, N is female', 'F ist männlich, N ist weiblich'],
  countryCodes: ['Whose country codes are these?', 'Wessen Ländercodes sind das?'],
  ISO: ['Those of ISO (DEU, CHE, NLD)', 'Die der ISO (DEU, CHE, NLD)'],
  IOC: ['Those of sports (GER, SUI, NED)', 'Die des Sports (GER, SUI, NED)'],
  letterM: ['What does M mean?', 'Was bedeutet M?'],
  meters: ['Meters', 'Meter'],
  miles: ['Miles', 'Meilen'],
  nameOrder: ['Which name comes first?', 'Welcher Name steht zuerst?'],
  first: ['The first name: "Ada Lovelace"', 'Der Vorname: „Ada Lovelace“'],
  last: ['The last name: "Lovelace Ada"', 'Der Nachname: „Lovelace Ada“'],
  mark: ['What do the letters mean?', 'Was bedeuten die Buchstaben?'],
  x: ['x is yes, o is no', 'x ist ja, o ist nein'],
  o: ['x is no, o is yes', 'x ist nein, o ist ja'],
  amountOf: [
    'All rows of a booking have the same amount. What was paid?',
    'Alle Zeilen einer Buchung haben denselben Betrag. Was wurde gezahlt?',
  ],
  each: ['This amount for each row', 'Dieser Betrag je Zeile'],
  once: ['This amount for the booking as a whole', 'Dieser Betrag für die ganze Buchung'],
  equalRows: [
    'Some rows of a booking are equal. What are they?',
    'Einige Zeilen einer Buchung sind gleich. Was sind sie?',
  ],
  copies: ['Copies: one entry', 'Kopien: ein Eintrag'],
  entries: ['Several entries', 'Mehrere Einträge'],
};

/** A question about a column, or a way to read it, for people. */
export const wordsOfReading = (name: string, language: Language = 'en'): string =>
  WORDS[name]?.[placeOf(language)] ?? name;

/** What a way to read a column decides; undefined if there is no such way. */
export const choiceOf = (way: string): Choices | undefined => {
  const open = (Object.keys(READINGS) as Open[]).find((each) => READINGS[each].some((one) => one === way));
  return open && { [open]: way };
};
