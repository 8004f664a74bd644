import { type EntityManager, IsNull } from 'typeorm';
import { Organization } from '#libs/database';
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
