import { byId, type Organization } from '#libs/import-rows';

export const partnersById = (organization: Organization, ids: Iterable<string | null | undefined>) =>
  byId<{ id: string }>(
    organization,
    'SELECT id FROM partners WHERE organization_id = $1 AND id = ANY ($2)',
    ids,
  );
