import type { StartListRow } from '#domain/bookings';
import { newId } from '#platform/database';
import { dayAfter, type LoadedCatalogue, type SoldTicket } from './catalogue';
import type { Cohort } from './content';
import { choices, person, teamName } from './people';

/** A booking of the demo. */
export interface DemoBooking {
  cohort: Cohort;
  ticket: SoldTicket;
  row: StartListRow & { externalBookingId: string };
}

const TRACKING = [
  { source: 'newsletter', medium: 'email', campaign: 'season-opener' },
  { source: 'instagram', medium: 'social', campaign: 'finishers' },
  { source: 'club-site', medium: 'referral' },
];
const ADULTS: [number, number] = [18, 69];
const DAY_MS = 86_400_000;

/**
 * Makes the bookings of an organization, in order: which tickets they are for, and their bibs and times, are always the
 * same; people depend on the seed. So a load that was interrupted can make them again.
 */
export class BookingMaker {
  private bookings = 0;
  private readonly bibs = new Map<string, number>();
  private checkout = newId();

  constructor(
    private readonly catalogue: LoadedCatalogue,
    private readonly prefix: string,
    private readonly seed: number,
    private readonly today: string,
  ) {}

  /** All bookings of the cohort. */
  ofCohort(cohort: Cohort): DemoBooking[] {
    const { entries, party = 1 } = cohort;
    return Array.from({ length: entries / party }, (_, i) => this.make(cohort, party, i));
  }

  /** Bookings of the cohorts in turns, by their weights, with this number of entries together. */
  *ofCrowds(crowds: Cohort[], entries: number): Generator<DemoBooking> {
    const turns = crowds.flatMap((crowd) => Array<Cohort>(crowd.entries).fill(crowd));
    for (let left = entries, i = 0; left > 0; i += 1) {
      const crowd = turns[i % turns.length] as Cohort;
      const party = Math.min(crowd.party ?? 1, left);
      yield this.make(crowd, party, i);
      left -= party;
    }
  }

  private make(cohort: Cohort, party: number, i: number): DemoBooking {
    const ticket = this.catalogue.tickets.get(cohort.ticket);
    if (!ticket) throw new Error(`The catalogue has no ticket ${cohort.ticket}.`);
    this.bookings += 1;
    const no = this.bookings;
    const choice = choices(this.seed, no);
    const { checkout = 1, source = 'WEBSITE', approval = 'APPROVED', tags, notes, ages = ADULTS } = cohort;
    if (i % checkout === 0) this.checkout = newId();
    const people = Array.from({ length: party }, (_, p) =>
      person(choice, ticket, { no: `${no}${p ? `-${p}` : ''}`, today: this.today, ages }),
    );
    const [first] = people as [(typeof people)[number]];
    const createdAt = this.soldAt(cohort, ticket, no);
    const externalBookingId = `${this.prefix}-${no}`;
    const row: DemoBooking['row'] = {
      externalBookingId,
      eventOccurrenceId: ticket.eventOccurrenceId,
      source,
      createdAt,
      bookedAt: createdAt,
      ...(cohort.checkout && { transactionId: this.checkout }),
      booker: { firstName: first.firstName, lastName: first.lastName, email: first.email },
      discountCode: cohort.discount,
      ...(cohort.partner && {
        bookerType: 'PARTNER',
        partnerId: this.catalogue.partners.get(cohort.partner),
      }),
      ...(source === 'WEBSITE' && choice.below(5) < 2 && { tracking: choice.of(TRACKING) }),
      ...(source === 'API' && { sourcePlatform: 'RACE_ROSTER' }),
      participants: people.map((each, p) => ({
        ...each,
        ticketId: ticket.id,
        ...(p > 0 && choice.below(20) === 0 && { email: null }),
        ...(source === 'API' && { externalParticipantId: `${externalBookingId}-${p + 1}` }),
        approvalStatus: approval,
        ...(approval === 'APPROVED' && ticket.waves.length > 0 && { waveId: choice.of(ticket.waves) }),
        ...(cohort.bibs && { bibNumber: this.nextBib(ticket.raceId) }),
        ...(cohort.team && { team: { name: teamName(no), role: p === 0 ? 'CAPTAIN' : null } }),
        ...(tags && { tags }),
        ...(notes && { applicationNotes: 'Finished 50 km last year; the result is attached.' }),
        ...(notes && approval === 'APPROVED' && { participantNotes: ['Starts with the elite.'] }),
        ...(ticket.asksDonation && { charityOptIn: [choice.of(this.catalogue.charities)] }),
        ...(cohort.later?.includes('results') && {
          resultSubmission: {
            url: `https://results.example.com/${ticket.raceId}/${no}`,
            submittedAt: `${dayAfter(ticket.startDate as string, 1)}T09:00:00Z`,
          },
        }),
      })),
    };
    return { cohort, ticket, row };
  }

  /** Times are spread evenly over the sale. */
  private soldAt({ sold: [from, to] = [-200, -1] }: Cohort, { startDate }: SoldTicket, no: number): string {
    const last = startDate && startDate < this.today ? startDate : this.today;
    const at = from + (to - from) * ((no * 0.618034) % 1);
    return new Date(Math.floor(Date.parse(last) + at * DAY_MS)).toISOString();
  }

  private nextBib(raceId: string): string {
    const bib = (this.bibs.get(raceId) ?? 100) + 1;
    this.bibs.set(raceId, bib);
    return String(bib);
  }
}
