import { type DocumentedOperation, OPERATIONS, pathOf, subjectOf } from '../document';
import type { Organization } from './organization';
import type { Sale } from './rows';

/** Every GET, or those that pass `which`, with every parameter. */
export async function readEverything(
  walk: Organization,
  sold: Record<string, Sale>,
  which: (operation: DocumentedOperation) => boolean = () => true,
) {
  const { ids } = walk;
  const rich = sold.rich as Sale;
  const [application] = (await walk.ask('GET', `/v0/bookings/${rich.bookingId}`)).applicationIds;
  const paths: Record<string, string[]> = {
    events: [ids.event],
    'event-occurrences': [ids.occurrence, ids.draft, ids.postponed, ids.cancelled],
    races: [ids.race, ids.mile],
    tickets: [ids.ticket, ids.ballot, ids.manual, ids.soldOut, ids.closed, ids.early, ids.deleted, ids.relay],
    'booking-forms': [ids.form],
    'booking-form-fields': [ids.shirt, ids.club],
    bookings: Object.values(sold).map(({ bookingId }) => bookingId),
    'bookings/external': Object.values(sold).map(({ externalBookingId }) => externalBookingId),
    applications: [application],
    participants: [...rich.participantIds, ...(sold.redacted as Sale).participantIds],
    partners: [ids.charity],
    'referral-programs': [ids.program],
    referrers: [rich.bookingId],
  };
  for (const operation of OPERATIONS.filter((each) => each.method === 'GET' && which(each))) {
    const subjects = operation.pathParameters.map((parameter) => subjectOf(operation, parameter));
    if (subjects.some((subject) => !paths[subject])) continue;
    const known = ['extendMetadata', 'features', 'bucket'].filter((name) =>
      operation.query.some((each) => each.name === name),
    );
    const values: Record<string, string> = {
      extendMetadata: 'true',
      features: 'waves,teams,tags',
      bucket: (rich.participantIds[0] as string).slice(-2),
    };
    const shows = Object.fromEntries(known.map((name) => [name, values[name] as string]));
    const token = (operation.access.keys[0] as string).toLowerCase() as 'organizer';
    const most = Math.max(1, ...subjects.map((subject) => paths[subject]?.length ?? 0));
    for (let at = 0; at < most; at++) {
      const named = Object.fromEntries(
        subjects.map((subject) => [subject, paths[subject]?.[at] ?? paths[subject]?.[0] ?? '']),
      );
      const path = pathOf(operation, named, {}, shows);
      const page = (await walk.ask('GET', path, undefined, token))?.page;
      if (!page || !operation.query.some(({ name }) => name === 'page[size]')) continue;
      const paged = `${path}${path.includes('?') ? '&' : '?'}page[size]=1`;
      const first = await walk.ask('GET', paged, undefined, token);
      if (first.page.next)
        await walk.ask(
          'GET',
          `${paged}&page[after]=${encodeURIComponent(first.page.next)}`,
          undefined,
          token,
        );
    }
  }
}

/** Searches with and without results. */
export async function searchMarketplace(walk: Organization) {
  await walk.ask('GET', '/marketplace/v1/removed-events', undefined, 'marketplace');
  await walk.ask('GET', '/marketplace/v1/events/search?query=walk', undefined, 'marketplace');
  await walk.ask('GET', '/marketplace/v1/events/search?query=zzzzzz', undefined, 'marketplace');
  await walk.ask('GET', '/marketplace/v1/events/?startDate[gte]=2095-01-01', undefined, 'marketplace');
}
