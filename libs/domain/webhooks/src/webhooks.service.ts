import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor, Caller } from '#platform/access';
import { SETTINGS, type Settings } from '#platform/config';
import { Database, statement } from '#platform/database';
import { isLimited, type JsonText, Reads, type Resource } from '#platform/queries';
import { ApiError, errors, instantOf, problem } from '#platform/validation';
import { ChangeFeeds } from './change-events/change-feeds';
import { mayReceive, requiredFor } from './change-events/event-permissions';
import { retryDelivery, retryFailed } from './deliveries';
import { rotateSecret } from './endpoint-secrets';
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointRules,
  pingEndpoint,
  updateEndpoint,
  WebhookRefused,
} from './endpoints';
import { placeOf, SecretBox } from './secrets';
import type {
  WebhookDone,
  WebhookEndpointCreate,
  WebhookEndpointUpdate,
  WebhookPing,
  WebhookRetried,
  WebhookRetry,
} from './webhooks.dto';
import { webhookErrors } from './webhooks.errors';
import { WEBHOOK_DELIVERY, WEBHOOK_ENDPOINT } from './webhooks.resource';

const SECRET = statement({
  parameters: ['uuid', 'uuid'],
  columns: { secret: 'text' },
  sql: 'SELECT secret FROM webhook_endpoints WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL',
});

/** The response to a test event. */
export const pingOf = (deliveryId: string): WebhookPing => ({
  deliveryId,
  deliveryUrl: `/v0/webhook-deliveries/${deliveryId}`,
});

@Injectable()
export class WebhooksService {
  private readonly box: SecretBox | undefined;
  private readonly rules: EndpointRules;
  private readonly mostPending: number;

  constructor(
    private readonly database: Database,
    private readonly feeds: ChangeFeeds,
    private readonly reads: Reads,
    @Inject(SETTINGS) settings: Settings,
  ) {
    const {
      WEBHOOK_SECRETS_KEY: keys,
      WEBHOOK_ALLOW_HTTP,
      WEBHOOK_ALLOWED_NETWORKS,
      WEBHOOK_ENDPOINTS_LIMIT,
    } = settings;
    this.box = keys && new SecretBox(keys);
    this.mostPending = settings.WEBHOOK_BACKLOG_LIMIT;
    this.rules = {
      allowHttp: WEBHOOK_ALLOW_HTTP,
      allowedNetworks: WEBHOOK_ALLOWED_NETWORKS,
      most: WEBHOOK_ENDPOINTS_LIMIT,
    };
  }

  /** @throws ApiError 400 if the endpoint is invalid, 503 if webhooks are not configured */
  async create(caller: Caller, by: Actor, fields: WebhookEndpointCreate): Promise<unknown> {
    const { organizationId } = caller;
    requireReadable(caller, fields);
    const box = this.secrets();
    await this.feeds.switchOn(organizationId);
    const { id, secret } = await this.changing(organizationId, (manager) =>
      createEndpoint(
        manager,
        box,
        this.rules,
        { organizationId, ...fields, ...(caller.kind !== 'STAFF' && { apiKeyId: caller.keyId }) },
        by,
      ),
    );
    return this.withSecret(caller, id, secret);
  }

  /** @throws ApiError 404; 400 if the change is invalid */
  async update(caller: Caller, by: Actor, id: string, fields: WebhookEndpointUpdate): Promise<JsonText> {
    const { organizationId } = caller;
    await this.requireOwn(WEBHOOK_ENDPOINT, caller, id);
    requireReadable(caller, fields);
    const found = await this.changing(organizationId, (manager) =>
      updateEndpoint(manager, this.rules, { organizationId, id }, fields, by),
    );
    if (!found) throw errors.notFound();
    return this.reads.one(WEBHOOK_ENDPOINT, caller, id);
  }

  /** @throws ApiError 404 */
  async delete(caller: Caller, by: Actor, id: string): Promise<WebhookDone> {
    const { organizationId } = caller;
    await this.requireOwn(WEBHOOK_ENDPOINT, caller, id);
    const found = await this.changing(organizationId, (manager) =>
      deleteEndpoint(manager, { organizationId, id }, by),
    );
    if (!found) throw errors.notFound();
    return { success: true };
  }

  /** @throws ApiError 404, 503 if webhooks are not configured */
  async rotate(caller: Caller, by: Actor, id: string): Promise<unknown> {
    const { organizationId } = caller;
    await this.requireOwn(WEBHOOK_ENDPOINT, caller, id);
    const box = this.secrets();
    const secret = await this.changing(organizationId, (manager) =>
      rotateSecret(manager, box, { organizationId, id }, by),
    );
    if (!secret) throw errors.notFound();
    return this.withSecret(caller, id, secret);
  }

  /** @throws ApiError 404; 400 if the endpoint is disabled or has too many pending deliveries */
  async ping(caller: Caller, id: string): Promise<WebhookPing> {
    const { organizationId } = caller;
    await this.requireOwn(WEBHOOK_ENDPOINT, caller, id);
    const deliveryId = await this.changing(organizationId, (manager) =>
      pingEndpoint(manager, { organizationId, id }, this.mostPending),
    );
    if (!deliveryId) throw errors.notFound();
    return pingOf(deliveryId);
  }

  /** @throws ApiError 404 if the delivery does not exist, or its event was deleted; 400 if its endpoint was */
  async retry(caller: Caller, id: string): Promise<JsonText> {
    const { organizationId } = caller;
    await this.requireOwn(WEBHOOK_DELIVERY, caller, id);
    const found = await this.changing(organizationId, (manager) =>
      retryDelivery(manager, { organizationId, id }),
    );
    if (!found) throw errors.notFound();
    return this.reads.one(WEBHOOK_DELIVERY, caller, id);
  }

  async retryFailed(
    { organizationId, permissions, keyId }: Caller,
    { since, endpointId }: WebhookRetry,
  ): Promise<WebhookRetried> {
    const moment = instantOf(since);
    if (!moment)
      throw webhookErrors.refused('since must be an ISO 8601 date-time such as 2026-05-04T09:30:00Z');
    const database = this.database.of(organizationId);
    const asked = { organizationId, since: moment, endpointId, apiKeyId: permissions ? keyId : null };
    const only = endpointId ? `&endpointId=${endpointId}` : '';
    return {
      deliveries: await retryFailed((batch) => database.transaction(batch), asked),
      deliveriesUrl: `/v0/webhook-deliveries?state=PENDING${only}`,
    };
  }

  /** @throws ApiError 404 if the caller does not see it */
  private async requireOwn(resource: Resource, caller: Caller, id: string): Promise<void> {
    if (isLimited(resource, caller)) await this.reads.one(resource, caller, id);
  }

  private secrets(): SecretBox {
    if (!this.box) throw webhookErrors.notSetUp();
    return this.box;
  }

  private async changing<T>(
    organizationId: string,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return this.database
      .of(organizationId)
      .transaction(work)
      .catch((error) => {
        if (!(error instanceof WebhookRefused)) throw error;
        const { path, rule } = error;
        throw path ? errors.invalidBody([problem(path, 'INVALID_VALUE', rule)]) : webhookErrors.refused(rule);
      });
  }

  /** As `create` and `rotate` answered. @throws ApiError 404, 503 if webhooks are not configured */
  async withStoredSecret(caller: Caller, id: string): Promise<unknown> {
    const { organizationId } = caller;
    const sealed = await SECRET.first(this.database.of(organizationId), [organizationId, id]);
    if (!sealed) throw errors.notFound();
    return this.withSecret(caller, id, this.secrets().open(sealed.secret, placeOf(organizationId, id)));
  }

  private async withSecret(caller: Caller, id: string, secret: string): Promise<unknown> {
    const endpoint = await this.reads.one(WEBHOOK_ENDPOINT, caller, id);
    return { ...JSON.parse(endpoint.pieces.join('')), secret };
  }
}

/** @throws ApiError 403 for types of events that the key can't read */
function requireReadable(
  { permissions }: Caller,
  { types = [] }: Pick<WebhookEndpointUpdate, 'types'>,
): void {
  const hidden = permissions && types.find((type) => !mayReceive(permissions, type));
  if (hidden)
    throw new ApiError(403, `This key cannot receive ${hidden}, which requires ${requiredFor(hidden)}.`);
}
