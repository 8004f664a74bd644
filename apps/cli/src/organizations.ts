import { type EntityManager, IsNull } from 'typeorm';
import { Organization } from '#libs/database';
import { CommandError } from './errors';

/** @throws CommandError where there is none, or it is closed */
export async function organizationBySlug(manager: EntityManager, slug: string): Promise<Organization> {
  const organization = await manager.findOneBy(Organization, { slug, deletedAt: IsNull() });
  if (organization) return organization;
  throw new CommandError('NOT_FOUND', `There is no organization "${slug}"; "organization list" names all.`);
}
