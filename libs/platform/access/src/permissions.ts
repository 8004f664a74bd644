import type { KeyKind } from './tokens';

/**
 * What keys can be permitted, as `<group>:<verb>`. Each operation declares one; those of jobs a list, of which the job's
 * import decides. The permission of an import also covers following,
 * cancelling and retrying its jobs, because whoever may import needs the outcome of each row.
 */
export const PERMISSIONS = [
  'catalogue:read',
  'catalogue:write',
  'registrations:read',
  'participants:read',
  'participants:write',
  'applications:read',
  'bookings:read',
  'bookings:write',
  'bookings:import',
  'lineItems:read',
  'lineItems:import',
  'addOns:read',
  'addOns:import',
  'partners:read',
  'partners:write',
  'reservedEntries:read',
  'reservedEntries:import',
  'referrals:read',
  'referrals:import',
  'discountCodes:read',
  'discountCodes:write',
  'discountCodes:import',
  'credits:read',
  'credits:import',
  'imports:read',
  'changeEvents:read',
  'webhooks:read',
  'webhooks:write',
  'marketplace:read',
  'timing:read',
  'timing:write',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** The permission to read one's own identity, which every key has: it can be neither granted nor taken. */
export const IDENTITY = 'identity:read';

/** The permission that an operation requires. */
export type OperationPermission = Permission | typeof IDENTITY;

/** The groups of kinds other than ORGANIZER. */
const KIND_OF_GROUP: Readonly<Record<string, KeyKind>> = { marketplace: 'MARKETPLACE', timing: 'TIMING' };

const groupOf = (permission: Permission): string => permission.slice(0, permission.indexOf(':'));

/** The permissions that a key of the kind can have. */
export const permissionsOf = (kind: KeyKind): Permission[] =>
  PERMISSIONS.filter((permission) => (KIND_OF_GROUP[groupOf(permission)] ?? 'ORGANIZER') === kind);

/** The permissions that a partner's key can have. It can call those of their operations that are declared `forPartners`. */
export const PARTNER_PERMISSIONS: readonly Permission[] = [
  'catalogue:read',
  'registrations:read',
  'participants:read',
  'participants:write',
  'applications:read',
  'bookings:read',
  'bookings:write',
  'partners:read',
  'partners:write',
  'reservedEntries:read',
  'reservedEntries:import',
  'imports:read',
];

/** The permissions that only read. */
export const onlyReads = (permissions: readonly Permission[]): Permission[] =>
  permissions.filter((permission) => permission.endsWith(':read'));

/** `bookingsImport` belongs to `bookings:import`. */
export const importPermission = (surface: `${string}Import`): Permission => {
  const permission = `${surface.replace(/Import$/, '')}:import`;
  const known = PERMISSIONS.find((each) => each === permission);
  if (!known) throw new Error(`There is no permission ${permission}: add it to PERMISSIONS`);
  return known;
};
