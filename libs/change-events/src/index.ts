/**
 * Change events: what changed in an organization, as ids. Triggers write them in the transaction of the change, so an
 * event exists if and only if its change committed. `GET /v0/change-events` lists them, webhooks deliver them.
 *
 *   await feeds.switchOn(organizationId);              // from here on nothing goes unannounced
 *   body: CHANGE_EVENT_BODY                            // SQL for the bytes of event `t`, the same wherever it is sent
 */
export { ChangeEvent, ChangeEventData, type ChangeEventType } from './change-event.dto';
export { ChangeFeeds, FeedNotReady } from './change-feeds';
export { FORGET_CHANGE_EVENTS } from './forget';
export { CHANGE_EVENT_TYPE_NAMES, CHANGE_EVENT_TYPES, type ChangeEventTypeName } from './types';

/** The body of event `t` as JSON text. */
export const CHANGE_EVENT_BODY = 'change_event_body(t.id, t.type, t.occurred_at, t.data)';
