import type { DELIVERY_STATES, DISABLED_REASONS } from '#platform/database';
import { DateTime, Id, Int, Items, Text, Value } from '#platform/validation';
import { type ChangeEventType } from './change-events/change-event.dto';

/** `MANUAL`: you disabled it. `GONE`: it responded with 410. `FAILING`: every delivery failed for five days. */
export type WebhookDisabledReason = (typeof DISABLED_REASONS)[number];

/** `PENDING`: to be sent or retried. `FAILED`: not retried any more. */
export type WebhookDeliveryState = (typeof DELIVERY_STATES)[number];

/** An endpoint that receives change events. */
export class WebhookEndpoint {
  @Id() id: string;
  @Text({ example: 'https://partner.example.com/startline' }) url: string;

  /** The types of events that are delivered. */
  types: ChangeEventType[];

  /** Only events of these event occurrences are delivered, and no events without an occurrence; `null`: all events. */
  @Text({ example: null }) eventOccurrenceIds: string[] | null;

  /** A description of the endpoint. */
  @Text({ example: 'Start lists of our charity runners' }) description: string | null;

  /** Whether events are delivered. */
  enabled: boolean;

  /** Why the endpoint is disabled; `null` while it is enabled. */
  disabledReason: WebhookDisabledReason | null;
  @DateTime() disabledAt: string | null;

  /** The time of the first failed delivery since the last success; `null` while deliveries succeed. */
  @DateTime() failingSince: string | null;

  /** Too many deliveries are pending: later events become deliveries when there is room; `null` otherwise. */
  @DateTime() behindSince: string | null;

  /**
   * Earlier events were deleted before they became deliveries, because the endpoint was behind for longer than events are
   * kept; `null` if that never happened.
   */
  @DateTime() missedUntil: string | null;
  @DateTime() createdAt: string;
  @DateTime() updatedAt: string;
}

/** A webhook endpoint with its secret, which is shown only once. */
export class WebhookEndpointWithSecret extends WebhookEndpoint {
  /** The secret that verifies deliveries. It can't be read again. */
  @Text({ example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD0/xFTTo1kO8=' }) secret: string;
}

class WebhookEndpointFields {
  /** Only events of these event occurrences are delivered, and no events without an occurrence. `null` or absent: all events. */
  @Id({ minItems: 1, maxItems: 100, unique: true, example: null }) eventOccurrenceIds?: string[] | null;

  /** A description of the endpoint. */
  @Text({ max: 1_000, example: 'Start lists of our charity runners' }) description?: string | null;

  /** Whether events are delivered. */
  enabled?: boolean;
}

/** A new webhook endpoint. */
export class WebhookEndpointCreate extends WebhookEndpointFields {
  /** An https URL without a user name, password or fragment. */
  @Text({ max: 2_000, example: 'https://partner.example.com/startline' }) url: string;

  /** The types of events that are delivered. */
  @Items({ min: 1, max: 100, unique: true, example: ['participant.created', 'participant.updated'] })
  types: ChangeEventType[];
}

/** Changes of a webhook endpoint. Absent properties do not change. */
export class WebhookEndpointUpdate extends WebhookEndpointFields {
  /** An https URL without a user name, password or fragment. */
  @Text({ max: 2_000, example: 'https://partner.example.com/startline' }) url?: string;

  /** The types of events that are delivered. */
  @Items({ min: 1, max: 100, unique: true, example: ['participant.created', 'participant.updated'] })
  types?: ChangeEventType[];
}

/** Confirms that the request succeeded. */
export class WebhookDone {
  /** Always true. */
  @Value({ example: true }) success: boolean;
}

/** The delivery that was created. */
export class WebhookPing {
  @Id() deliveryId: string;

  /** The path of the delivery, which shows its attempts and outcome. */
  @Text({ example: '/v0/webhook-deliveries/01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b' }) deliveryUrl: string;
}

/** An attempt of a delivery. */
export class WebhookAttempt {
  @DateTime() attemptedAt: string;

  /** The duration of the attempt. */
  @Int({ example: 84 }) durationMs: number;

  /** The status of the response; `null` if there was no response. */
  @Int({ example: 200 }) status: number | null;

  /** Why there was no response: `TIMEOUT`, `ADDRESS_REFUSED`, or a code such as `ECONNREFUSED`. */
  @Text({ example: null }) error: string | null;

  /** The first 4 KB of the response. */
  @Text({ example: null }) response: string | null;
}

/** A delivery of an event to a webhook endpoint. */
export class WebhookDelivery {
  @Id() id: string;
  @Id() endpointId: string;

  /** The id of the change event, sent as `webhook-id`. */
  @Id() eventId: string;
  type: ChangeEventType;
  state: WebhookDeliveryState;
  @DateTime() createdAt: string;

  /** When the next attempt is due; `null` if there is none. */
  @DateTime() nextAttemptAt: string | null;

  /** The number of attempts. */
  @Int({ example: 1 }) attemptCount: number;

  /** The newest 5, oldest first. */
  attempts: WebhookAttempt[];
}

/** Selects the failed deliveries to send again. */
export class WebhookRetry {
  /** Selects deliveries that were created at this time or later. */
  @DateTime() since: string;

  /** Selects deliveries to this endpoint only. */
  @Id() endpointId?: string;
}

/** The number of deliveries that are sent again. */
export class WebhookRetried {
  /** The number of deliveries. */
  @Int({ example: 12 }) deliveries: number;

  /** The path of the list of deliveries that are not sent yet. */
  @Text({ example: '/v0/webhook-deliveries?state=PENDING' }) deliveriesUrl: string;
}
