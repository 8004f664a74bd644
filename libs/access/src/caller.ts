import type { StaffRole } from '#libs/database';
import type { Surface } from './surfaces';
import type { KeyKind } from './tokens';

/** The organization of a caller that is not known yet: during sign-in. */
export const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000';

/** The caller: a key or a signed-in staff member, with its current state in the database. */
export interface Caller {
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
  /** The key may only call operations that change nothing. */
  readOnly: boolean;
  /** A timing key that may read participants' names. */
  names: boolean;
  surfaces: ReadonlySet<Surface>;
}
