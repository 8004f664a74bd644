import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CALENDAR, planCalendar } from '#domain/catalogue';
import {
  type Body,
  type Encoding,
  type FileMapping,
  type FormField,
  mappingFor,
  openNotices,
  type Plan,
  planOf,
  readSheet,
  recognise,
  withAnswers,
} from '#libs/sheets';
import { kindOfImport } from '../../libs/client/src/browser';

const TODAY = '2026-11-28';
const ID = '01990f3e-0000-7000-8000-000000000001';
const PERSON = 'participants[0].';
const option = (value: string) => ({ value, label: value.toLowerCase() });
const FORM: FormField[] = [
  { key: 'gender', label: 'Gender', type: 'SELECT', options: ['FEMALE', 'MALE', 'DIVERSE'].map(option) },
  { key: 'nationality', label: 'Nationality', type: 'COUNTRY', options: [] },
  { key: 'shirtSize', label: 'Shirt size', type: 'TEXT', options: [] },
];
const BOOKINGS = withAnswers(kindOfImport('/v0/bookings/import'), FORM);

/** A file, and what a person says about it. Paths are those of the first participant, or whole ones: `/bookedAt`, and all of a calendar. */
interface PublicFile {
  calendar?: true;
  /** For the other reader. */
  encoding?: Encoding;
  delimiter?: string;
  /** The columns that are known by their names. */
  named: Record<string, string>;
  /** The columns that a person maps. */
  byHand?: Record<string, string | null>;
  said?: Partial<FileMapping>;
  /** What is asked about it, and what a person answers. */
  asked?: string[];
  answers?: Partial<FileMapping>;
}

const BIRTH = 'Birthdate (e.g., 01 Jun 1954)';
const rows: Partial<FileMapping> = { numbering: { by: 'row', prefix: 'list' } };
const emails = { ...rows, values: { 'booker.email': 'entries@club.example' } };
const FILES: Record<string, PublicFile> = {
  'us-club-members.csv': {
    named: {
      'First name': 'firstName',
      'Last name': 'lastName',
      Gender: 'gender',
      'e-Mail': 'email',
      [BIRTH]: 'dateOfBirth',
    },
    said: rows,
    asked: [
      `dateOrder ${BIRTH}`,
      ...['O', 'Male/female', 'Femaile', 'Make'].map((text) => `gender: ${text}`),
    ],
    answers: { readings: { [BIRTH]: { dateOrder: 'mdy' } } },
  },
  'us-ultra-entrants.csv': {
    named: {
      'Order ID': '/externalBookingId',
      'Registration Date': '/bookedAt',
      distance: 'ticketId',
      Price: 'price',
      Coupon: '/discountCode',
      'First Name': 'firstName',
      'Last Name': 'lastName',
      gender: 'gender',
      DOB: 'dateOfBirth',
      Email: 'email',
      Bib: 'bibNumber',
      team_name: 'team.name',
      'Shirt Size': 'fields.shirtSize',
    },
    byHand: { Coupon: null },
    said: { values: { [`${PERSON}price.currencyCode`]: 'USD' } },
  },
  'se-road-race.csv': {
    named: { name: 'name', sex: 'gender' },
    byHand: { number: 'bibNumber', origin: 'team.name' },
    said: emails,
    asked: ['nameOrder name'],
    answers: { readings: { name: { nameOrder: 'first' } } },
  },
  'bg-orienteering.csv': {
    encoding: 'windows-1251',
    delimiter: ';',
    named: {
      Surname: 'lastName',
      'First name': 'firstName',
      Nat: 'fields.nationality',
      EMail: 'email',
      Team: 'team.name',
      Course: 'ticketId',
    },
    byHand: { Stno: 'bibNumber', S: 'gender', Short: 'ticketId', Course: null },
    said: emails,
  },
  'ru-enduro.csv': {
    delimiter: ';',
    named: {},
    byHand: {
      Категория: 'ticketId',
      Номер: 'bibNumber',
      Имя: 'name',
      Команда: 'team.name',
      Емейл: 'email',
    },
    said: rows,
    asked: ['nameOrder Имя'],
    answers: { readings: { Имя: { nameOrder: 'last' } } },
  },
  'fr-trail.csv': {
    named: {
      COURSE: 'ticketId',
      DOSSARD: 'bibNumber',
      NOM: 'lastName',
      PRENOM: 'firstName',
      SEXE: 'gender',
    },
    said: emails,
  },
  'jp-hill-climb.tsv': {
    delimiter: '\t',
    named: {},
    byHand: { numberCard: 'bibNumber', 氏名: 'name', 種目: 'ticketId', 性別: 'gender' },
    said: emails,
    asked: ['nameOrder 氏名', 'gender: 男', 'gender: 女'],
    answers: {
      readings: { 氏名: { nameOrder: 'last' } },
      matches: { gender: { 男: 'MALE', 女: 'FEMALE' } },
    },
  },
  'ma-trail.csv': {
    named: {
      fullName: 'name',
      email: 'email',
      parcours: 'ticketId',
      tshirt: 'fields.shirtSize',
      amount: 'price',
    },
    byHand: { id: '/externalBookingId', date: '/bookedAt' },
    asked: ['nameOrder fullName', 'currency amount'],
    // Amounts in dirhams are none of the interface.
    answers: { columns: { amount: null }, readings: { fullName: { nameOrder: 'first' } } },
  },
  'es-road-race.csv': {
    delimiter: ';',
    named: {
      Dorsal: 'bibNumber',
      Nombre: 'firstName',
      Apellidos: 'lastName',
      Sexo: 'gender',
      email: 'email',
      'Fecha Nacimiento': 'dateOfBirth',
      Club: 'team.name',
      'Talla Camiseta': 'fields.shirtSize',
    },
    said: rows,
  },
  'gb-club-calendar.csv': {
    calendar: true,
    encoding: 'utf-8-twice',
    named: { date: 'race.startDate' },
    byHand: { title: 'event.title' },
    said: { values: { 'race.title': 'Run' } },
    asked: ['encoding'],
  },
  'tr-calendar.csv': {
    calendar: true,
    named: { city: 'occurrence.location.address.city', start_date: 'race.startDate' },
    byHand: {
      name: 'event.title',
      status: 'occurrence.status',
      country_code: 'occurrence.location.address.countryName',
      longest_km: 'race.distance.value',
    },
    said: {
      values: { 'race.title': 'Run', 'race.distance.unit': 'KM' },
      missing: { status: ['completed', 'scheduled'] },
    },
    asked: ['timeZone: EC/Quito', 'timeZone: US/Ogden', 'timeZone: BR/Paraty'],
  },
  'us-marathons.csv': {
    calendar: true,
    named: { Date: 'race.startDate' },
    byHand: { Name: 'event.title' },
    said: { values: { 'race.title': 'Marathon' } },
    asked: ['outside Date'],
    answers: { accepted: true },
  },
  'de-race-log.csv': {
    calendar: true,
    named: {
      Date: 'race.startDate',
      Race: 'race.title',
      Distance: 'race.distance.value',
      Time: 'race.startTime',
    },
    said: { values: { 'event.title': 'Log', 'race.distance.unit': 'KM' } },
    asked: ['outside Date', 'outside Time'],
    answers: { columns: { Time: null }, accepted: true },
  },
};

const DIRECTORY = resolve(__dirname, 'public');
const bytesOf = (name: string) => readFileSync(resolve(DIRECTORY, name));
/** What Windows-1252 has from 0x80. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const byteOf = (letter: string) => {
  const at = WINDOWS.indexOf(letter);
  return at < 0 ? letter.charCodeAt(0) : at + 0x80;
};

/** The text of a file by another decoder than ours. */
function textIn(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding !== 'utf-8-twice') return new TextDecoder(encoding).decode(bytes);
  const twice = new TextDecoder().decode(bytes);
  return new TextDecoder().decode(Uint8Array.from(twice, byteOf));
}

/** The cells of a text as RFC 4180 has them, by another reader than ours. */
function cellsIn(text: string, delimiter: string): { line: number; cells: string[] }[] {
  const records: { line: number; cells: string[] }[] = [];
  let [cells, cell, isQuoted, line, start]: [string[], string, boolean, number, number] = [
    [],
    '',
    false,
    1,
    1,
  ];
  for (let at = 0; at <= text.length; at += 1) {
    const letter = text[at] ?? '\n';
    if (isQuoted && letter === '"' && text[at + 1] === '"') {
      cell += letter;
      at += 1;
    } else if (letter === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (!isQuoted && letter === delimiter) cell = cells.push(cell) ? '' : '';
    else if (!isQuoted && letter === '\n') {
      if (cells.length > 0 || cell !== '') records.push({ line: start, cells: [...cells, cell] });
      [cells, cell, start] = [[], '', line + 1];
    } else if (isQuoted || letter !== '\r') cell += letter;
    if (letter === '\n') line += 1;
  }
  return records;
}

type Row = Record<string, string>;

/** What a careful reader takes from each line; of a line that nobody can read, the column that leaves it open. */
function expectedOf(name: string): { rows: Map<number, Row>; refused: Map<number, string> } {
  const text = bytesOf(name.replace(/\.\w+$/, '.expected.tsv')).toString();
  const [[, ...paths] = [], ...lines] = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  const [rows, refused] = [new Map<number, Row>(), new Map<number, string>()];
  for (const [line, ...values] of lines)
    if (values[0] === '!') refused.set(Number(line), values[1] ?? '');
    else
      rows.set(
        Number(line),
        Object.fromEntries(paths.flatMap((path, at) => (values[at] ? [[path, values[at]]] : []))),
      );
  return { rows, refused };
}

/** The values of a part of an import row by path, as texts. */
function leaves(value: unknown, path = ''): [path: string, text: string][] {
  if (path === 'fields')
    return (value as { key: string; value: string }[]).map((each) => [`fields.${each.key}`, each.value]);
  if (typeof value !== 'object' || value === null) return value === '' ? [] : [[path, String(value)]];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, path ? `${path}.${name}` : name));
}

/** What a plan has for each line, other than what is said of every row. */
function rowsOf({ items }: Plan, said: readonly string[], tickets: readonly string[]): Map<number, Row> {
  const own = ([path]: [string, string]) => !said.includes(path) && !path.startsWith('booker.');
  const nameOf = ([path, text]: [string, string]): [string, string] =>
    path === 'ticketId' ? [path, tickets[Number(text.slice(-3)) - 100] ?? text] : [path, text];
  return new Map(
    items.flatMap(({ rows, body: { participants = [{}], ...body } }) =>
      rows.map(({ line }, at): [number, Row] => {
        const found = [...leaves(body), ...leaves((participants as Body[])[at])];
        return [line, Object.fromEntries(found.filter(own).map(nameOf))];
      }),
    ),
  );
}

/** What is asked about a plan, and the names that stand for nothing. */
const askedIn = ({ questions, matches }: Plan): string[] => [
  ...questions.map((each) => {
    if (each.kind === 'field') return `field ${each.field.path}`;
    return `${each.kind === 'reading' ? each.open : each.kind} ${each.column}`;
  }),
  ...Object.entries(matches).flatMap(([name, texts]) =>
    texts.flatMap(({ id, text }) => (id ? [] : [`${name}: ${text}`])),
  ),
];

const plainPath = (path: string) => path.replace(PERSON, '').replace(/^\//, '');

describe('files made after public ones', () => {
  it.each(Object.entries(FILES))(
    '%s is read as a careful reader reads it, or asked about',
    async (name, file) => {
      const {
        calendar,
        encoding = 'utf-8',
        delimiter = ',',
        named,
        byHand = {},
        said = {},
        asked = [],
      } = file;
      const { rows: expected, refused } = expectedOf(name);
      const alone = await readSheet(bytesOf(name));
      const notices = openNotices(alone).map(({ option: about }) => about);
      const sheet = notices.length > 0 ? await readSheet(bytesOf(name), { encoding }) : alone;

      // The cells, also of columns without a field.
      const [head, ...body] = cellsIn(textIn(bytesOf(name), encoding), delimiter);
      const cut = ({ cells = [] }: { cells?: unknown[] } = {}) => cells.slice(0, sheet.columns.length);
      expect(sheet.columns).toEqual(cut(head).map((each) => String(each).trim()));
      for (const each of body.filter(({ line }) => refused.get(line) !== ''))
        expect([each.line, cut(sheet.rows.find(({ line }) => line === each.line))]).toEqual([
          each.line,
          cut(each),
        ]);

      const wholePath = (path: string) =>
        path.startsWith('/') ? path.slice(1) : calendar ? path : PERSON + path;
      const kind = calendar ? CALENDAR : BOOKINGS;
      const recognised = Object.entries(recognise(sheet, kind)).map(([column, path]) => [column, path]);
      expect(Object.fromEntries(recognised)).toEqual(
        Object.fromEntries(Object.entries(named).map(([column, path]) => [column, wholePath(path)])),
      );
      const tickets = [...new Set([...expected.values()].flatMap(({ ticketId }) => ticketId ?? []))];
      const ticketId = tickets.map((ticket, at) => ({
        id: ID.replace(/001$/, String(100 + at)),
        names: [ticket],
      }));
      const values = {
        ...(!calendar && {
          eventOccurrenceId: ID,
          ...(tickets.length === 0 && { [`${PERSON}ticketId`]: ID }),
        }),
        ...said.values,
      };
      const planned = ({ columns: others, ...given }: Partial<FileMapping>): Plan => {
        const mapped = Object.entries(byHand).map(([column, path]) => [column, path && wholePath(path)]);
        const columns = { ...Object.fromEntries(mapped), ...others };
        const mapping = mappingFor(sheet, kind, { ...said, ...given, columns, values }, TODAY);
        const plan = calendar
          ? planCalendar(sheet, mapping, { today: TODAY })
          : planOf(sheet, kind, mapping, { lookups: { ticketId }, today: TODAY });
        const used: Record<string, string | null> = { ...named, ...columns };
        expect(plan.unused).toEqual(sheet.columns.filter((column) => !used[column]));
        return plan;
      };
      const ofEveryRow = [
        ...Object.keys(values).map(plainPath),
        ...(said.numbering ? ['externalBookingId'] : []),
      ];

      // Without answers nothing is other than expected, unless it is asked about.
      const open = planned({});
      expect([...notices, ...askedIn(open)].sort()).toEqual([...asked].sort());
      const paths: Record<string, string | null> = { ...named, ...byHand };
      const isAsked = (path: string) =>
        open.questions.some((each) => 'column' in each && plainPath(paths[each.column] ?? '') === path);
      for (const [line, row] of rowsOf(open, ofEveryRow, tickets))
        for (const [path, text] of Object.entries(row))
          if (!isAsked(path)) expect([line, path, text]).toEqual([line, path, expected.get(line)?.[path]]);

      const plan = planned(file.answers ?? {});
      expect(Object.fromEntries(rowsOf(plan, ofEveryRow, tickets))).toEqual(Object.fromEntries(expected));
      const failed = plan.failed.map(({ row: { line }, mistakes: [first] }) => [
        line,
        refused.get(line) && (first?.column ?? ''),
      ]);
      expect(failed).toEqual([...refused]);
    },
  );

  it('without names of columns is refused', async () => {
    await expect(readSheet(bytesOf('gb-hill-race-entries.txt'))).rejects.toMatchObject({ code: 'HEADER' });
  });

  it('are all tested', () => {
    const files = readdirSync(DIRECTORY).filter((name) => !/^README|\.expected\.tsv$/.test(name));
    expect(files.sort()).toEqual([...Object.keys(FILES), 'gb-hill-race-entries.txt'].sort());
  });
});
