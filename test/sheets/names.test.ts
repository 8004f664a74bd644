import { namesIn, planOf, readSheet } from '#libs/sheets';
import { reservedEntryGroup, ticket } from '#libs/testing';
import { kindOfImport } from '../../libs/client/src/browser';
import { asking, lookUp } from '../../libs/client/src/rows/look-up';
import { signedIn } from '../console/console';
import { sharedApi, type TestApi } from '../harness';
import { importRows } from '../imports/import';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(async () => {
  await api?.close();
});

describe('the names of records in a file', () => {
  it('stand for groups and slugs of tickets, next to ids and slugs', async () => {
    const { organizationId } = api;
    const sold = await ticket(api.dataSource, { organizationId, title: 'Charity place' });
    const group = await reservedEntryGroup(api.dataSource, {
      organizationId,
      ticketId: sold.id,
      name: 'Acme',
    });
    const kind = kindOfImport('/v0/reserved-entries/participants/import');
    const sheet = await readSheet(
      new TextEncoder().encode(
        [
          'Id;Group;Ticket;First;Last;Email',
          'n-1;acme;charity place;Ada;L;ada@example.com',
          `n-2;${group.id};${sold.id};Bo;L;bo@example.com`,
          `n-3;Acme;${sold.slug};Cy;L;cy@example.com`,
          'n-4;Acme;charity plate;Di;L;di@example.com\n',
        ].join('\n'),
      ),
    );
    const mapping = {
      columns: {
        Id: 'externalAssignmentId',
        Group: 'reservedEntryGroupId',
        Ticket: 'ticketSlug',
        First: 'participant.firstName',
        Last: 'participant.lastName',
        Email: 'participant.email',
      },
      occurrence: sold.eventOccurrenceId,
    };
    const names = namesIn(kind, mapping);
    const lookups = await lookUp(asking(api.client()), { names, occurrences: [sold.eventOccurrenceId] });
    const plan = planOf(sheet, kind, mapping, { lookups, today: '2027-01-01' });
    expect(plan.failed.map(({ row, mistakes }) => [row.line, mistakes[0]?.code])).toEqual([[5, 'NO_MATCH']]);
    expect(plan.matches.ticketSlug?.find(({ text }) => text === 'charity plate')?.close).toBe(sold.slug);
    const assignments = plan.items.map(({ body }) => body);
    const job = await importRows(api, 'reserved-entries/participants/import', { assignments });
    expect(job).toMatchObject({ succeededRows: 3, failedRows: 0 });
  });

  it('stand for an event without a date, for staff', async () => {
    const { eventOccurrenceId: id } = await ticket(api.dataSource, { organizationId: api.organizationId });
    await api.dataSource.query(
      `UPDATE event_occurrences SET title = 'Undated', start_date = NULL WHERE id = $1`,
      [id],
    );
    const { browser } = await signedIn(api, 'MANAGER');
    const get = async (path: string, { params }: any) =>
      (await browser.ask('GET', `${path}?${new URLSearchParams(params.query)}`)).body;
    const wanted = { names: ['eventOccurrenceId'], occurrences: [], isStaff: true };
    const { eventOccurrenceId } = await lookUp(asking({ get }), wanted);
    expect(eventOccurrenceId).toContainEqual({ id, startDate: null, label: 'Undated', names: ['Undated'] });
  });
});
