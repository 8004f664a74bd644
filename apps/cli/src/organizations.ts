import { type EntityManager, IsNull, Not } from 'typeorm';
import { Organization } from '#platform/database';
import { CommandError } from './errors';

/** @throws CommandError if the organization does not exist or is closed */
export async function organizationBySlug(manager: EntityManager, slug: string): Promise<Organization> {
  const organization = await manager.findOneBy(Organization, { slug, deletedAt: IsNull() });
  if (organization) return organization;
  throw new CommandError(
    'NOT_FOUND',
    `There is no organization "${slug}". To list organizations, run "organization list".`,
  );
}

/** @throws CommandError if there is no closed organization with this slug */
export async function closedOrganizationBySlug(manager: EntityManager, slug: string): Promise<Organization> {
  const organization = await manager.findOneBy(Organization, { slug, deletedAt: Not(IsNull()) });
  if (organization) return organization;
  throw new CommandError('NOT_FOUND', `There is no closed organization "${slug}".`);
}
