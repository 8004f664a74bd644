/** What a key is for. */
export class KeyIdentity {
  /**
   * The organization that the key belongs to.
   * @format uuid
   */
  organiserId: string;

  /**
   * The occurrences that the key is limited to; empty where it is not limited.
   * @format uuid
   */
  eventOccurrenceIds: string[];

  /**
   * The names of the endpoints that the key is limited to; empty where it is not limited.
   * @example ["registrationStatus"]
   */
  endpoints: string[];
}
