import { type ListDeclaration, ofId } from '#platform/queries';
import { PARTNERS } from './partners.resource';
import { ListedPartner } from './partners-for-staff.dto';

export const PARTNERS_FOR_STAFF: ListDeclaration = {
  name: 'partnersForStaff',
  schemaName: 'PagedListedPartners',
  of: {
    schema: ListedPartner,
    from: 'partners t',
    joins: `
      LEFT JOIN partners parent ON parent.organization_id = t.organization_id AND parent.id = t.parent_partner_id
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS groups, least(coalesce(sum(g.max_capacity), 0), 2147483647)::int AS places, coalesce(sum(g.used_capacity), 0)::int AS used
        FROM reserved_entry_groups g WHERE g.organization_id = t.organization_id AND g.partner_id = t.id
      ) held`,
    select: `
      t.id AS "id",
      t.name AS "name",
      t.type AS "type",
      t.parent_partner_id AS "parentPartnerId",
      parent.name AS "parentName",
      (SELECT count(*)::int FROM partners s WHERE s.organization_id = t.organization_id AND s.parent_partner_id = t.id) AS "subPartners",
      held.groups AS "groups",
      held.places AS "maxCapacity",
      held.used AS "usedCapacity",
      t.created_at AS "createdAt"`,
  },
  order: { sql: 't.created_at', type: 'timestamptz' },
  newestFirst: true,
  filters: {
    ...PARTNERS.filters,
    parentPartnerId: ofId('parent_partner_id', 'Only sub-partners of this partner.'),
  },
};
