import type { EntityManager } from 'typeorm';
import { SURFACES } from '#domain/imports';
import { type SigningSecret, Tokens, tokenOf } from '#platform/access';
import {
  AddOn,
  AddOnVariant,
  ApiKey,
  BookingForm,
  BookingFormEntry,
  BookingFormField,
  Credit,
  DiscountCode,
  Event,
  EventOccurrence,
  Organization,
  OrganizationSurface,
  Partner,
  PartnerExternalId,
  Race,
  ReferralProgram,
  Referrer,
  ReservedEntryGroup,
  ReservedEntryGroupTicket,
  Ticket,
  TicketBookingForm,
  updateGiven,
  Wave,
} from '#platform/database';
import { Catalogue } from './catalogue';
import { CohortRows } from './cohort-rows';
import type { DemoContent } from './content/shapes';
import type { RowMaker } from './day';
import { demoForms } from './forms';
import { Offers } from './offers';
import { Demand, type SizedCohort } from './sizes';

/** The rows of an organization of the demo, except for bookings and their rows. */
export interface DemoOrganization {
  id: string;
  slug: string;
  keys: ApiKey[];
  codes: readonly Pick<DiscountCode, 'id' | 'code' | 'deletedAt'>[];
  /** Rows of demo_cohorts. */
  cohorts: object[];
  insert(manager: EntityManager): Promise<void>;
}

export function demoOrganization(
  content: DemoContent,
  cohorts: SizedCohort[],
  maker: RowMaker,
): DemoOrganization {
  const { id, createdAt } = maker.row(430);
  const { slug, name, website } = content;
  const keys = content.keys.map((key) => ({
    organizationId: id,
    ...maker.row(425),
    ...key,
    last4: '----',
    eventOccurrenceIds: null,
    endpoints: null,
    permissions: null,
    readOnly: false,
    reads: null,
    partnerId: null,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  }));
  const forms = demoForms(id, maker);
  const demand = new Demand(content, cohorts);
  const catalogue = new Catalogue(id, content, maker, forms, demand, cohorts);
  const offers = new Offers(id, content, maker, catalogue, demand, cohorts);
  const rows = new CohortRows(id, content, maker.day, catalogue, offers, forms);
  return {
    id,
    slug,
    keys,
    codes: offers.codes,
    cohorts: cohorts.map((cohort) => rows.of(cohort)),
    async insert(manager) {
      // Closed until all rows are loaded (load-demo.ts).
      const logoUrl = `https://images.startline.example/${slug}/logo.svg`;
      await manager.insert(Organization, {
        id,
        createdAt,
        slug,
        name,
        website,
        logoUrl,
        deletedAt: createdAt,
      });
      await manager.insert(
        OrganizationSurface,
        SURFACES.map((surface) => ({ organizationId: id, surface })),
      );
      await manager.insert(BookingFormField, forms.fields);
      await manager.insert(BookingForm, forms.forms);
      await manager.insert(BookingFormEntry, forms.entries);
      await manager.insert(Event, catalogue.events);
      await manager.insert(EventOccurrence, catalogue.occurrences);
      await manager.insert(Race, catalogue.races);
      await manager.insert(Wave, catalogue.waves);
      await manager.insert(Ticket, catalogue.tickets);
      await manager.insert(TicketBookingForm, catalogue.ticketForms);
      await manager.insert(Partner, offers.partners);
      await manager.insert(PartnerExternalId, offers.externalIds);
      await manager.insert(ReservedEntryGroup, offers.groups);
      await manager.insert(ReservedEntryGroupTicket, offers.groupTickets);
      await manager.insert(DiscountCode, offers.codes);
      await manager.insert(Credit, offers.credits);
      await manager.insert(AddOn, offers.addOns);
      await manager.insert(AddOnVariant, offers.variants);
      await manager.insert(ReferralProgram, offers.programs);
      await manager.insert(Referrer, offers.referrers);
    },
  };
}

/** Opens the organization and creates its keys. */
export async function open(
  manager: EntityManager,
  { id, keys }: DemoOrganization,
  signingSecrets: SigningSecret[] | undefined,
): Promise<void> {
  const tokens = signingSecrets && new Tokens(signingSecrets);
  await manager.insert(
    ApiKey,
    keys.map((key) => (tokens ? { ...key, last4: tokenOf(tokens, key).slice(-4) } : key)),
  );
  await updateGiven(manager, Organization, { id }, { deletedAt: null });
}
