/**
 * Change events: what changed in an organization, as ids. Triggers write them in the transaction of the change, so an
 * event exists if and only if its change committed. `GET /v0/change-events` lists them, webhooks deliver them.
 *
 *   await feeds.switchOn(organizationId);              // every later change has an event
 *   lists.page(CHANGE_EVENTS, request)
 */
export { ChangeEvent, ChangeEventData, type ChangeEventType } from './change-event.dto';
export { CHANGE_EVENTS } from './change-events.resource';
export { ChangeFeeds } from './change-feeds';
export { FORGET_CHANGE_EVENTS } from './forget';
export { CHANGE_EVENT_TYPE_NAMES, CHANGE_EVENT_TYPES, type ChangeEventTypeName } from './types';
