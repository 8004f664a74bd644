import type { Organization } from './organization';
import { bookingOf, person, type Sale } from './rows';

/** A dry run, a row that differs from the stored booking, and corrections of the booking and of one participant. */
export async function corrections(walk: Organization, { friend }: Record<string, Sale>) {
  const { ids } = walk;
  const { externalBookingId, participantIds } = friend as Sale;
  const row = bookingOf(ids, [person(ids.mileTicket, { firstName: 'Augusta' })], { externalBookingId });
  const dryRun = await walk.ask('POST', '/v0/bookings/import?dryRun=true', { bookings: [row] });
  await walk.finished('bookings/import', dryRun.jobId);
  await walk.import('bookings/import', 'bookings', [row]);
  await walk.import('bookings/import', 'bookings', [row], 'PUT');
  await walk.ask('PATCH', `/v0/participants/${participantIds[0]}`, { firstName: 'Ada' });
}
