import type { StaffRole } from '#platform/database';
import type { Permission } from './permissions';
import type { Surface } from './surfaces';
import type { KeyKind } from './tokens';

export interface CallingPartner {
  id: string;
  /** Null for a partner that can have sub-partners. Never changes. */
  parentId: string | null;
}

/** The caller: a key or a signed-in staff member, with its current state in the database. */
export interface Caller {
  /** The nil UUID during sign-in, while it is not known. */
  organizationId: string;
  /** The key, or the staff member. */
  keyId: string;
  kind: KeyKind | 'STAFF';
  /** For staff members; null for keys. */
  role: StaffRole | null;
  /** Null if the key is not restricted to occurrences. */
  eventOccurrenceIds: readonly string[] | null;
  /** Null if the key is not restricted to endpoints. */
  endpoints: readonly string[] | null;
  /** Null if the key reaches everything that its kind reaches. */
  permissions: readonly Permission[] | null;
  /** The partner that the key belongs to: it sees what this partner sees. */
  partner: CallingPartner | null;
  /** The key may only call operations that change nothing. */
  readOnly: boolean;
  /** What a timing key may read about participants. */
  reads: readonly string[];
  /** Whether the organization is for testing. */
  sandbox: boolean;
  surfaces: ReadonlySet<Surface>;
}
