import { giveReferralCodes } from '#domain/bookings';
import { booking, copiesOf, organization, referralProgram, ticket } from '#libs/testing';
import { startApi, type TestApi } from '../harness';

const BOOKINGS = 300;
const TABLES = ['bookings', 'referral_programs', 'referrers', 'referrer_owner_bookings'];

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

const READ = `
  SELECT sum(pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid))::int AS read
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i')`;

it('codes read the rows of each booking only, while statistics do not contain the organization', async () => {
  const { dataSource } = api;
  const sale = async (organizationId: string) => {
    const sold = await ticket(dataSource, { organizationId });
    const { eventId, eventOccurrenceId } = sold;
    await referralProgram(dataSource, { organizationId, eventId, eventOccurrenceId });
    const { id: pattern } = await booking(dataSource, { organizationId, ticketId: sold.id });
    const bookings: { id: string; event_occurrence_id: string }[] = await dataSource.query(
      `INSERT INTO bookings ${copiesOf(
        'b',
        `jsonb_build_object('id', uuid_v7(),
          'transaction_id', uuid_v7(), 'external_booking_id', 'booking ' || n)`,
        'FROM bookings b, generate_series(1, $3) n WHERE b.organization_id = $1 AND b.id = $2',
      )} RETURNING id, event_occurrence_id`,
      [organizationId, pattern, BOOKINGS],
    );
    await dataSource.transaction((manager) => giveReferralCodes(manager, organizationId, bookings));
    return bookings;
  };
  for (const table of TABLES) await dataSource.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  await sale(api.organizationId);
  await dataSource.query(`ANALYZE ${TABLES.join(', ')}`);
  const { id: later } = await organization(dataSource);
  const bookings = await sale(later);

  const read = await dataSource.transaction(async (manager) => {
    const [before] = await manager.query(READ);
    await giveReferralCodes(manager, later, bookings);
    const [after] = await manager.query(READ);
    return after.read - before.read;
  });
  expect(read).toBeGreaterThan(BOOKINGS);
  expect(read).toBeLessThan(BOOKINGS * 20);
});
