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
import { CHANGE_EVENT_TYPE_NAMES, type ChangeEventType } from '#libs/change-events';
import type { DELIVERY_STATES, DISABLED_REASONS } from '#libs/database';

/** May be absent, but not null. */
const IfGiven = () => ValidateIf((_, value) => value !== undefined);

/** `MANUAL`: by you. `GONE`: it answered 410. `FAILING`: every delivery failed for five days. */
export type WebhookDisabledReason = (typeof DISABLED_REASONS)[number];

/** `PENDING`: to be sent, or to be tried again. `FAILED`: given up. */
export type WebhookDeliveryState = (typeof DELIVERY_STATES)[number];

/** Where change events are delivered to. */
export class WebhookEndpoint {
  /** @format uuid */
  id: string;

  /** @example https://partner.example.com/startline */
  url: string;

  /** The types of events that it gets. */
  types: ChangeEventType[];

  /**
   * It gets events of these event occurrences only, and none that belong to no occurrence; null: of all.
   * @example null
   */
  eventOccurrenceIds: string[] | null;

  /**
   * What people should know of it.
   * @example Start lists of our charity runners
   */
  description: string | null;

  /** Whether it gets deliveries. */
  enabled: boolean;

  /** Why it is disabled; null while it is enabled. */
  disabledReason: WebhookDisabledReason | null;

  /** @format date-time */
  disabledAt: string | null;

  /**
   * The first failed delivery since the last success; null while deliveries succeed.
   * @format date-time
   */
  failingSince: string | null;

  /** @format date-time */
  createdAt: string;

  /** @format date-time */
  updatedAt: string;
}

/** A webhook endpoint with its secret, which is shown this once. */
export class WebhookEndpointWithSecret extends WebhookEndpoint {
  /**
   * Verifies deliveries. It can't be read again.
   * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD0/xFTTo1kO8=
   */
  secret: string;
}

class WebhookEndpointFields {
  /**
   * It gets events of these event occurrences only, and none that belong to no occurrence. Null or absent: of all.
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
   * What people should know of it.
   * @maxLength 1000
   * @example Start lists of our charity runners
   */
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  description?: string | null;

  /** A disabled endpoint gets nothing. */
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
   * The types of events that it gets.
   * @example ["participant.created", "participant.updated"]
   */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(CHANGE_EVENT_TYPE_NAMES, { each: true })
  types: ChangeEventType[];
}

/** What is absent stays as it is. */
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
   * The types of events that it gets.
   * @example ["participant.created", "participant.updated"]
   */
  @IfGiven()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(CHANGE_EVENT_TYPE_NAMES, { each: true })
  types?: ChangeEventType[];
}

/** What was done, where there is nothing else to answer. */
export class WebhookDone {
  /**
   * Always true.
   * @example true
   */
  success: boolean;
}

/** The delivery that was added. */
export class WebhookPing {
  /** @format uuid */
  deliveryId: string;
}

/** One try to deliver. */
export class WebhookAttempt {
  /** @format date-time */
  attemptedAt: string;

  /**
   * How long it took.
   * @integer
   * @example 84
   */
  durationMs: number;

  /**
   * The response's status; null where there was no response.
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

/** One event for one webhook endpoint. */
export class WebhookDelivery {
  /** @format uuid */
  id: string;

  /** @format uuid */
  endpointId: string;

  /**
   * The change event, whose id is sent as `webhook-id`.
   * @format uuid
   */
  eventId: string;

  type: ChangeEventType;

  state: WebhookDeliveryState;

  /** @format date-time */
  createdAt: string;

  /**
   * When it is tried next; null where it is over.
   * @format date-time
   */
  nextAttemptAt: string | null;

  /** Oldest first. */
  attempts: WebhookAttempt[];
}

/** Which failed deliveries to send again. */
export class WebhookRetry {
  /**
   * Those created at this moment or later.
   * @format date-time
   */
  @IsISO8601({ strict: true })
  since: string;

  /**
   * Those of one endpoint only.
   * @format uuid
   */
  @IfGiven()
  @IsUUID('all')
  endpointId?: string;
}

/** How many deliveries are sent again. */
export class WebhookRetried {
  /**
   * How many there were.
   * @integer
   * @example 12
   */
  deliveries: number;
}
