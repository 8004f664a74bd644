import { failedFile } from '../../apps/console/src/imports/failed-file';
import { retriedRows } from '../../apps/console/src/imports/retried';
import { findingsFile } from '../../apps/console/src/upload/findings-file';
import { partsOf } from '../../apps/console/src/upload/parts';
import { sendParts } from '../../apps/console/src/upload/send-parts';
import { kindOfImport } from '../../libs/client/src/browser';
import {
  type FileMapping,
  flat,
  type Plan,
  planOf,
  put,
  readSheet,
  recognise,
  withAnswers,
} from '../../libs/sheets/src';

const kind = kindOfImport('/v0/bookings/import');
const today = '2027-01-01';
const OCCURRENCE = '01990f3e-0000-7000-8000-000000000001';
const TICKET = '01990f3e-0000-7000-8000-000000000002';
const lookups = { ticketId: [{ id: TICKET, names: ['Marathon'], currencyCode: 'EUR' }] };

const sheetOf = (...lines: string[]) => readSheet(new TextEncoder().encode(`${lines.join('\n')}\n`));

async function planned(lines: string[], changed: Partial<FileMapping> = {}) {
  const sheet = await sheetOf(...lines);
  const mapping = { columns: recognise(sheet, kind), values: { eventOccurrenceId: OCCURRENCE }, ...changed };
  return { sheet, mapping, plan: planOf(sheet, kind, mapping, { lookups, today }) };
}
const MAPPED = {
  Order: 'externalBookingId',
  Vorname: 'participants[0].firstName',
  Nachname: 'participants[0].lastName',
  'E-Mail': 'participants[0].email',
  Wettbewerb: 'participants[0].ticketId',
  Betrag: 'participants[0].price',
  Geburtsdatum: 'participants[0].dateOfBirth',
};
const HEAD = 'Order;Vorname;Nachname;E-Mail;Wettbewerb;Betrag';

describe('columns', () => {
  it('are recognised by name in several languages, each field once, and never by content', async () => {
    const { mapping } = await planned([
      'Bestellung;Prénom;Nachname;Kontaktfeld;Geburtstag;Startnr.;Teilnehmer 2 Vorname;Name;Remarks',
      'a;Ada;L;ada@example.com;12.12.1990;7;Bo;x;y',
    ]);
    expect(mapping.columns).toEqual({
      Bestellung: 'externalBookingId',
      Prénom: 'participants[0].firstName',
      Nachname: 'participants[0].lastName',
      Geburtstag: 'participants[0].dateOfBirth',
      'Startnr.': 'participants[0].bibNumber',
      'Teilnehmer 2 Vorname': 'participants[1].firstName',
    });
  });

  it('are asked about if nothing shows how they are written', async () => {
    const { plan } = await planned([
      `${HEAD};Geburtsdatum`,
      'a;Ada;L;ada@example.com;Marathon;1.045;3/4/1990',
    ]);
    expect(plan.questions).toEqual([
      {
        ...{ kind: 'reading', open: 'decimal', column: 'Betrag', examples: ['1.045'] },
        ways: [{ way: '.' }, { way: ',', example: '1045.00' }],
      },
      {
        ...{ kind: 'reading', open: 'dateOrder', column: 'Geburtsdatum', examples: ['3/4/1990'] },
        ways: [
          { way: 'dmy', example: '1990-04-03' },
          { way: 'mdy', example: '1990-03-04' },
        ],
      },
    ]);
    expect(plan.failed).toEqual([]);
  });
});

describe('rows', () => {
  it('wait for what the file lacks, without a mistake of each', async () => {
    const { sheet, mapping } = await planned([HEAD, 'a;Ada;L;ada@example.com;Marathon;1.045,00']);
    const plan = planOf(sheet, kind, { ...mapping, values: {} }, { today });
    expect(plan.questions.map(({ kind: asked }) => asked)).toEqual(['field']);
    expect(plan.failed).toEqual([]);
  });

  it('become bookings, with amounts in minor units and the currency of the ticket', async () => {
    const { plan } = await planned([HEAD, 'a;Ada;L;ada@example.com;marathon;1.045,00 €']);
    expect(plan.questions).toEqual([]);
    expect(plan.items.map(({ body }) => body)).toEqual([
      {
        externalBookingId: 'a',
        eventOccurrenceId: OCCURRENCE,
        booker: { email: 'ada@example.com', firstName: 'Ada', lastName: 'L' },
        participants: [
          {
            ...{ firstName: 'Ada', lastName: 'L', email: 'ada@example.com', ticketId: TICKET },
            price: { value: 104500, currencyCode: 'EUR' },
          },
        ],
      },
    ]);
  });

  it('fail alone, by column, and never the file', async () => {
    const { plan } = await planned([
      HEAD,
      'a;Ada;L;ada@example.com;Marathon;45,00',
      'b;Bo;L;bo@example.com;Marathom;45,00',
      'c;Cy;L;cy@example.com;Marathon;45,00 $',
      'd;Di;L;nobody;Marathon;4.5.6',
    ]);
    expect(plan.items).toHaveLength(1);
    expect(
      plan.failed.map(({ row, mistakes }) => [
        row.line,
        ...mistakes.map(({ code, column }) => `${code} ${column}`),
      ]),
    ).toEqual([
      [3, 'NO_MATCH Wettbewerb'],
      [4, 'INVALID_VALUE Betrag'],
      [5, 'INVALID_VALUE E-Mail', 'INVALID_VALUE Betrag'],
    ]);
    expect(plan.matches.ticketId).toContainEqual({
      text: 'Marathom',
      key: 'Marathom',
      count: 1,
      close: TICKET,
    });
  });

  it('are refused with an amount in another currency than their ticket or booking', async () => {
    const tickets = [
      { id: TICKET, names: ['Marathon'], currencyCode: 'EUR' },
      { id: `${TICKET.slice(0, -1)}3`, names: ['Kids'], currencyCode: 'ZERO' },
      { id: `${TICKET.slice(0, -1)}4`, names: ['London'], currencyCode: 'GBP' },
    ];
    const sheet = await sheetOf(
      `${HEAD};Währung`,
      'a;Ada;L;ada@example.com;Marathon;45,00;GBP',
      'b;Bo;L;bo@example.com;Kids;5,00;EUR',
      'c;Cy;L;cy@example.com;Kids;0;EUR',
      'd;Di;L;di@example.com;Kids;0;ZERO',
      'e;Ed;L;ed@example.com;Marathon;45,00;EUR',
      'e;Fe;L;fe@example.com;London;40,00;GBP',
      'f;Gil;L;gil@example.com;London;;',
    );
    const mapping = { columns: recognise(sheet, kind), values: { eventOccurrenceId: OCCURRENCE } };
    const plan = planOf(sheet, kind, mapping, { lookups: { ticketId: tickets }, today });
    expect(
      plan.failed.map(({ row, mistakes }) => [row.line, mistakes[0]?.code, mistakes[0]?.message]),
    ).toEqual([
      [2, 'CURRENCY_MISMATCH', 'Column "Betrag": the amount is in GBP, but the ticket is in EUR.'],
      [3, 'CURRENCY_MISMATCH', 'Column "Betrag": the amount is in EUR, but the ticket is free.'],
      [4, 'CURRENCY_MISMATCH', 'Column "Betrag": the amount is in EUR, but the ticket is free.'],
      [6, 'SAME_BOOKING', 'Row 7 of the same booking has a mistake.'],
      [7, 'CURRENCY_MISMATCH', 'The amount is in GBP, but the booking is in EUR.'],
    ]);
    expect(plan.items.map(({ body }) => body.externalBookingId)).toEqual(['d', 'f']);
  });

  it('name records by their names and by their ids, also in one column or in one cell', async () => {
    const codes = [{ id: 'SPRING', names: ['SPRING', OCCURRENCE] }];
    const bookings = await sheetOf(
      `${HEAD};Gutschein`,
      `a;Ada;L;ada@example.com;${TICKET};45,00;spring`,
      `b;Bo;L;bo@example.com;Marathon;45,00;${OCCURRENCE.toUpperCase()}`,
    );
    const columns = { ...recognise(bookings, kind), Gutschein: 'discountCode' };
    const mapping = { columns, values: { eventOccurrenceId: OCCURRENCE } };
    const plan = planOf(bookings, kind, mapping, { lookups: { ...lookups, discountCode: codes }, today });
    expect(plan.failed).toEqual([]);
    expect(
      plan.items.map(({ body: { discountCode, participants } }: any) => [
        discountCode,
        participants[0].ticketId,
      ]),
    ).toEqual([
      ['SPRING', TICKET],
      ['SPRING', TICKET],
    ]);

    const importOfCodes = kindOfImport('/v0/discount-codes/import');
    const sheet = await sheetOf('Code;Tickets', `A;Marathon|${OCCURRENCE}`, 'B;Marathom', `C;${OCCURRENCE}`);
    const plan2 = planOf(
      sheet,
      importOfCodes,
      {
        columns: { Code: 'code', Tickets: 'ticketIds' },
        values: { 'discount.type': 'PERCENTAGE', 'discount.amount': '10' },
      },
      { lookups, today },
    );
    expect(plan2.failed.map(({ row, mistakes }) => [row.line, mistakes[0]?.code])).toEqual([[3, 'NO_MATCH']]);
    expect(plan2.items.map(({ body }) => body.ticketIds)).toEqual([[TICKET, OCCURRENCE], [OCCURRENCE]]);
  });

  it('that belong together are counted, and those of strangers are named by their lines', async () => {
    const { plan } = await planned([
      HEAD,
      'a;Ada;L;ada@example.com;Marathon;45,00',
      'a;Ada;L;ada@example.com;Marathon;45,00',
      'a;Bo;M;bo@example.com;Marathon;45,00',
      'b;Cy;L;;Marathon;45,00',
    ]);
    expect(plan.joined).toEqual({ bookings: 1, rows: 2, strangers: [[2, 4]] });
    expect(plan.duplicates.map(({ line }) => line)).toEqual([3]);
  });

  it('have several participants in columns', async () => {
    const { plan } = await planned([
      `${HEAD};Participant 2 first name;Participant 2 last name;Participant 2 ticket`,
      'a;Ada;L;ada@example.com;Marathon;45,00;Bo;M;Marathon',
      'b;Cy;N;cy@example.com;Marathon;45,00;;;',
      'c;Di;O;di@example.com;Marathon;45,00;Ed;;Marathon',
    ]);
    expect(plan.items.map(({ body }) => (body.participants as object[]).length)).toEqual([2, 1, 2]);
    // A person can have one name.
    expect(plan.failed).toEqual([]);
    expect(plan.items[2]?.body.participants).toMatchObject([{}, { firstName: 'Ed', lastName: '' }]);
  });

  it('that fail are written so that they read again as they are', async () => {
    const { sheet, plan, mapping } = await planned([
      `${HEAD};Geburtsdatum;Notiz`,
      'a;=Ada;L;nobody;Marathon;1.045;03/04/1990;x',
      'b;Bo;L;bo@example.com;Marathon;1.045,50;31/12/1990;y',
    ]);
    const text = findingsFile(sheet, plan);
    expect(text.split('\r\n')[1]).toBe(
      ',2,INVALID_VALUE,"Column ""E-Mail"": ""nobody"" must be an email address.",a,\'=Ada,L,nobody,Marathon,1045.00,1990-04-03,x',
    );
    const corrected = await readSheet(
      new TextEncoder().encode(text.replace(',nobody,Mara', ',ada@example.com,Mara')),
    );
    const again = planOf(corrected, kind, mapping, { lookups, today });
    expect(again.questions).toEqual([]);
    expect(again.items[0]?.body.participants).toEqual([
      expect.objectContaining({
        firstName: '=Ada',
        dateOfBirth: '1990-04-03',
        price: { value: 104500, currencyCode: 'EUR' },
      }),
    ]);
  });

  it('that have more values than columns keep them, so that they fail again', async () => {
    const { sheet, plan } = await planned([
      `${HEAD};Notiz`,
      'a;Ada;L;ada@example.com;Marathon;45,00;vegan;no nuts',
    ]);
    const { rows } = await readSheet(new TextEncoder().encode(findingsFile(sheet, plan)));
    expect(rows.map(({ broken, beyond }) => [broken !== undefined, beyond])).toEqual([[true, ['no nuts']]]);
  });
});

describe('rows that can not be read', () => {
  const HEADER = 'Order;Vorname;Nachname;E-Mail;Wettbewerb;Betrag;Geburtsdatum';
  const unreadOf = async (lines: string[], changed: Partial<FileMapping> = {}) => {
    const { plan } = await planned([HEADER, ...lines], changed);
    return plan.unread.map(({ rows, body: { unread, ...body } }) => ({
      lines: rows.map(({ line }) => line),
      body: flat(body),
      unread: (unread as { path?: string; code: string }[]).map(({ path = '', code }) => `${code} ${path}`),
    }));
  };

  it('keep the texts of the file where their values would be', async () => {
    const [one] = await unreadOf([
      'a;Ada;L;nobody;Marathom;45,0,0;31.02.1990',
      'b;Bo;M;bo@example.com;Marathon;45,00;01.02.1990',
    ]);
    expect(one).toEqual({
      lines: [2],
      body: {
        externalBookingId: 'a',
        eventOccurrenceId: OCCURRENCE,
        'participants[0].firstName': 'Ada',
        'participants[0].lastName': 'L',
        'participants[0].email': 'nobody',
        'participants[0].ticketId': 'Marathom',
        'participants[0].price.value': '45,0,0',
        'participants[0].dateOfBirth': '31.02.1990',
      },
      unread: [
        'INVALID_VALUE participants[0].email',
        'NO_MATCH participants[0].ticketId',
        'INVALID_VALUE participants[0].price',
        'INVALID_VALUE participants[0].dateOfBirth',
      ],
    });
  });

  it('keep an amount whose currency is that of a ticket that is not known', async () => {
    const [one] = await unreadOf(['a;Ada;L;ada@example.com;Marathom;45,00;']);
    expect(one).toMatchObject({
      body: { 'participants[0].price.value': '45,00' },
      unread: ['NO_MATCH participants[0].ticketId'],
    });
  });

  it('are one booking, with the people of all its rows and both texts of what differs', async () => {
    const [one, ...others] = await unreadOf(
      [
        'a;Ada;L;ada@example.com;Marathon;45,00;',
        'a;Bo;M;nobody;Marathon;45,00;',
        'b;Cy;N;cy@example.com;Marathon;45,00;',
      ],
      { columns: { ...MAPPED, Vorname: 'metadata.club' } },
    );
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      lines: [2, 3],
      body: { 'metadata.club': 'Ada | Bo', 'participants[1].email': 'nobody' },
      unread: ['INVALID_VALUE participants[1].email', 'BOOKING_DIFFERS metadata.club'],
    });
  });

  it('are downloaded with amounts that read again as they are', async () => {
    const { plan } = await planned([
      `${HEAD};Währung`,
      'a;Ada;L;ada@example.com;Marathon;45;EUR;x',
      'b;Bo;L;bo@example.com;Marathon;45;EUR',
    ]);
    const sent = [...plan.unread, ...plan.items].map(({ body }) => body);
    const inexact = { ...structuredClone(plan.items[0]?.body), externalBookingId: 'c' };
    put(inexact, 'participants[0].price.value', 4500.5);
    const rows = [...sent, inexact].map((body) => ({ sent: body, correction: null }));
    const file = await readSheet(new TextEncoder().encode(failedFile(rows as never)));
    const mapping = { columns: recognise(file, kind), values: { eventOccurrenceId: OCCURRENCE } };
    const { items, failed } = planOf(file, kind, mapping, { lookups, today });
    const price = { value: 4500, currencyCode: 'EUR' };
    expect(items.map(({ body }) => body)).toMatchObject([
      { externalBookingId: 'a', participants: [{ price }] },
      { externalBookingId: 'b', participants: [{ price }] },
    ]);
    expect(failed.map(({ mistakes }) => mistakes[0]?.column)).toEqual(['participants[0].price']);
  });

  it('have their number, if the rows are numbered', async () => {
    const columns = { ...MAPPED, Order: null };
    const rows = ['a;Ada;L;nobody;Marathon;45,00;01.02.1990', 'b;Bo;M;nobody;Marathon;45,00;'];
    const byRow = await unreadOf(rows, { columns, numbering: { by: 'row', prefix: 'list' } });
    expect(byRow.map(({ body }) => body.externalBookingId)).toEqual(['list-2', 'list-3']);
    const byPerson = await unreadOf(rows, { columns, numbering: { by: 'person', prefix: 'list' } });
    expect(byPerson.map(({ body, unread }) => [body.externalBookingId, unread])).toEqual([
      ['list-adal-1990-02-01', ['INVALID_VALUE participants[0].email']],
      [undefined, ['INVALID_VALUE participants[0].email', 'REQUIRED externalBookingId']],
    ]);
  });

  it('are also rows with the texts of their lines, where a value has whole other rows in it', async () => {
    const { rows } = await sheetOf('Id,Name,Club', '1,A,"Adler', '2,B,Falke"', '3,C,LC');
    expect(rows.map(({ line, cells }) => [line, cells.join()])).toEqual([
      [2, '1,A,Adler'],
      [3, '2,B,Falke'],
      [4, '3,C,LC'],
    ]);
  });

  it('are broken as a whole, with all texts and no path', async () => {
    const rows = await unreadOf(['a;Ada;L;ada@example.com;Marathon;45,00;;;x', 'Ada;;;;;;']);
    expect(rows).toMatchObject([
      { body: { 'participants[0].firstName': 'Ada' }, unread: ['UNREADABLE '] },
      { body: { externalBookingId: 'Ada' }, unread: ['UNREADABLE '] },
    ]);
  });

  it('are broken as a whole, with the parts of names, and with minor units as what they are', async () => {
    const { plan } = await planned([
      'Order;Name;E-Mail;participants[0].price.value',
      'a;Lovelace, Ada;ada@example.com;4500;x',
    ]);
    expect(plan.unread[0]?.body.participants).toEqual([
      { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', price: { value: 4500 } },
    ]);
  });
});

describe('an invalid row', () => {
  it.each([
    ['a text', 'Ada', { participants: 'Ada' }],
    ['a list of nothing', [null], {}],
    ['an object', { 0: { firstName: 'Ada' } }, { 'participants.0.firstName': 'Ada' }],
    ['answers that are none', [{ fields: [null, 7] }], {}],
  ])('has cells and can be corrected, whatever its participants are: %s', (_, participants, cells) => {
    const body = { participants };
    expect(flat(body)).toEqual(cells);
    put(body, 'participants[0].team.name', 'A');
    expect(body.participants).toMatchObject([{ team: { name: 'A' } }]);
  });
});

it('splits rows into parts that fit into one request', () => {
  const rows = Array.from({ length: 25_000 }, (_, i) => ({ rows: [], body: { i } }));
  expect(partsOf(rows).map(({ length }) => length)).toEqual([10_000, 10_000, 5_000]);
  const large = Array.from({ length: 3 }, () => ({ rows: [], body: { text: 'ü'.repeat(5_000_000) } }));
  expect(partsOf(large).map(({ length }) => length)).toEqual([1, 1, 1]);
});

describe('texts that stand for something', () => {
  const question = (key: string, type: string, options: string[] = []) => ({
    ...{ key, type, label: `Your ${key}` },
    options: options.map((value) => ({ value, label: value.toLowerCase() })),
  });
  const asked = withAnswers(kind, [
    question('gender', 'SELECT', ['FEMALE', 'MALE', 'OTHER']),
    question('shirt', 'SELECT', ['SMALL', 'MEDIUM']),
    question('extras', 'MULTI_SELECT', ['BAG', 'MEDAL']),
    question('nation', 'COUNTRY'),
    question('vegan', 'BOOLEAN'),
    question('minutes', 'NUMBER'),
    question('arrival', 'DATE'),
  ]);
  const head = `${HEAD};Geschlecht;Shirt;Your extras;Nation;vegan;minutes;arrival`;
  const read = async (rows: string[], given: Partial<FileMapping> = {}) => {
    const sheet = await sheetOf(
      head,
      ...rows.map((row, i) => `${i};Ada;L;ada@example.com;Marathon;45,00;${row}`),
    );
    const mapping = { columns: recognise(sheet, asked), values: { eventOccurrenceId: OCCURRENCE }, ...given };
    return planOf(sheet, asked, mapping, { lookups, today });
  };
  const answersOf = ({ items }: Plan) =>
    items.map(({ body }) => {
      const [{ gender, fields }] = body.participants as [Record<string, any>];
      return [gender, ...fields.map(({ value }: { value: unknown }) => value)];
    });

  it('are options of questions, genders and countries in several languages', async () => {
    const plan = await read([
      'w;small;bag;Schweiz;ja;3,5;5.4.2027',
      'Männlich;MEDIUM;Bag|MEDAL;GER;nein;4;6.4.2027',
      'OTHER;Medium;medal;États-Unis;✓;5;7.4.2027',
    ]);
    expect(plan.failed).toEqual([]);
    expect(answersOf(plan)).toEqual([
      ['FEMALE', 'SMALL', ['BAG'], 'CH', true, 3.5, '2027-04-05'],
      ['MALE', 'MEDIUM', ['BAG', 'MEDAL'], 'DE', false, 4, '2027-04-06'],
      ['OTHER', 'MEDIUM', ['MEDAL'], 'US', true, 5, '2027-04-07'],
    ]);
  });

  it('are refused where they are no option, until a person says what is meant', async () => {
    const rows = ['Dame;Mediun;bags;Atlantis;ja;1;5.4.2027'];
    const plan = await read(rows);
    expect(plan.failed.flatMap(({ mistakes }) => mistakes.map(({ code, column }) => [code, column]))).toEqual(
      [
        ['NO_MATCH', 'Geschlecht'],
        ['NO_MATCH', 'Shirt'],
        ['NO_MATCH', 'Your extras'],
        ['NO_MATCH', 'Nation'],
      ],
    );
    expect(plan.matches['fields.shirt']).toEqual([
      { text: 'Mediun', key: 'Mediun', count: 1, close: 'MEDIUM' },
    ]);
    const matches = {
      gender: { Dame: 'FEMALE' },
      'fields.shirt': { Mediun: 'MEDIUM' },
      'fields.extras': { bags: 'BAG' },
      'fields.nation': { Atlantis: 'GR' },
    };
    expect(answersOf(await read(rows, { matches }))[0]?.slice(0, 4)).toEqual([
      'FEMALE',
      'MEDIUM',
      ['BAG'],
      'GR',
    ]);
    // What a mapping remembers and the form no longer has is nothing.
    const gone = { ...matches, 'fields.shirt': { Mediun: 'LARGE' } };
    expect((await read(rows, { matches: gone })).failed).toHaveLength(1);
  });

  it('are refused in a list with other values', async () => {
    const { failed } = await read(['w;small;"[""BAG"", 1]";CH;ja;1;5.4.2027']);
    expect(failed.map(({ mistakes }) => mistakes)).toMatchObject([
      [{ code: 'INVALID_VALUE', message: 'Column "Your extras": "["BAG", 1]" must be a list of texts.' }],
    ]);
  });

  it('name the ticket and wave of the event of their row', async () => {
    const [first, second] = ['01990f3e-0000-7000-8000-00000000000a', '01990f3e-0000-7000-8000-00000000000b'];
    const of = (id: string, occurrence: string, name: string) => ({ id, of: occurrence, names: [name] });
    const known = {
      eventOccurrenceId: [
        { id: first, names: ['Berlin'] },
        { id: second, names: ['Hamburg'] },
      ],
      ticketId: [of('t1', first, 'Marathon'), of('t2', second, 'Marathon')],
      waveId: [of('w1', first, 'A'), of('w2', second, 'A'), of('w3', second, 'B')],
    };
    const sheet = await sheetOf(
      'Order;Ticket;Startblock;Vorname;Nachname;E-Mail;Event',
      'a;Marathon;A;Ada;L;a@example.com;Berlin',
      'b;marathon;a;Bo;L;b@example.com;Hamburg',
      'c;Marathon;B;Cy;L;c@example.com;Berlin',
    );
    const columns = recognise(sheet, kind);
    const plan = planOf(sheet, kind, { columns }, { lookups: known, today });
    expect(plan.occurrences).toEqual([first, second]);
    const sent = ({ items }: Plan) =>
      items.map(({ body }) => {
        const [{ ticketId, waveId }] = body.participants as [Record<string, unknown>];
        return [body.eventOccurrenceId, ticketId, waveId];
      });
    expect(sent(plan)).toEqual([
      [first, 't1', 'w1'],
      [second, 't2', 'w2'],
    ]);
    expect(plan.failed.map(({ row }) => row.line)).toEqual([4]);
    // Another event's wave is not meant, even if it was for another file.
    const matches = { waveId: { B: 'w3' } };
    expect(planOf(sheet, kind, { columns, matches }, { lookups: known, today }).failed).toHaveLength(1);
    const own = { waveId: { B: 'w1' } };
    expect(planOf(sheet, kind, { columns, matches: own }, { lookups: known, today }).failed).toEqual([]);
  });
});

describe('rows that were sent before', () => {
  const items = Array.from({ length: 10_001 }, (_, i) => ({
    rows: [{ line: i + 2, cells: [] }],
    body: { externalBookingId: `b-${i}` },
  }));

  it('are told from others if their import has ended, and imported again on request, once', async () => {
    const jobs = new Map<string, { jobId: string; status: string }>();
    const post = async (_path: string, { headers }: { headers: Record<string, string> }) => {
      const key = headers['idempotency-key'] ?? '';
      const job = jobs.get(key) ?? { jobId: `job-${jobs.size + 1}`, status: 'QUEUED' };
      jobs.set(key, job);
      return job;
    };
    const send = (again = false) =>
      sendParts({
        ...{ api: { post } as never, path: '/v0/bookings/import', collection: 'bookings' },
        ...{ items: items as never, again },
      });
    const end = (id: string, status: string) => {
      for (const [key, job] of jobs) if (job.jobId === id) jobs.set(key, { ...job, status });
    };
    expect(await send()).toMatchObject({ jobIds: ['job-1', 'job-2'], endedBefore: 0 });
    end('job-1', 'COMPLETED');
    expect(await send()).toMatchObject({ jobIds: ['job-1', 'job-2'], endedBefore: 10_000 });
    for (const _ of ['again', 'and after a lost answer'])
      expect(await send(true)).toMatchObject({ jobIds: ['job-3', 'job-2'], endedBefore: 0 });
    end('job-3', 'FAILED');
    expect(await send(true)).toMatchObject({ jobIds: ['job-4', 'job-2'] });
  });
});

it('counts the rows that a retry tries again, without those of cancelled bookings', () => {
  const job = { dryRun: false, totalRows: 10, succeededRows: 2, alreadyImportedRows: 1, correctedRows: 1 };
  const openFailures = [{ code: 'INVALID_ROW', rows: 1 }] as never;
  expect(retriedRows({ ...job, cancelledBeforeRows: 5, openFailures })).toBe(0);
  expect(retriedRows({ ...job, cancelledBeforeRows: 3, openFailures })).toBe(2);
});
