import type { RateKey, RateStore } from './rate-store';

export interface Allowance {
  /** A use is refused once the uses before it have reached the limit. */
  limit: number;
  windowMs: number;
  /** How many uses a process may count before it asks the shared store; 0 is exact. */
  credit: number;
}

/** The result for a request. */
export interface Use {
  /** The known uses of the window, including this one; more than the limit if it is refused. */
  used: number;
  refused: boolean;
  /** False if it is refused without a query. */
  counted: boolean;
  resetMs: number;
}

interface Batch {
  size: number;
  /** The uses of the window before this batch. */
  before: Promise<number>;
}

const RETRY_MS = 1_000;
/** How long a used up window refuses without a query: other processes may take uses back. */
const REFUSING_MS = 60_000;

/**
 * Counts the uses of an operation by a key, in this process.
 *
 * Without credit, the shared store decides about every use: a limit of 60 permits exactly 60 uses over all processes.
 * Uses that arrive while a query is pending are sent together, so that many requests of one key use at most one
 * connection. Once the window is used up, requests are refused without a query for a minute, or until it ends.
 *
 * With credit, uses are counted here and sent to the store in the background, before the credit is used up. Each process
 * may then exceed the limit by at most its credit. If the store is unavailable, each process counts separately.
 */
export class RateCounter {
  private used = 0;
  /** Counted here, and not yet sent to the store. */
  private ahead = 0;
  /** Sent to the store, without a response yet. */
  private asked = 0;
  private endsAt = 0;
  private opened = 0;
  private retryAt = 0;
  private answeredAt = 0;
  private gathering: Batch | undefined;
  private underWay: Promise<unknown> | undefined;

  constructor(
    private readonly store: RateStore,
    private readonly key: RateKey,
    private readonly allowance: Allowance,
  ) {}

  /**
   * @param weight how many uses the request counts as; negative to take uses back
   * @throws the error of the store, if there is no credit left
   */
  async use(weight = 1): Promise<Use> {
    const { limit, credit } = this.allowance;
    const now = performance.now();
    if (now >= this.endsAt) this.open(now);
    const isUsedUp = this.used + this.ahead >= limit;
    if (isUsedUp && weight >= 0 && now < this.answeredAt + REFUSING_MS) return this.refusal();
    const within = this.used + this.ahead + this.asked < limit;
    if (within && (this.ahead < credit || now < this.retryAt)) {
      this.ahead += weight;
      if (this.ahead * 2 >= credit && now >= this.retryAt) this.settle();
      return this.useOf(this.used + this.ahead, weight);
    }
    const batch = this.gather();
    batch.size += weight;
    const place = batch.size;
    this.asked += weight;
    try {
      return this.useOf((await batch.before) + place, weight);
    } catch (error) {
      if (credit === 0) throw error;
      this.ahead += weight;
      return this.useOf(this.used + this.ahead, weight);
    } finally {
      this.asked -= weight;
    }
  }

  /** Counts nothing. Undefined if no window is open. */
  standing(): Pick<Use, 'used' | 'resetMs'> | undefined {
    const resetMs = this.endsAt - performance.now();
    return resetMs > 0 ? { used: this.used + this.ahead, resetMs } : undefined;
  }

  private settle(): void {
    this.gather().before.catch(() => {});
  }

  private gather(): Batch {
    if (!this.gathering) {
      const batch = { size: 0 } as Batch;
      batch.before = this.ask(batch);
      this.gathering = batch;
    }
    return this.gathering;
  }

  private async ask(batch: Batch): Promise<number> {
    // One query at a time; uses that arrive meanwhile are sent with the next one.
    await this.underWay?.catch(() => {});
    this.gathering = undefined;
    const { opened, ahead, allowance } = this;
    const answer = this.store.add(this.key, ahead + batch.size, allowance.windowMs);
    this.underWay = answer;
    try {
      const { used, endsInMs } = await answer;
      // Uses of a window that has ended meanwhile are dropped.
      if (opened === this.opened) {
        this.used = used;
        this.answeredAt = performance.now();
        this.ahead -= ahead;
        this.endsAt = performance.now() + endsInMs;
      }
      return used - batch.size;
    } catch (error) {
      if (allowance.credit > 0) this.retryAt = performance.now() + RETRY_MS;
      throw error;
    }
  }

  private open(now: number): void {
    this.used = 0;
    this.ahead = 0;
    this.opened++;
    this.endsAt = now + this.allowance.windowMs;
  }

  private refusal(): Use {
    const resetMs = this.endsAt - performance.now();
    return { used: this.allowance.limit + 1, refused: true, counted: false, resetMs };
  }

  private useOf(used: number, weight: number): Use {
    const refused = weight >= 0 && used - weight >= this.allowance.limit;
    return { used, refused, counted: true, resetMs: this.endsAt - performance.now() };
  }
}
