import { DateTime, Id, Int, Text } from '#platform/validation';
import type { CHANGE_EVENT_TYPES } from './types';

/** The type of the change. More types may be added. */
export type ChangeEventType = keyof typeof CHANGE_EVENT_TYPES;

/** The ids of the changed object and of its parents. The properties depend on the type. */
export class ChangeEventData {
  @Id() participantId?: string;
  @Id() applicationId?: string;
  @Id() bookingId?: string;
  @Id() eventId?: string;
  @Id() eventOccurrenceId?: string;
  @Id() raceId?: string;
  @Id() ticketId?: string;
  @Id() partnerId?: string;
  @Id() keyId?: string;

  /** The kind of the key. */
  @Text({ example: 'ORGANIZER' }) kind?: string;
  @Id() webhookEndpointId?: string;

  /**
   * Why the webhook endpoint was disabled: `MANUAL`, `GONE` or `FAILING`. Why an import needs attention: `FAILED_ROWS`, or `WAITING` for
   * more than 10 minutes.
   */
  @Text({ example: 'FAILING' }) reason?: string;
  @Id() importJobId?: string;

  /** The surface of the import job. */
  @Text({ example: 'bookingsImport' }) surface?: string;

  /** The status of the import job: `COMPLETED` or `FAILED`. */
  @Text({ example: 'COMPLETED' }) status?: string;

  /** The number of rows of the import job. */
  @Int({ example: 1_000 }) totalRows?: number;

  /** Rows that were imported or updated. */
  @Int({ example: 990 }) succeededRows?: number;

  /** Rows that had already been imported. */
  @Int({ example: 6 }) alreadyImportedRows?: number;

  /** Rows that were skipped, because their record was cancelled before. */
  @Int({ example: 0 }) cancelledBeforeRows?: number;

  /** Rows that failed. */
  @Int({ example: 4 }) failedRows?: number;

  /** The properties that changed, for an `updated` event, if they are known. */
  @Text({ example: ['bibNumber'] }) changed?: string[];
}

/**
 * A change in your organization. It contains ids, never personal data: to get the current state, read the objects by
 * their ids. A webhook delivery with the same `id` has the same body.
 */
export class ChangeEvent {
  @Id() id: string;
  type: ChangeEventType;

  /** When it happened. */
  @DateTime() timestamp: string;
  data: ChangeEventData;
}
