import {
  type FileMapping,
  type FormField,
  type Lookups,
  namesIn,
  type Plan,
  planOf,
  readSheet,
  recognise,
  withAnswers,
} from '#libs/sheets';
import { kindOfImport } from '../../libs/client/src/browser';

const ID = '01990f3e-0000-7000-8000-000000000001';
const TODAY = '2026-11-28';
const option = (value: string) => ({ value, label: value.toLowerCase() });
const FORM: FormField[] = [
  { key: 'gender', label: 'Gender', type: 'SELECT', options: ['FEMALE', 'MALE', 'DIVERSE'].map(option) },
  { key: 'nation', label: 'Nation', type: 'COUNTRY', options: [] },
  { key: 'minutes', label: 'Minutes', type: 'NUMBER', options: [] },
  ...[
    ['six', 'ENGLAND', 'SCOTLAND', 'WALES', 'FRANCE', 'IRELAND', 'ITALY'],
    ['five', 'ENGLAND', 'GERMANY', 'FRANCE', 'IRELAND', 'ITALY'],
  ].map(([key = '', ...values]) => ({ key, label: key, type: 'SELECT', options: values.map(option) })),
];
const kind = withAnswers(kindOfImport('/v0/bookings/import'), FORM);
const PERSON = 'participants[0].';
/** Columns that are mapped by hand. */
const BY_HAND: Record<string, string> = {
  Sexo: `${PERSON}gender`,
  Nem: `${PERSON}gender`,
  G: `${PERSON}gender`,
  Nat: `${PERSON}fields.nation`,
  Min: `${PERSON}fields.minutes`,
  Six: `${PERSON}fields.six`,
  Five: `${PERSON}fields.five`,
  Code: 'discountCode',
};

const sheetOf = (text: string) => readSheet(new TextEncoder().encode(text));

/** A file of one column beside the names of people, a value per row. */
async function plan(
  column: string,
  values: string[],
  given: Partial<FileMapping> = {},
  lookups: Lookups = {},
) {
  const rows = values.map((value, i) => `o-${i};Ada;L;a${i}@example.com;"${value.replaceAll('"', '""')}"`);
  const sheet = await sheetOf(`${['Id;First;Last;Email', column].join(';')}\n${rows.join('\n')}\n`);
  const columns: Record<string, string> = { ...recognise(sheet, kind), Id: 'externalBookingId' };
  const path = BY_HAND[column] ?? columns[column];
  const mapping = {
    columns: { ...columns, ...(path && { [column]: path }) },
    values: {
      eventOccurrenceId: ID,
      [`${PERSON}ticketId`]: ID,
      ...(path === `${PERSON}price` && { [`${PERSON}price.currencyCode`]: 'EUR' }),
    },
    ...given,
  };
  return planOf(sheet, kind, mapping, { lookups, today: TODAY });
}

/** What a row has in the column: its value, `?` if the column is asked about, `!` if the row is refused. */
function outcomes({ items, failed, questions, matches }: Plan, count: number): unknown[] {
  const open = questions.some(({ kind: asked }) => asked === 'reading');
  return Array.from({ length: count }, (_, i) => {
    const item = items.find(({ body }) => body.externalBookingId === `o-${i}`);
    if (!item) {
      const mistakes = failed.find(({ row }) => row.line === i + 2)?.mistakes ?? [];
      return mistakes[0]?.code === 'NO_MATCH' && matches ? 'unknown' : '!';
    }
    const [person] = item.body.participants as {
      [name: string]: unknown;
      price?: { value: number };
      fields?: { value: unknown }[];
    }[];
    const { dateOfBirth, gender, price, fields, bibNumber } = person ?? {};
    return (
      dateOfBirth ?? gender ?? price?.value ?? fields?.[0]?.value ?? bibNumber ?? (open ? '?' : undefined)
    );
  });
}

describe('a column', () => {
  it.each<[about: string, column: string, values: string[], expected: unknown[]]>([
    ['Spanish letters', 'Sexo', ['H', 'M', 'M'], ['MALE', 'FEMALE', 'FEMALE']],
    ['H and M under another name', 'Geschlecht', ['H', 'M'], ['MALE', '?']],
    ['H, M and F', 'Gender', ['H', 'M', 'F'], ['MALE', '?', '?']],
    ['Hungarian letters', 'Nem', ['F', 'N'], ['MALE', 'FEMALE']],
    ['F and N without a name that says it', 'G', ['F', 'N'], ['?', 'unknown']],
    ['only M, under a name in English', 'Gender', ['M', 'M'], ['MALE', 'MALE']],
    ['only M, under any name', 'G', ['M', 'M'], ['?', '?']],
    [
      'letters of many languages',
      'G',
      ['K', 'M', 'D', 'W', '男'],
      ['unknown', '?', 'unknown', 'FEMALE', 'unknown'],
    ],
    ['codes of the IOC', 'Nat', ['GER', 'SUI', 'SLO', 'LIB', 'BRN'], ['DE', 'CH', 'SI', 'LB', 'BH']],
    ['codes of ISO', 'Nat', ['BRN', 'DEU', 'CHE', 'NLD'], ['BN', 'DE', 'CH', 'NL']],
    ['a code of two lists', 'Nat', ['BRN', 'ROU', 'Swaziland'], ['?', 'RO', 'SZ']],
    ['names of countries', 'Nat', ['Republic of Ireland', 'Swaziland', 'D'], ['IE', 'SZ', 'unknown']],
    [
      'parts of a country',
      'Six',
      ['Scotland', 'Wales', 'GB', 'Irland'],
      ['SCOTLAND', 'WALES', 'unknown', 'IRELAND'],
    ],
    [
      'one part of a country',
      'Five',
      ['England', 'Scotland', 'Deutschland'],
      ['ENGLAND', 'unknown', 'GERMANY'],
    ],
    [
      'years of two digits',
      'DOB',
      ['12.04.85', '12.04.25', '29.02.1993', '1985'],
      ['1985-04-12', '?', '!', '!'],
    ],
    ['a year in front beside one behind', 'DOB', ['85-07-17', '17/07/85'], ['1985-07-17', '1985-07-17']],
    ['dates in two orders only', 'DOB', ['13/04/1990', '04/13/1990'], ['1990-04-13', '1990-04-13']],
    [
      'two lengths of years, of which one proves the order',
      'DOB',
      ['5/31/90', '10/1/60', '08/01/1955'],
      ['1990-05-31', '1960-10-01', '?'],
    ],
    ['a year in front', 'DOB', ['65-07-17', '04-05-60'], ['1965-07-17', '!']],
    [
      'dates in both orders',
      'DOB',
      ['03/04/1990', '13/04/1990', '04/13/1990'],
      ['?', '1990-04-13', '1990-04-13'],
    ],
    ['dates that prove an order', 'DOB', ['03/04/1990', '13/04/1990'], ['1990-04-03', '1990-04-13']],
    [
      'amounts that show how they are written',
      'Fee',
      ['1.234,50', '1,234.50', "1'234.50", '12,5', '45,-'],
      [123450, 123450, 123450, 1250, 4500],
    ],
    ['an amount beside both signs', 'Fee', ['1.234,50', '1,234.50', '1.045'], [123450, 123450, '?']],
    ['words for nothing', 'Fee', ['gratuit', 'free', '-5'], [0, 0, -500]],
    ['zeros and groups of two', 'Fee', ['200.0000', '₹1,00,000.00', '10 %'], [20000, '!', '!']],
    ['a number beside another decimal sign', 'Min', ['7,5', '42.195'], [7.5, '?']],
    ['numbers with one decimal sign', 'Min', ['7.5', '42.195', '1.234,5'], [7.5, '?', 1234.5]],
    ['numbers in groups', 'Min', ['1.234,5', '42.195'], [1234.5, 42195]],
  ])('%s', async (_, column, values, expected) => {
    expect(outcomes(await plan(column, values), values.length)).toEqual(expected);
  });

  it.each<[column: string, values: string[], answer: object, expected: unknown[]]>([
    ['Geschlecht', ['H', 'M'], { gender: 'HM' }, ['MALE', 'FEMALE']],
    ['G', ['M', 'M'], { gender: 'MF' }, ['MALE', 'MALE']],
    ['DOB', ['12.04.26', '12.04.85'], { century: '1900' }, ['1926-04-12', '1985-04-12']],
    [
      'DOB',
      ['03/04/1990', '13/04/1990', '04/13/1990'],
      { dateOrder: 'dmy' },
      ['1990-04-03', '1990-04-13', '!'],
    ],
    ['DOB', ['12-04-29'], { dateOrder: 'ymd', century: '2000' }, ['2012-04-29']],
    ['Min', ['7,5', '42.195'], { decimal: '.' }, [7.5, 42.195]],
  ])('%s is read as somebody says', async (column, values, answer, expected) => {
    const found = await plan(column, values, { readings: { [column]: answer } });
    expect(found.questions).toEqual([]);
    expect(outcomes(found, values.length)).toEqual(expected);
  });

  it.each([
    ['kr 500', undefined],
    ['500 kr', undefined],
  ])('%s is an amount in no known currency', async (amount) => {
    const values = { eventOccurrenceId: ID, [`${PERSON}ticketId`]: ID };
    const { questions, failed } = await plan('Fee', [amount], { values });
    expect(questions).toMatchObject([{ kind: 'currency' }]);
    expect(failed).toHaveLength(1);
  });

  it('kr beside a currency that the interface lacks is refused by its name, and not asked', async () => {
    const sheet = await sheetOf('Id;First;Last;Email;Fee;Currency\n1;Ada;L;a@example.com;500 kr;SEK\n');
    const columns = { ...recognise(sheet, kind), Id: 'externalBookingId' };
    const values = { eventOccurrenceId: ID, [`${PERSON}ticketId`]: ID };
    const { questions, failed } = planOf(sheet, kind, { columns, values }, { today: TODAY });
    expect([questions, failed.map(({ mistakes: [first] }) => first?.column)]).toEqual([[], ['Currency']]);
  });
});

describe('a value for every row', () => {
  const CURRENCY = { [`${PERSON}price.currencyCode`]: 'EUR' };
  it.each([[{ [`${PERSON}price`]: '45.00', ...CURRENCY }], [{ ...CURRENCY, [`${PERSON}price`]: '45.00' }]])(
    'is sent as one of a column: %j',
    async (given) => {
      const booker = { 'booker.name': 'Lovelace, Ada', 'booker.email': 'ada@example.com' };
      const values = { eventOccurrenceId: ID, [`${PERSON}ticketId`]: ID, ...booker, ...given };
      const { items } = await plan('Bib', ['7'], { values });
      expect(items[0]?.body).toMatchObject({
        booker: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
        participants: [{ bibNumber: '7', price: { value: 4500, currencyCode: 'EUR' } }],
      });
    },
  );
});

it('rows that are the names of the columns again or a title within a list are refused, and no people', async () => {
  const sheet = await sheetOf(
    'Id;First;Last;Email\n;Women;;\n1;Ada;Lee;a@example.com\nID;first;last;e-mail\n;;;Men\n2;Cy;Fox;c@example.com\n',
  );
  const columns = { ...recognise(sheet, kind), Id: 'externalBookingId' };
  const values = { eventOccurrenceId: ID, [`${PERSON}ticketId`]: ID };
  const { questions, failed, items } = planOf(sheet, kind, { columns, values }, { today: TODAY });
  expect([questions, failed.map(({ row }) => row.line), items.length]).toEqual([[], [2, 4, 5], 2]);
});

describe('values that are unlikely', () => {
  it.each<[column: string, values: string[], outside: string[]]>([
    ['Bib', ['1042', 'A-17', '12b', '1042.0', 'nan', '-'], ['1042.0', 'nan', '-']],
    ['DOB', ['1990-04-05', '1915-04-05', '2026-10-01', '1926-11-28'], ['1915-04-05', '2026-10-01']],
    ['Fee', ['0', '45.00', '-5', '123456.00'], ['-5', '123456.00']],
  ])('%s: asked about, until somebody confirms them', async (column, values, outside) => {
    const found = await plan(column, values);
    expect(found.questions).toMatchObject([{ kind: 'outside', column, values: outside }]);
    expect(found.items).toHaveLength(values.length);
    const some = await plan(column, values, { accepted: { [column]: outside.slice(1) } });
    expect(some.questions).toMatchObject([{ values: outside.slice(0, 1) }]);
    expect((await plan(column, values, { accepted: true })).questions).toEqual([]);
  });

  it('are ages on the first day of the event, and today where that is not known', async () => {
    const births = ['1926-06-05', '1926-06-06', '2026-06-05', '2026-06-06'];
    const eventOccurrenceId = [{ id: ID, names: [], startDate: '2027-06-05' }];
    const asked = async (lookups: Lookups) =>
      (await plan('DOB', births, {}, lookups)).questions.map(
        (each) => each.kind === 'outside' && each.values,
      );
    expect(await asked({ eventOccurrenceId })).toEqual([['1926-06-05', '2026-06-06']]);
    expect(await asked({})).toEqual([['2026-06-05', '2026-06-06']]);
    expect(namesIn(kind, { columns: { DOB: `${PERSON}dateOfBirth` } })).toContain('eventOccurrenceId');
  });
});

it('what reading changes is counted, with the first, least, greatest, longest and rarest value', async () => {
  const values = ['5.4.1990', '5.4.1990', '12. April 1985', '1990-04-06', '6.4.1999'];
  const { conversions } = await plan('DOB', values);
  expect(conversions.find(({ column }) => column === 'DOB')).toEqual({
    ...{ column: 'DOB', conversion: 'date', values: 5, changed: 4 },
    changes: [
      { which: 'first', from: '5.4.1990', to: '1990-04-05' },
      { which: 'least', from: '12. April 1985', to: '1985-04-12' },
      { which: 'greatest', from: '6.4.1999', to: '1999-04-06' },
    ],
  });
  const dmy = await plan('DOB', ['5/4/1990', '13/4/1990']);
  expect(dmy.conversions.at(-1)).toMatchObject({ conversion: 'date dmy', changed: 2 });
  const trim = await plan('Bib', ['\u200B17\u00A0', '18']);
  expect(trim.conversions.at(-1)).toMatchObject({
    conversion: 'trim',
    values: 2,
    changed: 1,
    changes: [{ to: '17' }],
  });
});

describe('columns are taken by their names', () => {
  it.each<[header: string, row: string, columns: string[]]>([
    [
      'Order,First name,Last name,Coach email,Medical until',
      '1,Ann,Lee,coach@example.org,2001-03-01',
      ['Order', 'First name', 'Last name'],
    ],
    [
      'Order,First name,Last name,Email,Race date',
      '1,Ann,Lee,a@example.org,1989-03-01',
      ['Order', 'First name', 'Last name', 'Email'],
    ],
    ['Order,First name,Last name,Member since', '1,Ann,Lee,1989-03-01', ['Order', 'First name', 'Last name']],
    [
      'Order,First name,Last name,Email,Phone,Phone2,Email 2,Club2',
      '901,Ann,Lee,a@example.org,+49 170 1,0049 171 2,a2@example.org,TV',
      ['Order', 'First name', 'Last name', 'Email'],
    ],
  ])('%s', async (header, row, columns) => {
    const found = recognise(await sheetOf(`${header}\n${row}\n`), kind);
    expect(
      Object.keys(found)
        .filter((column) => column !== 'Phone')
        .sort(),
    ).toEqual([...columns].sort());
    expect(Object.values(found).some((path) => path.startsWith('participants[1]'))).toBe(false);
  });
});

it('an instant on a day that does not exist is refused', async () => {
  const found = await plan('Booked at', ['2026-02-30 09:00', '01.07.2026 24:00', '2026-07-01 00:30']);
  expect(found.failed.map(({ row }) => row.line)).toEqual([2, 3]);
});

describe('names', () => {
  const HEAD = 'Order;Full name;E-Mail';
  const read = async (names: string[], given: Partial<FileMapping> = {}, head = HEAD) => {
    const sheet = await sheetOf(
      `${[head, ...names.map((name, i) => `${i};${name};a@example.com`)].join('\n')}\n`,
    );
    const values = { eventOccurrenceId: ID, [`${PERSON}ticketId`]: ID };
    return planOf(sheet, kind, { columns: recognise(sheet, kind), values, ...given }, { today: TODAY });
  };
  const people = ({ items }: Plan) =>
    items.map(({ body }) => {
      const [person] = body.participants as { firstName: string; lastName: string }[];
      return [person?.firstName, person?.lastName];
    });
  const PLAIN = ['Lovelace, Ada', 'VAN DER BERG Jan', 'Zoë MÜLLER', 'Sukarno'];

  it('in one column are split where they show how, and otherwise as somebody says', async () => {
    const found = await read(PLAIN);
    expect(found.questions).toEqual([]);
    expect(people(found)).toEqual([
      ['Ada', 'Lovelace'],
      ['Jan', 'VAN DER BERG'],
      ['Zoë', 'MÜLLER'],
      ['Sukarno', ''],
    ]);
    const open = await read([...PLAIN, 'Ada Mary Lovelace', 'Jan van der Berg']);
    expect(open.questions).toEqual([
      {
        ...{ kind: 'reading', open: 'nameOrder', column: 'Full name' },
        examples: ['Ada Mary Lovelace', 'Jan van der Berg'],
        ways: [
          { way: 'first', example: 'Ada Mary | Lovelace' },
          { way: 'last', example: 'Mary Lovelace | Ada' },
        ],
      },
    ]);
    const first = await read(['Ada Mary Lovelace', 'Jan van der Berg'], {
      readings: { 'Full name': { nameOrder: 'first' } },
    });
    expect(people(first)).toEqual([
      ['Ada Mary', 'Lovelace'],
      ['Jan', 'van der Berg'],
    ]);
    const last = await read(['van der Berg Jan'], { readings: { 'Full name': { nameOrder: 'last' } } });
    expect(people(last)).toEqual([['Jan', 'van der Berg']]);
  });

  it('that nobody can split are refused, and failed rows read again as they were', async () => {
    const found = await read(['Smith, John, Jr.', 'Smith, Jr.', 'Ada Lovelace'], {
      readings: { 'Full name': { nameOrder: 'last' } },
    });
    expect(found.failed.map(({ row }) => row.line)).toEqual([2, 3]);
    expect(found.textsOf({ line: 4, cells: ['2', 'Ada Lovelace', ''] })[1]).toBe('Ada, Lovelace');
  });

  it('in columns of their own stay as they are, without what nobody sees at their ends', async () => {
    const head = 'Order;First name;Last name;E-Mail';
    const names = ['\u200BJu\u0308rgen\u00A0;"O&#39;Brien"', 'Doe, John;Jr.', 'Ada\u200DMary; ', ';Pelé'];
    expect(people(await read(names, {}, head))).toEqual([
      ['Ju\u0308rgen', 'O&#39;Brien'],
      ['Doe, John', 'Jr.'],
      ['Ada\u200DMary', ''],
      ['', 'Pelé'],
    ]);
    expect((await read(['\u200B;\u00A0'], {}, head)).failed).toHaveLength(1);
  });

  it.each([
    ['Name', { Name: `${PERSON}name` }],
    ['First name;Name', { 'First name': `${PERSON}firstName`, Name: `${PERSON}lastName` }],
    ['Surname;Full name', { Surname: `${PERSON}lastName` }],
    ['Runner name', { 'Runner name': `${PERSON}name` }],
    ['Team;Coach', { Team: `${PERSON}team.name` }],
  ])('%s is recognised as what it is', async (header, expected) => {
    expect(recognise(await sheetOf(`Order;${header}\n${header.replace(/[^;]+/g, 'A')};1\n`), kind)).toEqual({
      Order: 'externalBookingId',
      ...expected,
    });
  });
});

describe('rows of a booking', () => {
  const HEAD = 'Order;First name;Last name;Email;Amount paid';
  const read = async (rows: string[], readings?: FileMapping['readings']) => {
    const sheet = await sheetOf(`${[HEAD, ...rows].join('\n')}\n`);
    const values = {
      eventOccurrenceId: ID,
      [`${PERSON}ticketId`]: ID,
      [`${PERSON}price.currencyCode`]: 'EUR',
    };
    return planOf(sheet, kind, { columns: recognise(sheet, kind), values, readings }, { today: TODAY });
  };
  const paid = ({ items }: Plan) =>
    items.map(({ body }) =>
      (body.participants as { price: { value: number } }[]).map(({ price }) => price.value),
    );
  const THREE = ['1;A;A;a@ex.org;75.00', '1;B;B;b@ex.org;75.00', '1;C;C;c@ex.org;75.00'];

  it('have an amount each, or one together: asked, unless a row alone or another amount shows it', async () => {
    expect((await read(THREE)).questions).toMatchObject([{ open: 'amountOf', examples: ['75.00'] }]);
    const once = await read(THREE, { 'Amount paid': { amountOf: 'once' } });
    expect([paid(once), once.questions]).toEqual([[[7500, 0, 0]], []]);
    expect(paid(await read(THREE, { 'Amount paid': { amountOf: 'each' } }))).toEqual([[7500, 7500, 7500]]);
    for (const more of ['2;D;D;d@ex.org;75.00', '1;D;D;d@ex.org;70.00'])
      expect((await read([...THREE, more])).questions).toEqual([]);
  });

  it('that are equal are copies or entries: asked', async () => {
    const twins = ['7;A;A;a@ex.org;75.00', '7;A;A;a@ex.org;75.00'];
    expect((await read(twins)).questions).toMatchObject([
      { open: 'equalRows', column: 'Order', examples: ['7'] },
    ]);
    const entries = await read(twins, {
      Order: { equalRows: 'entries' },
      'Amount paid': { amountOf: 'each' },
    });
    expect([paid(entries), entries.questions]).toEqual([[[7500, 7500]], []]);
    const copies = await read(twins, { Order: { equalRows: 'copies' } });
    expect([paid(copies), copies.questions]).toEqual([[[7500]], []]);
  });
});

it('a quotation mark too many or too few takes no row with it: each line is read as it is, or named', async () => {
  let state = 49;
  const below = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % most;
  };
  for (let count = 0; count < 400; count += 1) {
    const [width, height, quote] = [2 + below(4), 3 + below(5), below(2) ? '"' : ''];
    const table = Array.from({ length: height }, (_, line) =>
      Array.from({ length: width }, (_, at) => (line && below(6) === 0 ? '' : `c${line}x${at}`)),
    );
    const written = table.map((cells) => cells.map((cell) => `${quote}${cell}${quote}`));
    for (let marks = 1 + below(3); marks > 0; marks -= 1) {
      const cells = written[1 + below(height - 1)] as string[];
      const at = below(width);
      const cell = cells[at] as string;
      const without = below(2) ? cell.replace(/^"/, '') : cell.replace(/"$/, '');
      cells[at] = without === cell ? (below(2) ? `"${cell}` : `${cell}"`) : without;
    }
    const text = `${written.map((cells) => cells.join(';')).join('\n')}\n`;
    const { rows } = await readSheet(new TextEncoder().encode(text), { delimiter: ';', header: 1 });
    const known = new Set<number>();
    for (const { line, cells, broken } of rows) {
      const [from = line, to] =
        /lines (\d+) to (\d+)/
          .exec(broken ?? '')
          ?.slice(1)
          .map(Number) ?? [];
      const [, others = ''] = /\(lines? ([\d, ]+)\)/.exec(broken ?? '') ?? [];
      for (const each of [line, ...others.split(', ').map(Number)]) known.add(each);
      const last = broken?.includes('never closed') ? height : (to ?? from);
      for (let each = from; each <= last; each += 1) known.add(each);
      if (!broken) expect([text, line, cells]).toEqual([text, line, table[line - 1]]);
    }
    const lost = table.flatMap((cells, at) =>
      at === 0 || known.has(at + 1) || cells.join('') === '' ? [] : [at + 1],
    );
    expect([text, lost]).toEqual([text, []]);
  }
});
