import { Id, Text, Value } from '#platform/validation';
import type { Permission } from './permissions';

/** The organization and the restrictions of a key. */
export class KeyIdentity {
  /** The organization that the key belongs to. */
  @Id() organiserId: string;

  /** Whether the organization is a sandbox: for testing, outside the marketplace, and emptied at times. */
  test: boolean;

  /** The occurrences that the key is restricted to; empty without such a restriction. */
  @Id() eventOccurrenceIds: string[];

  /** The names of the endpoints that the key is restricted to; empty without such a restriction. */
  @Text({ example: ['registrationStatus'] }) endpoints: string[];

  /** What the key is permitted to do; empty if it may call everything that its kind of key can. A read-only key has all permissions that read. */
  @Value({ example: ['participants:read'] }) permissions: Permission[];

  /** The partner that the key belongs to: it reaches what this partner and its sub-partners do; null for the organizer's keys. */
  @Id() partnerId: string | null;

  /** Whether the key reaches less than its kind of key can: because of occurrences, endpoints, permissions or a partner. If not, the three lists are empty. */
  restricted: boolean;
}
