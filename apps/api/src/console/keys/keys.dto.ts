import type { KeyKind, Permission } from '#platform/access';
import { DateTime, Id, Int, Items, Text, Value } from '#platform/validation';

/** An API key, without its token. */
export class ApiKeyItem {
  @Id() id: string;
  @Text({ example: 'website' }) name: string;

  /** What the key may call: `ORGANIZER`, `MARKETPLACE` or `TIMING` paths. */
  kind: KeyKind;

  /** The last four characters of its token. */
  @Text({ example: 'x7Qk' }) last4: string;

  /** The occurrences that the key is restricted to; `null`: no such restriction. */
  @Id() eventOccurrenceIds: string[] | null;

  /** The endpoints that the key is restricted to; `null`: no such restriction. */
  @Text({ example: ['registrationStatus'] }) endpoints: string[] | null;

  /** What the key is permitted to do; `null`: everything that its kind of key can. */
  @Value({ example: ['participants:read'] }) permissions: Permission[] | null;

  /** Whether the key may only call operations that change nothing. */
  readOnly: boolean;

  /** Of a timing key: what it may read about participants, such as `names`, `gender` or `field:tShirtSize`; otherwise `null`. */
  @Text({ example: null }) reads: string[] | null;

  /** The partner that the key belongs to; `null`: the organizer. */
  @Id({ example: null }) partnerId: string | null;
  @DateTime() createdAt: string;

  /** The key works before this time; `null`: until it is revoked. */
  @DateTime() expiresAt: string | null;
  @DateTime() revokedAt: string | null;

  /** The last use of the key, to the minute. */
  @DateTime() lastUsedAt: string | null;
}

/** The keys of the organization, newest first. */
export class ApiKeys {
  /** The newest 1,000, fewer if they have many restrictions. The command line lists all. */
  data: ApiKeyItem[];

  /** The number of keys. */
  @Int({ example: 4 }) count: number;
}

/** A key to create. */
export class NewApiKey {
  @Text({ max: 100, pattern: /\S/, example: 'website' }) name: string;

  /** What the key may call: `ORGANIZER`, `MARKETPLACE` or `TIMING` paths. */
  kind: KeyKind;

  /** The occurrences that the key is restricted to. */
  @Id({ minItems: 1, maxItems: 1_000 }) eventOccurrenceIds?: string[] | null;

  /** The endpoints that the key is restricted to. */
  @Text({ max: 100, minItems: 1, maxItems: 200, example: ['registrationStatus'] })
  endpoints?: string[] | null;

  /** What the key is permitted to do; absent or `null`: everything that its kind of key can. */
  @Items({ min: 1, max: 100, example: ['participants:read'] }) permissions?: Permission[] | null;

  /** With `ORGANIZER`: the partner whose places and runners the key sees and changes, and nothing else; absent or `null`: the whole organization. */
  @Id() partnerId?: string | null;

  /** The key may only call operations that change nothing. */
  readOnly?: boolean;

  /**
   * With `TIMING`: what it may read about participants: `names`, `gender`, `ageOnRaceDay`, `yearOfBirth`, `team`, `wave`, or `field:<key>` for the
   * answer to a question.
   */
  @Text({ max: 300, maxItems: 200, example: ['names'] }) reads?: string[] | null;

  /** The key works before this time; `null`: until it is revoked. */
  @DateTime() expiresAt?: string | null;
}

/** New limits of a key. `null` removes a list of a restricted key; an absent list does not change. */
export class ApiKeyRestriction {
  /** The permissions that the key keeps. They must be some of those that it has. */
  @Items({ min: 1, max: 100, example: ['participants:read'] }) permissions?: Permission[];

  /** What a timing key still reads. It must be some of what it reads. */
  @Text({ max: 300, maxItems: 200, example: ['names'] }) reads?: string[];
  @Id({ maxItems: 1_000 }) eventOccurrenceIds?: string[] | null;

  /** The endpoints that the key is restricted to. */
  @Text({ max: 100, maxItems: 200, example: ['registrationStatus'] }) endpoints?: string[] | null;
}

/** How to replace a key. */
export class ApiKeyRotation {
  /** How long the old key continues to work, in hours. */
  @Int({ min: 0, max: 720, example: 24 }) overlapHours: number;

  /** When the new key expires; `null`: never. */
  @DateTime() expiresAt?: string | null;
}

/** A key and its token. The token is shown once: it is not stored. */
export class IssuedApiKey {
  key: ApiKeyItem;

  /** Send it as `Authorization: Bearer <token>`. */
  @Text({ example: 'eyJ0eXAiOiJzdGFydGxpbmUta2V5K2p3dCIs…' }) token: string;
}
