import { booking, importJob, occurrence, race, ticket, UNIDENTIFIED_MESSAGE } from '#libs/testing';
import { newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';
import { type Browser, signedIn } from './console';

let api: TestApi;
let viewer: Browser;
beforeEach(async () => {
  api = await sharedApi();
  viewer = (await signedIn(api, 'VIEWER')).browser;
});
afterEach(() => api.close());

const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const attention = async () => (await viewer.ask('GET', '/console/v1/attention')).body.data;

const endpoint = (values: string) =>
  api.dataSource.query(
    `INSERT INTO webhook_endpoints (organization_id, id, url, types, secret, ${values.split(' = ')[0]})
     VALUES ($1, $2, 'https://hooks.example/in', '{booking.created}', 'x', ${values.split(' = ')[1]})`,
    [api.organizationId, newId()],
  );

describe('what needs a hand', () => {
  it('is nothing at first', async () => {
    await occurrence(api.dataSource, mine({}));
    expect(await attention()).toEqual([]);
  });

  it('is failed rows of recent imports, endpoints that fail, applications and messages that wait', async () => {
    const job = await importJob(api.dataSource, mine({ surface: 'bookingsImport' }));
    await importJob(api.dataSource, mine({ surface: 'bookingsImport', dryRun: true }));
    const warned = await importJob(api.dataSource, mine({ surface: 'lineItemsImport', warnedRows: 2 }));
    await api.dataSource.query('UPDATE import_jobs SET failed_rows = 0 WHERE id = $1', [warned.id]);
    await importJob(api.dataSource, mine({ surface: 'bookingsImport', createdAt: new Date('2020-01-01') }));
    await endpoint('failing_since = now()');
    await endpoint("failing_since, deleted_at, leased_until = now(), now(), now() + interval '1 hour'");
    const {
      id: ticketId,
      title,
      eventOccurrenceId,
    } = await ticket(api.dataSource, mine({ approval: 'MANUAL' as const }));
    await booking(
      api.dataSource,
      mine({ ticketId, entries: [1, 2].map(() => ({ approvalStatus: 'PENDING' as const })) }),
    );
    await api.dataSource.query(UNIDENTIFIED_MESSAGE, [api.organizationId]);
    await api.dataSource.query(
      `INSERT INTO race_day_log (organization_id, source, changed_at, received_at, named_by_bib, bib_number)
       VALUES ($1, 'TIMING', now(), now() - interval '2 minutes', true, '7')`,
      [api.organizationId],
    );
    expect(await attention()).toEqual([
      expect.objectContaining({
        kind: 'IMPORT_FAILURES',
        id: job.id,
        title: 'bookingsImport',
        count: 1,
        total: 1,
      }),
      expect.objectContaining({ kind: 'IMPORT_WARNINGS', id: warned.id, title: 'lineItemsImport', count: 2 }),
      expect.objectContaining({ kind: 'ENDPOINT_FAILING', title: 'https://hooks.example/in' }),
      expect.objectContaining({ kind: 'APPLICATIONS', id: ticketId, title, eventOccurrenceId, count: 2 }),
      expect.objectContaining({
        ...{ kind: 'UNIDENTIFIED_MESSAGES', id: null, eventOccurrenceId: null },
        count: 1,
      }),
      expect.objectContaining({ kind: 'FEED_LAG', count: expect.any(Number) }),
    ]);
  });

  it('is no import that was undone', async () => {
    const { id } = await importJob(api.dataSource, mine({ surface: 'bookingsImport', warnedRows: 1 }));
    expect(await attention()).toHaveLength(2);
    const undo = { surface: 'bookingsImport' as const, mode: 'UNDO' as const, undoesJobId: id };
    await importJob(api.dataSource, mine({ ...undo, status: 'FAILED' as const }));
    expect(await attention()).toHaveLength(2);
    await importJob(api.dataSource, mine({ ...undo, status: 'COMPLETED' as const }));
    expect(await attention()).toEqual([]);
  });

  it('is races to come that are nearly full or overbooked', async () => {
    const places = async (maxCapacity: number, entries: number, startDate = '2030-05-04') => {
      const { id: eventOccurrenceId } = await occurrence(api.dataSource, mine({ startDate }));
      const made = await race(api.dataSource, mine({ eventOccurrenceId, maxCapacity }));
      const { id: ticketId } = await ticket(api.dataSource, mine({ raceId: made.id }));
      await booking(api.dataSource, mine({ ticketId, entries }));
      return made;
    };
    const full = await places(4, 4);
    const over = await places(2, 3);
    await places(4, 3);
    await places(1, 1, '2020-05-04');
    const items = await attention();
    expect(items).toHaveLength(2);
    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'RACE_NEARLY_FULL', id: full.eventOccurrenceId, count: 4, total: 4 }),
        expect.objectContaining({ kind: 'RACE_OVERBOOKED', id: over.eventOccurrenceId, count: 3, total: 2 }),
      ]),
    );
  });
});

it('shows the entries by day and the next events, and neither to the race-day desk', async () => {
  const [first, second] = await Promise.all(
    ['2031-01-01', '2030-01-01'].map((startDate) => occurrence(api.dataSource, mine({ startDate }))),
  );
  await occurrence(api.dataSource, mine({ startDate: '2020-01-01' }));
  const { id: raceId } = await race(api.dataSource, mine({ eventOccurrenceId: second?.id, maxCapacity: 9 }));
  const { id: ticketId } = await ticket(api.dataSource, mine({ raceId }));
  await booking(api.dataSource, mine({ ticketId, entries: 3 }));
  // Who is not registered does not count.
  const { id: other } = await ticket(api.dataSource, mine({ eventOccurrenceId: first?.id }));
  await booking(
    api.dataSource,
    mine({
      ticketId: other,
      entries: [{ approvalStatus: 'REJECTED' as const }, { approvalStatus: 'PENDING' as const }],
    }),
  );
  const { body } = await viewer.ask('GET', '/console/v1/home');
  expect(body).toEqual({
    days: [{ day: new Date().toISOString().slice(0, 10), entries: 3 }],
    events: [
      expect.objectContaining({ id: second?.id, startDate: '2030-01-01', entries: 3, places: 9 }),
      expect.objectContaining({ id: first?.id, entries: 0, places: null }),
    ],
  });
  // Another race has a number that stands for no limit.
  const more = { eventOccurrenceId: second?.id, maxCapacity: 2_147_483_647 };
  await race(api.dataSource, mine(more));
  expect((await viewer.ask('GET', '/console/v1/home')).body.events[0].places).toBe(2_147_483_647);
  const { browser: desk } = await signedIn(api, 'RACE_DAY');
  for (const path of ['attention', 'home'] as const)
    expect((await desk.ask('GET', `/console/v1/${path}`)).status).toBe(403);
});
