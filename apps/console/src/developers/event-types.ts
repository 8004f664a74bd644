import type { ChangeEventType } from '../api';

/** The event types of a subscription. `webhook_endpoint.ping` is sent to every endpoint that is pinged. */
export const EVENT_TYPES = [
  'participant.created',
  'participant.updated',
  'participant.race_day_updated',
  'participant.cancelled',
  'participant.redacted',
  'application.created',
  'application.updated',
  'application.decided',
  'application.cancelled',
  'application.redacted',
  'booking.created',
  'booking.updated',
  'booking.cancelled',
  'import.finished',
  'event_occurrence.created',
  'event_occurrence.updated',
  'partner.created',
  'partner.updated',
  'key.revoked',
  'webhook_endpoint.disabled',
] as const satisfies readonly ChangeEventType[];
