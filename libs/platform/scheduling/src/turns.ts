/**
 * Bounds what starts in a turn of the event loop, so that everything else in the process waits for a short turn only. Owners
 * with waiting work take turns.
 */
export class Turns {
  /** The owner that was served last is at the end. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private isScheduled = false;

  /** @param most the most work that starts in a turn */
  constructor(private readonly most: number) {}

  /** Resolves when work of the owner may start. */
  next(owner: string): Promise<void> {
    return new Promise((resolve) => {
      const own = this.waiting.get(owner);
      if (own) own.push(resolve);
      else this.waiting.set(owner, [resolve]);
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.size === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      for (let started = 0; started < this.most; started++) this.startOne();
      this.isScheduled = false;
      this.schedule();
    });
  }

  private startOne(): void {
    for (const [owner, own] of this.waiting) {
      own.shift()?.();
      this.waiting.delete(owner);
      if (own.length > 0) this.waiting.set(owner, own);
      return;
    }
  }
}
