import { COLUMNS, inWords, PERSON_WORDS } from '#domain/participants';
import { booking, importJob, organization, partner } from '#libs/testing';
import { ImportRow, newId, PersonJob } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';
import { importRows, sale } from '../imports/import';
import { type Browser, signedIn, workDone } from './console';

const EMAIL = 'ada@example.com';

let api: TestApi;
let manager: Browser;
beforeAll(async () => {
  api = await sharedApi();
  manager = (await signedIn(api, 'MANAGER')).browser;
});
afterAll(() => api.close());

const field = (key: string, label: string, value: string) => ({
  id: newId(),
  key,
  label,
  type: 'TEXT',
  value,
});
const fields = [
  field('firstName', 'First name', 'Ada'),
  field('lastName', 'Last name', '<b>Lovelace</b>'),
  field('email', 'Email', EMAIL),
  field('club', 'Your club', 'Analytical Engines'),
];
const enter = (organizationId: string) =>
  booking(api.dataSource, { organizationId, entries: [{ fields, emailNormalized: EMAIL }] });
const find = (email: string, browser = manager) =>
  browser.ask('POST', '/console/v1/persons/export', { email });
const ask = (body: object, browser = manager) => browser.ask('POST', '/console/v1/persons/erase', body);
/** The file, when the worker has found everything. */
const file = async (email: string, query = '') => {
  const { body } = await find(email);
  await workDone(manager, body);
  return manager.ask('GET', `/console/v1/person-jobs/${body.jobId}/file${query}`);
};
const erase = async (body: object) => {
  const { erasure } = await workDone(manager, (await ask(body)).body);
  return erasure;
};
const tablesOf = async (email = EMAIL) => {
  const { status, body } = await file(email);
  expect(status).toBe(200);
  return Object.fromEntries(
    (body.tables as { table: string; rows: Record<string, any>[] }[])
      // Those that this file has made.
      .filter(({ table }) => !table.startsWith('person_job'))
      .map(({ table, rows }) => [table, rows]),
  );
};
const records = async (action: string) =>
  (await manager.ask('GET', `/console/v1/audit-log?action=${action}`)).body.data as {
    details: Record<string, unknown>;
    changes: unknown;
    actorType: string;
  }[];

describe('a person by email', () => {
  it('is searched by a worker, with a status, and its file can be read when it is done', async () => {
    const { status, body } = await find('nobody@example.com');
    expect([status, body]).toMatchObject([
      200,
      { kind: 'EXPORT', status: expect.stringMatching(/QUEUED|RUNNING/) },
    ]);
    const { searchedRows, finishedAt } = await workDone(manager, body);
    expect([searchedRows > 0, finishedAt]).toEqual([true, expect.any(String)]);
    expect((await manager.ask('GET', `/console/v1/person-jobs/${newId()}/file`)).status).toBe(404);
    const { body: erasure } = await ask({ email: 'nobody@example.com', dryRun: true });
    await workDone(manager, erasure);
    expect((await manager.ask('GET', `/console/v1/person-jobs/${erasure.jobId}/file`)).status).toBe(404);
  });

  it('is erased from the job itself, also if the process that did it was lost', async () => {
    const id = newId();
    await api.dataSource.getRepository(PersonJob).insert({
      ...{ organizationId: api.organizationId, id, kind: 'ERASE', email: 'lost@example.com', dryRun: false },
      ...{ status: 'RUNNING', leasedUntil: new Date(0), actor: { type: 'SYSTEM', id: null, origin: null } },
    });
    await workDone(manager, { jobId: id });
    const { email } = await api.dataSource.getRepository(PersonJob).findOneByOrFail({ id });
    expect(email).toBeNull();
  });

  it('is exported from all events and nothing of other organizations', async () => {
    const { organizationId } = api;
    const { id: other } = await organization(api.dataSource, {});
    await enter(other);
    const entered = [await enter(organizationId), await enter(organizationId)];
    await partner(api.dataSource, {
      organizationId,
      contacts: [{ firstName: 'Ada', lastName: 'Lovelace', email: EMAIL }],
    });
    const { start_list_entries: entries = [], partners = [] } = await tablesOf('ADA@example.com');
    expect(entries.map(({ id }) => id).sort()).toEqual(entered.map(({ entries: [one] }) => one?.id).sort());
    expect(entries[0]).toMatchObject({ event: expect.any(String), ticket: expect.any(String) });
    expect(partners).toHaveLength(1);
    expect(await tablesOf('nobody@example.com')).toEqual({});
  });

  it('is exported as a document that shows questions with answers, and text as text', async () => {
    await enter(api.organizationId);
    const { text, headers } = await file(EMAIL, '?format=html');
    expect(headers.get('content-disposition')).toBe('attachment; filename="person.html"');
    expect(text).toMatch(/<dt>Your club<\/dt><dd>Analytical Engines<\/dd>.*<\/html>\n$/s);
    expect(text).not.toMatch(/<b>|<script|src=|href=/);
  });

  it('is exported as a German document', async () => {
    await enter(api.organizationId);
    const { text } = await file(EMAIL, '?format=html&language=de');
    expect(text).toMatch(/^<!doctype html><html lang="de">.*<title>Daten zu ada@example.com</);
    expect(text).toMatch(/<h2>Anmeldungen<\/h2>.*<dt>Veranstaltung<\/dt>.*<dt>Your club<\/dt>/s);
    expect((await file(EMAIL, '?language=xx')).status).toBe(400);
  });

  it('has German names of all that the file of a person can contain', () => {
    const names = Object.entries(COLUMNS).flatMap(
      ([table, { personal = [], foreign = [], remarks = [] }]) => {
        const columns = [...personal, ...foreign, ...remarks];
        return columns.length ? [table, ...columns] : [];
      },
    );
    const { de } = PERSON_WORDS;
    expect(names.filter((name) => !(name.replaceAll('_', ' ') in de.names))).toEqual([]);
    expect(inWords('firstName', de)).toBe('Vorname');
  });

  it('is exported with all rows, however many there are', async () => {
    const { organizationId } = api;
    const email = 'often@example.com';
    const { id: jobId } = await importJob(api.dataSource, { organizationId, surface: 'creditsImport' });
    const rows = Array.from({ length: 450 }, (_, at) => ({
      ...{ organizationId, jobId, row: at + 1, externalId: `often-${at}`, payload: { email } },
    }));
    await api.dataSource.getRepository(ImportRow).insert(rows as object[]);
    const { import_rows: found = [] } = await tablesOf(email);
    expect(new Set(found.map(({ row_number }) => row_number)).size).toBe(450);
  });

  it('is exported with all of the booking that they made for others', async () => {
    const email = 'bea@example.com';
    const { row, participant } = await sale(api);
    const { results } = await importRows(api, 'bookings/import', {
      bookings: [
        row({
          booker: { email, firstName: 'Bea', lastName: 'Booker' },
          participants: [participant({ firstName: 'Cy', email: 'cy@example.com' })],
        }),
      ],
    });
    const { bookingId } = results[0];
    await importRows(api, 'bookings/line-items/import', {
      lineItems: [
        {
          ...{ externalLineItemId: 'present', bookingId, itemType: 'DONATION', name: 'From Bea' },
          amount: { value: 500, currencyCode: 'GBP' },
        },
      ],
    });
    const { bookings, line_items, import_rows = [], start_list_entries } = await tablesOf(email);
    expect([bookings, line_items]).toMatchObject([[{ id: bookingId }], [{ name: 'From Bea' }]]);
    expect(import_rows).toHaveLength(2);
    expect(start_list_entries).toBeUndefined();
  });

  it('is not shown with the data of whoever got their place since', async () => {
    const email = 'former@example.com';
    const { row } = await sale(api);
    const booker = { email, firstName: 'Fay', lastName: 'Former' };
    const participants = row().participants.map((each) => ({ ...each, ...booker }));
    const job = await importRows(api, 'bookings/import', { bookings: [row({ booker, participants })] });
    const { bookingId, participantIds } = job.results[0];
    const { body } = await find(email);
    await workDone(manager, body);
    const read = async () =>
      (await manager.ask('GET', `/console/v1/person-jobs/${body.jobId}/file`)).text as string;
    expect(await read()).toContain(bookingId);
    const path = `/v0/participants/${participantIds[0]}/transfer`;
    const given = { firstName: 'Nell', lastName: 'Next', email: 'next@example.com' };
    expect((await api.send('POST', path, given)).status).toBe(200);
    expect(await read()).not.toMatch(/Nell|next@example/);
    expect(await read()).toContain('import_rows');
  });

  it('is erased after a preview that counts the same and changes nothing', async () => {
    const { organizationId } = api;
    const { entries } = await enter(organizationId);
    const preview = await erase({ email: EMAIL, dryRun: true });
    expect(preview.removed).toContainEqual({ table: 'start_list_entries', rows: preview.entries });
    const { body: kept } = await api.get(`/v0/participants/${entries[0]?.participantId}`);
    expect(kept.gdprRedacted).toBe(false);
    const erased = await erase({ email: EMAIL });
    expect(erased).toEqual({ ...preview, dryRun: false });
    expect(await tablesOf()).toEqual({});
    const { body } = await api.get(`/v0/participants/${entries[0]?.participantId}`);
    expect(body).toMatchObject({ gdprRedacted: true, fields: [] });
  });

  it('is recorded in the audit log with who did it, and without the address', async () => {
    await find('grace@example.com');
    await erase({ email: 'grace@example.com' });
    const [exported] = await records('person.export');
    const [done, started] = await records('person.erase');
    expect(exported).toMatchObject({ actorType: 'STAFF', objectType: 'person' });
    expect([started?.details.status, done?.details.status]).toEqual(['STARTED', 'DONE']);
    expect(JSON.stringify([exported, done, started])).not.toContain('grace');
  });

  it('is not recorded as erased by a preview', async () => {
    const before = (await records('person.erase')).length;
    await erase({ email: EMAIL, dryRun: true });
    expect(await records('person.erase')).toHaveLength(before);
  });

  it.each(['VIEWER', 'RACE_DAY'] as const)('is neither exported nor erased by the role %s', async (role) => {
    const { browser } = await signedIn(api, role);
    const answers = await Promise.all([find(EMAIL, browser), ask({ email: EMAIL }, browser)]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  });
});
