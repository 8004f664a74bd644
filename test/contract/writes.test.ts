import { ALL_OPERATIONS } from './document';
import { everyWrite } from './truth/every-write';
import { documentedSpellings } from './truth/spellings';
import { UNREADABLE, WITHOUT_PROPERTIES } from './truth/unreadable';
import type { Writes } from './truth/writes';
import { Organization } from './walk/organization';

/** What a write was sent was stored, and is shown, or was refused; and what was not changed did not move. */

const WRITES = ALL_OPERATIONS.filter(({ body }) => body).map(({ name }) => name);

it('knows what is listed as unreadable', () => {
  const propertiesOf = (name: string) =>
    ALL_OPERATIONS.filter((of) => of.body && (name === '*' || of.name === name)).flatMap(({ body }) =>
      documentedSpellings(body ?? {}).map((each) => each.slice(0, each.indexOf(': '))),
    );
  const unknown = Object.entries(UNREADABLE).flatMap(([name, properties]) =>
    Object.keys(properties)
      .flatMap((names) => names.split(' '))
      .filter(
        (property) =>
          !propertiesOf(name).some((known) => `.${known}`.includes(`.${property.replace(':null', '')}`)),
      )
      .map((property) => `${name} ${property}`),
  );
  expect(unknown).toEqual([]);
  expect(Object.keys(WITHOUT_PROPERTIES).filter((name) => !WRITES.includes(name))).toEqual([]);
});

describe('what is sent', () => {
  let walk: Organization;
  let writes: Writes;
  beforeAll(async () => {
    walk = await Organization.found();
    await walk.startWorker();
  });
  afterAll(() => walk?.close());

  it('is stored as it was sent, and the same again changes nothing', async () => {
    writes = await everyWrite(walk);
    expect(writes.problems).toEqual([]);
  });

  it.each(WRITES.filter((name) => !(name in WITHOUT_PROPERTIES)))('%s has every spelling', (name) => {
    expect(writes.missingOf(name)).toEqual([]);
  });
});
