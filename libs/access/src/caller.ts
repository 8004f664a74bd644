import type { StaffRole } from '#libs/database';
import type { Surface } from './surfaces';
import type { KeyKind } from './tokens';

/** Who calls: a key, or a staff member who is signed in, as the database knows them now. */
export interface Caller {
  organizationId: string;
  /** The key, or the staff member. */
  keyId: string;
  kind: KeyKind | 'STAFF';
  /** Of a staff member; null for keys. */
  role: StaffRole | null;
  /** Null where the key is not restricted to occurrences. */
  eventOccurrenceIds: readonly string[] | null;
  /** Null where the key is not restricted to endpoints. */
  endpoints: readonly string[] | null;
  /** The key may call operations that change nothing only. */
  readOnly: boolean;
  /** A timing key that may read participants' names. */
  names: boolean;
  surfaces: ReadonlySet<Surface>;
}
