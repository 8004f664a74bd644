import { csvOf, flat } from '../../apps/console/src/imports/flat-rows';
import { buildRows, type FileRow, partsOf } from '../../apps/console/src/upload/rows';
import { IMPORT_SHAPES, matchColumns } from '../../libs/client/src/browser';

const fields = IMPORT_SHAPES['/v0/bookings/import']?.fields ?? [];

const file = (...rows: Record<string, string>[]): FileRow[] =>
  rows.map((values, i) => ({ line: i + 2, values }));
const none = { fixed: {}, tickets: new Map<string, string>() };
const row = { externalBookingId: 'o-1', 'participants[0].firstName': 'Ada', 'participants[0].lastName': 'L' };

describe('column mapping', () => {
  it('matches columns to fields by name in several languages, and uses each field once', () => {
    expect(matchColumns(['Vorname', 'Nachname', 'E-Mail', 'Startnummer', 'Name', 'Remarks'], fields)).toEqual(
      {
        Vorname: 'participants[0].firstName',
        Nachname: 'participants[0].lastName',
        'E-Mail': 'participants[0].email',
        Startnummer: 'participants[0].bibNumber',
        Name: 'booker.lastName',
      },
    );
  });
});

describe('row mapping', () => {
  const mapping = Object.fromEntries(Object.keys(row).map((path) => [path, path]));

  it('reports required fields without a column', () => {
    const { missing } = buildRows(file(row), fields, mapping, none);
    expect(missing.map(({ path }) => path)).toEqual([
      'eventOccurrenceId',
      'booker.email',
      'participants[0].ticketId',
    ]);
  });

  it('groups the rows of one booking as its participants, in file order', () => {
    const { rows } = buildRows(
      file(row, { ...row, externalBookingId: 'o-2' }, { ...row, 'participants[0].firstName': 'Bo' }),
      fields,
      mapping,
      none,
    );
    expect(
      rows.map(({ lines, body }) => [lines, (body.participants as any[]).map((each) => each.firstName)]),
    ).toEqual([
      [
        [2, 4],
        ['Ada', 'Bo'],
      ],
      [[3], ['Ada']],
    ]);
    expect(rows[0]?.body.booker).toEqual({ firstName: 'Ada', lastName: 'L' });
  });

  it('reports values that do not fit, and tickets that the occurrence does not have', () => {
    const { misfits, unknownTickets } = buildRows(
      file({ price: '12,50', ticket: '10K', paid: 'maybe' }),
      fields,
      {
        price: 'participants[0].price.value',
        ticket: 'participants[0].ticketId',
        paid: 'discountAlreadyApplied',
      },
      none,
    );
    expect(misfits).toEqual([
      { line: 2, column: 'price', value: '12,50' },
      { line: 2, column: 'paid', value: 'maybe' },
    ]);
    expect(unknownTickets).toEqual(['10K']);
  });

  it('splits rows into parts that fit into one request', () => {
    const rows = Array.from({ length: 25_000 }, (_, i) => ({ lines: [i], body: { i } }));
    expect(partsOf(rows).map(({ length }) => length)).toEqual([10_000, 10_000, 5_000]);
    const large = Array.from({ length: 3 }, (_, i) => ({
      lines: [i],
      body: { text: 'ü'.repeat(5_000_000) },
    }));
    expect(partsOf(large).map(({ length }) => length)).toEqual([1, 1, 1]);
  });
});

describe('failed rows', () => {
  it('are written as CSV with the fields as columns, without formulas', () => {
    const sent = { externalBookingId: 'o;1', participants: [{ firstName: '=1+1', tags: ['a', 'b'] }], n: -3 };
    expect(csvOf([flat(sent), { other: 'say "hi"' }])).toBe(
      'externalBookingId,participants[0].firstName,participants[0].tags,n,other\r\n' +
        '"o;1",\'=1+1,"a; b",-3,\r\n,,,,"say ""hi"""\r\n',
    );
    expect(csvOf([{ note: 'a;=1+1;b', other: "'=2", more: '\t@x' }])).toBe(
      `note,other,more\r\n"a;'=1+1;b",''=2,'\t'@x\r\n`,
    );
  });
});
