import type { Caller } from './caller';
import { PARTNER_PERMISSIONS } from './permissions';
import { type OperationAccess, refusalOf } from './scope';

const KEY = {
  kind: 'ORGANIZER',
  role: null,
  eventOccurrenceIds: null,
  endpoints: null,
  permissions: null,
  partner: null,
  readOnly: false,
} as Partial<Caller> as Caller;
const PARTNER = { ...KEY, partner: { id: '01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b', parentId: null } };
const statusOf = (access: Partial<OperationAccess>, caller: Caller = PARTNER) =>
  refusalOf(caller, { name: 'getThing', keys: ['ORGANIZER'], ...access }, 'GET')?.status;

describe("a partner's key", () => {
  it.each(PARTNER_PERMISSIONS)(
    'can call operations of %s only if they are declared for partners',
    (permission) => {
      expect(statusOf({ permission })).toBe(403);
      expect(statusOf({ permission, forPartners: true })).toBeUndefined();
    },
  );

  it('cannot call operations of another permission, although they are declared for partners', () => {
    expect(statusOf({ permission: 'webhooks:read', forPartners: true })).toBe(403);
  });
});

it('a key that is restricted to endpoints can call no other, although it is open to such keys', () => {
  const restricted = { ...KEY, endpoints: ['registrationStatus'] };
  expect(statusOf({ scoped: 'endpoint' }, restricted)).toBe(403);
  expect(statusOf({ scoped: 'endpoint', name: 'registrationStatus' }, restricted)).toBeUndefined();
});
