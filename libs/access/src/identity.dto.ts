/** The organization and the restrictions of a key. */
export class KeyIdentity {
  /**
   * The organization that the key belongs to.
   * @format uuid
   */
  organiserId: string;

  /**
   * The occurrences that the key is restricted to; empty without such a restriction.
   * @format uuid
   */
  eventOccurrenceIds: string[];

  /**
   * The names of the endpoints that the key is restricted to; empty without such a restriction.
   * @example ["registrationStatus"]
   */
  endpoints: string[];

  /** Whether the key is restricted to occurrences or endpoints. If not, both lists are empty. */
  restricted: boolean;
}
