import { contains, type ListDeclaration } from '#platform/queries';
import { STATUS } from './event-occurrences.resource';
import { StaffOccurrence } from './occurrences-for-staff.dto';

/** All occurrences, those without a date first: unlike the public list, which leaves them out. */
export const OCCURRENCES_FOR_STAFF: ListDeclaration = {
  name: 'occurrencesForStaff',
  schemaName: 'PagedStaffOccurrences',
  of: {
    schema: StaffOccurrence,
    from: 'event_occurrences t',
    select: `
      t.id AS "id",
      t.title AS "title",
      t.start_date AS "startDate",
      t.time_zone AS "timeZone",
      ${STATUS},
      t.discoverable AS "discoverable",
      t.address->>'city' AS "city"`,
  },
  order: { sql: "coalesce(t.start_date, '9999-12-31')", type: 'date' },
  newestFirst: true,
  size: { default: 50, max: 200 },
  filters: {
    search: contains(
      't.title',
      'Only occurrences whose title contains this text. Case and accents are ignored.',
    ),
  },
};
