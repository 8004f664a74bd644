import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsISO8601,
  IsOptional,
  IsString,
  IsUUID,
  MaxLength,
  ValidateIf,
} from 'class-validator';
import type { DELIVERY_STATES, DISABLED_REASONS } from '#platform/database';
import { type ChangeEventType } from './change-events/change-event.dto';
import { CHANGE_EVENT_TYPE_NAMES } from './change-events/types';

/** The property may be absent, but not `null`. */
const IfGiven = () => ValidateIf((_, value) => value !== undefined);

/** `MANUAL`: you disabled it. `GONE`: it responded with 410. `FAILING`: every delivery failed for five days. */
export type WebhookDisabledReason = (typeof DISABLED_REASONS)[number];

/** `PENDING`: to be sent or retried. `FAILED`: not retried any more. */
export type WebhookDeliveryState = (typeof DELIVERY_STATES)[number];

/** An endpoint that receives change events. */
export class WebhookEndpoint {
  /** @format uuid */
  id: string;

  /** @example https://partner.example.com/startline */
  url: string;

  /** The types of events that are delivered. */
  types: ChangeEventType[];

  /**
   * Only events of these event occurrences are delivered, and no events without an occurrence; `null`: all events.
   * @example null
   */
  eventOccurrenceIds: string[] | null;

  /**
   * A description of the endpoint.
   * @example Start lists of our charity runners
   */
  description: string | null;

  /** Whether events are delivered. */
  enabled: boolean;

  /** Why the endpoint is disabled; `null` while it is enabled. */
  disabledReason: WebhookDisabledReason | null;

  /** @format date-time */
  disabledAt: string | null;

  /**
   * The time of the first failed delivery since the last success; `null` while deliveries succeed.
   * @format date-time
   */
  failingSince: string | null;

  /**
   * Too many deliveries are pending: later events become deliveries when there is room; `null` otherwise.
   * @format date-time
   */
  behindSince: string | null;

  /**
   * Earlier events were deleted before they became deliveries, because the endpoint was behind for longer than events are
   * kept; `null` if that never happened.
   * @format date-time
   */
  missedUntil: string | null;

  /** @format date-time */
  createdAt: string;

  /** @format date-time */
  updatedAt: string;
}

/** A webhook endpoint with its secret, which is shown only once. */
export class WebhookEndpointWithSecret extends WebhookEndpoint {
  /**
   * The secret that verifies deliveries. It can't be read again.
   * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD0/xFTTo1kO8=
   */
  secret: string;
}

class WebhookEndpointFields {
  /**
   * Only events of these event occurrences are delivered, and no events without an occurrence. `null` or absent: all events.
   * @maxItems 100
   * @example null
   */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(100)
  @ArrayUnique()
  @IsUUID('all', { each: true })
  eventOccurrenceIds?: string[] | null;

  /**
   * A description of the endpoint.
   * @maxLength 1000
   * @example Start lists of our charity runners
   */
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  description?: string | null;

  /** Whether events are delivered. */
  @IfGiven()
  @IsBoolean()
  enabled?: boolean;
}

/** A new webhook endpoint. */
export class WebhookEndpointCreate extends WebhookEndpointFields {
  /**
   * An https URL without a user name, password or fragment.
   * @maxLength 2000
   * @example https://partner.example.com/startline
   */
  @IsString()
  @MaxLength(2_000)
  url: string;

  /**
   * The types of events that are delivered.
   * @maxItems 100
   * @example ["participant.created", "participant.updated"]
   */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(CHANGE_EVENT_TYPE_NAMES, { each: true })
  types: ChangeEventType[];
}

/** Changes of a webhook endpoint. Absent properties do not change. */
export class WebhookEndpointUpdate extends WebhookEndpointFields {
  /**
   * An https URL without a user name, password or fragment.
   * @maxLength 2000
   * @example https://partner.example.com/startline
   */
  @IfGiven()
  @IsString()
  @MaxLength(2_000)
  url?: string;

  /**
   * The types of events that are delivered.
   * @maxItems 100
   * @example ["participant.created", "participant.updated"]
   */
  @IfGiven()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(CHANGE_EVENT_TYPE_NAMES, { each: true })
  types?: ChangeEventType[];
}

/** Confirms that the request succeeded. */
export class WebhookDone {
  /**
   * Always true.
   * @example true
   */
  success: boolean;
}

/** The delivery that was created. */
export class WebhookPing {
  /** @format uuid */
  deliveryId: string;

  /**
   * The path of the delivery, which shows its attempts and outcome.
   * @example /v0/webhook-deliveries/01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b
   */
  deliveryUrl: string;
}

/** An attempt of a delivery. */
export class WebhookAttempt {
  /** @format date-time */
  attemptedAt: string;

  /**
   * The duration of the attempt.
   * @integer
   * @example 84
   */
  durationMs: number;

  /**
   * The status of the response; `null` if there was no response.
   * @integer
   * @example 200
   */
  status: number | null;

  /**
   * Why there was no response: `TIMEOUT`, `ADDRESS_REFUSED`, or a code such as `ECONNREFUSED`.
   * @example null
   */
  error: string | null;

  /**
   * The first 4 KB of the response.
   * @example null
   */
  response: string | null;
}

/** A delivery of an event to a webhook endpoint. */
export class WebhookDelivery {
  /** @format uuid */
  id: string;

  /** @format uuid */
  endpointId: string;

  /**
   * The id of the change event, sent as `webhook-id`.
   * @format uuid
   */
  eventId: string;

  type: ChangeEventType;

  state: WebhookDeliveryState;

  /** @format date-time */
  createdAt: string;

  /**
   * When the next attempt is due; `null` if there is none.
   * @format date-time
   */
  nextAttemptAt: string | null;

  /**
   * The number of attempts.
   * @integer
   * @example 1
   */
  attemptCount: number;

  /** The newest 20, oldest first. */
  attempts: WebhookAttempt[];
}

/** Selects the failed deliveries to send again. */
export class WebhookRetry {
  /**
   * Selects deliveries that were created at this time or later.
   * @format date-time
   */
  @IsISO8601({ strict: true })
  since: string;

  /**
   * Selects deliveries to this endpoint only.
   * @format uuid
   */
  @IfGiven()
  @IsUUID('all')
  endpointId?: string;
}

/** The number of deliveries that are sent again. */
export class WebhookRetried {
  /**
   * The number of deliveries.
   * @integer
   * @example 12
   */
  deliveries: number;

  /**
   * The path of the list of deliveries that are not sent yet.
   * @example /v0/webhook-deliveries?state=PENDING
   */
  deliveriesUrl: string;
}
