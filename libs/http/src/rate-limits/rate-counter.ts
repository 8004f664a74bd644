import type { RateStore } from './rate-store';

export interface Allowance {
  limit: number;
  windowMs: number;
  /** How many uses a process may count before it tells the shared store: 0 is exact. */
  credit: number;
}

/** What one request was told. */
export interface Use {
  /** Uses of the window up to and including this one, as far as is known here. */
  used: number;
  refused: boolean;
  resetMs: number;
}

interface Batch {
  size: number;
  /** Uses that the window had before this batch's. */
  before: Promise<number>;
}

const RETRY_MS = 1_000;

/**
 * One key's use of one operation, in this process.
 *
 * Without credit every use is asked of the shared store, and the store's order decides: a limit of 60 lets
 * exactly 60 through, over all processes. Uses that come while an answer is awaited are asked for together, so
 * a flood of one key holds one connection at most; and once the window is known to be used up, refusals ask
 * nobody until it ends.
 *
 * With credit, uses are counted here and settled with the store before the credit is used up, while nobody
 * waits. Each process may then let through at most its credit more than the limit; and if the store is away,
 * each process counts on its own.
 */
export class RateCounter {
  private used = 0;
  /** Counted here, and not yet asked of the store. */
  private ahead = 0;
  /** In questions whose answer is awaited. */
  private asked = 0;
  private endsAt = 0;
  private opened = 0;
  private retryAt = 0;
  private gathering: Batch | undefined;
  private underWay: Promise<unknown> | undefined;

  constructor(
    private readonly store: RateStore,
    private readonly keyId: string,
    private readonly operation: string,
    private readonly allowance: Allowance,
  ) {}

  /** @throws what the store throws, where there is no credit to go on with */
  async use(): Promise<Use> {
    const { limit, credit } = this.allowance;
    const now = performance.now();
    if (now >= this.endsAt) this.open(now);
    if (this.used + this.ahead >= limit) return this.refusal();
    const within = this.used + this.ahead + this.asked < limit;
    if (within && (this.ahead < credit || now < this.retryAt)) {
      this.ahead++;
      if (this.ahead * 2 >= credit && now >= this.retryAt) this.settle();
      return this.useOf(this.used + this.ahead);
    }
    const batch = this.gather();
    const place = ++batch.size;
    this.asked++;
    try {
      return this.useOf((await batch.before) + place);
    } catch (error) {
      if (credit === 0) throw error;
      return this.useOf(this.used + ++this.ahead);
    } finally {
      this.asked--;
    }
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
    // One question at a time; what comes meanwhile goes with the next.
    await this.underWay?.catch(() => {});
    this.gathering = undefined;
    const { opened, ahead, allowance } = this;
    const answer = this.store.add(this.keyId, this.operation, ahead + batch.size, allowance.windowMs);
    this.underWay = answer;
    try {
      const { used, endsInMs } = await answer;
      // What was counted in a window that ended meanwhile is forgiven.
      if (opened === this.opened) {
        this.used = used;
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
    return { used: this.allowance.limit + 1, refused: true, resetMs: this.endsAt - performance.now() };
  }

  private useOf(used: number): Use {
    return { used, refused: used > this.allowance.limit, resetMs: this.endsAt - performance.now() };
  }
}
