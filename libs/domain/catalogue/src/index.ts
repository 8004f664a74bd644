/**
 * Organizations and catalogue files (docs/catalogue-files.md).
 *
 *   const { id: organizationId } = await createOrganization(manager, { slug: 'city-runs', name: 'City Runs' }, actor);
 *   const report = await loadCatalogue(dataSource, { organizationId, open: () => openCatalogue('2027.jsonl') });
 *   for await (const line of exportCatalogue(dataSource, { organizationId, ids: true })) …
 *
 * Events, occurrences, races, tickets and booking forms: shapes and queries, for organizers and the marketplace.
 *
 *   select: `${occurrenceSummary('t')}, ${raceSummaries('t')} AS "races"`
 *   select: (values, bind) => `${checkoutUrl('t', bind(values.checkoutTemplate))} AS "checkoutUrl"`
 *   reads.one(OCCURRENCE, caller, id, { checkoutTemplate: checkoutLinks.template() })
 *
 * `CheckoutLinks` is a provider for any module.
 */

export { BookingFormField } from './booking-forms/booking-form-fields.dto';
export {
  BOOKING_FORM_FIELD,
  BOOKING_FORM_FIELDS,
  FIELDS_OF_FORM,
} from './booking-forms/booking-form-fields.resource';
export { BookingForm } from './booking-forms/booking-forms.dto';
export {
  BOOKING_FORM,
  FORMS_OF_TICKET,
  FORMS_WITH_FIELD,
  TICKETS_WITH_FORM,
} from './booking-forms/booking-forms.resource';
export { CatalogueDomainModule } from './catalogue.module';
export { CheckoutLinks, checkoutUrl } from './checkout-url';
export { Course } from './course.dto';
export { emptySandbox } from './empty-sandbox';
export { OrganizerEventOccurrence } from './event-occurrences/event-occurrences.dto';
export { EVENT_OCCURRENCE, EVENT_OCCURRENCES } from './event-occurrences/event-occurrences.resource';
export { OccurrenceEntries } from './event-occurrences/occurrence-entries.dto';
export { OCCURRENCE_ENTRIES } from './event-occurrences/occurrence-entries.resource';
export { OccurrenceOverview } from './event-occurrences/occurrence-overview.dto';
export { OCCURRENCE_OVERVIEW } from './event-occurrences/occurrence-overview.resource';
export { OCCURRENCES_FOR_STAFF } from './event-occurrences/occurrences-for-staff.resource';
export { exportCatalogue } from './export';
export { type CalendarPlan, planCalendar } from './files/calendar/calendar';
export type { WaveDay } from './files/calendar/races';
export { storedCalendar } from './files/calendar/stored';
export { CALENDAR } from './files/calendar/targets';
export { CALENDAR_TEMPLATE } from './files/calendar/template';
export { type JsonRow, jsonRows } from './files/json-rows';
export { openCatalogue } from './files/open';
export { type Advance, type Source, UnreadableFile } from './files/source';
export { formatOf, TABLES } from './files/table';
export { CatalogueRecordSchema } from './format/records';
export {
  eventsById,
  type KnownTicket,
  occurrencesById,
  storedTicketsById,
  ticketsById,
  wavesById,
} from './known-events';
export { type LoadReport, loadCatalogue } from './load/load';
export { FOUND_EVENTS, MARKETPLACE_EVENTS, REMOVED_EVENTS } from './marketplace/marketplace.resource';
export { MarketplaceService } from './marketplace/marketplace.service';
export {
  closeOrganization,
  createOrganization,
  IDENTITY_FIELDS,
  type NewOrganization,
  type OrganizationChange,
  OrganizationRefused,
  reopenOrganization,
  updateOrganization,
} from './organizations';
export { describeProblem, type Problem } from './problems';
export { Race } from './races/races.dto';
export { RACE, RACES_OF_OCCURRENCE } from './races/races.resource';
export * from './shapes.dto';
export * from './sql';
export { TicketDetails } from './tickets/tickets.dto';
export {
  TICKET_DETAILS,
  TICKETS_OF_EVENT,
  TICKETS_OF_OCCURRENCE,
  TICKETS_OF_RACE,
} from './tickets/tickets.resource';
export { CatalogueFile, RecordsOfFile } from './write/catalogue-file.dto';
export { CatalogueFiles } from './write/catalogue-files.service';
export {
  CataloguePart,
  CatalogueWrite,
  CatalogueWritten,
  StaffCatalogueWrite,
} from './write/catalogue-write.dto';
export { CatalogueWriter } from './write/write-catalogue.service';
