/**
 * Webhooks: change events that are sent to endpoints of partners. Deliveries and attempts are rows; a job of the
 * queue `webhooks` only contains the id of an endpoint with due deliveries. See docs/webhooks.md and decisions 37 and
 * 38.
 *
 * await fanOut.run((organizationId, endpointId) => producer.enqueue('webhooks', { organizationId, endpointId }));
 * const lease = await outbox.lease({ organizationId, endpointId }, leaseMs);
 * if (lease) await new DeliveryRun(outbox, sender, box, lease, rules).toTheEnd();
 */
export type { Network } from './addresses';
export { FORGET_DELIVERIES, retryDelivery, retryFailed } from './deliveries';
export { DeliveryRun, type RunRules } from './delivery-run';
export { reencryptSecrets, rotateSecret } from './endpoint-secrets';
export {
  createEndpoint,
  deleteEndpoint,
  type EndpointFields,
  type EndpointRules,
  pingEndpoint,
  updateEndpoint,
  WebhookRefused,
} from './endpoints';
export { FanOut } from './fan-out';
export { type EndpointKey, Outbox, type Outcome } from './outbox';
export { SecretBox, type SecretsKey, signatureOf } from './secrets';
export { Sender } from './sender';
export { WebhookMetrics } from './webhook-metrics';
export { WebhookRunner } from './webhook-runner';
export { WebhookSweeper } from './webhook-sweeper';
export * from './webhooks.dto';
export {
  WEBHOOK_DELIVERIES,
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
  WEBHOOK_ENDPOINTS,
} from './webhooks.resource';
export { WebhooksService } from './webhooks.service';
