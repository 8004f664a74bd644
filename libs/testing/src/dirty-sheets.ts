import { gzipSync } from 'node:zlib';
import { type WorkbookCell, workbook } from './workbook';

/** A participant of the truth. */
interface Person {
  firstName: string;
  lastName: string;
  email: string;
  dateOfBirth: string;
  bibNumber: string;
  price: number;
}

/** A start list that is known, and a file that a person might have made of it. */
export interface DirtySheet {
  name: string;
  bytes: Uint8Array;
  /** The path of each column. */
  paths: Record<string, string>;
  /** What a person would answer. */
  order: 'dmy' | 'mdy';
  decimal: '.' | ',';
  currency: string;
  /** The import rows of the whole file, by their external id. */
  truth: Map<string, object>;
  /** The ids of bookings with a value that nobody can read. */
  spoiled: Set<string>;
  /** What was done to the file, for messages. */
  about: string;
}

const FIRST = [
  'Ada',
  'Zoë',
  'Jürgen',
  'François',
  'Anne-Marie',
  'Søren',
  'Li',
  'Mary Ann',
  'José',
  "D'Arcy",
  'Åsa',
  'Renée',
];
const LAST = [
  'Lovelace',
  'Müller',
  "O'Neil",
  'Weiß',
  'von der Leyen',
  'Nguyễn',
  'García-López',
  'Smith, Jr.',
  'Ødegård',
  '王',
  'Łuczak 🏃',
  'Du; Pont',
];
const NOTES = [
  '',
  'wants "early" start',
  'line one\nline two',
  '=SUM(A1:A2)',
  "'quoted",
  '+49 151 23456789',
  '@home',
  '-',
  '007',
  'a;b|c',
  '1.045,00',
];

const HEADERS: Record<string, string[]> = {
  externalBookingId: [
    'externalBookingId',
    'Order',
    'Buchungsnummer',
    'Bestellnummer',
    'Booking ID',
    'Numéro de commande',
  ],
  'participants[0].firstName': ['firstName', 'First name', 'Vorname', 'Prénom', 'Given Name'],
  'participants[0].lastName': ['lastName', 'Surname', 'Nachname', 'Nom', 'Family name'],
  'participants[0].email': ['email', 'E-Mail', 'E-Mail-Adresse', 'Courriel', 'Kontaktfeld'],
  'participants[0].dateOfBirth': ['dateOfBirth', 'Birth date', 'Geburtsdatum', 'Date de naissance', 'Geb.'],
  'participants[0].bibNumber': ['bibNumber', 'Bib', 'Startnummer', 'Dossard', 'Startnr.'],
  'participants[0].price': ['price', 'Amount', 'Betrag', 'Montant', 'Preis'],
  'metadata.note': ['metadata.note', 'Bemerkung', 'Remarks', 'Notiz'],
};

/** Numbers that follow from a seed (mulberry32). */
export function seeded(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (most: number) => Math.floor(next() * most);
  const one = <T>(of: readonly T[]): T => of[below(of.length)] as T;
  return { next, below, one, chance: (share: number) => next() < share };
}

const two = (number: number) => String(number).padStart(2, '0');
const MONTHS = [
  'Januar',
  'Februar',
  'März',
  'April',
  'Mai',
  'Juni',
  'Juli',
  'August',
  'September',
  'Oktober',
  'November',
  'Dezember',
];

/** Ways to write a date. */
export const DATES: Record<string, (iso: string) => string> = {
  iso: (iso) => iso,
  dots: (iso) => iso.split('-').reverse().join('.'),
  short: (iso) => iso.split('-').reverse().map(Number).join('.'),
  dmy: (iso) => iso.split('-').reverse().join('/'),
  mdy: (iso) => `${iso.slice(5, 7)}/${iso.slice(8)}/${iso.slice(0, 4)}`,
  words: (iso) => `${Number(iso.slice(8))}. ${MONTHS[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`,
};

/** Ways to write an amount of minor units. */
export const AMOUNTS: Record<string, { decimal: '.' | ','; write(minor: number): string }> = {
  point: { decimal: '.', write: (minor) => (minor / 100).toFixed(2) },
  comma: { decimal: ',', write: (minor) => (minor / 100).toFixed(2).replace('.', ',') },
  english: { decimal: '.', write: (minor) => (minor / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',') },
  german: {
    decimal: ',',
    write: (minor) =>
      `${(minor / 100)
        .toFixed(2)
        .replace('.', ',')
        .replace(/\B(?=(\d{3})+,)/g, '.')} €`,
  },
  swiss: { decimal: '.', write: (minor) => (minor / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, "'") },
  whole: {
    decimal: ',',
    write: (minor) =>
      minor % 100
        ? (minor / 100).toFixed(2).replace('.', ',')
        : String(minor / 100).replace(/\B(?=(\d{3})+$)/g, '.'),
  },
};

const SPOILED: Record<string, string[]> = {
  'participants[0].dateOfBirth': ['31.02.1990', '12.04.15', 'unknown', '2099-13-01'],
  'participants[0].price': ['free', '12,345,6', '10 %', '1.2.3'],
  'participants[0].email': ['nobody', 'a b@example.com'],
};

/** A start list of some bookings, and a file of it as spreadsheets and people make them. The same seed gives the same bytes. */
export function dirtySheet(seed: number, bookings = 40): DirtySheet {
  const random = seeded(seed);
  const { below, one, chance } = random;
  const encoding = one([
    'utf-8',
    'utf-8',
    'utf-8 bom',
    'utf-16le',
    'utf-16be',
    'windows-1252',
    'xlsx',
    'xlsx',
  ]);
  const isWorkbook = encoding === 'xlsx';
  const narrow = encoding === 'windows-1252';
  const dateStyle = one(Object.keys(DATES));
  const amountStyle = one(Object.keys(AMOUNTS));
  const amount = AMOUNTS[amountStyle] as (typeof AMOUNTS)[string];
  const delimiter = one([',', ';', ';', '\t', '|']);
  const breaks = one(['\r\n', '\n', '\r\n']);
  const typed = isWorkbook && chance(0.7);
  const plain = (text: string) => !narrow || [...text].every((letter) => letter <= 'ÿ' || letter === '€');
  const words = (list: string[]) => one(list.filter(plain));

  const truth = new Map<string, object>();
  const spoiled = new Set<string>();
  const paths = Object.keys(HEADERS).filter((path) => path !== 'metadata.note' || chance(0.7));
  for (let i = paths.length - 1; i > 0; i -= 1) {
    const j = below(i + 1);
    [paths[i], paths[j]] = [paths[j] as string, paths[i] as string];
  }
  const header = paths.map((path) => one(HEADERS[path] as string[]));
  const rows: WorkbookCell[][] = [];
  for (let n = 0; n < bookings; n += 1) {
    const id = `${seed}-${n}`;
    const note = words(NOTES);
    const persons = Array.from({ length: chance(0.15) ? 2 + below(2) : 1 }, (_, p): Person => {
      const minor = chance(0.4) ? 100 * (1 + below(3_000)) : 1 + below(300_000);
      return {
        firstName: words(FIRST),
        lastName: words(LAST),
        email: `r${n}.${p}@example.com`,
        dateOfBirth: `${1930 + below(80)}-${two(1 + below(12))}-${two(1 + below(28))}`,
        bibNumber: chance(0.3) ? `00${below(1_000)}` : `${1 + below(30_000)}`,
        price: minor,
      };
    });
    const [first] = persons as [Person];
    truth.set(id, {
      externalBookingId: id,
      booker: { email: first.email, firstName: first.firstName, lastName: first.lastName },
      participants: persons.map(({ price, ...person }) => ({
        ...person,
        price: { value: price, currencyCode: 'EUR' },
      })),
      ...(note.trim() && paths.includes('metadata.note') && { metadata: { note: note.trim() } }),
    });
    for (const person of persons) {
      const cells: Record<string, WorkbookCell> = {
        externalBookingId: id,
        'participants[0].firstName': chance(0.1) ? ` ${person.firstName} ` : person.firstName,
        'participants[0].lastName': person.lastName,
        'participants[0].email': person.email,
        'participants[0].dateOfBirth':
          typed && !chance(0.1)
            ? { day: person.dateOfBirth }
            : (DATES[typed ? 'iso' : dateStyle] as (iso: string) => string)(person.dateOfBirth),
        'participants[0].bibNumber': person.bibNumber,
        'participants[0].price': typed ? person.price / 100 : amount.write(person.price),
        'metadata.note': note,
      };
      if (chance(0.02)) {
        const path = one(Object.keys(SPOILED));
        cells[path] = one(SPOILED[path] as string[]);
        spoiled.add(id);
      }
      rows.push(paths.map((path) => cells[path] as WorkbookCell));
      if (chance(0.02)) rows.push(paths.map((path) => cells[path] as WorkbookCell));
    }
  }
  const above: WorkbookCell[][] = chance(0.2) ? [['Startliste 2027'], []] : [];
  const table = [...above, header, ...rows];
  const about = `seed ${seed}: ${encoding}, ${JSON.stringify(delimiter)}, dates ${dateStyle}, amounts ${amountStyle}${typed ? ', typed' : ''}`;
  const bytes = isWorkbook
    ? workbook({ Liste: table })
    : encoded(textOf(table, delimiter, breaks, random, chance(0.1)), encoding);
  return {
    name: isWorkbook ? 'list.xlsx' : 'list.csv',
    bytes: chance(0.15) ? new Uint8Array(gzipSync(bytes)) : bytes,
    paths: Object.fromEntries(header.map((name, i) => [name, paths[i] as string])),
    ...{ order: dateStyle === 'mdy' ? 'mdy' : 'dmy', decimal: amount.decimal, currency: 'EUR' },
    ...{ truth, spoiled, about },
  };
}

export function textOf(
  table: WorkbookCell[][],
  delimiter: string,
  breaks: string,
  { chance }: ReturnType<typeof seeded>,
  named: boolean,
): string {
  const all = chance(0.3);
  const cell = (given: WorkbookCell) => {
    const text = String(given);
    return all || /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = table.map((cells) => cells.map(cell).join(delimiter));
  const blanks = lines.flatMap((line) => (chance(0.01) ? [line, ''] : [line]));
  return `${named ? `sep=${delimiter}${breaks}` : ''}${blanks.join(breaks)}${chance(0.8) ? breaks : ''}`;
}

/** What Windows-1252 has beyond Latin 1, as far as the texts here need it. */
const EURO = 0x80;

export function encoded(text: string, encoding: string): Uint8Array {
  if (encoding === 'utf-16le') return new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'));
  if (encoding === 'utf-16be') return new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16());
  if (encoding === 'windows-1252')
    return Uint8Array.from(text, (letter) => (letter === '€' ? EURO : letter.charCodeAt(0)));
  return new TextEncoder().encode(encoding === 'utf-8 bom' ? `\uFEFF${text}` : text);
}
