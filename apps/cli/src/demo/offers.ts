import type {
  AddOn,
  AddOnVariant,
  Credit,
  DiscountCode,
  Partner,
  PartnerExternalId,
  ReferralProgram,
  Referrer,
  ReservedEntryGroup,
  ReservedEntryGroupTicket,
} from '#platform/database';
import type { Catalogue, Row } from './catalogue';
import type { DemoContent } from './content/shapes';
import type { RowMaker } from './day';
import type { Demand, SizedCohort } from './sizes';

const CHECKOUT = 'https://book.startline.example';

/** The rows of an organization's partners, reserved groups, codes, add-ons, credits and referral programs. */
export class Offers {
  readonly partners: (Row<Partner> & { key: string })[];
  readonly externalIds: PartnerExternalId[];
  readonly groups: (Omit<Row<ReservedEntryGroup>, 'usedCapacity'> & { key: string })[];
  readonly groupTickets: Omit<ReservedEntryGroupTicket, 'usedCapacity'>[];
  readonly codes: Omit<Row<DiscountCode>, 'usageCount'>[];
  readonly addOns: Row<AddOn>[] = [];
  readonly variants: Row<AddOnVariant>[] = [];
  readonly credits: Row<Credit>[];
  readonly programs: Row<ReferralProgram>[] = [];
  /** In the order in which owners take them. */
  readonly referrers: Row<Referrer>[] = [];

  constructor(
    private readonly organizationId: string,
    private readonly content: DemoContent,
    private readonly maker: RowMaker,
    private readonly catalogue: Catalogue,
    private readonly demand: Demand,
    cohorts: SizedCohort[],
  ) {
    this.partners = content.partners.map((partner) => ({
      organizationId,
      ...maker.row(390),
      key: partner.key,
      name: partner.name,
      description: partner.description ?? null,
      type: partner.type,
      contacts: partner.contacts,
      defaultMarketing: partner.defaultMarketing ?? null,
      specificMarketings: Object.entries(partner.marketing ?? {}).map(([slug, optInText]) => ({
        eventId: catalogue.eventId(slug),
        optInText,
      })),
      canCreateSubPartners: partner.canCreateSubPartners ?? false,
      parentPartnerId: null,
    }));
    this.externalIds = content.partners.flatMap(({ key, externalIds = {} }) =>
      Object.entries(externalIds).map(([type, externalId]) => ({
        organizationId,
        partnerId: this.partnerId(key) ?? '',
        type: type as PartnerExternalId['type'],
        externalId,
      })),
    );
    this.groups = this.groupRows();
    this.groupTickets = this.groupTicketRows();
    this.codes = this.codeRows();
    this.credits = this.creditRows();
    this.addAddOns();
    this.addReferrals(cohorts);
  }

  partnerId(key: string | undefined): string | null {
    return this.partners.find((partner) => partner.key === key)?.id ?? null;
  }

  private groupRows(): Offers['groups'] {
    return this.content.groups.map((group) => {
      const occurrence = this.catalogue.occurrence(group.occurrence);
      return {
        organizationId: this.organizationId,
        ...this.maker.row(220),
        key: group.key,
        eventId: occurrence.eventId,
        eventOccurrenceId: occurrence.id,
        partnerId: this.partnerId(group.partner),
        name: group.name,
        description: group.description ?? null,
        code: group.code,
        url: `${CHECKOUT}/e/${occurrence.slug}?reserved=${group.code}`,
        type: group.type ?? 'MULTI_USE',
        maxCapacity: this.demand.reserved(group.key) + group.room,
        canPartnerCancel: group.canPartnerCancel ?? false,
        reserveCapacity: group.ignoresCapacity ? 'IGNORE_CAPACITY' : 'RESERVE_CAPACITY',
        reallocateOnCancel: group.reallocateOnCancel ?? false,
        domainRestriction: group.domainRestriction ?? null,
        deadline: null,
      };
    });
  }

  private groupTicketRows(): Offers['groupTickets'] {
    return this.content.groups.flatMap((group, index) =>
      group.tickets.map(({ slug, room, discount, opensInDays }, position) => ({
        organizationId: this.organizationId,
        reservedEntryGroupId: this.groups[index]?.id ?? '',
        ticketId: this.catalogue.ticket(`${group.occurrence}/${slug}`).ticket.id,
        position,
        maxCapacity: room === undefined ? null : this.demand.reserved(group.key, slug) + room,
        discount: discount ?? null,
        startDateTime: opensInDays === undefined ? null : this.maker.day.at(opensInDays),
      })),
    );
  }

  private codeRows(): Offers['codes'] {
    const { day } = this.maker;
    return this.content.codes.map((code) => ({
      organizationId: this.organizationId,
      ...this.maker.row(210),
      code: code.code,
      discount: code.discount,
      appliesPer: code.appliesPer ?? 'TRANSACTION',
      limitUsage: code.room === undefined ? null : this.demand.uses(code) + code.room,
      limitUsagePerTransaction: code.perTransaction ?? null,
      groupName: code.group ?? null,
      eventOccurrenceIds: code.occurrences?.map((key) => this.catalogue.occurrence(key).id) ?? null,
      ticketIds: code.tickets?.map((name) => this.catalogue.ticket(name).ticket.id) ?? null,
      partnerId: this.partnerId(code.partner),
      startDateTime: code.from === undefined ? null : day.at(code.from),
      endDateTime: code.until === undefined ? null : day.at(code.until),
      deletedAt: code.deleted ? day.at(-20) : null,
    }));
  }

  /** Unspent credits. Spent credits are created with the bookings that spent them. */
  private creditRows(): Row<Credit>[] {
    const { day } = this.maker;
    const [event] = this.content.events;
    const currencyCode = event?.currency ?? 'GBP';
    const credit = (email: string, amount: number, given: Partial<Credit>): Row<Credit> => ({
      organizationId: this.organizationId,
      ...this.maker.row(200),
      kind: 'CREDIT',
      externalCreditId: null,
      email,
      emailNormalized: email.toLowerCase(),
      amountValue: String(amount),
      currencyCode,
      reason: null,
      expiresAt: null,
      eventId: null,
      ...given,
    });
    return [
      credit('Runner.One@Example.com', 4200, { reason: 'Half marathon called off by storm Floris' }),
      credit('runner.two@example.com', 1000, { reason: 'Goodwill', expiresAt: day.at(-40) }),
      credit('runner.three@example.com', 6500, {
        externalCreditId: `${this.content.slug.toUpperCase()}-CREDIT-1`,
        reason: 'Deferral',
        eventId: event ? this.catalogue.eventId(event.slug) : null,
        expiresAt: day.at(180),
      }),
      credit('grandma@example.com', 5000, { kind: 'GIFT_CARD', reason: 'Gift card', expiresAt: day.at(365) }),
    ];
  }

  private addAddOns(): void {
    for (const addOn of this.content.addOns) {
      const event = this.content.events.find(({ slug }) => slug === addOn.event);
      const row: Row<AddOn> = {
        organizationId: this.organizationId,
        ...this.maker.row(220),
        eventId: this.catalogue.eventId(addOn.event),
        eventOccurrenceId: addOn.occurrence ? this.catalogue.occurrence(addOn.occurrence).id : null,
        title: addOn.title,
        priceValue: String(addOn.price),
        currencyCode: event?.currency ?? '',
      };
      this.addOns.push(row);
      addOn.variants?.forEach((title, position) => {
        const { organizationId } = this;
        this.variants.push({ organizationId, ...this.maker.row(220), addOnId: row.id, position, title });
      });
    }
  }

  /** One program for each occurrence with cohorts that own codes; one code for each of their checkouts. Other bookings get theirs from a worker. */
  private addReferrals(cohorts: SizedCohort[]): void {
    const owners = cohorts.filter(({ referral }) => referral === 'owner');
    for (const key of new Set(owners.map(({ ticket }) => ticket.split('/')[0] ?? ''))) {
      const occurrence = this.catalogue.occurrence(key);
      const program: Row<ReferralProgram> = {
        organizationId: this.organizationId,
        ...this.maker.row(220),
        eventId: occurrence.eventId,
        eventOccurrenceId: occurrence.id,
        title: `Bring a friend to ${occurrence.title}`,
        codesFrom: null,
        codesAfter: null,
        codesComplete: false,
      };
      this.programs.push(program);
      const checkouts = owners
        .filter(({ ticket }) => ticket.startsWith(`${key}/`))
        .reduce((sum, { bookings, perCheckout = 1 }) => sum + Math.ceil(bookings / perCheckout), 0);
      for (let n = 0; n < checkouts; n += 1) {
        const made = this.maker.row(205);
        const code = `${this.content.slug}-${made.id.slice(-6)}`.toUpperCase();
        this.referrers.push({
          organizationId: this.organizationId,
          ...made,
          referralProgramId: program.id,
          transactionId: null,
          generatedReferralCode: code,
          inviteUrl: `${CHECKOUT}/e/${occurrence.slug}?referral=${code}`,
        });
      }
    }
  }
}
