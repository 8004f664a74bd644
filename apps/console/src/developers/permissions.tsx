import { Checkbox, Table } from '@mantine/core';
import type { KeyKind, Permission } from '../api';
import { useTexts } from '../texts';

/** Every permission, and the kind of key that can have it. */
const KIND_OF: Record<Permission, KeyKind> = {
  'catalogue:read': 'ORGANIZER',
  'catalogue:write': 'ORGANIZER',
  'registrations:read': 'ORGANIZER',
  'participants:read': 'ORGANIZER',
  'participants:write': 'ORGANIZER',
  'applications:read': 'ORGANIZER',
  'bookings:read': 'ORGANIZER',
  'bookings:write': 'ORGANIZER',
  'bookings:import': 'ORGANIZER',
  'lineItems:read': 'ORGANIZER',
  'lineItems:import': 'ORGANIZER',
  'addOns:read': 'ORGANIZER',
  'addOns:import': 'ORGANIZER',
  'partners:read': 'ORGANIZER',
  'partners:write': 'ORGANIZER',
  'reservedEntries:read': 'ORGANIZER',
  'reservedEntries:import': 'ORGANIZER',
  'referrals:read': 'ORGANIZER',
  'referrals:import': 'ORGANIZER',
  'discountCodes:read': 'ORGANIZER',
  'discountCodes:write': 'ORGANIZER',
  'discountCodes:import': 'ORGANIZER',
  'credits:read': 'ORGANIZER',
  'credits:import': 'ORGANIZER',
  'imports:read': 'ORGANIZER',
  'changeEvents:read': 'ORGANIZER',
  'webhooks:read': 'ORGANIZER',
  'webhooks:write': 'ORGANIZER',
  'marketplace:read': 'MARKETPLACE',
  'timing:read': 'TIMING',
  'timing:write': 'TIMING',
};

/** What a key of a partner can have. */
const OF_PARTNERS: readonly Permission[] = [
  ...(['catalogue:read', 'registrations:read', 'participants:read', 'participants:write'] as const),
  ...(['applications:read', 'bookings:read', 'bookings:write', 'partners:read', 'partners:write'] as const),
  ...(['reservedEntries:read', 'reservedEntries:import', 'imports:read'] as const),
];

type GroupOf<P> = P extends `${infer Group}:${string}` ? Group : never;
export type PermissionGroup = GroupOf<Permission>;
const VERBS = ['read', 'write', 'import'] as const;
export type PermissionVerb = (typeof VERBS)[number];

const PERMISSIONS = Object.keys(KIND_OF) as Permission[];
const groupOf = (permission: Permission) => permission.split(':')[0] as PermissionGroup;
const verbOf = (permission: Permission) => permission.split(':')[1] as PermissionVerb;

export const permissionsOf = (kind: KeyKind, partnerId: string | null): Permission[] =>
  PERMISSIONS.filter(
    (permission) => KIND_OF[permission] === kind && (!partnerId || OF_PARTNERS.includes(permission)),
  );

export const onlyReads = (permissions: readonly Permission[]): Permission[] =>
  permissions.filter((permission) => verbOf(permission) === 'read');

/** What keys are usually made for. */
export const PRESETS = {
  crm: {
    kind: 'ORGANIZER',
    permissions: [
      ...['catalogue:read', 'participants:read', 'applications:read', 'bookings:read', 'partners:read'],
      'changeEvents:read',
    ],
  },
  charity: {
    kind: 'ORGANIZER',
    permissions: ['catalogue:read', 'reservedEntries:read', 'reservedEntries:import'],
  },
  ticketSite: {
    kind: 'ORGANIZER',
    permissions: [
      ...['catalogue:read', 'bookings:read', 'bookings:write', 'bookings:import', 'lineItems:import'],
      'addOns:import',
    ],
  },
  reporting: {
    kind: 'ORGANIZER',
    permissions: [
      ...['catalogue:read', 'participants:read', 'applications:read', 'bookings:read', 'lineItems:read'],
      ...['addOns:read', 'reservedEntries:read', 'imports:read'],
    ],
  },
  timing: { kind: 'TIMING', permissions: ['timing:read', 'timing:write'] },
  automation: {
    kind: 'ORGANIZER',
    permissions: [
      ...['catalogue:read', 'participants:read', 'participants:write', 'bookings:read', 'webhooks:read'],
      'webhooks:write',
    ],
  },
} as const satisfies Record<string, { kind: KeyKind; permissions: readonly Permission[] }>;

export type Preset = keyof typeof PRESETS;

interface PermissionTableProps {
  /** Those that can be chosen. */
  among: readonly Permission[];
  chosen: readonly Permission[];
  onChange(chosen: Permission[]): void;
}

/** A row for each group, with what can be read, written and imported. */
export function PermissionTable({ among, chosen, onChange }: PermissionTableProps) {
  const { developers } = useTexts();
  const groups = [...new Set(among.map(groupOf))];
  const toggle = (permission: Permission, isChosen: boolean) =>
    onChange(among.filter((each) => (each === permission ? isChosen : chosen.includes(each))));
  return (
    <Table w="auto" horizontalSpacing={4} verticalSpacing={4} withRowBorders={false}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" c="dimmed" fw={400}>
            {developers.permissions}
          </Table.Th>
          {VERBS.map((verb) => (
            <Table.Th key={verb} scope="col" c="dimmed" fw={400}>
              {developers.permissionVerbs[verb]}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {groups.map((group) => (
          <Table.Tr key={group}>
            <Table.Th scope="row" fw={400}>
              {developers.permissionGroups[group]}
            </Table.Th>
            {VERBS.map((verb) => {
              const permission = among.find((each) => groupOf(each) === group && verbOf(each) === verb);
              return (
                <Table.Td key={verb}>
                  {permission && (
                    <Checkbox
                      aria-label={`${developers.permissionGroups[group]}: ${developers.permissionVerbs[verb]}`}
                      checked={chosen.includes(permission)}
                      onChange={({ target }) => toggle(permission, target.checked)}
                    />
                  )}
                </Table.Td>
              );
            })}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** `Participants: Read · Bookings: Read, Import` */
export function PermissionList({ permissions }: { permissions: readonly Permission[] }) {
  const { developers } = useTexts();
  const groups = [...new Set(permissions.map(groupOf))];
  const verbs = (group: PermissionGroup) =>
    permissions
      .filter((each) => groupOf(each) === group)
      .map((each) => developers.permissionVerbs[verbOf(each)]);
  return groups
    .map((group) => `${developers.permissionGroups[group]}: ${verbs(group).join(', ')}`)
    .join(' · ');
}
