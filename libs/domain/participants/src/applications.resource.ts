import { extendMetadata, type ListDeclaration, type Resource } from '#platform/queries';
import { Application } from './applications.dto';
import { ENTRY_FILTERS } from './entry.filters';
import { ENTRY_JOINS, entryRecord, throughPartner } from './entry.sql';

export const APPLICATION: Resource = {
  schema: Application,
  from: 'start_list_entries t',
  limits: throughPartner,
  joins: ENTRY_JOINS,
  select: (values, _, caller) => `
    CASE WHEN ticket.asks_donation THEN coalesce(t.has_donated, false) END AS "hasDonated?",
    t.id AS "id",
    ${entryRecord(values, caller)},
    t.approval_status AS "approvalStatus",
    t.application_resolution_type AS "applicationResolutionType",
    t.ballot_draw AS "ballotDraw",
    t.application_notes AS "notes"`,
};

export const APPLICATIONS: ListDeclaration = {
  name: 'applications',
  schemaName: 'PagedApplications',
  of: APPLICATION,
  order: { sql: 't.created_at', type: 'timestamptz' },
  times: { createdAt: 't.created_at', updatedAt: 't.updated_at' },
  filters: ENTRY_FILTERS,
  shows: { extendMetadata },
  counter: 'applications',
  partnerCounter: 'partnerApplications',
};

export const APPLICATIONS_OF_EVENT: ListDeclaration = {
  ...APPLICATIONS,
  name: 'applicationsOfEvent',
  within: { column: 't.event_id', parent: 'events' },
  counter: 'eventApplications',
  partnerCounter: undefined,
};
