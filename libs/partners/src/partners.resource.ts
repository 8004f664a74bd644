import { freeText, type ListDeclaration, type Resource } from '#libs/resources';
import { Partner } from './partners.dto';

export const PARTNER: Resource = {
  schema: Partner,
  from: 'partners t',
  select: `
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
    t.created_at AS "createdAt",
    t.updated_at AS "updatedAt"`,
};

export const PARTNERS: ListDeclaration = {
  name: 'partners',
  schemaName: 'PagedPartners',
  of: PARTNER,
  order: { sql: 't.created_at', type: 'timestamptz' },
  times: { createdAt: 't.created_at', updatedAt: 't.updated_at' },
  filters: {
    search: {
      parameter: freeText(
        'Only partners whose name contains this text. Case is ignored. There are no wildcards.',
        { max: 200 },
      ),
      where: (value) => `strpos(lower(t.name), lower(${value})) > 0`,
    },
  },
};
