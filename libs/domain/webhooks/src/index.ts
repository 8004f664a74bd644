/**
 * Change events: what changed in an organization, as ids. Triggers write them in the transaction of the change, so an
 * event exists if and only if its change committed. `GET /v0/change-events` lists them, webhooks deliver them.
 *
 *   await feeds.switchOn(organizationId);              // every later change has an event
 *   lists.page(CHANGE_EVENTS, request)
 *
 * Webhooks: change events that are sent to endpoints of partners. Deliveries and attempts are rows; a job of the
 * queue `webhooks` only contains the id of an endpoint with due deliveries. See docs/webhooks.md and
 * docs/decisions/webhooks.md.
 *
 * await fanOut.run((organizationId, endpointId) => producer.enqueue('webhooks', { organizationId, endpointId }));
 * const lease = await outbox.lease({ organizationId, endpointId }, leaseMs);
 * if (lease) await new DeliveryRun(outbox, sender, box, lease, rules).toTheEnd();
 */

export type { Network } from './addresses';
export { ChangeEvent, type ChangeEventType } from './change-events/change-event.dto';
export { CHANGE_EVENTS } from './change-events/change-events.resource';
export { ChangeFeeds } from './change-events/change-feeds';
export { FORGET_CHANGE_EVENTS } from './change-events/forget';
export { CHANGE_EVENT_TYPE_NAMES, CHANGE_EVENT_TYPES, type ChangeEventTypeName } from './change-events/types';
export {
  DELETED_ENDPOINTS,
  FORGET_DELIVERIES,
  FORGET_ENDPOINT,
  retryDelivery,
  retryFailed,
} from './deliveries';
export { reencryptSecrets, rotateSecret } from './endpoint-secrets';
export { createEndpoint, deleteEndpoint, pingEndpoint, updateEndpoint, WebhookRefused } from './endpoints';
export { FanOut } from './fan-out';
export { Outbox, type Outcome } from './outbox';
export { SecretBox, signatureOf } from './secrets';
export { Sender } from './sender';
export { WebhookMetrics } from './webhook-metrics';
export { WebhookRunner } from './webhook-runner';
export * from './webhooks.dto';
export { WebhooksDomainModule } from './webhooks.module';
export {
  WEBHOOK_DELIVERIES,
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
  WEBHOOK_ENDPOINTS,
} from './webhooks.resource';
export { pingOf, WebhooksService } from './webhooks.service';
