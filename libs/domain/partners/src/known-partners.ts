import { statement } from '#platform/database';
import { byId, type Organization } from '#platform/import-rows';

const PARTNERS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid' },
  sql: 'SELECT id FROM partners WHERE organization_id = $1 AND id = ANY ($2)',
});

export const partnersById = (organization: Organization, ids: Iterable<string | null | undefined>) =>
  byId(organization, PARTNERS, ids);
