import type { KeyKind, Permission } from '#platform/access';
import type { ResourceGroup } from '#platform/http';

/** What most operations of a resource group have in common. They have the wide allowance of requests. */
export const operationsOf = (group: ResourceGroup, permission: Permission, key: KeyKind = 'ORGANIZER') =>
  ({ group, permission, keys: [key], rate: 'wide' }) as const;
