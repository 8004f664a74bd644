import type { DueDelivery, Lease, Outbox, Outcome } from './outbox';
import { nextAttemptMs } from './retries';
import { placeOf, type SecretBox, signingKeyOf } from './secrets';
import type { Sender } from './sender';

export interface RunRules {
  /** Concurrent requests to the endpoint. */
  connections: number;
  /** Longer than an attempt; after it, another run can take over. */
  leaseMs: number;
  disableHours: number;
  retrySeconds: readonly number[];
  /** The longest run, so that other endpoints get their turn. */
  sliceMs: number;
}

/** The batch size for fetching deliveries and writing outcomes. */
const BATCH = 500;
/** The longest delay of writing an outcome: if the worker dies, unwritten deliveries are sent again. */
const WRITE_EVERY_MS = 500;
/** After this many consecutive failures, only one delivery at a time is attempted. */
const SUSPICIOUS = 5;

export interface RunResult {
  /** Whether the time ended before all deliveries were sent. */
  more: boolean;
  /** The shortest wait until a retry of a delivery of this run. */
  retryMs: number | undefined;
}

/**
 * Sends the due deliveries of an endpoint. Outcomes are written in batches while other requests are in progress. If the
 * process is killed, unwritten deliveries are still due, and another run sends them again.
 */
export class DeliveryRun {
  private readonly keys: Buffer[];
  /** Ids of fetched deliveries whose outcome is not written yet. */
  private readonly atHand = new Set<string>();
  private readonly waiting: DueDelivery[] = [];
  private underWay = 0;
  private done: Outcome[] = [];
  private fetching = false;
  private isExhausted = false;
  private writing: Promise<void> = Promise.resolve();
  private failure: unknown;
  /** Resumes the run when something that it waits for has happened. */
  private wake = () => {};
  private stopped = false;
  private retryMs: number | undefined;
  private readonly endsAt: number;
  private writtenAt = performance.now();

  /** @param told receives each outcome after it is written */
  constructor(
    private readonly outbox: Outbox,
    private readonly sender: Pick<Sender, 'send'>,
    box: SecretBox,
    private readonly lease: Lease,
    private readonly rules: RunRules,
    private readonly told: (outcomes: readonly Outcome[]) => void = () => {},
  ) {
    const place = placeOf(lease.organizationId, lease.endpointId);
    const secrets = [lease.secret, ...(lease.previousSecret ? [lease.previousSecret] : [])];
    this.keys = secrets.map((sealed) => signingKeyOf(box.open(sealed, place)));
    this.endsAt = performance.now() + rules.sliceMs;
  }

  /** Finishes requests in progress and starts no new ones. */
  stop(): void {
    this.stopped = true;
  }

  async toTheEnd(): Promise<RunResult> {
    const suspicious = this.lease.failuresInRow >= SUSPICIOUS;
    const connections = suspicious ? 1 : this.rules.connections;
    const isOver = () =>
      this.stopped ||
      this.failure !== undefined ||
      performance.now() > this.endsAt ||
      // Another failure: the endpoint is still failing, so the run ends and the sweeper tries again.
      (suspicious && this.done.some(({ delivered }) => !delivered));
    while (!isOver()) {
      if (!this.isExhausted && this.waiting.length < connections)
        this.fetch(suspicious ? 1 : this.lease.apiKeyId ? connections : BATCH);
      while (this.underWay < connections && this.waiting.length > 0)
        this.begin(this.waiting.shift() as DueDelivery);
      if (this.isExhausted && this.underWay === 0) break;
      await this.somethingHappens();
    }
    while (this.underWay > 0 || this.fetching) await this.somethingHappens();
    await this.write();
    if (this.failure !== undefined) throw this.failure;
    const more = this.waiting.length > 0 || !this.isExhausted;
    return { more: more && !suspicious && !this.stopped, retryMs: this.retryMs };
  }

  /** Fetches while requests are in progress, so that none waits for it. */
  private fetch(most: number): void {
    if (this.fetching) return;
    this.fetching = true;
    this.outbox
      .due(this.lease, [...this.atHand], most)
      .then((due) => {
        for (const { id } of due) this.atHand.add(id);
        this.waiting.push(...due);
        this.isExhausted = due.length === 0;
      })
      .catch((error) => {
        this.failure = error;
      })
      .finally(() => {
        this.fetching = false;
        this.wake();
      });
  }

  private begin(delivery: DueDelivery): void {
    const { url, test } = this.lease;
    const message = { url, test, id: delivery.eventId, body: delivery.body, keys: this.keys };
    this.underWay += 1;
    void this.sender.send(message).then((attempt) => {
      this.underWay -= 1;
      const { status } = attempt;
      const delivered = status !== null && status >= 200 && status < 300;
      const retryMs = delivered
        ? undefined
        : nextAttemptMs(this.rules.retrySeconds, delivery.failures + 1, attempt.retryAfterMs);
      if (retryMs !== undefined) this.retryMs = Math.min(this.retryMs ?? retryMs, retryMs);
      this.done.push({ delivery, attempt, delivered, retryMs });
      this.wake();
    });
  }

  private somethingHappens(): Promise<void> {
    const isLate = performance.now() - this.writtenAt > WRITE_EVERY_MS;
    if (this.done.length >= BATCH || (this.done.length > 0 && isLate)) void this.write();
    return new Promise((resolve) => {
      const timer = this.done.length > 0 ? setTimeout(resolve, WRITE_EVERY_MS) : undefined;
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Writes the outcomes so far. Only one write at a time, to keep their order. */
  private write(): Promise<void> {
    this.writtenAt = performance.now();
    this.writing = this.writing.then(async () => {
      const outcomes = this.done.splice(0);
      if (outcomes.length === 0) return;
      try {
        const { mine } = await this.outbox.record(this.lease, outcomes, this.rules);
        for (const { delivery } of outcomes) this.atHand.delete(delivery.id);
        this.told(outcomes);
        if (!mine) this.stop();
      } catch (error) {
        this.failure = error;
      }
    });
    return this.writing;
  }
}
