import type { CHANGE_EVENT_TYPES } from './types';

/** The type of the change. More types may be added. */
export type ChangeEventType = keyof typeof CHANGE_EVENT_TYPES;

/** The ids of the changed object and of its parents. The properties depend on the type. */
export class ChangeEventData {
  /** @format uuid */
  participantId?: string;

  /** @format uuid */
  applicationId?: string;

  /** @format uuid */
  bookingId?: string;

  /** @format uuid */
  eventId?: string;

  /** @format uuid */
  eventOccurrenceId?: string;

  /** @format uuid */
  raceId?: string;

  /** @format uuid */
  ticketId?: string;

  /** @format uuid */
  partnerId?: string;

  /** @format uuid */
  keyId?: string;

  /**
   * The kind of the key.
   * @example ORGANIZER
   */
  kind?: string;

  /** @format uuid */
  webhookEndpointId?: string;

  /**
   * Why the webhook endpoint was disabled: `MANUAL`, `GONE` or `FAILING`. Why an import needs attention: `FAILED_ROWS`, or `WAITING` for
   * more than 10 minutes.
   * @example FAILING
   */
  reason?: string;

  /** @format uuid */
  importJobId?: string;

  /**
   * The surface of the import job.
   * @example bookingsImport
   */
  surface?: string;

  /**
   * The status of the import job: `COMPLETED` or `FAILED`.
   * @example COMPLETED
   */
  status?: string;

  /**
   * The number of rows of the import job.
   * @integer
   * @example 1000
   */
  totalRows?: number;

  /**
   * Rows that were imported or updated.
   * @integer
   * @example 990
   */
  succeededRows?: number;

  /**
   * Rows that had already been imported.
   * @integer
   * @example 6
   */
  alreadyImportedRows?: number;

  /**
   * Rows that were skipped, because their record was cancelled before.
   * @integer
   * @example 0
   */
  cancelledBeforeRows?: number;

  /**
   * Rows that failed.
   * @integer
   * @example 4
   */
  failedRows?: number;

  /**
   * The properties that changed, for an `updated` event, if they are known.
   * @example ["bibNumber"]
   */
  changed?: string[];
}

/**
 * A change in your organization. It contains ids, never personal data: to get the current state, read the objects by
 * their ids. A webhook delivery with the same `id` has the same body.
 */
export class ChangeEvent {
  /** @format uuid */
  id: string;

  type: ChangeEventType;

  /**
   * When it happened.
   * @format date-time
   */
  timestamp: string;

  data: ChangeEventData;
}
