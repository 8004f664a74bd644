import { array, assert, asyncProperty, constantFrom, record, string, uniqueArray } from 'fast-check';
import { readSheet, textOf } from '#libs/sheets';
import { booking, bookingFormField, key, organization, ticket } from '#libs/testing';
import { newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

/** What a reader could take for the structure of the file, or a spreadsheet for a formula. */
const pieces = [
  ...['=', '+', '-', '@', '＝', '＋', '－', '＠', "'", '"', ';', ',', '|', '\t', '\r\n', '\r', '\n', ' '],
  ...[
    '0',
    '007',
    '1.045,00',
    'Ada',
    '🏃🏽‍♀️',
    '\u00A0',
    '\uFEFF',
    '#end',
    '#startline',
    'true',
    '[]',
    'a@b.c',
  ],
];
const assembled = array(constantFrom(...pieces), { minLength: 1, maxLength: 10 }).map((all) => all.join(''));
// PostgreSQL has no text with U+0000; U+FFFD is what other encodings are recognised by.
const anything = string({ unit: 'binary', minLength: 1, maxLength: 15 }).filter(
  (text) => !/[\0\uFFFD]/.test(text),
);
const text = constantFrom(assembled, assembled, anything).chain((one) => one);
const person = record({
  firstName: text,
  lastName: text,
  bib: assembled.map((bib) => `${bib}1`),
  answer: text,
});
const sale = record({
  id: text,
  booker: text,
  question: constantFrom('shirt', '=1+1', "'=2", 'a;+b', 'a@b.c', '"1"', 'two\nlines', '🏃'),
  people: uniqueArray(person, { minLength: 1, maxLength: 5, selector: ({ bib }) => bib }),
});

/** The rows of an export as our reader reads them, by the id of the participant. */
async function readBack(path: string, token: string, id: string) {
  const { status, text: csv } = await api.get(path, token);
  expect(status).toBe(200);
  const { ours, columns, rows } = await readSheet(new TextEncoder().encode(csv));
  expect([ours, rows.filter(({ broken }) => broken)]).toEqual([true, []]);
  const named = rows.map(({ cells }) => new Map(columns.map((name, at) => [name, textOf(cells[at] ?? '')])));
  return new Map(named.map((row) => [row.get(id), row]));
}

it('reads the exports of participants as what they are, whatever their texts', async () => {
  await assert(
    asyncProperty(sale, async ({ id, booker, question, people }) => {
      const { id: organizationId } = await organization(api.dataSource);
      const asked = await bookingFormField(api.dataSource, { organizationId, key: question });
      const answer = (name: string, value: string, of = newId()) => ({
        ...{ id: of, key: name, label: name, type: 'TEXT' as const, value },
      });
      const { id: ticketId } = await ticket(api.dataSource, { organizationId });
      const { entries } = await booking(api.dataSource, {
        ...{ organizationId, ticketId, externalBookingId: id, bookerLastName: booker },
        entries: people.map(({ firstName, lastName, bib, answer: given }) => ({
          ...{ bibNumber: bib, bibClaim: bib },
          fields: [
            answer('firstName', firstName),
            answer('lastName', lastName),
            answer(question, given, asked.id),
          ],
        })),
      });
      const all = await key(api.dataSource, { organizationId });
      const reads = ['names', `field:${question}`];
      const timing = await key(api.dataSource, { organizationId, kind: 'TIMING', reads });
      const exported = await readBack('/v0/participants/export?format=csv', all.token, 'participantId');
      const timed = await readBack('/timing-inbound/v1/participants/export', timing.token, 'ParticipantId');
      expect([exported.size, timed.size]).toEqual([people.length, people.length]);
      for (const [at, { firstName, lastName, bib, answer: given }] of people.entries()) {
        const row = exported.get(entries[at]?.participantId);
        const names = ['firstName', 'lastName', 'bibNumber', `answer.${question}`];
        expect([...names, 'externalBookingId', 'bookerLastName'].map((name) => row?.get(name))).toEqual([
          ...[firstName, lastName, bib, given, id, booker],
        ]);
        const other = timed.get(entries[at]?.participantId);
        expect(['Firstname', 'Lastname', 'Bib', question].map((name) => other?.get(name))).toEqual([
          ...[firstName, lastName, bib, given],
        ]);
      }
    }),
    { numRuns: 30, endOnFailure: true },
  );
});
