const TICK_MS = 50;
const TICKS_PER_SECOND = 1_000 / TICK_MS;
/** The share of the bandwidth below which an organization is not counted as a sender. */
const NEGLIGIBLE = 0.01;
/** Connections of an organization that are read again at once: clients may have gone meanwhile, and each that closes takes 0.1 ms. */
const MOST_RESUMED = 100;

interface Sender {
  bytes: number;
  paused: Set<() => void>;
}

/**
 * The bytes of bodies that a process receives each second, divided equally among the organizations that send. Without it,
 * ten organizations that send as fast as they can would leave the event loop a tenth of the time that one leaves.
 *
 * A client that sends more than its share waits: its connection is not read until the next interval.
 */
export class BodyBandwidth {
  private readonly perTick: number;
  private readonly senders = new Map<string, Sender>();
  private share: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(bytesPerSecond: number) {
    this.perTick = bytesPerSecond / TICKS_PER_SECOND;
    this.share = this.perTick;
  }

  /**
   * Counts received bytes.
   *
   * @returns whether the organization has used its share; then stop reading until `resume` is called
   */
  isUsedUp(organizationId: string, bytes: number, resume: () => void): boolean {
    let sender = this.senders.get(organizationId);
    if (!sender) {
      sender = { bytes: 0, paused: new Set() };
      this.senders.set(organizationId, sender);
    }
    this.timer ??= setInterval(() => this.tick(), TICK_MS).unref();
    sender.bytes += bytes;
    if (sender.bytes < this.share) return false;
    sender.paused.add(resume);
    return true;
  }

  private tick(): void {
    const resumed: (() => void)[] = [];
    let sending = 0;
    for (const [organizationId, sender] of this.senders) {
      if (sender.bytes > this.perTick * NEGLIGIBLE) sending++;
      // What exceeded the share counts in the next interval.
      sender.bytes = Math.max(0, sender.bytes - this.share);
      if (sender.bytes >= this.share) continue;
      const before = resumed.length;
      for (const resume of sender.paused) {
        if (resumed.length - before === MOST_RESUMED) break;
        sender.paused.delete(resume);
        resumed.push(resume);
      }
      if (sender.bytes === 0 && sender.paused.size === 0) this.senders.delete(organizationId);
    }
    this.share = this.perTick / Math.max(1, sending);
    if (this.senders.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    for (const resume of resumed) resume();
  }
}
