import type { Catalogue, KnownTicket } from './catalogue';
import { NAMES } from './content/names';
import type { DemoContent } from './content/shapes';
import type { Day } from './day';
import type { DemoForms } from './forms';
import type { Offers } from './offers';
import { entriesOf, type SizedCohort } from './sizes';

const DAY = 86_400_000;
const later = (instant: Date, days: number) => new Date(instant.getTime() + days * DAY);
const earlier = (one: Date, other: Date) => (one < other ? one : other);

/** The rows of demo_cohorts: each cohort with everything that its bookings and entries are made from. */
export class CohortRows {
  /** The next bib of each race, and the first one that its cancelled cohorts returned. */
  private readonly bibs = new Map<string, number>();
  private readonly returned = new Map<string, number>();
  private readonly teams = new Map<string, number>();
  private ownersTaken = 0;

  constructor(
    private readonly organizationId: string,
    private readonly content: DemoContent,
    private readonly day: Day,
    private readonly catalogue: Catalogue,
    private readonly offers: Offers,
    private readonly forms: DemoForms,
  ) {}

  /** In the order of the cohorts, because bibs and teams are numbered consecutively. */
  of(cohort: SizedCohort): object {
    const known = this.catalogue.ticket(cohort.ticket);
    const { event, occurrence, race, ticket, form } = known;
    const [ageFrom, ageTo] = cohort.ages ?? [17, 74];
    const approved = !cohort.approval;
    return {
      no: cohort.no,
      organization_id: this.organizationId,
      bookings: cohort.bookings,
      party: cohort.party,
      per_checkout: cohort.perCheckout ?? 1,
      ...this.window(known),
      today: this.day.at(0),
      event_id: race.eventId,
      event_occurrence_id: occurrence.id,
      race_id: race.id,
      ticket_id: ticket.id,
      ticket_title: ticket.title,
      price: ticket.priceValue,
      currency: ticket.currencyCode,
      approval: cohort.approval ?? 'APPROVED',
      resolution: cohort.source === 'API' ? 'INSTANT' : ticket.approval,
      source: cohort.source ?? 'WEBSITE',
      external_prefix:
        cohort.source === 'API' ? `EXT-${cohort.externalIdsOf ?? cohort.name ?? cohort.no}` : null,
      cancelled: cohort.cancelled,
      refunded: cohort.refunded ?? false,
      redacted: cohort.redacted ?? false,
      ...this.partnership(cohort),
      ...this.discount(cohort),
      credit_kind: cohort.credit,
      credit_value: cohort.credit ? 1500 : null,
      donates: ticket.asksDonation,
      add_ons: this.offers.addOns
        .filter(({ eventId, eventOccurrenceId }) =>
          eventOccurrenceId ? eventOccurrenceId === occurrence.id : eventId === race.eventId,
        )
        .map(({ id }) => id),
      waves: approved ? known.waves.map(({ id }) => id) : [],
      ...this.raceDay(cohort, known),
      ...this.team(cohort),
      ...this.referral(cohort),
      names: Math.max(
        0,
        NAMES.findIndex(({ countries }) => countries.includes(event.place.countryCode)),
      ),
      age_from: ageFrom,
      age_to: ageTo,
      notes: cohort.notes ?? false,
      tags: cohort.tags ?? [],
      fields_template: this.forms.template(form),
    };
  }

  /** The time of bookings: while the ticket was on sale, and early enough for later events. */
  private window({ occurrence, ticket }: KnownTicket) {
    const start = occurrence.startDate ? new Date(`${occurrence.startDate}T00:00:00Z`) : this.day.at(0);
    const end = earlier(earlier(start, this.day.at(-2)), ticket.saleEnd ?? this.day.at(0));
    return { sold_from: ticket.saleStart ?? later(end, -60), sold_to: end };
  }

  private partnership(cohort: SizedCohort) {
    const group = this.content.groups.find(({ key }) => key === cohort.group);
    const partner = this.content.partners.find(({ key }) => key === (cohort.partner ?? group?.partner));
    const [contact] = partner?.contacts ?? [];
    // A booking for a partner that was not made on the website has the partner as the booker.
    const booker = cohort.partner && cohort.source ? contact : undefined;
    return {
      booker: booker ?? null,
      partner_id: this.offers.partnerId(partner?.key),
      group_id: this.offers.groups.find(({ key }) => key === cohort.group)?.id,
      holds_place: !!group && !(cohort.cancelled && group.reallocateOnCancel),
      takes_place: !group?.ignoresCapacity,
      email_domain: group?.domainRestriction,
    };
  }

  private discount(cohort: SizedCohort) {
    const [occurrence, slug] = cohort.ticket.split('/');
    const code = this.offers.codes.find((each) => each.code === cohort.code && !each.deletedAt);
    const group = this.content.groups.find(({ key }) => key === cohort.group && !cohort.code);
    const reserved =
      group?.occurrence === occurrence ? group?.tickets.find((ticket) => ticket.slug === slug) : undefined;
    const discount = code?.discount ?? reserved?.discount;
    return {
      discount_name: code?.code ?? group?.name,
      discount_item: code?.id ?? this.offers.groups.find(({ key }) => key === group?.key)?.id,
      discount_code_id: code?.id,
      discount_flat: discount?.type === 'FLAT_RATE' ? discount.price.value : null,
      discount_percent: discount?.type === 'PERCENTAGE' ? discount.amount : null,
      discount_on_fee: discount?.type === 'PERCENTAGE' && discount.isAppliedToBookingFee,
      discount_each: code ? code.appliesPer === 'ENTRY' : true,
    };
  }

  private raceDay(cohort: SizedCohort, { occurrence, race }: KnownTicket) {
    if (!cohort.bibs || !occurrence.startDate) return {};
    const start = new Date(`${occurrence.startDate}T00:00:00Z`);
    const past = start < this.day.at(0);
    const first = race.position * 100_000 + 101;
    const next = this.bibs.get(race.id) ?? first;
    const from = { again: this.returned.get(race.id) ?? next, taken: first, next }[
      cohort.bibs === true ? 'next' : cohort.bibs
    ];
    if (from === next) this.bibs.set(race.id, next + entriesOf(cohort));
    if (cohort.cancelled) this.returned.set(race.id, from);
    const assigned = past ? later(start, -14) : this.day.at(-10);
    return {
      bib_from: from,
      bibs_taken: cohort.bibs === 'taken',
      // After the last of the race's other claims and cancellations.
      bibs_at: cohort.bibs === true ? assigned : past ? later(start, -0.2) : this.day.at(-0.2),
      ships_at: cohort.shipped ? (past ? later(start, -10) : this.day.at(-7)) : null,
      results_at: past ? later(start, 1) : null,
      results_url: past ? `https://results.startline.example/${occurrence.slug}` : null,
      pack_field: past ? this.forms.fieldId('packCollected') : null,
    };
  }

  private team(cohort: SizedCohort) {
    if (!cohort.team) return {};
    const [occurrence = ''] = cohort.ticket.split('/');
    const from = this.teams.get(occurrence) ?? 0;
    this.teams.set(occurrence, from + cohort.bookings);
    return { team: cohort.team, team_from: from };
  }

  private referral(cohort: SizedCohort) {
    const { referrers } = this.offers;
    if (cohort.referral === 'referred') {
      return {
        referred_by: referrers.map(({ id }) => id),
        referral_codes: referrers.map(({ generatedReferralCode }) => generatedReferralCode),
      };
    }
    if (!cohort.referral) return {};
    const from = this.ownersTaken;
    this.ownersTaken += Math.ceil(cohort.bookings / (cohort.perCheckout ?? 1));
    return { owned_referrers: referrers.slice(from, this.ownersTaken).map(({ id }) => id) };
  }
}
