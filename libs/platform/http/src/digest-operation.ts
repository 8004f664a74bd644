import type { Permission } from '#platform/access';
import { bucketParameter, Digest } from '#platform/queries';
import type { OperationDeclaration, ResourceGroup } from './operation-declaration';

/** Declares the digest of a list, which the same keys can read. @param rows what the list contains: `participants` */
export const digestOperation = (
  name: string,
  group: ResourceGroup,
  permission: Permission,
  rows: string,
): OperationDeclaration => ({
  name,
  group,
  permission,
  summary: `Compare your copy of the ${rows}`,
  description: `Counts and hashes of the ${rows}, by the last byte of their ids, so that the owner of a copy can prove that it is complete ([Syncing](/docs/syncing#check-the-copy)). Take a bucket for different only if a second digest agrees.`,
  keys: ['ORGANIZER'],
  forPartners: true,
  rate: 'export',
  query: { bucket: bucketParameter },
  answers: Digest,
});
