import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { FORGET_CHANGE_EVENTS } from '#libs/change-events';
import { SETTINGS, type Settings } from '#libs/config';
import { Database } from '#libs/database';
import { Metrics } from '#libs/operations';
import { FORGET_DELIVERIES } from '#libs/webhooks';
import {
  AUDIT_BATCH,
  COMPACT_COUNTERS,
  FORGET_AUDIT_LOG,
  FORGET_IDEMPOTENCY_KEYS,
  FORGET_RATE_WINDOWS,
} from './statements';

/** Any number; the same in every release. */
const MAINTENANCE_LOCK = 5_717_252;

/** Deltas of one count from which they are added up. */
const CROWDED = 16;

/** Keeps tables that only grow from growing, every MAINTENANCE_MS. Of several workers one does it at a time. */
@Injectable()
export class Maintenance implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('maintenance');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    this.metrics.maintenanceAt.setToCurrentTime();
    this.schedule();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** All of it, once, but for a step that another worker is at. Each is a short transaction of its own. */
  async run(): Promise<void> {
    const { AUDIT_LOG_DAYS, CHANGE_EVENT_DAYS, IDEMPOTENCY_MINUTES, WEBHOOK_DELIVERY_DAYS } = this.settings;
    await this.step(1, COMPACT_COUNTERS, [CROWDED]);
    await this.step(2, FORGET_RATE_WINDOWS, []);
    await this.step(3, FORGET_IDEMPOTENCY_KEYS, [IDEMPOTENCY_MINUTES]);
    await this.forgetAuditLog(AUDIT_LOG_DAYS);
    // First: a delivery doesn't outlive its event.
    await this.step(71, FORGET_DELIVERIES, [Math.min(WEBHOOK_DELIVERY_DAYS, CHANGE_EVENT_DAYS)]);
    await this.step(70, FORGET_CHANGE_EVENTS, [CHANGE_EVENT_DAYS]);
    this.metrics.maintenanceAt.setToCurrentTime();
  }

  /** In as many transactions as it takes, until a batch is not full or the process stops. */
  private async forgetAuditLog(days: number): Promise<void> {
    for (let deleted = AUDIT_BATCH; deleted === AUDIT_BATCH && !this.stopped; ) {
      const rows = await this.step<{ deleted: number }>(4, FORGET_AUDIT_LOG, [days]);
      deleted = rows[0]?.deleted ?? 0;
    }
  }

  /** A lock for each: with one for all, two workers could get into each other's way so that neither does a step. */
  private async step<Row>(number: number, statement: string, values: unknown[]): Promise<Row[]> {
    return this.database.transaction(async (manager) => {
      const [{ mine }] = await manager.query('SELECT pg_try_advisory_xact_lock($1, $2) AS mine', [
        MAINTENANCE_LOCK,
        number,
      ]);
      return mine ? manager.query(statement, values) : [];
    });
  }

  private schedule(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.run()
        .catch((error) => this.logger.error(error))
        .then(() => this.schedule());
    }, this.settings.MAINTENANCE_MS);
  }
}
