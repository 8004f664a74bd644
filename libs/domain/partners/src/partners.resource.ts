import { contains, type ListDeclaration, type Resource } from '#platform/queries';
import { Partner } from './partners.dto';

/** Codes and referrals themselves are not a partner's to read. */
const COUNTS = `,
    (SELECT coalesce(sum(d.usage_count), 0)::int FROM discount_codes d
      WHERE d.organization_id = t.organization_id AND d.partner_id = t.id) AS "codeUses",
    (SELECT count(*)::int FROM referrals r
      WHERE r.organization_id = t.organization_id AND r.status <> 'CANCELLED' AND r.referrer_id IN (
        SELECT o.referrer_id FROM referrer_owner_bookings o
        WHERE o.organization_id = t.organization_id AND o.booking_id IN (
          SELECT e.booking_id FROM start_list_entries e
          WHERE e.organization_id = t.organization_id AND e.via_partner_id = t.id))) AS "referralCount"`;

export const PARTNER: Resource = {
  schema: Partner,
  from: 'partners t',
  select: (_values, _bind, { partner }) => `
    t.id AS "id",
    t.name AS "name",
    t.description AS "description",
    t.type AS "type",
    coalesce((SELECT json_object_agg(x.type, x.external_id ORDER BY x.type) FROM partner_external_ids x
      WHERE x.organization_id = t.organization_id AND x.partner_id = t.id), '{}') AS "externalIds",
    t.contacts AS "contacts",
    t.default_marketing AS "defaultMarketing",
    t.specific_marketings AS "specificMarketings",
    t.can_create_sub_partners AS "canCreateSubPartners",
    t.parent_partner_id AS "parentPartnerId",
    t.created_at AS "createdAt",
    t.updated_at AS "updatedAt"${partner ? COUNTS : ''}`,
};

export const PARTNERS: ListDeclaration = {
  name: 'partners',
  schemaName: 'PagedPartners',
  of: PARTNER,
  order: { sql: 't.created_at', type: 'timestamptz' },
  times: { createdAt: 't.created_at', updatedAt: 't.updated_at' },
  filters: {
    search: contains(
      't.name',
      'Only partners whose name contains this text. Case and accents are ignored.',
      200,
    ),
  },
};
