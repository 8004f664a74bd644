/** Operations of the console for staff with these roles, with the wide allowance of requests. */
const of = <const Roles>(roles: Roles) => ({ group: 'Console', keys: [], roles, rate: 'wide' }) as const;

export const OWNERS = of(['OWNER']);
export const MANAGERS = of(['OWNER', 'MANAGER']);
export const READERS = of(['OWNER', 'MANAGER', 'VIEWER']);
export const RACE_DAY = of(['OWNER', 'MANAGER', 'RACE_DAY']);
