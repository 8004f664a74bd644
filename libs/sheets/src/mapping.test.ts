import { mappingFor, mappingIn, readSheet, WrongMapping } from './index';

const KIND = {
  collection: 'races',
  identity: [],
  fields: [
    { path: 'event.title', type: 'string', required: true, names: ['event'] },
    { path: 'race.title', type: 'string', required: true, names: ['race'] },
    { path: 'race.startDate', type: 'string', format: 'date', required: true, names: ['date'] },
    { path: 'race.price', type: 'amount', required: false, names: [] },
  ],
};
const mapped = async (given: unknown) =>
  mappingFor(
    await readSheet(new TextEncoder().encode('Event,Race,Begins,constructor\nReed Run,10K,2027-05-04,x\n')),
    KIND,
    mappingIn(given),
    '2027-03-20',
  );

it('takes columns as somebody said, and others by their names', async () => {
  const { columns, matches } = await mapped({
    columns: { Race: null, Begins: 'race.startDate' },
    matches: { timeZone: { US: 'America/Chicago' } },
  });
  expect(columns).toEqual({
    ...{ Event: 'event.title', Race: null, Begins: 'race.startDate' },
    constructor: null,
  });
  expect(matches).toEqual({ timeZone: { US: 'America/Chicago' } });
  expect((await mapped({ columns: { Begins: 'event.title' } })).columns).toMatchObject({ Event: null });
  expect((await mapped({})).columns).toMatchObject({ Event: 'event.title', Race: 'race.title' });
});

it.each<[unknown, string]>([
  [[], 'A mapping is an object'],
  [{ match: {} }, 'A mapping has no "match"'],
  [{ columns: { Race: 1 } }, '"columns" of a mapping'],
  [{ missing: { Race: 'NA' } }, '"missing" of a mapping'],
  [{ readings: { Begins: { decimal: 'dmy' } } }, '"readings" of a mapping'],
  [{ accepted: false }, '"accepted" of a mapping'],
  [{ numbering: { by: 'chance' } }, '"numbering" of a mapping'],
  [{ columns: { Race: 'race.name' } }, 'There is no field "race.name"'],
  [{ values: { 'race.name': '10K' } }, 'There is no field "race.name"'],
  [{ columns: { Rase: 'race.title' } }, 'names the column "Rase"'],
  [{ missing: { Rase: ['NA'] } }, 'names the column "Rase"'],
  [{ values: { 'race.startDate': '2027-02-30' } }, '"2027-02-30" is not a value of race.startDate'],
  [{ values: { 'race.price': '45.00 €' } }, '"45.00 €" has a currency: that is a value of race.price.curr'],
])('refuses %j by name', async (given, message) => {
  await expect(mapped(given)).rejects.toThrow(message);
  await expect(mapped(given)).rejects.toThrow(WrongMapping);
});
