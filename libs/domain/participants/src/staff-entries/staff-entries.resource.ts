import { APPROVAL_STATUSES } from '#platform/database';
import { type Filter, freeText, type ListDeclaration, ofId, oneOf, type Resource } from '#platform/queries';
import { RESOLUTION_TYPES } from '#platform/validation';
import { ENTRY_FILTERS } from '../entry.filters';
import { answerTo, STAFF_COLUMNS, STAFF_JOINS } from '../entry.sql';
import { prefixesOf } from '../entry-search';
import { StaffEntry } from './staff-entries.dto';

/** The select list of a StaffEntry, of rows `t` with the columns of an entry. */
export const STAFF_ENTRY_COLUMNS = `
    t.id AS "id",
    CASE WHEN t.approval_status = 'APPROVED' THEN t.participant_id END AS "participantId",
    t.booking_id AS "bookingId",
    ${STAFF_COLUMNS},
    coalesce(${answerTo("'email'")}, t.email_normalized) AS "email",
    t.ticket_id AS "ticketId",
    t.approval_status AS "approvalStatus",
    t.application_resolution_type AS "applicationResolutionType",
    t.ballot_draw AS "ballotDraw",
    t.status_details->-1->>'reason' AS "reason",
    t.created_at AS "createdAt"`;

export const STAFF_ENTRY: Resource = {
  schema: StaffEntry,
  from: 'start_list_entries t',
  joins: STAFF_JOINS,
  select: STAFF_ENTRY_COLUMNS,
};

const STAFF_ENTRIES = {
  schemaName: 'PagedStaffEntries',
  of: STAFF_ENTRY,
  order: { sql: 't.created_at', type: 'timestamptz' },
  newestFirst: true,
} satisfies Partial<ListDeclaration>;

const search = freeText('Words of which each begins a word of the name, email, bib or external id.', {
  min: 2,
  max: 100,
});

const status = (value: string) => `t.approval_status = '${value}'`;
const resolution = (value: string) => `t.application_resolution_type = '${value}'`;

export const APPLICATIONS_FOR_STAFF: ListDeclaration = {
  ...STAFF_ENTRIES,
  name: 'applicationsForStaff',
  filters: {
    eventOccurrenceId: ofId('event_occurrence_id', 'Only applications for this event occurrence.'),
    ticketId: ofId('ticket_id', 'Only applications for this ticket.'),
    email: ENTRY_FILTERS.email as Filter,
    approvalStatus: {
      parameter: oneOf('Only applications in this state.', APPROVAL_STATUSES),
      where: Object.fromEntries(APPROVAL_STATUSES.map((value) => [value, status(value)])),
    },
    applicationResolutionType: {
      parameter: oneOf('Only applications that are decided in this way.', RESOLUTION_TYPES),
      where: Object.fromEntries(RESOLUTION_TYPES.map((value) => [value, resolution(value)])),
    },
    search: {
      parameter: { ...search, read: (value) => prefixesOf(search.read(value), false) ?? '' },
      // The words first, by their indexes, of which each half has one: by the order's index, all entries could be read.
      where: (value, bind, { organizationId }) => `t.id = ANY (ARRAY(
        SELECT w.id FROM own_start_list_entries w WHERE w.organization_id = ${bind(organizationId)}
          AND (w.approval_status = 'APPROVED' AND w.search_words @@ ${value}::tsquery
            OR w.approval_status <> 'APPROVED' AND w.search_words @@ ${value}::tsquery)))`,
    },
  },
};

/** The entries that take a place of a reserved group, or took one. */
export const ENTRIES_OF_GROUP: ListDeclaration = {
  ...STAFF_ENTRIES,
  name: 'entriesOfGroup',
  within: { column: 't.reserved_entry_group_id', parent: 'reserved_entry_groups' },
};

/** The entries of bookings that used a discount code. */
export const ENTRIES_OF_CODE: ListDeclaration = {
  ...STAFF_ENTRIES,
  name: 'entriesOfCode',
  of: {
    ...STAFF_ENTRY,
    from: `(SELECT e.*, b.discount_code_id FROM start_list_entries e
      JOIN bookings b ON b.organization_id = e.organization_id AND b.id = e.booking_id) t`,
  },
  within: { column: 't.discount_code_id', parent: 'discount_codes', parentWhere: 'AND deleted_at IS NULL' },
};
