import { EventEmitter, once } from 'node:events';
import { Injectable } from '@nestjs/common';
import type { QueueName } from '../queues';

/** What a worker reports about itself, at most this many jobs of it. */
const MOST_JOBS = 20;
/** How much of a speed the newest measurement is. */
const NEWEST = 0.3;
/** A shorter time at work measures nothing. */
const SHORTEST_MS = 200;

export interface Doing {
  queue: QueueName;
  organizationId: string;
  /** ISO 8601 */
  since: string;
}

export interface ActivityReport {
  /** Rows, messages or deliveries per second at work on a queue; absent before the first were measured. */
  speeds: Partial<Record<QueueName, number>>;
  doing: Doing[];
  /** Jobs that run, of which `doing` names the first. */
  jobs: number;
}

interface Measured {
  units: number;
  busyMs: number;
  running: number;
  since: number;
  speed?: number;
}

/**
 * What this worker does, and how fast: units of work in the time in which at least one job of the queue ran. So the speed is that of the
 * whole worker, whatever its concurrency.
 */
@Injectable()
export class Activity {
  private readonly queues = new Map<QueueName, Measured>();
  private readonly doing = new Set<Doing>();
  private readonly events = new EventEmitter();

  /** @returns to be called at the end of the job */
  begin(queue: QueueName, organizationId: string): () => void {
    const measured = this.of(queue);
    const job = { queue, organizationId, since: new Date().toISOString() };
    this.doing.add(job);
    if (measured.running++ === 0) measured.since = performance.now();
    return () => {
      this.doing.delete(job);
      if (!this.isBusy) this.events.emit('idle');
      if (--measured.running === 0) measured.busyMs += performance.now() - measured.since;
    };
  }

  get isBusy(): boolean {
    return this.doing.size > 0;
  }

  /** Resolves when no job runs. */
  async idle(): Promise<void> {
    if (this.isBusy) await once(this.events, 'idle');
  }

  /** @param units rows with an outcome, applied messages, or attempted deliveries */
  did(queue: QueueName, units: number): void {
    this.of(queue).units += units;
  }

  report(): ActivityReport {
    const now = performance.now();
    const speeds: ActivityReport['speeds'] = {};
    for (const [queue, measured] of this.queues) {
      if (measured.running) {
        measured.busyMs += now - measured.since;
        measured.since = now;
      }
      if (measured.units && measured.busyMs >= SHORTEST_MS) {
        const newest = (measured.units / measured.busyMs) * 1_000;
        measured.speed =
          measured.speed === undefined ? newest : measured.speed + NEWEST * (newest - measured.speed);
        measured.units = 0;
        measured.busyMs = 0;
      }
      // Time without a result, such as a turn that found no job, is no measurement.
      if (!measured.units && !measured.running) measured.busyMs = 0;
      if (measured.speed !== undefined) speeds[queue] = Math.round(measured.speed * 10) / 10;
    }
    return { speeds, doing: [...this.doing].slice(0, MOST_JOBS), jobs: this.doing.size };
  }

  private of(queue: QueueName): Measured {
    const known = this.queues.get(queue);
    if (known) return known;
    const fresh = { units: 0, busyMs: 0, running: 0, since: 0 };
    this.queues.set(queue, fresh);
    return fresh;
  }
}
