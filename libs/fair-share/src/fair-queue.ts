/** An owner waited too long for a slot, or has too much waiting. Its work was not begun. */
export class ShareExceeded extends Error {}

export interface FairQueueOptions {
  /** How much may run at once. */
  slots: number;
  /** How long work may wait for a slot. */
  waitMs: number;
  /** How much of one owner's work may wait. */
  mostWaiting?: number;
}

interface Owner {
  held: number;
  /** Time that its work has taken, in milliseconds, on the queue's clock. */
  used: number;
  waiting: Set<() => void>;
}

/** The part of the slots that only an owner that holds none may take. */
const RESERVED = 0.6;
const MOST_WAITING = 1_000;
/** How much of what an owner used counts against it later. */
const REMEMBERED_MS = 5_000;
/** Idle owners that are remembered for what they used. */
const REMEMBERED = 10_000;

/**
 * Runs work of many owners in a bounded number of slots.
 *
 * - However much one owner has waiting, and however long its work takes, three fifths of the slots are left for owners
 *   that hold none, one each.
 * - Among owners that wait, the one whose work has taken the least time goes first, so that an owner with little to
 *   do never waits behind another's backlog.
 * - An owner that was idle gains nothing by it: it starts level with the one served last.
 */
export class FairQueue {
  private readonly owners = new Map<string, Owner>();
  private readonly queued = new Set<Owner>();
  private readonly mostWaiting: number;
  private readonly waitMs: number;
  private readonly reserved: number;
  private free: number;
  /** What the owner that was last served from the queue had used then. */
  private clock = 0;

  constructor({ slots, waitMs, mostWaiting = MOST_WAITING }: FairQueueOptions) {
    this.free = slots;
    this.reserved = Math.floor(slots * RESERVED);
    this.waitMs = waitMs;
    this.mostWaiting = mostWaiting;
  }

  /** How many wait. */
  get waiting(): number {
    let count = 0;
    for (const owner of this.queued) count += owner.waiting.size;
    return count;
  }

  /** @throws ShareExceeded without having begun `work`; else what `work` throws */
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

  /** Whose turn it is, if anybody's. */
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
