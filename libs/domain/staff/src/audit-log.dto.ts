import type { AuditAction } from '#platform/access';
import { DateTime, Id, Items, Text, Value } from '#platform/validation';

/** What only a history has: imports, and the messages of the race-day log. */
export const HISTORY_ACTIONS = [
  'participant.import',
  'race_day.timing',
  'race_day.race_day',
  'race_day.import',
  'race_day.catalogue',
] as const;

/** A field that changed. */
export class AuditedChange {
  /** The name of the field. */
  @Text({ max: 100, example: 'lastName' }) field: string;

  /** The text of the old value, or its JSON; at most 500 characters. `null` if there was none. */
  @Text({ max: 500, example: 'Lovelase' }) from: string | null;

  /** The new value, in the same way. */
  @Text({ max: 500, example: 'Lovelace' }) to: string | null;
}

/** One record of the audit log, or of the history of a record. */
export class AuditEntryItem {
  @Id() id: string;

  /** When it was done. */
  @DateTime() at: string;

  /** `STAFF`, `KEY`, `COMMAND_LINE`, `SYSTEM`, or `IMPORT`. */
  @Text({ example: 'STAFF' }) actorType: string;

  /** The id of the staff member, key or import job, or the operating system’s user name. */
  @Text({ example: '01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b' }) actorId: string | null;

  /** The staff member’s email, or the name of the key, also of the one that sent the import; `null` for other actors, and once the member is erased. */
  @Text({ example: 'ada@example.com' }) actorName: string | null;

  /** Where the actor was: an IP address or a host name. */
  @Text({ example: '192.0.2.7' }) origin: string | null;

  /** What was done: the type of object and the verb. */
  @Value({ example: 'key.revoke' }) action: AuditAction | (typeof HISTORY_ACTIONS)[number];

  /** The type of object that it was done to. */
  @Text({ example: 'key' }) objectType: string;
  @Text({ example: '01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b' }) objectId: string | null;

  /** Ids, counts and settings of the change. */
  @Value({ example: { overlapMs: 86_400_000 } }) details: Record<string, unknown>;

  /** What changed, if staff did it, up to 10,000 bytes, until `AUDIT_VALUES_DAYS` later. `details.changed` has the names of the fields. */
  @Items({ max: 50 }) changes: AuditedChange[] | null;
}
