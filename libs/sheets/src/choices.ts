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

type Words = Record<Open, string> & Record<string, string>;
const WORDS: Record<'en' | 'de', Words> = {
  en: {
    dateOrder: 'In which order are day and month?',
    dmy: 'Day first',
    mdy: 'Month first',
    ymd: 'Year first',
    century: 'Which century is meant?',
    1900: '19..',
    2000: '20..',
    dayNumber: 'These are numbers and not dates. What are they?',
    days: 'Days, as spreadsheets count them',
    digits: 'These are digits and not times. What are they?',
    HHMM: 'Hours and minutes',
    decimal: 'Which sign comes before decimals?',
    '.': 'The point: 1,045.00',
    ',': 'The comma: 1.045,00',
    gender: 'What do the letters mean?',
    MF: 'M is male, F is female',
    HM: 'H is male, M is female',
    FN: 'F is male, N is female',
    countryCodes: 'Whose country codes are these?',
    ISO: 'Those of ISO (DEU, CHE, NLD)',
    IOC: 'Those of sports (GER, SUI, NED)',
    letterM: 'What does M mean?',
    meters: 'Meters',
    miles: 'Miles',
    nameOrder: 'Which name comes first?',
    first: 'The first name: "Ada Lovelace"',
    last: 'The last name: "Lovelace Ada"',
    mark: 'What do the letters mean?',
    x: 'x is yes, o is no',
    o: 'x is no, o is yes',
    amountOf: 'All rows of a booking have the same amount. What was paid?',
    each: 'This amount for each row',
    once: 'This amount for the booking as a whole',
    equalRows: 'Some rows of a booking are equal. What are they?',
    copies: 'Copies: one entry',
    entries: 'Several entries',
  },
  de: {
    dateOrder: 'In welcher Reihenfolge stehen Tag und Monat?',
    dmy: 'Tag zuerst',
    mdy: 'Monat zuerst',
    ymd: 'Jahr zuerst',
    century: 'Welches Jahrhundert ist gemeint?',
    1900: '19..',
    2000: '20..',
    dayNumber: 'Das sind Zahlen und keine Daten. Was bedeuten sie?',
    days: 'Tage, wie Tabellenprogramme sie zählen',
    digits: 'Das sind Ziffern und keine Uhrzeiten. Was bedeuten sie?',
    HHMM: 'Stunden und Minuten',
    decimal: 'Welches Zeichen steht vor Dezimalstellen?',
    '.': 'Der Punkt: 1,045.00',
    ',': 'Das Komma: 1.045,00',
    gender: 'Was bedeuten die Buchstaben?',
    MF: 'M ist männlich, F ist weiblich',
    HM: 'H ist männlich, M ist weiblich',
    FN: 'F ist männlich, N ist weiblich',
    countryCodes: 'Wessen Ländercodes sind das?',
    ISO: 'Die der ISO (DEU, CHE, NLD)',
    IOC: 'Die des Sports (GER, SUI, NED)',
    letterM: 'Was bedeutet M?',
    meters: 'Meter',
    miles: 'Meilen',
    nameOrder: 'Welcher Name steht zuerst?',
    first: 'Der Vorname: „Ada Lovelace“',
    last: 'Der Nachname: „Lovelace Ada“',
    mark: 'Was bedeuten die Buchstaben?',
    x: 'x ist ja, o ist nein',
    o: 'x ist nein, o ist ja',
    amountOf: 'Alle Zeilen einer Buchung haben denselben Betrag. Was wurde gezahlt?',
    each: 'Dieser Betrag je Zeile',
    once: 'Dieser Betrag für die ganze Buchung',
    equalRows: 'Einige Zeilen einer Buchung sind gleich. Was sind sie?',
    copies: 'Kopien: ein Eintrag',
    entries: 'Mehrere Einträge',
  },
};

/** A question about a column, or a way to read it, for people. */
export const wordsOfReading = (name: string, language: 'en' | 'de' = 'en'): string =>
  WORDS[language][name] ?? name;

/** What a way to read a column decides; undefined if there is no such way. */
export const choiceOf = (way: string): Choices | undefined => {
  const open = (Object.keys(READINGS) as Open[]).find((each) => READINGS[each].some((one) => one === way));
  return open && { [open]: way };
};
