import type { ChangeEventType } from '../api';

/** The event types of a subscription, in this order; a missing one is a type error. Pings are sent on request. */
const SUBSCRIBED: Record<Exclude<ChangeEventType, 'webhook_endpoint.ping'>, true> = {
  'participant.created': true,
  'participant.updated': true,
  'participant.race_day_updated': true,
  'participant.cancelled': true,
  'participant.redacted': true,
  'application.created': true,
  'application.updated': true,
  'application.decided': true,
  'application.cancelled': true,
  'application.redacted': true,
  'booking.created': true,
  'booking.updated': true,
  'booking.cancelled': true,
  'import.finished': true,
  'import.needs_attention': true,
  'event_occurrence.created': true,
  'event_occurrence.updated': true,
  'partner.created': true,
  'partner.updated': true,
  'key.revoked': true,
  'webhook_endpoint.disabled': true,
};
export const EVENT_TYPES = Object.keys(SUBSCRIBED) as (keyof typeof SUBSCRIBED)[];
