import type { ChangeSinceImport } from '#domain/bookings';
import { Id, Int, Text, Value } from '#platform/validation';

/**
 * Why a record has changed since the import, or can't be undone. `SPENT`: a credit. `USED`: a discount code. `CORRECTED`: the import did not
 * make it. `DELETED`: it is gone. `REPLACED`: another job has changed the line item, add-on or referral.
 */
export type UndoReason =
  | ChangeSinceImport
  | 'REPLACED'
  | 'ALREADY_CANCELLED'
  | 'CORRECTED'
  | 'SPENT'
  | 'USED'
  | 'DELETED';

/** How many records of a group have a reason. */
export class UndoReasonCount {
  reason: UndoReason;

  /** A record with two reasons counts in both. */
  @Int({ example: 3 }) records: number;
}

/** A record of an import, such as a booking. */
export class UndoExample {
  /** The index of its row in the import, from 0. */
  @Int({ example: 17 }) row: number;
  @Id() id: string;
  @Text({ example: 'order-1815' }) externalId: string | null;

  /** What has changed since the import, or why the record can't be undone. */
  @Value({ example: ['RACE_DAY'] }) reasons: UndoReason[];
}

/** Records of an import that undoing it treats alike. */
export class UndoGroup {
  /** How many records are in the group. */
  @Int({ example: 240 }) records: number;

  /** The most frequent first. */
  reasons: UndoReasonCount[];

  /** The first 20, in the order of the rows. */
  examples: UndoExample[];
}

/** What undoing an import would do now. */
export class ImportUndoPreview {
  /** Records that would be cancelled. */
  canBeUndone: UndoGroup;

  /**
   * Records that would be cancelled with `includeChanged` only, because others have changed them since: line items or
   * add-ons of another job, race-day messages, decisions on applications, redaction, a transfer to another person; or, of line items, add-ons and referrals, because another job has replaced them.
   */
  changedSince: UndoGroup;

  /**
   * Records that are cancelled or deleted already, records that the import corrected and did not make, credits that were spent, and discount
   * codes that were used.
   */
  cannotBeUndone: UndoGroup;
}

/** What to undo of an import. */
export class ImportUndo {
  /** Also cancel records that have changed since the import. */
  includeChanged?: boolean;
}
