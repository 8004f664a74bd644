import type { Surface } from './surfaces';
import type { KeyKind } from './tokens';

/** Who calls: the key as the database knows it now. */
export interface Caller {
  organizationId: string;
  keyId: string;
  kind: KeyKind;
  /** Null where the key is not restricted to occurrences. */
  eventOccurrenceIds: readonly string[] | null;
  /** Null where the key is not restricted to endpoints. */
  endpoints: readonly string[] | null;
  /** The key may call operations that change nothing only. */
  readOnly: boolean;
  surfaces: ReadonlySet<Surface>;
}
