import { MEMBER_ROLES } from '#platform/database';

/** Operations of the console for staff with these roles, with the wide allowance of requests. */
const of = <const Roles>(roles: Roles) => ({ group: 'Console', keys: [], roles, rate: 'wide' }) as const;

export const OWNERS = of(['OWNER']);
export const MANAGERS = of(['OWNER', 'MANAGER']);
export const READERS = of(['OWNER', 'MANAGER', 'VIEWER']);
export const RACE_DAY = of(['OWNER', 'MANAGER', 'RACE_DAY']);
export const MEMBERS = of(MEMBER_ROLES);

/** Operations before there is a session. */
export const SIGNING_IN = { group: 'Console', keys: [], anonymous: true, rate: 'signIn' } as const;
