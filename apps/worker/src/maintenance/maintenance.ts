import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FORGET_CHANGE_EVENTS } from '#libs/change-events';
import { SETTINGS, type Settings } from '#libs/config';
import { type Connections, Database, statement } from '#libs/database';
import { inRounds } from '#libs/fair-share';
import { FORGET_IMPORT_PAYLOADS } from '#libs/imports';
import { Metrics } from '#libs/operations';
import { codeEarlierBookings, ORGANIZATIONS_TO_CODE } from '#libs/referrals';
import { RepeatedTask } from '#libs/timers';
import { FORGET_DELIVERIES } from '#libs/webhooks';
import {
  COMPACT_COUNTERS,
  COMPACT_VERSIONS,
  FORGET_AUDIT_LOG,
  FORGET_DRY_RUNS,
  FORGET_IDEMPOTENCY_KEYS,
  FORGET_RATE_WINDOWS,
  FORGET_REQUESTS,
} from './statements';

/** An arbitrary number; the same in every release. */
const MAINTENANCE_LOCK = 5_717_252;

/** Rows of one transaction, because lists by `updatedAt` wait for it. */
const BATCH = 1_000;

/** A counter or version with more deltas than this is compacted. */
const CROWDED = 16;

const TAKE_TURN = statement({
  parameters: ['int', 'int'],
  columns: { mine: 'boolean' },
  sql: 'SELECT pg_try_advisory_xact_lock($1, $2) AS mine',
});

/**
 * Deletes and compacts rows that are no longer needed, and completes due work, every MAINTENANCE_MS. One worker at a
 * time runs each step.
 */
@Injectable()
export class Maintenance implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('maintenance');
  private readonly succeededAt = this.metrics.gauge({
    name: 'startline_maintenance_success_timestamp_seconds',
    help: 'When the maintenance of this worker last completed; before that, when the worker started.',
  });
  private readonly task = new RepeatedTask(
    this.settings.MAINTENANCE_MS,
    () => this.run(),
    (error) => this.logger.error(error),
  );

  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    this.succeededAt.setToCurrentTime();
    this.task.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /** Runs each step in its own short transactions; skips a step that another worker is running. */
  async run(): Promise<void> {
    const { AUDIT_LOG_DAYS, CHANGE_EVENT_DAYS, DRY_RUN_MINUTES, IDEMPOTENCY_MINUTES, WEBHOOK_DELIVERY_DAYS } =
      this.settings;
    await this.database.everywhere(async (on) => [
      await this.alone(1, (manager) => COMPACT_COUNTERS.run(manager, [CROWDED]), on),
      await this.alone(155, (manager) => COMPACT_VERSIONS.run(manager, [CROWDED]), on),
    ]);
    await this.database.onEveryServer((on) =>
      this.alone(2, (manager) => FORGET_RATE_WINDOWS.run(manager), on),
    );
    await this.forget(3, FORGET_IDEMPOTENCY_KEYS, IDEMPOTENCY_MINUTES);
    await this.forget(4, FORGET_AUDIT_LOG, AUDIT_LOG_DAYS);
    await this.forget(151, FORGET_REQUESTS, this.settings.REQUEST_LOG_DAYS);
    await this.forget(125, FORGET_IMPORT_PAYLOADS, this.settings.IMPORT_PAYLOAD_DAYS);
    // A job must outlive the Idempotency-Key that refers to it. One job per transaction, because it can have 10,000
    // rows.
    await this.forget(130, FORGET_DRY_RUNS, Math.max(DRY_RUN_MINUTES, IDEMPOTENCY_MINUTES), 1);
    // First, because deliveries must not outlive their events.
    await this.forget(71, FORGET_DELIVERIES, Math.min(WEBHOOK_DELIVERY_DAYS, CHANGE_EVENT_DAYS));
    await this.forget(70, FORGET_CHANGE_EVENTS, CHANGE_EVENT_DAYS);
    await this.codeEarlierBookings();
    this.succeededAt.setToCurrentTime();
  }

  private async codeEarlierBookings(): Promise<void> {
    await inRounds(
      () => this.database.everywhere((on) => ORGANIZATIONS_TO_CODE.rows(on)),
      async ({ id }) =>
        !this.task.isStopped && !!(await this.alone(116, codeEarlierBookings, this.database.of(id))),
    );
  }

  /**
   * Repeats the statement until a batch is not full or the process stops.
   *
   * @param statement deletes up to $2 rows older than $1, and returns how many as `deleted`
   */
  private async forget(
    number: number,
    statement: typeof FORGET_AUDIT_LOG,
    age: number,
    batch = BATCH,
  ): Promise<void> {
    for (let full = true; full && !this.task.isStopped; ) {
      const done = await this.database.everywhere(async (on) => [
        await this.alone(number, (manager) => statement.one(manager, [age, batch]), on),
      ]);
      full = done.some((each) => (each?.deleted ?? 0) >= batch);
    }
  }

  /**
   * One lock per step: with one lock for all, two workers could block each other so that a step never runs.
   *
   * @returns undefined if another worker is running the step
   */
  private async alone<Result>(
    number: number,
    work: (manager: EntityManager) => Promise<Result>,
    database: Connections = this.database,
  ): Promise<Result | undefined> {
    return database.transaction(async (manager) => {
      const { mine } = await TAKE_TURN.one(manager, [MAINTENANCE_LOCK, number]);
      return mine ? work(manager) : undefined;
    });
  }
}
