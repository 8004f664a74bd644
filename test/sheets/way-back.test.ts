import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  dictionary,
  integer,
  option,
  record,
  string,
  uniqueArray,
} from 'fast-check';
import { flat, type ImportKind, lineOf, MARK, planOf, readSheet, recognise, withAmounts } from '#libs/sheets';
import { trimmed } from '#platform/validation';
import { IMPORT_SHAPES } from '../../libs/client/src/import-shapes';

const bookings: ImportKind = {
  collection: 'bookings',
  identity: ['externalBookingId'],
  fields: withAmounts(IMPORT_SHAPES['/v0/bookings/import']?.fields ?? []),
};
const letters = string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('\uFFFD', ''));
const hostile = constantFrom(
  '=1+1',
  "'=1",
  '+49 151',
  '007',
  'a;=1|b',
  'x\ny',
  ' Ada ',
  '-3',
  '1.045,00',
  '🏃\t@',
  '["a"]',
  'true',
);
const text = array(constantFrom(0, 1), { minLength: 1, maxLength: 1 })
  .chain(([which]) => (which ? hostile : letters))
  .filter((given) => given !== '');
const name = string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 }).filter(
  (given) => !given.includes('__proto__'),
);
const uuid = '01990f3e-0000-7000-8000-000000000001';
const optional = {
  requiredKeys: ['ticketId', 'firstName', 'lastName'] as ('ticketId' | 'firstName' | 'lastName')[],
};
const participant = record(
  {
    ticketId: constantFrom(uuid),
    firstName: text,
    lastName: text,
    dateOfBirth: constantFrom('1990-04-05', '1931-12-31'),
    bibNumber: text,
    // A booking in two currencies is refused.
    price: record({ value: integer({ min: 0, max: 9_999_999 }), currencyCode: constantFrom('EUR') }),
    tags: array(text, { minLength: 1, maxLength: 3 }).filter((tags) =>
      tags.every((tag) => trimmed(tag) === tag && tag !== ''),
    ),
    team: record({ name: text }),
    fields: uniqueArray(
      record({ key: name.filter((key) => /^\w+$/.test(key)), value: option(text, { nil: 4.5 }) }),
      { minLength: 1, maxLength: 2, selector: ({ key }) => key },
    ),
  },
  optional,
);
const booking = record(
  {
    externalBookingId: text.filter((id) => trimmed(id) !== ''),
    eventOccurrenceId: constantFrom(uuid),
    booker: record({ email: constantFrom('ada@example.com'), firstName: text, lastName: text }),
    participants: array(participant, { minLength: 1, maxLength: 3 }),
    discountAlreadyApplied: boolean(),
    metadata: dictionary(name, option(text, { nil: 3 }), { minKeys: 1, maxKeys: 3 }),
  },
  { requiredKeys: ['externalBookingId', 'eventOccurrenceId', 'booker', 'participants'] },
);

it('reads failed rows that we wrote as the rows that were sent, whatever their texts', async () => {
  await assert(
    asyncProperty(booking, async (sent) => {
      const cells = flat(sent);
      const columns = Object.keys(cells);
      const lines = [
        [MARK, 'importRow', 'importCode', 'importMessage', ...columns],
        ['', '1', 'TICKET_NOT_FOUND', '=why', ...columns.map((column) => cells[column] ?? '')],
      ];
      const sheet = await readSheet(new TextEncoder().encode(lines.map((line) => lineOf(line)).join('')));
      const mapping = Object.fromEntries(columns.map((column) => [column, column]));
      expect(recognise(sheet, bookings)).toEqual(mapping);
      const plan = planOf(sheet, bookings, { columns: mapping }, { today: '2027-01-01' });
      expect(plan.failed).toEqual([]);
      expect(plan.items.map(({ body }) => body)).toEqual([sent]);
    }),
    { numRuns: 100 },
  );
});
