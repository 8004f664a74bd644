/**
 * The platform's own side: organizations, and catalogue files.
 *
 *   const { id } = await createOrganization(manager, { slug: 'city-runs', name: 'City Runs' });
 */
export {
  createOrganization,
  IDENTITY_FIELDS,
  type NewOrganization,
  OrganizationRefused,
} from './organizations';
