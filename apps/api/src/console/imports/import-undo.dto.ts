import { IsBoolean, IsOptional } from 'class-validator';
import type { UndoReason } from '#domain/imports';

/** How many bookings of a group have a reason. */
export class UndoReasonCount {
  reason: UndoReason;

  /**
   * A booking with two reasons counts in both.
   * @integer
   * @example 3
   */
  bookings: number;
}

/** A booking of an import. */
export class UndoExample {
  /**
   * The index of its row in the import, from 0.
   * @integer
   * @example 17
   */
  row: number;

  /** @format uuid */
  bookingId: string;

  /** @example order-1815 */
  externalBookingId: string | null;

  /**
   * What has changed since the import, or why the booking can't be undone.
   * @example ["RACE_DAY"]
   */
  reasons: UndoReason[];
}

/** Bookings of an import that undoing it treats alike. */
export class UndoGroup {
  /**
   * How many bookings are in the group.
   * @integer
   * @example 240
   */
  bookings: number;

  /** The most frequent first. */
  reasons: UndoReasonCount[];

  /** The first 20, in the order of the rows. */
  examples: UndoExample[];
}

/** What undoing an import of bookings would do now. */
export class ImportUndoPreview {
  /** Bookings that would be cancelled. */
  canBeUndone: UndoGroup;

  /**
   * Bookings that would be cancelled with `includeChanged` only, because others have changed them since: line items or
   * add-ons of another job, race-day messages, decisions on applications, redaction, or a transfer to another person.
   */
  changedSince: UndoGroup;

  /** Bookings that are cancelled already, and bookings that the import corrected and did not make. */
  cannotBeUndone: UndoGroup;
}

/** What to undo of an import. */
export class ImportUndo {
  /** Also cancel bookings that have changed since the import. */
  @IsOptional()
  @IsBoolean()
  includeChanged?: boolean;
}
