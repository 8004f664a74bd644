import type { DueDelivery, Lease, Outbox, Outcome } from './outbox';
import { nextAttemptMs } from './retries';
import { placeOf, type SecretBox, signingKeyOf } from './secrets';
import type { Sender } from './sender';

export interface RunRules {
  /** Requests to the endpoint at once. */
  connections: number;
  /** Longer than an attempt takes: after that another run takes over. */
  leaseMs: number;
  disableHours: number;
  retrySeconds: readonly number[];
  /** A run that takes longer makes room for other endpoints. */
  sliceMs: number;
}

/** Deliveries that are fetched, and outcomes that are written, at a time. */
const BATCH = 500;
/** Outcomes wait no longer than that: what is not written is sent again if the worker dies. */
const WRITE_EVERY_MS = 500;
/** An endpoint that failed so often in a row is tried with one delivery at a time. */
const SUSPICIOUS = 5;

export interface RunResult {
  /** Whether the time was up before the deliveries were. */
  more: boolean;
  /** The shortest wait before a delivery of this run is to be tried again. */
  retryMs: number | undefined;
}

/**
 * Delivers what is due for one endpoint. Outcomes are written in batches while other requests are under way; killed
 * anywhere, it leaves deliveries that are still due, and which another run sends again.
 */
export class DeliveryRun {
  private readonly keys: Buffer[];
  /** Ids of deliveries that were fetched, and whose outcome is not written yet. */
  private readonly atHand = new Set<string>();
  private readonly waiting: DueDelivery[] = [];
  private underWay = 0;
  private done: Outcome[] = [];
  private fetching = false;
  private isExhausted = false;
  private writing: Promise<void> = Promise.resolve();
  private failure: unknown;
  /** Called when something has happened that the run waits for. */
  private wake = () => {};
  private stopped = false;
  private retryMs: number | undefined;
  private readonly endsAt: number;
  private writtenAt = performance.now();

  /** @param told is told each outcome once it is written */
  constructor(
    private readonly outbox: Outbox,
    private readonly sender: Sender,
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

  /** Lets what is under way end, and begins nothing. */
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
      // One more failure says that nothing has changed: the sweeper tries again.
      (suspicious && this.done.some(({ delivered }) => !delivered));
    while (!isOver()) {
      if (!this.isExhausted && this.waiting.length < connections) this.fetch(suspicious ? 1 : BATCH);
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

  /** While requests are under way, so that none waits for it. */
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
    const { url } = this.lease;
    const message = { url, id: delivery.eventId, body: delivery.body, keys: this.keys };
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

  /** What is done so far. One write at a time, so that no outcome overtakes another. */
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
