/** One record of the audit log. */
export class AuditEntryItem {
  /** @format uuid */
  id: string;

  /**
   * When it was done.
   * @format date-time
   */
  at: string;

  /**
   * `STAFF`, `KEY`, `COMMAND_LINE` or `SYSTEM`.
   * @example STAFF
   */
  actorType: string;

  /**
   * The id of the staff member or key, or the operating system’s user name.
   * @example 01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b
   */
  actorId: string | null;

  /**
   * The staff member’s email; `null` for other actors, and once the member is erased.
   * @example ada@example.com
   */
  actorEmail: string | null;

  /**
   * Where the actor was: an IP address or a host name.
   * @example 192.0.2.7
   */
  origin: string | null;

  /**
   * What was done: the type of object and the verb.
   * @example key.revoke
   */
  action: string;

  /**
   * The type of object that it was done to.
   * @example key
   */
  objectType: string;

  /** @example 01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b */
  objectId: string | null;

  /**
   * Ids, counts and settings of the change.
   * @example {"overlapMs": 86400000}
   */
  details: Record<string, unknown>;
}
