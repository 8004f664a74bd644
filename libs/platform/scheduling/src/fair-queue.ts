/** The wait for a slot timed out, or too much work of the owner waits. The work was not started. */
export class ShareExceeded extends Error {}

export interface FairQueueOptions {
  /** The number of slots. */
  slots: number;
  /** The longest wait for a slot. */
  waitMs: number;
  /** The most waiting work per owner. */
  mostWaiting?: number;
}

/**
 * For jobs of queues: one that gave up would lose its turn. The wait is the longest delay of a timer. `Workers` bounds the number
 * of jobs.
 */
export const NEVER_GIVES_UP = { waitMs: 2 ** 31 - 1, mostWaiting: Number.POSITIVE_INFINITY };

interface Owner {
  held: number;
  /** The time that the owner's work has taken, in milliseconds. */
  used: number;
  waiting: Set<() => void>;
}

/** The share of the slots that is reserved for owners without a slot. */
const RESERVED = 0.6;
const MOST_WAITING = 1_000;
/** The share of an owner's past usage that counts. */
const REMEMBERED_MS = 5_000;
/** The most idle owners whose usage is stored. */
const REMEMBERED = 10_000;

/**
 * Runs work of several owners in a limited number of slots.
 *
 * - An owner with much work never uses more than two fifths of the slots; the others are for owners without a slot, one
 *   each.
 * - The waiting owner whose work has taken the least time is first, so that owners with little work do not wait for the
 *   backlog of others.
 * - Being idle gives no advantage: an idle owner starts with the usage of the owner that was served last.
 */
export class FairQueue {
  private readonly owners = new Map<string, Owner>();
  private readonly queued = new Set<Owner>();
  private readonly mostWaiting: number;
  private readonly waitMs: number;
  private readonly reserved: number;
  private free: number;
  /** The usage of the owner that was last served from the queue. */
  private clock = 0;

  constructor({ slots, waitMs, mostWaiting = MOST_WAITING }: FairQueueOptions) {
    this.free = slots;
    this.reserved = Math.floor(slots * RESERVED);
    this.waitMs = waitMs;
    this.mostWaiting = mostWaiting;
  }

  /** The number of waiting items. */
  get waiting(): number {
    let count = 0;
    for (const owner of this.queued) count += owner.waiting.size;
    return count;
  }

  /** @throws ShareExceeded without starting `work`, or the error of `work` */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const owner = this.ownerOf(name);
    if (owner.waiting.size === 0 && this.mayStart(owner)) this.start(owner);
    else await this.turnOf(owner);
    const began = performance.now();
    try {
      return await work();
    } finally {
      this.end(name, owner, performance.now() - began);
    }
  }

  private ownerOf(name: string): Owner {
    let owner = this.owners.get(name);
    if (!owner) {
      owner = { held: 0, used: this.clock, waiting: new Set() };
      this.owners.set(name, owner);
    } else if (owner.held === 0 && owner.waiting.size === 0) {
      owner.used = Math.max(owner.used, this.clock);
    }
    return owner;
  }

  private mayStart({ held }: Owner): boolean {
    return this.free > (held === 0 ? 0 : this.reserved);
  }

  private start(owner: Owner): void {
    owner.held++;
    this.free--;
  }

  private turnOf(owner: Owner): Promise<void> {
    if (owner.waiting.size >= this.mostWaiting)
      throw new ShareExceeded('The queue of the organization is full');
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        this.leave(owner, begin);
        resolve();
      };
      const timer = setTimeout(() => {
        this.leave(owner, begin);
        reject(new ShareExceeded('The wait for a slot timed out'));
      }, this.waitMs);
      owner.waiting.add(begin);
      this.queued.add(owner);
    });
  }

  private leave(owner: Owner, begin: () => void): void {
    owner.waiting.delete(begin);
    if (owner.waiting.size === 0) this.queued.delete(owner);
  }

  private end(name: string, owner: Owner, ms: number): void {
    owner.held--;
    this.free++;
    owner.used = Math.min(owner.used + ms, this.clock + REMEMBERED_MS);
    const isIdle = owner.held === 0 && owner.waiting.size === 0;
    if (isIdle && (owner.used <= this.clock || this.owners.size > REMEMBERED)) this.owners.delete(name);
    for (let next = this.next(); next; next = this.next()) {
      this.clock = Math.max(this.clock, next.used);
      this.start(next);
      const [begin] = next.waiting;
      begin?.();
    }
  }

  /** The owner that is served next, if any. */
  private next(): Owner | undefined {
    let first: Owner | undefined;
    for (const owner of this.queued) {
      if (!this.mayStart(owner)) continue;
      if (!first || owner.used < first.used || (owner.used === first.used && owner.held < first.held))
        first = owner;
    }
    return first;
  }
}
