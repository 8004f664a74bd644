import type { Organization } from './organization';
import { bookingOf, person, type Sale } from './rows';

/** A dry run, a row that differs from the stored booking, corrections of the booking and of one participant, and an undo. */
export async function corrections(walk: Organization, { friend }: Record<string, Sale>) {
  const { ids } = walk;
  const { externalBookingId, participantIds } = friend as Sale;
  const row = bookingOf(ids, [person(ids.mileTicket, { firstName: 'Augusta' })], { externalBookingId });
  const dryRun = await walk.ask('POST', '/v0/bookings/import?dryRun=true', { bookings: [row] });
  await walk.finished('bookings/import', dryRun.jobId);
  await walk.import('bookings/import', 'bookings', [row]);
  await walk.import('bookings/import', 'bookings', [row], 'PUT');
  await walk.ask('PATCH', `/v0/participants/${participantIds[0]}`, { firstName: 'Ada' });
  const mistake = await walk.import('bookings/import', 'bookings', [
    bookingOf(ids, [person(ids.mileTicket)]),
  ]);
  const undo = await walk.command('import', 'undo', mistake.jobId, '--follow');
  await walk.ask('GET', `/v0/bookings/import/${undo.jobId}`);
  await walk.items('/v0/import-jobs');
}
