import { instant, type ListDeclaration, type Resource } from '#platform/queries';
import { ReservedEntryGroup } from './reserved-entries.dto';

export const RESERVED_ENTRY_GROUP: Resource = {
  schema: ReservedEntryGroup,
  from: 'reserved_entry_groups t',
  joins: `
    LEFT JOIN LATERAL (
      SELECT json_agg(json_strip_nulls(json_build_object(
          'ticketSlug', k.slug, 'maxCapacity', g.max_capacity, 'startDateTime', ${instant('g.start_date_time')}
        ))::jsonb || jsonb_build_object('discount', g.discount) ORDER BY g.position, k.slug) AS items
      FROM reserved_entry_group_tickets g
      JOIN tickets k ON k.organization_id = g.organization_id AND k.id = g.ticket_id
      WHERE g.organization_id = t.organization_id AND g.reserved_entry_group_id = t.id
    ) tickets ON true`,
  select: `
    t.id AS "id",
    t.name AS "name",
    t.description AS "description",
    t.code AS "code",
    t.event_id AS "eventId",
    t.partner_id AS "partnerId",
    t.max_capacity AS "maxCapacity",
    t.used_capacity AS "usedCapacity",
    coalesce(tickets.items, '[]') AS "tickets",
    t.type AS "type",
    t.can_partner_cancel AS "settings.canPartnerCancel",
    t.reserve_capacity AS "settings.reserveCapacity",
    t.reallocate_on_cancel AS "settings.reallocateOnCancel",
    t.domain_restriction AS "settings.domainRestriction",
    ${instant('t.deadline')} AS "settings.deadline"`,
};

const GROUPS = {
  schemaName: 'PagedReservedEntryGroups',
  of: RESERVED_ENTRY_GROUP,
  order: { sql: 't.created_at', type: 'timestamptz' },
} satisfies Partial<ListDeclaration>;

export const GROUPS_OF_OCCURRENCE: ListDeclaration = {
  ...GROUPS,
  name: 'reservedEntriesOfOccurrence',
  within: { column: 't.event_occurrence_id', parent: 'event_occurrences' },
};

/** Of all occurrences of the event. */
export const GROUPS_OF_EVENT: ListDeclaration = {
  ...GROUPS,
  name: 'reservedEntriesOfEvent',
  within: { column: 't.event_id', parent: 'events' },
  size: { default: 'all', max: 500 },
};
