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
const BATCH = 200;
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
  private readonly underWay = new Set<string>();
  /** Called when a request has ended. */
  private freed = () => {};
  private readonly waiting: DueDelivery[] = [];
  private done: Outcome[] = [];
  private writing: Promise<void> = Promise.resolve();
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
    let more = true;
    let fetched = 0;
    while (!this.stopped) {
      if (performance.now() > this.endsAt) break;
      if (this.waiting.length === 0) {
        await this.write();
        const atHand = [...this.underWay, ...this.done.map(({ delivery }) => delivery.id)];
        const due = this.stopped ? [] : await this.outbox.due(this.lease, atHand, suspicious ? 1 : BATCH);
        this.waiting.push(...due);
        fetched += due.length;
        if (due.length === 0) {
          more = false;
          if (this.underWay.size === 0) break;
          await this.oneEnds();
          continue;
        }
      }
      while (this.underWay.size < connections && this.waiting.length > 0)
        this.begin(this.waiting.shift() as DueDelivery);
      if (this.underWay.size >= connections) await this.oneEnds();
      // One more failure says that nothing has changed: the sweeper tries again.
      if (suspicious && this.done.some(({ delivered }) => !delivered)) {
        more = false;
        break;
      }
      // What fails is told where it is awaited.
      const isLate = this.done.length > 0 && performance.now() - this.writtenAt > WRITE_EVERY_MS;
      if (this.done.length >= BATCH || isLate) this.write().catch(() => {});
    }
    while (this.underWay.size > 0) await this.oneEnds();
    await this.write();
    return { more: more && fetched > 0 && !this.stopped, retryMs: this.retryMs };
  }

  private begin(delivery: DueDelivery): void {
    const { url } = this.lease;
    const message = { url, id: delivery.eventId, body: delivery.body, keys: this.keys };
    this.underWay.add(delivery.id);
    void this.sender.send(message).then((attempt) => {
      this.underWay.delete(delivery.id);
      const { status } = attempt;
      const delivered = status !== null && status >= 200 && status < 300;
      const retryMs = delivered
        ? undefined
        : nextAttemptMs(this.rules.retrySeconds, delivery.failures + 1, attempt.retryAfterMs);
      if (retryMs !== undefined) this.retryMs = Math.min(this.retryMs ?? retryMs, retryMs);
      this.done.push({ delivery, attempt, delivered, retryMs });
      this.freed();
    });
  }

  private oneEnds(): Promise<void> {
    return new Promise((resolve) => {
      this.freed = resolve;
    });
  }

  /** What is done so far. One write at a time, so that no outcome overtakes another. */
  private write(): Promise<void> {
    this.writtenAt = performance.now();
    this.writing = this.writing.then(async () => {
      const outcomes = this.done.splice(0);
      if (outcomes.length === 0) return;
      const { mine } = await this.outbox.record(this.lease, outcomes, this.rules);
      this.told(outcomes);
      if (!mine) this.stop();
    });
    return this.writing;
  }
}
