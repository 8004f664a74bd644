import type { Caller } from './caller';
import { type OperationAccess, refusalOf } from './scope';

const operation = (name: string): OperationAccess => ({ name, keys: ['ORGANIZER'], scoped: 'occurrence' });
const caller = (given: Partial<Caller>) =>
  ({
    kind: 'ORGANIZER',
    role: null,
    readOnly: false,
    eventOccurrenceIds: null,
    endpoints: null,
    ...given,
  }) as Caller;

describe('a key that is restricted to endpoints', () => {
  it('may call those that it lists, and no other that restricted keys may call', () => {
    const restricted = caller({ endpoints: ['registrationStatus'] });
    expect(refusalOf(restricted, operation('registrationStatus'), 'POST')).toBeUndefined();
    expect(refusalOf(restricted, operation('another'), 'POST')).toMatchObject({ status: 403 });
  });
});
