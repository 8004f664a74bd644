import { newId } from '#platform/database';
import type { Organization } from './organization';
import { messageAbout } from './race-day';
import { bookingOf, person } from './rows';

/** Bookings of the website and the dashboard, pending applications, and decisions about them. */
export async function startList(walk: Organization, partnerId: string) {
  const { ids } = walk;
  const from = (source: string, participants: object[]) =>
    bookingOf(ids, participants, { source, createdAt: '2026-03-01T09:30:00Z', transactionId: newId() });
  const pending = (ticketId: string) =>
    person(ticketId, {
      ...{ approvalStatus: 'PENDING', ballotDraw: 'Draw 1', applicationNotes: 'Asked for a later start' },
    });
  const full = person(ids.ticket, {
    ...{ participantNotes: ['Starts with a guide'], charityOptIn: ['River Trust'] },
    partnerMarketingOptIns: [{ partnerId, optedIn: false }],
    resultSubmission: { url: 'https://results.example/1', submittedAt: '2026-05-05T10:00:00Z' },
  });
  await walk.load('start-list', [
    from('WEBSITE', [
      pending(ids.ballot),
      pending(ids.ballot),
      pending(ids.manual),
      pending(ids.manual),
      full,
    ]),
    from('DASHBOARD', [person(ids.mileTicket)]),
  ]);
  await walk.command('ballot', 'draw', ids.ballot, '--seed', 'walk', '--places', '1');
  const [manual] = await walk.items(`/v0/applications?ticketId=${ids.manual}`);
  const withdrawn = await walk.command('application', 'withdraw', manual.id);
  await messageAbout(walk, withdrawn.participantId);
  for (const { bookingId, externalBookingId } of await walk.items('/v0/applications?page[size]=500')) {
    await walk.ask('GET', `/v0/bookings/${bookingId}`);
    if (externalBookingId) await walk.items(`/v0/bookings/external/${externalBookingId}`);
  }
}
