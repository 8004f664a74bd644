import { contains, type ListDeclaration, ofId, type Resource } from '#platform/queries';
import { StaffGroup } from './groups-for-staff.dto';

export const GROUP_FOR_STAFF: Resource = {
  schema: StaffGroup,
  from: 'reserved_entry_groups t',
  joins: `
    LEFT JOIN partners partner ON partner.organization_id = t.organization_id AND partner.id = t.partner_id
    JOIN event_occurrences occurrence ON occurrence.organization_id = t.organization_id AND occurrence.id = t.event_occurrence_id`,
  select: `
    t.id AS "id",
    t.name AS "name",
    t.description AS "description",
    t.code AS "code",
    t.url AS "url",
    t.type AS "type",
    t.partner_id AS "partnerId",
    partner.name AS "partnerName",
    t.event_occurrence_id AS "eventOccurrenceId",
    occurrence.title AS "eventTitle",
    occurrence.time_zone AS "timeZone",
    t.max_capacity AS "maxCapacity",
    t.used_capacity AS "usedCapacity",
    t.deadline AS "deadline",
    t.created_at AS "createdAt"`,
};

export const GROUPS_FOR_STAFF: ListDeclaration = {
  name: 'groupsForStaff',
  schemaName: 'PagedStaffGroups',
  of: GROUP_FOR_STAFF,
  order: { sql: 't.created_at', type: 'timestamptz' },
  newestFirst: true,
  filters: {
    partnerId: ofId('partner_id', 'Only groups of this partner.'),
    eventOccurrenceId: ofId('event_occurrence_id', 'Only groups of this event occurrence.'),
    search: contains(
      `t.name || ' ' || t.code`,
      'Only groups whose name or code contains this text; case and accents are ignored.',
    ),
  },
};
