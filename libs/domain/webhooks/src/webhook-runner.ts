import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';
import { Activity, type JobHandler, JobProducer } from '#platform/queues';
import { FairQueue, NEVER_GIVES_UP } from '#platform/scheduling';
import { DeliveryRun } from './delivery-run';
import { type EndpointKey, Outbox, type Outcome } from './outbox';
import { SecretBox } from './secrets';
import { type Message, Sender } from './sender';
import { WebhookMetrics } from './webhook-metrics';

/** A lease is longer than an attempt and the write of its outcome. */
const LEASE_BEYOND_MS = 5_000;
const SLICE_MS = 10_000;
/** Concurrent requests to an endpoint. */
const CONNECTIONS = 10;
/** An endpoint is disabled after all its deliveries have failed for this long, as its owner is told (docs/webhooks.md). */
const DISABLE_HOURS = 120;
/** Requests that start in a turn of the event loop, so that turns are short however many receivers respond at once. */
const STARTS = 32;

/**
 * Sends the due deliveries of an endpoint. Only one worker at a time delivers to an endpoint. Organizations share the slots of a
 * worker: endpoints of one with many backlogs wait, and a retry of another does not.
 */
@Injectable()
export class WebhookRunner implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger('webhooks');
  private readonly sender: Sender;
  private readonly box: SecretBox | undefined;
  private readonly slots: FairQueue;
  /** Endpoints whose jobs wait for a slot. */
  private readonly waiting = new Set<string>();
  private readonly runs = new Set<DeliveryRun>();
  /** Deliveries without a job, which the queue does not wait for. */
  private readonly own = new Set<Promise<void>>();
  private readonly starts = new FairQueue({ slots: STARTS, ...NEVER_GIVES_UP });
  private isStopping = false;

  constructor(
    private readonly outbox: Outbox,
    private readonly producer: JobProducer,
    private readonly metrics: WebhookMetrics,
    private readonly activity: Activity,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    const { WEBHOOK_SECRETS_KEY: keys, WEBHOOK_TIMEOUT_MS, WEBHOOK_ALLOWED_NETWORKS } = settings;
    this.box = keys && new SecretBox(keys);
    this.slots = new FairQueue({ slots: settings.WEBHOOK_CONCURRENCY, ...NEVER_GIVES_UP });
    this.sender = new Sender({ timeoutMs: WEBHOOK_TIMEOUT_MS, allowedNetworks: WEBHOOK_ALLOWED_NETWORKS });
  }

  readonly deliver: JobHandler<'webhooks'> = async (endpoint, begin) => {
    // The waiting job will find the rows of this one. Without `begin`, sweeps do not add another until deduplication expires.
    if (this.waiting.has(endpoint.endpointId)) return;
    this.waiting.add(endpoint.endpointId);
    await this.slots.run(endpoint.organizationId, async () => {
      this.waiting.delete(endpoint.endpointId);
      await begin();
      if (!this.isStopping) await this.run(endpoint);
    });
  };

  /** Delivers without a job, so that an endpoint does not wait for jobs of others. If it fails, a sweep finds the endpoint. */
  deliverNow(endpoint: EndpointKey): void {
    let over = () => {};
    const begin = async () => {
      over = this.activity.begin('webhooks', endpoint.organizationId);
    };
    const delivered = this.deliver(endpoint, begin)
      .catch(({ message }: Error) => this.logger.warn({ endpointId: endpoint.endpointId, message }))
      .finally(() => {
        over();
        this.own.delete(delivered);
      });
    this.own.add(delivered);
  }

  /** Stops runs before the queue waits for its jobs. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    for (const run of this.runs) run.stop();
    await Promise.all(this.own);
  }

  onApplicationShutdown(): Promise<void> {
    return this.sender.close();
  }

  private async run(endpoint: EndpointKey): Promise<void> {
    const leaseMs = 2 * this.settings.WEBHOOK_TIMEOUT_MS + LEASE_BEYOND_MS;
    if (!this.box) return;
    const lease = await this.outbox.lease(endpoint, leaseMs);
    if (!lease) return;
    const rules = {
      connections: CONNECTIONS,
      leaseMs,
      disableHours: DISABLE_HOURS,
      retrySeconds: this.settings.WEBHOOK_RETRY_SECONDS,
      sliceMs: SLICE_MS,
    };
    const send = async (message: Message) => {
      await this.starts.run(endpoint.organizationId, () => nextTurn());
      return this.sender.send(message);
    };
    const told = (outcomes: readonly Outcome[]) => this.count(outcomes);
    const run = new DeliveryRun(this.outbox, { send }, this.box, lease, rules, told);
    this.runs.add(run);
    const result = await run.toTheEnd().finally(() => this.runs.delete(run));
    await this.outbox.release(lease);
    if (result.more) this.producer.enqueue('webhooks', endpoint);
    if (result.retryMs !== undefined) this.later(endpoint, result.retryMs);
  }

  private later({ organizationId, endpointId }: EndpointKey, delayMs: number): void {
    this.producer.enqueueLater('webhooks', { organizationId, endpointId }, delayMs);
  }

  private count(outcomes: readonly Outcome[]): void {
    this.activity.did('webhooks', outcomes.length);
    for (const { attempt, delivered, retryMs } of outcomes) {
      const outcome = delivered ? 'delivered' : retryMs === undefined ? 'given_up' : 'failed';
      this.metrics.attempts.inc({ outcome });
      this.metrics.seconds.observe(attempt.durationMs / 1_000);
    }
    const lost = outcomes.filter(({ delivered, retryMs }) => !delivered && retryMs === undefined);
    for (const { delivery, attempt } of lost) {
      const { status, error } = attempt;
      this.logger.warn({ msg: 'webhook delivery given up', deliveryId: delivery.id, status, error });
    }
  }
}
