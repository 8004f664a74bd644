import type { QueueName } from '../queues';

export interface OpenWork {
  queue: QueueName;
  /** Rows without an outcome, messages that are not applied, or due deliveries. */
  units: number;
  /** What can be worked on at the same time: jobs, organizations, endpoints. More workers than that would be idle. */
  parts: number;
  /** Age of the oldest part that no worker has begun; 0 if there is none. */
  waitingSeconds: number;
  /** Units per second of one worker. */
  speed: number;
}

export interface FleetRules {
  /** All open work is to be done within this time. */
  delaySeconds: number;
  most: number;
}

/**
 * How many workers finish the open work in time, if all are as fast as those that were measured. At least one; no more than there are parts.
 * Work that waits longer than the delay although the number was right by the speeds asks for one more than there are.
 */
export function workersWanted(
  work: readonly OpenWork[],
  running: number,
  { delaySeconds, most }: FleetRules,
): number {
  const seconds = work.reduce((sum, { units, speed }) => sum + units / speed, 0);
  const parts = work.reduce((sum, each) => sum + each.parts, 0);
  const isLate = work.some(({ waitingSeconds }) => waitingSeconds > delaySeconds);
  const enough = Math.max(Math.ceil(seconds / delaySeconds), isLate ? running + 1 : 0);
  return Math.max(1, Math.min(enough, parts, most));
}

/**
 * The largest number of the last `holdMs`: the fleet grows at once, and shrinks when fewer have been enough for that long, so that it does
 * not swing. The first number is that of the workers that run, so that a process that has just started ends none.
 */
export class Held {
  private samples: { at: number; workers: number }[];

  constructor(
    private readonly holdMs: number,
    running: number,
    now: number,
  ) {
    this.samples = [{ at: now, workers: running }];
  }

  /** @param now milliseconds of a clock that is never set back */
  next(workers: number, now: number): number {
    // Earlier numbers that are not larger can't be the largest any more.
    this.samples = this.samples.filter((sample) => sample.workers > workers && now - sample.at < this.holdMs);
    this.samples.push({ at: now, workers });
    return (this.samples[0] as { workers: number }).workers;
  }
}
