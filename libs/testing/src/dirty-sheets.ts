import { gzipSync } from 'node:zlib';
import { type WorkbookCell, workbook } from '#libs/sheets';
import { waysOf } from './dirty-answers';
import { seeded } from './seeded';

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
  'participants[0].firstName': ['firstName', 'First name', 'Vorname', 'Prénom', 'Given Name', 'Nombre'],
  'participants[0].lastName': ['lastName', 'Surname', 'Nachname', 'Nom', 'Family name', 'Apellidos'],
  'participants[0].email': ['email', 'E-Mail', 'E-Mail-Adresse', 'Courriel', 'Mail', 'Correo electrónico'],
  'participants[0].dateOfBirth': [
    'dateOfBirth',
    'Birth date',
    'Geburtsdatum',
    'Date de naissance',
    'Geb.',
    'Fecha de nacimiento',
  ],
  'participants[0].bibNumber': ['bibNumber', 'Bib', 'Startnummer', 'Dossard', 'Startnr.', 'Dorsal'],
  'participants[0].price': [
    'price',
    'Amount',
    'Betrag',
    'Montant',
    'Preis',
    'Startgeld (EUR)',
    'Betrag in €',
  ],
  bookedAt: ['bookedAt', 'Buchungsdatum', 'Order date', 'Booked at'],
  'metadata.note': ['metadata.note', 'Bemerkung', 'Remarks', 'Notiz'],
  discountCode: ['discountCode', 'Rabattcode', 'Coupon', 'Voucher code', 'Code promo'],
  partnerId: ['Partner', 'Charity', 'Partenaire'],
};
/** Names of a column of dates that say their order. */
const WITH_ORDER: Record<string, string[]> = {
  dmy: ['Geburtsdatum (TT/MM/JJJJ)', 'Date of birth (DD/MM/YYYY)'],
  mdy: ['Date of birth (MM/DD/YYYY)'],
};

/** Records that dirty sheets name: discount codes and partners of bookings, waves of participants. */
export const DIRTY_RECORDS = {
  discountCode: ['EARLY-27', 'Läufer10', 'TEAM'],
  partnerId: ['River Trust', 'Kinderhilfe e.V.', 'Les Amis & Co.'],
  waveId: ['Blau', 'Wave 2', 'Élite', '10:30'],
} as const;

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
  'participants[0].dateOfBirth': ['31.02.1990', '1985', 'unknown', '2099-13-01'],
  'participants[0].price': ['on request', '12,345,6', '10 %', '1.2.3'],
  'participants[0].email': ['nobody', 'a b@example.com'],
  discountCode: ['EARLY-28', 'none'],
  partnerId: ['River Trus', 'Unknown'],
};

/** Names of columns for a further participant. */
const FURTHER: ((name: string, number: number) => string)[] = [
  (name, number) => `Participant ${number} ${name}`,
  (name, number) => `Teilnehmer ${number}: ${name}`,
  (name, number) => `${name} ${number}`,
];
/** Fields that every file has, and others. */
const ALWAYS = [
  ...['externalBookingId', 'participants[0].firstName', 'participants[0].lastName', 'participants[0].email'],
  ...['participants[0].dateOfBirth', 'participants[0].bibNumber', 'participants[0].price'],
];

/** A start list of some bookings, and a file of it as spreadsheets and people make them. The same seed gives the same bytes. */
export function dirtySheet(seed: number, bookings = 40): DirtySheet {
  const random = seeded(seed);
  const { below, one, chance } = random;
  const encoding = one([
    ...[
      'utf-8',
      'utf-8',
      'utf-8 bom',
      'utf-16le',
      'utf-16le bare',
      'utf-16be',
      'windows-1252',
      'windows-1252',
    ],
    ...['xlsx', 'xlsx', 'xlsx'],
  ]);
  const isWorkbook = encoding === 'xlsx';
  const narrow = encoding === 'windows-1252';
  const dateStyle = one(Object.keys(DATES));
  const amountStyle = one(Object.keys(AMOUNTS));
  const amount = AMOUNTS[amountStyle] as (typeof AMOUNTS)[string];
  const delimiter = one([',', ';', ';', '\t', '|']);
  const breaks = one(['\r\n', '\n', '\r\n']);
  const typed = isWorkbook && chance(0.7);
  const inColumns = chance(0.3);
  const plain = (text: string) => !narrow || [...text].every((letter) => letter <= 'ÿ' || letter === '€');
  const words = (list: string[]) => one(list.filter(plain));
  const day = (iso: string) => (DATES[typed ? 'iso' : dateStyle] as (iso: string) => string)(iso);
  const ways = waysOf(random, { day, decimal: amount.decimal, typed, plain });
  const named = (name: 'discountCode' | 'partnerId') => {
    const value = words(['', ...DIRTY_RECORDS[name]]);
    return { value, cell: chance(0.2) ? ` ${value.toUpperCase()}` : value };
  };

  const more = [
    'bookedAt',
    'metadata.note',
    'discountCode',
    'partnerId',
    ...Object.keys(ways).map((name) => `participants[0].${name}`),
  ];
  const paths = [...ALWAYS, ...more.filter(() => chance(0.5))];
  for (let i = paths.length - 1; i > 0; i -= 1) {
    const j = below(i + 1);
    [paths[i], paths[j]] = [paths[j] as string, paths[i] as string];
  }
  const leafOf = (path: string) => path.replace(/^participants\[\d+\]\./, '');
  const namesOf = (path: string) => HEADERS[path] ?? ways[leafOf(path)]?.headers ?? [];
  const stated = !typed && WITH_ORDER[dateStyle];
  const header = paths.map((path) =>
    stated && path.endsWith('dateOfBirth') && chance(0.5) ? one(stated) : one(namesOf(path).filter(plain)),
  );
  const persons = inColumns ? 3 : 1;
  const further = one(FURTHER);
  const columns = Array.from({ length: persons }, (_, p) =>
    paths.flatMap((path, i) => {
      if (p === 0) return [{ path, name: header[i] as string, person: 0 }];
      if (!path.startsWith('participants')) return [];
      const own = path.replace('[0]', `[${p}]`);
      // A path is understood as it is; a name of our own fields can't be numbered in words.
      const name = /^[a-z]+[A-Z]|\./.test(header[i] as string) ? own : further(header[i] as string, p + 1);
      return [{ path: own, name, person: p }];
    }),
  ).flat();

  const truth = new Map<string, object>();
  const spoiled = new Set<string>();
  const rows: WorkbookCell[][] = [];
  for (let n = 0; n < bookings; n += 1) {
    const id = `${seed}-${n}`;
    const note = words(NOTES);
    const bookedOn = `2026-${two(1 + below(9))}-${two(1 + below(28))}`;
    const bookedAt = `${two(below(24))}:${two(below(60))}`;
    const [code, partner] = [named('discountCode'), named('partnerId')];
    const booking: Record<string, WorkbookCell> = {
      discountCode: code.cell,
      partnerId: partner.cell,
      externalBookingId: id,
      bookedAt: typed ? `${bookedOn}T${bookedAt}:00` : `${day(bookedOn)} ${bookedAt}`,
      'metadata.note': note,
    };
    const people = Array.from({ length: chance(0.15) ? 2 + below(2) : 1 }, (_, p) => {
      const minor = chance(0.4) ? 100 * (1 + below(3_000)) : 1 + below(300_000);
      const person: Record<string, string> = {
        firstName: words(FIRST),
        lastName: words(LAST),
        email: `r${n}.${p}@example.com`,
        dateOfBirth: `${1930 + below(80)}-${two(1 + below(12))}-${two(1 + below(28))}`,
        bibNumber: chance(0.3) ? `00${below(1_000)}` : `${1 + below(30_000)}`,
      };
      const cells: Record<string, WorkbookCell> = {
        ...person,
        firstName: chance(0.1) ? ` ${person.firstName} ` : (person.firstName as string),
        dateOfBirth:
          typed && !chance(0.1) ? { day: person.dateOfBirth as string } : day(person.dateOfBirth as string),
        price: typed ? minor / 100 : amount.write(minor),
      };
      const values: Record<string, unknown> = { ...person, price: { value: minor, currencyCode: 'EUR' } };
      const fields: object[] = [];
      for (const path of paths) {
        const way = ways[leafOf(path)];
        if (!way) continue;
        const { value, cell } = way.make();
        cells[leafOf(path)] = cell;
        if (cell === '') continue;
        const [first = '', second = ''] = leafOf(path).split('.');
        if (first === 'fields') fields.push({ key: second, value });
        else values[first] = second ? { [second]: value } : value;
      }
      return { cells, truth: { ...values, ...(fields.length > 0 && { fields }) } as Record<string, unknown> };
    });
    const [first] = people.map((person) => person.truth);
    truth.set(id, {
      externalBookingId: id,
      booker: { email: first?.email, firstName: first?.firstName, lastName: first?.lastName },
      participants: people.map((person) => person.truth),
      ...(note.trim() && paths.includes('metadata.note') && { metadata: { note: note.trim() } }),
      ...(code.value && paths.includes('discountCode') && { discountCode: code.value }),
      ...(partner.value &&
        paths.includes('partnerId') && { partnerId: partner.value, bookerType: 'PARTNER' }),
      ...(paths.includes('bookedAt') && { bookedAt: `${bookedOn}T${bookedAt}:00` }),
    });
    for (const own of inColumns ? [people] : people.map((person) => [person])) {
      const cellAt = (path: string, person: number) =>
        path.startsWith('participants') ? (own[person]?.cells[leafOf(path)] ?? '') : (booking[path] ?? '');
      const row = columns.map(({ path, person }) => cellAt(path, person));
      if (chance(0.03)) {
        const able = paths.filter((path) => SPOILED[path] ?? ways[leafOf(path)]?.spoiled);
        const path = one(able);
        row[columns.findIndex((column) => column.path === path)] = one(
          SPOILED[path] ?? ways[leafOf(path)]?.spoiled ?? [],
        );
        spoiled.add(id);
      }
      rows.push(row);
      if (chance(0.02)) rows.push(row);
    }
  }
  const above: WorkbookCell[][] = chance(0.2) ? [['Startliste 2027'], []] : [];
  const table = [...above, columns.map(({ name }) => name), ...rows];
  const about = `seed ${seed}: ${encoding}, ${JSON.stringify(delimiter)}, dates ${dateStyle}, amounts ${amountStyle}${typed ? ', typed' : ''}${inColumns ? ', participants in columns' : ''}`;
  const bytes = isWorkbook
    ? workbook({ Liste: table })
    : encoded(textOf(table, delimiter, breaks, random, chance(0.1)), encoding);
  return {
    name: isWorkbook ? 'list.xlsx' : 'list.csv',
    bytes: chance(0.15) ? new Uint8Array(gzipSync(bytes)) : bytes,
    paths: Object.fromEntries(columns.map(({ name, path }) => [name, path])),
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
  if (encoding === 'utf-16le bare') return new Uint8Array(Buffer.from(text, 'utf16le'));
  if (encoding === 'utf-16be') return new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16());
  if (encoding === 'windows-1252')
    return Uint8Array.from(text, (letter) => (letter === '€' ? EURO : letter.charCodeAt(0)));
  return new TextEncoder().encode(encoding === 'utf-8 bom' ? `\uFEFF${text}` : text);
}
