import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { codeEarlierBookings, ORGANIZATIONS_TO_CODE } from '#domain/bookings';
import { FORGET_DRY_RUNS, FORGET_IMPORT_PAYLOADS } from '#domain/imports';
import { FORGET_PERSON_JOBS } from '#domain/participants';
import { FORGET_WAITING } from '#domain/race-day';
import {
  DELETED_ENDPOINTS,
  FORGET_CHANGE_EVENTS,
  FORGET_DELIVERIES,
  FORGET_ENDPOINT,
} from '#domain/webhooks';
import { FORGET_AUDITED_VALUES, IDEMPOTENCY_HOURS } from '#platform/access';
import { SETTINGS, type Settings } from '#platform/config';
import { type Connections, Database, LOCKS, statement } from '#platform/database';
import { Metrics } from '#platform/process';
import { inRounds } from '#platform/scheduling';
import {
  COMPACT_COUNTERS,
  COMPACT_VERSIONS,
  FORGET_AUDIT_LOG,
  FORGET_IDEMPOTENCY_KEYS,
  FORGET_RATE_WINDOWS,
  FORGET_REQUESTS,
  ORGANIZATIONS_WITH_EXPIRED,
} from './statements';

/** A step holds the lock of its name. */
type Step =
  | 'compact counters'
  | 'compact versions'
  | 'forget rate windows'
  | 'forget idempotency keys'
  | 'forget audit log'
  | 'forget audited values'
  | 'forget requests'
  | 'forget import payloads'
  | 'forget dry runs'
  | 'forget person jobs'
  | 'forget deliveries'
  | 'forget change events'
  | 'forget waiting messages'
  | 'remove deleted endpoints'
  | 'code earlier bookings';
/** What `organizations_with_expired` knows. */
type Kind = Step extends infer Name ? (Name extends `forget ${infer Kind}` ? Kind : never) : never;

const HOUR = 3_600;
const DAY = 86_400;

/** Rows of one transaction, because lists by `updatedAt` wait for it. */
const BATCH = 1_000;

/** A counter or version with more deltas than this is compacted. */
const CROWDED = 16;

const TAKE_TURN = statement({
  parameters: ['int', 'text'],
  columns: { mine: 'boolean' },
  sql: 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS mine',
});

/**
 * Deletes and compacts rows that are no longer needed, and completes due work. One worker at a time runs each
 * step.
 */
@Injectable()
export class Maintenance {
  private isStopped = () => false;
  private failure: unknown;
  private readonly succeededAt = this.metrics.gauge({
    name: 'startline_maintenance_success_timestamp_seconds',
    help: 'When the maintenance of this worker last completed; before that, when the worker started.',
  });

  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.succeededAt.setToCurrentTime();
  }

  /**
   * Runs each step in its own short transactions; skips a step that another worker is running.
   *
   * @throws the last failure of a transaction, after all other organizations and steps
   */
  async run(isStopped = () => false): Promise<void> {
    this.isStopped = isStopped;
    this.failure = undefined;
    const { AUDIT_LOG_DAYS, AUDIT_VALUES_DAYS, CHANGE_EVENT_DAYS } = this.settings;
    const { IMPORT_PAYLOAD_DAYS, REQUEST_LOG_DAYS, UNIDENTIFIED_DAYS } = this.settings;
    await this.database.everywhere(async (on) => [
      await this.alone('compact counters', (manager) => COMPACT_COUNTERS.run(manager, [CROWDED]), on),
      await this.alone('compact versions', (manager) => COMPACT_VERSIONS.run(manager, [CROWDED]), on),
    ]);
    await this.database.onEveryServer((on) =>
      this.alone('forget rate windows', (manager) => FORGET_RATE_WINDOWS.run(manager), on),
    );
    await this.forget('idempotency keys', FORGET_IDEMPOTENCY_KEYS, IDEMPOTENCY_HOURS * HOUR);
    await this.forget('audit log', FORGET_AUDIT_LOG, AUDIT_LOG_DAYS * DAY);
    await this.forget('audited values', FORGET_AUDITED_VALUES, AUDIT_VALUES_DAYS * DAY);
    await this.forget('requests', FORGET_REQUESTS, REQUEST_LOG_DAYS * DAY);
    await this.forget('import payloads', FORGET_IMPORT_PAYLOADS, IMPORT_PAYLOAD_DAYS * DAY);
    // A job must outlive the Idempotency-Key that refers to it. One job per transaction, because it can have 10,000
    // rows.
    await this.forget('dry runs', FORGET_DRY_RUNS, IDEMPOTENCY_HOURS * HOUR, 1);
    await this.forget('person jobs', FORGET_PERSON_JOBS, IDEMPOTENCY_HOURS * HOUR);
    // First, because deliveries must not outlive their events.
    await this.forget('deliveries', FORGET_DELIVERIES, CHANGE_EVENT_DAYS * DAY);
    await this.forget('change events', FORGET_CHANGE_EVENTS, CHANGE_EVENT_DAYS * DAY);
    await this.forget('waiting messages', FORGET_WAITING, UNIDENTIFIED_DAYS * DAY);
    await this.removeDeletedEndpoints();
    await this.codeEarlierBookings();
    if (this.failure) throw this.failure;
    this.succeededAt.setToCurrentTime();
  }

  /** A batch of deliveries of one endpoint of each organization in a round; the last batch removes the endpoint. */
  private async removeDeletedEndpoints(): Promise<void> {
    await inRounds(
      () => this.database.everywhere((on) => DELETED_ENDPOINTS.rows(on)),
      async ({ organizationId, endpointId }) => {
        const removeSome = async (manager: EntityManager) => {
          await FORGET_ENDPOINT.run(manager, [organizationId, endpointId, BATCH]);
          return true;
        };
        const on = this.database.of(organizationId);
        return (await this.alone('remove deleted endpoints', removeSome, on)) ?? false;
      },
      this.isStopped,
    );
  }

  private async codeEarlierBookings(): Promise<void> {
    await inRounds(
      () => this.database.everywhere((on) => ORGANIZATIONS_TO_CODE.rows(on)),
      async ({ id }) =>
        !!(await this.alone('code earlier bookings', codeEarlierBookings, this.database.of(id))),
      this.isStopped,
    );
  }

  /**
   * Rounds of a batch for each organization with expired rows, until no batch is full or the process stops.
   *
   * @param statement deletes up to $3 rows of the organization $1 that are older than $2 seconds, and returns how many as
   *   `deleted`
   */
  private async forget(
    kind: Kind,
    statement: typeof FORGET_AUDIT_LOG,
    seconds: number,
    batch = BATCH,
  ): Promise<void> {
    await inRounds(
      () => this.database.everywhere((on) => ORGANIZATIONS_WITH_EXPIRED.rows(on, [kind, seconds])),
      async ({ id }) => {
        const forgetSome = (manager: EntityManager) => statement.one(manager, [id, seconds, batch]);
        const done = await this.alone(`forget ${kind}`, forgetSome, this.database.of(id));
        return (done?.deleted ?? 0) >= batch;
      },
      this.isStopped,
    );
  }

  /**
   * One lock per step: with one lock for all, two workers could block each other so that a step never runs.
   *
   * @returns undefined if another worker is running the step, or if it failed
   */
  private async alone<Result>(
    step: Step,
    work: (manager: EntityManager) => Promise<Result>,
    database: Connections = this.database,
  ): Promise<Result | undefined> {
    try {
      return await database.transaction(async (manager) => {
        const { mine } = await TAKE_TURN.one(manager, [LOCKS.maintenance, step]);
        return mine ? await work(manager) : undefined;
      });
    } catch (error) {
      this.failure = error;
      return undefined;
    }
  }
}
